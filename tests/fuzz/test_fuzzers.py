"""The fuzzers see what they look for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.child import Child, serve
from tests.fuzz.readers import make, samples

ROOT = Path(__file__).parents[2]


def misbehave(word: str) -> str:
    """Do what the word says."""
    if word == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "exit":
        os._exit(0)
    elif word == "hang":
        while True:
            pass
    elif word == "eat":
        try:
            bytearray(2**33)
        except MemoryError:
            return "refused"
    print("noise")
    return f"heard {word}\nand more"


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves more memory")
def test_a_child_survives_whatever_happens():
    child = Child("tests.fuzz.test_fuzzers")
    assert child.ask("a word") == "heard a word | and more"
    assert child.ask("crash").startswith("CRASH SIGSEGV: Fatal Python error: Segmentation fault")
    assert child.ask("eat") == "refused"
    assert child.ask("hang") == "HANG more processor time than is allowed"
    assert child.ask("exit").startswith("CRASH exit status 0")
    assert child.ask("again") == "heard again | and more"
    child.close()


def test_files_follow_from_the_seed_and_differ():
    sample = samples()
    once = [make(sample, 3, number) for number in range(60)]
    assert once == [make(sample, 3, number) for number in range(60)]
    assert len({content for _, _, content in once}) > 50
    valid = {content for one in sample.values() for _, content in one}
    assert sum(content in valid for _, _, content in once) < 10


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer reserves more memory")
def test_readers(tmp_path):
    command = [sys.executable, "-m", "tests.fuzz.readers", "--files", "300", "--seed", "7", "--keep", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "300 files" in done.stdout
    assert "0 unexpected, 0 crashed, 0 hung" in done.stdout


if __name__ == "__main__":
    serve(misbehave, memory=4 * 2**30, seconds=1)
