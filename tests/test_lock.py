"""What `make` installs is pinned by version and by hash."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNLOCKED = {"torch"}  # builds of one version differ in their hashes


def test_the_lock_has_hashes_for_all_that_is_pinned():
    pinned = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    text = (ROOT / "requirements.lock").read_text()
    blocks = re.findall(r"^([\w.-]+)==(\S+)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE)
    assert [block[:2] for block in blocks] == [one for one in pinned if one[0] not in UNLOCKED], (
        "constraints.txt has changed: .venv/bin/python .ci/lock.py writes requirements.lock anew"
    )
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == sum(1 + block[2].count("--hash") for block in blocks)


def test_make_uses_it():
    assert "--require-hashes --no-deps --requirement requirements.lock" in (ROOT / "Makefile").read_text()


def test_benchmarks_and_examples_evaluate_no_text():
    for folder in ("benchmarks", "examples", "src"):
        for path in (ROOT / folder).rglob("*.py"):
            assert not re.search(r"(?<![\w.])(eval|exec)\(", path.read_text()), path
