"""Small data sets in the raw formats that PyTorch Geometric reads, with all that makes them awkward."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from rlap.datasets.raw_files import published_digests


def write_planetoid(root: Path, name: str = "Cora") -> None:
    """600 nodes (PyG validates on 500), the last ten for tests and in disorder; with self-loops and parallel edges."""
    raw = root / name / "raw"
    raw.mkdir(parents=True)
    random = np.random.default_rng(0)
    words = sp.csr_matrix((random.random((600, 120)) < 0.03).astype(np.float32))
    labels = np.eye(3, dtype=np.int32)[np.arange(600) % 3]
    ring = {u: [(u + 1) % 600, (u - 1) % 600, u, (u + 1) % 600] for u in range(600)}
    parts = {
        "x": words[:6],
        "allx": words[:590],
        "tx": words[590:],
        "y": labels[:6],
        "ally": labels[:590],
        "ty": labels[590:],
        "graph": ring,
    }
    prefix = f"ind.{name.lower()}"
    for part, value in parts.items():
        (raw / f"{prefix}.{part}").write_bytes(pickle.dumps(value))
    (raw / f"{prefix}.test.index").write_text("\n".join(map(str, random.permutation(np.arange(590, 600)))))


def write_npz(root: Path, folder: str, file: str) -> None:
    """A directed graph with self-loops, features with counts, and one feature stored twice."""
    raw = root / folder / "raw"
    raw.mkdir(parents=True)
    random = np.random.default_rng(1)
    words = sp.csr_array(random.poisson(0.03, size=(40, 90)).astype(np.float32))
    edges = sp.csr_array((random.random((40, 40)) < 0.1).astype(np.float32))
    indptr = words.indptr.copy()
    indptr[-1] += 2
    arrays = {
        "adj_data": edges.data,
        "adj_indices": edges.indices,
        "adj_indptr": edges.indptr,
        "adj_shape": edges.shape,
        "attr_data": np.append(words.data, [1, 2]).astype(np.float32),
        "attr_indices": np.append(words.indices, [7, 7]).astype(np.int32),
        "attr_indptr": indptr,
        "attr_shape": words.shape,
        "labels": np.arange(40) % 4,
    }
    np.savez(raw / file, **arrays)


def write_tu(root: Path, name: str, *, labelled: bool) -> None:
    """12 graphs, one without any edge, with parallel edges and a self-loop; labels -1 and 1."""
    raw = root / name / "raw"
    raw.mkdir(parents=True)
    random = np.random.default_rng(2)
    sizes = random.integers(2, 7, size=12)
    first = np.concatenate([[0], np.cumsum(sizes)])
    pairs = [(first[0] + 1, first[0] + 1)]
    for graph, size in enumerate(sizes):
        for u in range(size - 1 if graph != 5 else 0):
            a, b = first[graph] + u, first[graph] + u + 1
            pairs += [(a, b), (b, a), (a, b)]
    indicator = np.repeat(np.arange(12), sizes) + 1
    lines = {
        "A": [f"{u + 1}, {v + 1}" for u, v in pairs],
        "graph_indicator": indicator,
        "graph_labels": np.where(np.arange(12) % 3 == 0, 1, -1),
    }
    if labelled:
        lines["node_labels"] = random.integers(2, 6, size=len(indicator))
        lines["node_attributes"] = [f"{value:.3f}" for value in random.random(len(indicator))]
        lines["edge_labels"] = random.integers(2, size=len(pairs))
    for part, values in lines.items():
        (raw / f"{name}_{part}.txt").write_text("\n".join(map(str, values)) + "\n")


def write_all(root: Path) -> None:
    """Every one of the ten, by the folders that PyG gives them."""
    write_planetoid(root, "Cora")
    write_planetoid(root, "PubMed")
    write_npz(root, "Photo", "amazon_electronics_photo.npz")
    write_npz(root, "CS", "ms_academic_cs.npz")
    write_npz(root, "Physics", "ms_academic_phy.npz")
    for name in ("MUTAG", "PROTEINS", "NCI1"):
        write_tu(root, name, labelled=True)
    for name in ("IMDB-BINARY", "IMDB-MULTI"):
        write_tu(root, name, labelled=False)


def publish(root: Path, monkeypatch) -> None:
    """Let the files under a folder be the published ones."""
    digests = published_digests()
    for name in {path.parts[-3] for path in root.glob("*/raw/*")}:
        for known in [path for path in digests if path.startswith(f"{name}/")]:
            monkeypatch.delitem(digests, known)
    for path in root.glob("*/raw/*"):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        monkeypatch.setitem(digests, path.relative_to(root).as_posix(), digest)
