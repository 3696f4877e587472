"""The whole code base passes its linters, type checker and formatters."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NATIVE = sorted(
    str(path.relative_to(ROOT)) for room in ("cpp", "tests/cpp") for path in (ROOT / room).rglob("*.[ch]pp")
)
COMMANDS = {
    "ruff check": ["ruff", "check", "--no-cache", "."],
    "ruff format": ["ruff", "format", "--no-cache", "--diff", "."],
    "mypy": ["mypy"],
    "clang-format": ["clang-format", "--dry-run", "-Werror", *NATIVE],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_style(name):
    tool, *arguments = COMMANDS[name]
    command = [str(Path(sys.executable).parent / tool), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_clang_format_sees_the_core():
    assert len(NATIVE) > 20
