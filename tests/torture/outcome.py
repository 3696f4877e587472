"""What a part of the torture has done and found, as a row of a table and in a file."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
TITLES = ("part", "done", "lost, crashed or wrong", "seed", "took", "on")


@dataclass
class Outcome:
    """Counts, in words and as numbers, and everything that was not as it should be."""

    did: str = ""
    figures: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def record(file: Path, part: str, outcome: Outcome, seed: int, seconds: float) -> None:
    """Write the outcome of a part into a file; those of other parts stay."""
    known = json.loads(file.read_text()) if file.exists() else {}
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    ran = {"seed": seed, "seconds": round(seconds), "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit.strip()}
    known[part] = asdict(outcome) | ran
    file.parent.mkdir(parents=True, exist_ok=True)
    part_file = file.with_suffix(".part")
    part_file.write_text(json.dumps(known, indent=1) + "\n")
    part_file.replace(file)


def to_markdown(file: Path) -> str:
    """Return the table of all parts that a file knows."""
    lines = [f"| {' | '.join(TITLES)} |", "|---|---|---|---|---|---|"]
    for part, one in json.loads(file.read_text()).items():
        took = f"{one['seconds'] // 60} min" if one["seconds"] >= 120 else f"{one['seconds']} s"
        found = "nothing" if not one["problems"] else f"{len(one['problems'])}: {one['problems'][0].splitlines()[0]}"
        lines.append(f"| {part} | {one['did']} | {found} | {one['seed']} | {took} | {one['date']}, {one['commit']} |")
    return "\n".join(lines) + "\n"
