"""`rlap embed` and `rlap evaluate` against the library, on files that other programs wrote."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import torch
from sklearn.linear_model import LogisticRegression
from torch_geometric.data import Data

from rlap import GraphEmbedder
from rlap.evaluation import evaluate
from tests.cli.test_train import make, run

CLUB = nx.karate_club_graph()
NODES = CLUB.number_of_nodes()
FEATURES = np.random.default_rng(0).normal(size=(NODES, 6)).astype(np.float32)
QUICK = ["--set", "hidden=4", "--set", "epochs=2", "--seed", "1", "-q"]
MATRIX = nx.to_scipy_sparse_array(CLUB, dtype=float)


def expected(weighted: bool = True, x: Any = FEATURES) -> Any:
    matrix = MATRIX if weighted else (MATRIX != 0).astype(float)
    return GraphEmbedder(hidden=4, epochs=2, random_state=1).fit_transform((sp.csr_array(matrix), x))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nx.to_pandas_edgelist(CLUB)[["source", "target", "weight"]].to_csv("edges.csv", index=False)
    coo = MATRIX.tocoo()
    np.savez("graph.npz", edge_index=np.stack([coo.row, coo.col]), edge_weight=coo.data, x=FEATURES)
    np.save("x.npy", FEATURES)
    np.savez("x.npz", x=FEATURES)
    sp.save_npz("sparse.npz", sp.csr_array(FEATURES))
    pd.DataFrame(FEATURES).to_csv("x.csv", index=False, header=False)
    pd.DataFrame(FEATURES, columns=list("abcdef")).to_csv("titled.tsv", index=False, sep="\t")
    pd.DataFrame(FEATURES, columns=list("abcdef")).to_parquet("x.parquet")
    index = torch.from_numpy(np.stack([coo.row, coo.col]).astype(np.int64))
    data = Data(x=torch.from_numpy(FEATURES), edge_index=index, edge_weight=torch.from_numpy(coo.data).float())
    torch.save(data, "data.pt")
    torch.save([data, data, data], "many.pt")
    return tmp_path


@pytest.mark.parametrize("features", ["x.npy", "x.npz", "x.csv", "titled.tsv", "x.parquet"])
def test_features_from_all_formats(folder: Path, features: str) -> None:
    make("embed", "edges.csv", "-x", features, "-o", "out.npy", *QUICK)
    np.testing.assert_allclose(np.load("out.npy"), expected(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("graph", ["graph.npz", "data.pt"])
def test_files_that_hold_everything(folder: Path, graph: str) -> None:
    make("embed", graph, "-o", "out.npy", *QUICK)
    np.testing.assert_allclose(np.load("out.npy"), expected(), rtol=1e-4, atol=1e-5)


def test_sparse_features(folder: Path) -> None:
    make("embed", "edges.csv", "-x", "sparse.npz", "-o", "out.npy", *QUICK, "--set", "feature_masking=0")
    embedder = GraphEmbedder(hidden=4, epochs=2, random_state=1, feature_masking=0)
    np.testing.assert_allclose(np.load("out.npy"), embedder.fit_transform((MATRIX, FEATURES)), rtol=1e-4, atol=1e-5)


def test_names_in_any_order_and_nodes_without_edges(folder: Path) -> None:
    """Rows of the features in another order than the edges' names, and one name that has no edge."""
    order = np.random.default_rng(1).permutation(NODES)
    names = [f"member {node}" for node in order]
    table = pd.DataFrame(FEATURES[order], columns=list("abcdef"))
    table.insert(0, "node", names)
    table.loc[NODES] = ["nobody", *[0.5] * 6]
    table.to_csv("named.csv", index=False)
    edges = [(f"member {u}", f"member {v}", w) for u, v, w in CLUB.edges(data="weight")]
    pd.DataFrame(edges, columns=["a", "b", "w"]).to_csv("friends.csv", index=False)
    for out in ("out.parquet", "out.csv", "out.npy"):
        make("embed", "friends.csv", "--features", "named.csv", "-o", out, *QUICK)
    found = pd.read_parquet("out.parquet")
    assert found["node"].tolist() == [*names, "nobody"]
    matrix = sp.csr_array(sp.block_diag([MATRIX.tocsr()[order][:, order], np.zeros((1, 1))]))
    x = np.vstack([FEATURES[order], np.full((1, 6), 0.5, np.float32)])
    wanted = GraphEmbedder(hidden=4, epochs=2, random_state=1).fit_transform((matrix, x))
    np.testing.assert_allclose(found.drop(columns="node").to_numpy(), wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(pd.read_csv("out.csv").drop(columns="node").to_numpy(), np.load("out.npy"), rtol=1e-6)
    np.testing.assert_array_equal(found.drop(columns="node").to_numpy(), np.load("out.npy"))


def test_many_graphs(folder: Path) -> None:
    said = make("embed", "many.pt", "-o", "out.npy", "--method", "graphcl", *QUICK[:-1])
    found = np.load("out.npy")
    np.testing.assert_allclose(found[1:], found[:1].repeat(2, 0), rtol=1e-5, atol=1e-5)
    assert "graphcl with rLap: 3 rows" in said


class Payload:
    """Would run on being read, if anything were."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("owned",)


REFUSED: dict[str, tuple[list[Any], str]] = {
    "graph": (["no.csv", "-x", "x.npy"], "the file must exist (got 'no.csv')"),
    "saved": (["no.pt"], "the file must exist (got 'no.pt')"),
    "no features": (["edges.csv"], "features must be given with --features FILE"),
    "features": (["edges.csv", "-x", "no.npy"], "the file must exist (got 'no.npy')"),
    "ending": (["edges.csv", "-x", "x.xls"], "the file's ending must be one of .csv"),
    "short": (["edges.csv", "-x", "short.npy"], "there must be a row for each of 34 nodes (got 3)"),
    "flat": (["edges.csv", "-x", "flat.npy"], "must be a table of numbers (got float64 of shape (34,))"),
    "words": (["edges.csv", "-x", "words.csv"], "columns must be numbers (got 'red' in column 'color')"),
    "twice": (["edges.csv", "-x", "twice.csv"], "names must be different (got 1 twice)"),
    "nameless": (["edges.csv", "-x", "some.csv"], "every node needs features (got none for '2')"),
    "names": (["friends.csv", "-x", "x.npy"], "the nodes have names, so their features need them too"),
    "both": (["data.pt", "-x", "x.npy"], "has features of its own (got 'x.npy' too)"),
    "payload": (["payload.pt"], "must be a Data, or a list of Data, that torch.save wrote"),
    "tensor": (["tensor.pt"], "that torch.save wrote (got Tensor)"),
    "design": (["data.pt", "--method", "graphcl"], "embeds whole graphs, and needs a list of them (got Data)"),
    "setting": (["data.pt", "--set", "splits=3"], "'splits' is no setting"),
    "output": (["data.pt", "-o", "out.xls"], "an embedding's file must end in .npy, .parquet, .csv (got 'out.xls')"),
    "output folder": (["data.pt", "-o", "no/out.npy"], "the output's folder must exist (got 'no')"),
    "empty": (["edges.csv", "-x", "empty.csv"], "a table must have a row"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_in_one_line(folder: Path, case: str) -> None:
    np.save("short.npy", np.eye(3))
    np.save("flat.npy", np.ones(34))
    Path("x.xls").touch()
    Path("empty.csv").touch()
    Path("words.csv").write_text("node,color\n0,red\n")
    Path("twice.csv").write_text("node,age\n1,2\n1,3\n")
    Path("some.csv").write_text("node,age\n0,2\n1,3\n")
    Path("friends.csv").write_text("ann,bob\n")
    torch.save(Payload(), "payload.pt")
    torch.save(torch.ones(2), "tensor.pt")
    before = set(folder.iterdir())
    words, rule = REFUSED[case]
    result = run("embed", *words, *([] if "-o" in words else ["-o", "out.npy"]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert rule in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert set(folder.iterdir()) == before


# rlap evaluate

LABELS = np.arange(200) % 2


@pytest.fixture
def embedding() -> Any:
    return np.random.default_rng(2).normal(size=(200, 3)).astype(np.float32) + 2 * LABELS[:, None]


@pytest.mark.parametrize("protocol", ["clean", "paper"])
def test_scores_are_the_librarys(tmp_path: Path, embedding: Any, protocol: str) -> None:
    np.save(tmp_path / "e.npy", embedding)
    np.save(tmp_path / "y.npy", LABELS)
    words = ["evaluate", tmp_path / "e.npy", tmp_path / "y.npy", "--protocol", protocol, "--splits", 3, "--seed", 4]
    scores = evaluate(embedding, LABELS, "node", protocol=protocol, splits=3, seed=4)  # type: ignore[arg-type]
    assert json.loads(make(*words, "--json"))["accuracy"] == scores.accuracy.tolist()
    assert f"{100 * scores.mean('macro_f1'):.2f}" in make(*words)
    # The classes are two standard deviations apart in each of three columns; any linear probe finds that.
    assert LogisticRegression().fit(embedding, LABELS).score(embedding, LABELS) == pytest.approx(
        scores.mean(), abs=0.05
    )


def test_labels_are_matched_by_name(tmp_path: Path, embedding: Any) -> None:
    names = [f"n{row}" for row in range(200)]
    table = pd.DataFrame(embedding)
    table.columns = [f"e{column}" for column in table]
    table.insert(0, "node", names)
    table.to_parquet(tmp_path / "e.parquet")
    words = np.where(LABELS == 1, "blue", "red")
    shuffled = np.random.default_rng(3).permutation(200)
    pd.DataFrame({"node": np.array(names)[shuffled], "y": words[shuffled]}).to_csv(tmp_path / "y.csv", index=False)
    pd.DataFrame({"label": words}).to_csv(tmp_path / "order.csv", index=False)
    found = [make("evaluate", tmp_path / "e.parquet", tmp_path / name, "--json") for name in ("y.csv", "order.csv")]
    assert found[0] == found[1]


BAD_LABELS = {
    "few": ("label\n1\n2\n", "there must be 200 labels, as the embedding has rows (got 2)"),
    "unnamed": ("node,label\n0,1\n", "every row of the embedding needs a label (got none for 1)"),
    "broken": ("label\n1.5\n", "labels must be words or whole numbers (got 1.5)"),
    "wide": ("a,b,c\n1,2,3\n", "there must be a column of labels, or names and labels (got 3 columns)"),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels(tmp_path: Path, embedding: Any, case: str) -> None:
    text, rule = BAD_LABELS[case]
    np.save(tmp_path / "e.npy", embedding)
    (tmp_path / "y.csv").write_text(text)
    result = run("evaluate", tmp_path / "e.npy", tmp_path / "y.csv")
    assert result.exit_code == 2
    assert rule in result.stderr
