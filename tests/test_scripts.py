"""The example scripts and the tutorial run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = {"grace": "on the embedding", "mvgrl": "loss", "graphcl": "the embedding", "bgrl": "rLap: 15 epochs"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_examples_run(name, capsys):
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert SCRIPTS[name] in shown
    # Chance is a tenth on the digits, and a fifth on the families.
    assert max(map(float, re.findall(r"([\d.]+) %", shown))) > (80 if name in ("grace", "mvgrl") else 35)


def test_the_tutorial_runs():
    text = (ROOT / "docs" / "tutorial" / "learning.md").read_text()
    scope: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(block, scope)
    assert scope["result"].epochs == 20
