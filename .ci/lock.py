"""Write requirements.lock: the SHA-256 of every file that the index has for the versions in constraints.txt.

    .venv/bin/python .ci/lock.py

`make` installs what is in it with `pip --require-hashes`. Packages in UNLOCKED are left out.
"""

from __future__ import annotations

import os
import re
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pip._internal.models.index import PyPI

ROOT = Path(__file__).parents[1]
HEAD = """\
# The hashes of what constraints.txt pins, for every platform; made by .ci/lock.py, which see.
# Without torch: it comes in builds of its own (CPU, CUDA, ROCm) that share a version and differ in their hashes, and a
# machine may bring its own. pip takes it at the version in constraints.txt.
"""
UNLOCKED = {"torch"}


def pinned() -> dict[str, str]:
    """Return the versions of constraints.txt by name."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def hashes(name: str, version: str) -> list[str]:
    """Ask the index for the digests of all files of a version."""
    plain = re.sub(r"[-_.]+", "-", name).lower()
    index = os.environ.get("PIP_INDEX_URL", PyPI.simple_url).rstrip("/")
    with urllib.request.urlopen(f"{index}/{plain}/", timeout=60) as answer:
        page = answer.read().decode()
    # name-version-*.whl, or name-version.tar.gz; spellings of the name differ
    file = rf"{plain.replace('-', '[-_.]+')}-{re.escape(version)}(?:-[^/#\"]*\.whl|\.tar\.gz|\.zip)"
    found = sorted(set(re.findall(rf"/{file}#sha256=([0-9a-f]{{64}})", page, re.IGNORECASE)))
    if not found:
        raise SystemExit(f"the index has no file of {name} {version}")
    return found


def main() -> None:
    """Write the file."""
    wanted = {name: version for name, version in pinned().items() if name not in UNLOCKED}
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(hashes, wanted, wanted.values()))
    text = HEAD
    for (name, version), digests in zip(wanted.items(), found, strict=True):
        text += " \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{digest}" for digest in digests)]) + "\n"
    (ROOT / "requirements.lock").write_text(text)


if __name__ == "__main__":
    main()
