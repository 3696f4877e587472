"""Fuzz every reader of files with mutated ones, each in a child process with limits of time and memory.

    python -m tests.fuzz.readers --seconds 60 --seed 0 --jobs 1
    python -m tests.fuzz.readers --files 200000
    python -m tests.fuzz.readers --replay FILE        # read one file that was kept

A file may be read, or be refused by a `ValueError` of one line, or by a `MemoryError`. Anything else (a signal, an
exit, another exception, more than 10 seconds of processor time) is a finding: the file is kept, and the command that
repeats it is printed.
File number n of a seed is always the same, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import importlib
import io
import pickle
import random
import re
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from tests.fuzz.child import Child, serve

MEMORY = 6 * 2**30  # of address space, of which torch takes two by being imported
SECONDS = 10.0  # of processor time
NUMBERS = ["-1", "0", "1", "-5", "255", "65536", "1000000000", "2147483647", "2147483648", "4294967296", "9" * 20]
NUMBERS += [str(2**63 - 1), "1e308", "1e-320", "nan", "inf", "-inf", "0x10", "1_000", "é", "%", "", "\0", "1" * 300]
BYTES = [bytes([byte]) for byte in b'\0\xff\x7f\x80\n\t "<&,%'] + [b"\xef\xbb\xbf", b"\xff\xfe"]


def graph() -> tuple[np.ndarray, np.ndarray]:
    """Return twelve nodes on a ring with chords, both directions, and weights."""
    half = np.array([[at, (at + step) % 12] for step in (1, 5) for at in range(12)]).T
    return np.concatenate([half, half[::-1]], axis=1), np.tile(np.linspace(0.5, 3, 24), 2)


def samples() -> dict[str, list[tuple[str, bytes]]]:
    """Return valid files by the name of their reader, each with its ending."""
    import pandas as pd
    import torch
    from torch_geometric.data import Data

    ends, weight = graph()
    matrix = sp.csr_array((weight, tuple(ends)), shape=(12, 12))
    x = np.random.default_rng(0).random((12, 3)).astype(np.float32)
    names = [f"n{at}" for at in range(12)]
    rows = "".join(f"{u},{v},{w}\n" for u, v, w in zip(*ends[:, :24], weight, strict=False))
    named = "".join(f"{names[u]}\t{names[v]}\n" for u, v in ends[:, :24].T)
    lines = [
        f'<edge source="{u}" target="{v}"><data key="w">{w}</data></edge>'
        for u, v, w in zip(*ends, weight, strict=True)
    ]
    edges = "\n".join(lines)
    head = (
        '<?xml version="1.0" encoding="utf-8"?><graphml><key id="w" for="edge" attr.name="weight" attr.type="double">'
        '<default>1</default></key><graph edgedefault="directed">'
    )
    nodes = "".join(f'<node id="{at}"/>' for at in range(12))
    frame = pd.DataFrame(x, columns=["a", "b", "c"])
    frame.insert(0, "node", names)
    labels = pd.DataFrame({"node": names, "label": ["red", "blue", "green"] * 4})
    data = Data(x=torch.from_numpy(x), edge_index=torch.from_numpy(ends), edge_weight=torch.from_numpy(weight))
    matrices = [(".npz", written(sp.save_npz, matrix.asformat(kind))) for kind in ("csr", "csc", "coo", "bsr", "dia")]
    return {
        "graph": [
            (".csv", f"source,target,weight\n{rows}".encode()),
            (".csv", b'# comment\n"a b",c\nc,"d,""e"""\n'),
            (".tsv", named.encode()),
            (".csv.gz", gzip.compress(rows.encode())),
            (".npz", arrays(edge_index=ends, edge_weight=weight, num_nodes=12)),
            (".npz", arrays(edge_index=ends, node_names=np.array(names), node_mask=np.ones(12, bool))),
            *matrices,
            (".mtx", written(scipy.io.mmwrite, matrix)),
            (".mtx", written(scipy.io.mmwrite, matrix.toarray())),
            (
                ".mtx",
                b'%%MatrixMarket matrix coordinate pattern symmetric\n%node "a"\n%node "b"\n%node 3\n3 3 2\n2 1\n3 2\n',
            ),
            (".graphml", f"{head}{nodes}{edges}</graph></graphml>".encode()),
            (".graphml", f"{head}{nodes}<!-- -->{edges}</graph></graphml>".encode()),
        ],
        "features": [
            (".csv", frame.to_csv(index=False).encode()),
            (".txt", frame.drop(columns="node").to_csv(index=False, header=False, sep=" ").encode()),
            (".parquet", written(lambda file, one: one.to_parquet(file), frame)),
            (".parquet", written(lambda file, one: one.to_parquet(file, compression="gzip"), frame.set_index("node"))),
            (".npy", written(np.save, x)),
            (".npz", arrays(x=x)),
            *matrices,
        ],
        "labels": [
            (".csv", labels.to_csv(index=False).encode()),
            (".tsv", "".join(f"{at % 3}\n" for at in range(12)).encode()),
            (".parquet", written(lambda file, one: one.to_parquet(file), labels)),
            (".npy", written(np.save, np.arange(12) % 3)),
            (".npy", written(np.save, np.array(names))),
        ],
        "saved": [(".pt", written(lambda file, one: torch.save(one, file), one)) for one in (data, [data, data])],
        "planetoid": [
            (".pickle", pickle.dumps(one, 2)) for one in (sp.csr_matrix(matrix), dict(enumerate(ends.T.tolist())), x)
        ],
    }


def arrays(**named: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **named)
    return file.getvalue()


def written(write: Callable[..., Any], value: Any) -> bytes:
    file = io.BytesIO()
    write(file, value)
    return file.getvalue()


def make(sample: dict[str, list[tuple[str, bytes]]], seed: int, number: int) -> tuple[str, str, bytes]:
    """Return the reader, the ending and the bytes of file `number` of a seed."""
    rng = random.Random(f"{seed} {number}")
    reader, ending, content = rng.choice([(name, *one) for name in sorted(sample) for one in sample[name]])
    # Inside an archive, or else its checksums refuse it all.
    change = mutate_members if content[:2] == b"PK" and rng.random() < 0.9 else mutate
    return reader, ending, change(content, rng)


def mutate_members(content: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in rng.sample(sorted(members), rng.choice([1, 1, 1, min(2, len(members))])):
        if rng.random() < 0.05:
            del members[name]
        elif rng.random() < 0.05:
            members[name] = members[rng.choice(sorted(members))]
        else:
            members[name] = mutate(members[name], rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, one in members.items():
            archive.writestr(name, one)
    return out.getvalue()


def mutate(content: bytes, rng: random.Random) -> bytes:
    """Change a few things: bits, bytes, numbers in text, whole numbers in binary, pieces."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        content = rng.choice(CHANGES)(content, rng)
    return content


def flip(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(max(1, len(content)))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :] if content else b"\0"


def put(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(BYTES) + content[at + rng.choice([0, 1]) :]


def number(content: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(rb"-?\d+(\.\d+)?", content))
    if not found:
        return put(content, rng)
    one = rng.choice(found)
    return content[: one.start()] + rng.choice(NUMBERS).encode() + content[one.end() :]


def integer(content: bytes, rng: random.Random) -> bytes:
    width = rng.choice([1, 2, 4, 8])
    at = rng.randrange(max(1, len(content) - width))
    value = rng.choice([-1, 0, 1, -5, 10**6, 10**9, 2**31 - 1, 2**31, 2**62, rng.getrandbits(63)]) % 256**width
    return content[:at] + value.to_bytes(width, "little") + content[at + width :]


def piece(content: bytes, rng: random.Random) -> bytes:
    begin, end = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    at = rng.randrange(len(content) + 1)
    copied = content[begin:end] * rng.choice([1, 1, 40])
    return rng.choice([content[:begin] + content[end:], content[:at] + copied + content[at:], content[:end]])


CHANGES = [flip, put, number, number, integer, integer, piece]


def read(reader: str, path: Path) -> None:
    """Read a file as the command line would."""
    from rlap.adapters.files import read_graph
    from rlap.datasets import planetoid
    from rlap.embedder.files import read_own
    from rlap.embedder.inputs import read_input
    from rlap.embedder.labels import read_labels
    from rlap.embedder.tables import read_table

    if reader == "graph":
        read_graph(path)
    elif reader == "features":
        read_table(path)
    elif reader == "labels":
        read_labels(path)
    elif reader == "saved":
        own = read_own(path, None)
        read_input(own.graphs, "graph" if isinstance(own.graphs, list) else "node")
    else:
        value = planetoid._unpickle(path.read_bytes(), path.name)
        planetoid._edges(value, 12) if isinstance(value, dict) else planetoid._features(value, "x")


def answer(line: str) -> str:
    """Return what became of a file: READ, REFUSED or UNEXPECTED with the place."""
    reader, _, path = line.partition(" ")
    try:
        read(reader, Path(path))
    except ValueError as problem:
        return "UNEXPECTED several lines: " + str(problem) if "\n" in str(problem) else "REFUSED"
    except MemoryError:
        return "REFUSED for memory"
    except Exception as problem:
        trace = problem.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        place = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        return f"UNEXPECTED {type(problem).__name__} at {place}: {str(problem)[:200]}"
    return "READ"


def numbers(files: int | None, seconds: float | None) -> Iterator[int]:
    """Count files until there are enough of them, or the time is over."""
    end = None if seconds is None else time.monotonic() + seconds
    at = 0
    while (files is None or at < files) and (end is None or time.monotonic() < end):
        yield at
        at += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--files", type=int, help="stop after so many files")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="children at once")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz-readers"), help="where findings are kept")
    parser.add_argument("--replay", type=Path, help="read one file that was kept")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        warnings.simplefilter("ignore")
        for module in ("adapters.files", "datasets.planetoid", "embedder.files", "embedder.labels"):
            importlib.import_module(f"rlap.{module}")  # not in the time of the first file
        serve(answer, MEMORY, SECONDS)
        return 0
    if options.replay is not None:
        read(options.replay.name.partition("-")[0], options.replay)
        return 0
    if options.seconds is None and options.files is None:
        options.seconds = 60.0
    sample = samples()
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    findings: dict[str, Path] = {}
    began = time.monotonic()

    def work(job: int) -> None:
        child = Child("tests.fuzz.readers", ["--child"])
        with tempfile.TemporaryDirectory() as folder:
            for at in numbers(options.files, options.seconds):
                if at % options.jobs != job:
                    continue
                reader, ending, content = make(sample, options.seed, at)
                path = Path(folder, f"{reader}{ending}")
                path.write_bytes(content)
                said = child.ask(f"{reader} {path}")
                word = said.split()[0]
                counts[reader, word] += 1
                if word not in ("READ", "REFUSED"):
                    options.keep.mkdir(parents=True, exist_ok=True)
                    kept = options.keep / f"{reader}-{hashlib.sha256(content).hexdigest()[:12]}{ending}"
                    kept.write_bytes(content)
                    if findings.setdefault(re.sub(r"\d+|'.*'", "#", said), kept) is kept:
                        print(f"{said}\n    {sys.executable} -m tests.fuzz.readers --replay {kept}", flush=True)
        child.close()

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, range(options.jobs)))
    total: collections.Counter[str] = collections.Counter()
    readers: collections.Counter[str] = collections.Counter()
    for (reader, word), count in counts.items():
        total[word] += count
        readers[reader] += count
    each = ", ".join(f"{name} {count}" for name, count in sorted(readers.items()))
    print(
        f"readers: {sum(total.values())} files in {time.monotonic() - began:.0f} s, seed {options.seed}: "
        f"{total['READ']} read, {total['REFUSED']} refused, {total['UNEXPECTED']} unexpected, "
        f"{total['CRASH']} crashed, {total['HANG']} hung ({each})"
    )
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
