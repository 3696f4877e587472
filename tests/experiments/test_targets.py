"""Targets against the paper's tables, which are read here on their own."""

from __future__ import annotations

import csv
import re
from importlib import resources

import pytest

from rlap import baselines, transforms
from rlap.datasets import names
from rlap.experiments.kinds import KINDS, find_compute
from rlap.experiments.paper import paper_accuracy
from rlap.experiments.targets import Choice, expand, find_searches, find_target, target_names

DESIGNS = {"grace": "GRACE", "mvgrl": "MVGRL", "graphcl": "GraphCL", "bgrl": "BGRL"}


def printed():
    """The rows of the paper's tables as they are in the file."""
    text = (resources.files("rlap.experiments.paper") / "accuracy.csv").read_text()
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("method", DESIGNS)
def test_the_accuracy_tables_have_the_papers_rows_and_columns(method):
    rows = [row for row in printed() if (row["table"], row["design"]) == ("main", DESIGNS[method])]
    wanted = {(row["method"], row["dataset"]) for row in rows}
    assert len(wanted) == len(rows) == 50
    jobs = expand([method], Choice(protocol="clean", seeds=1))
    assert {(job.augmentor, job.dataset) for job in jobs} == wanted
    assert {job.method for job in jobs} == {method}
    both = expand([method])
    assert len(both) == 50 * 2 * 5
    assert {(job.protocol, job.seed) for job in both} == {(p, s) for p in ("clean", "paper") for s in range(5)}


@pytest.mark.parametrize("method", DESIGNS)
def test_the_ablations_have_an_eighth_row_and_share_what_is_the_same(method):
    target = find_target(f"ablation-{method}")
    rows = [row for row in printed() if (row["table"], row["design"]) == ("ablation", DESIGNS[method])]
    paper = {row["method"].lower().replace(" ", "") for row in rows}
    assert {row.lower() for row in target.rows} == paper | {"walkschur"}
    assert len(target.rows) == 8
    ablation = expand([target.name], Choice(protocol="clean", seeds=1))
    assert len(ablation) == 40
    together = expand([method, target.name], Choice(protocol="clean", seeds=1))
    assert len(together) == 50 + 40 - 5  # rLap is rLap-rand-asc
    same, other = transforms.get("rLap", 0.5), transforms.get("rLap-rand-asc", 0.5)
    assert repr(same) == repr(other)


def test_every_number_of_the_paper_is_found():
    for row in printed():
        method = "VertexCoarsening" if row["method"].lower() == "vertex coarsening" else row["method"]
        found = paper_accuracy(row["table"], row["design"], method, row["dataset"])
        if row["accuracy"] in ("-", "OOM"):
            assert (found.accuracy, found.note) == (None, row["accuracy"])
        else:
            assert (found.accuracy, found.std) == (float(row["accuracy"]), float(row["std"]))
    for name in target_names():
        target = find_target(name)
        if target.table:
            found = [paper_accuracy(*target.table, row, column) for row in target.rows for column in target.datasets]
            assert sum(one is None for one in found) == (5 if name.startswith("ablation") else 0)  # no walks there


def test_all_is_all():
    everything = {job.to_json() for job in expand(["all"], Choice(seeds=1))}
    assert not find_searches(["all"])  # they would never end
    assert everything == {job.to_json() for name in target_names() for job in expand([name], Choice(seeds=1))}
    assert {find_target(name).kind for name in target_names()} == set(KINDS)
    assert all(callable(find_compute(kind)) for kind in KINDS)
    known = set(transforms.names())
    for target in map(find_target, target_names()):
        assert set(target.datasets) <= set(names())
        if target.kind == "baseline":
            level = "node" if "CORA" in target.datasets else "graph"
            assert {target.augmentor(row) for row in target.rows} <= set(baselines.names(level))
        elif target.kind != "ppr":  # its rows are ways to PPR, not augmentors
            assert {re.sub(r"-\d+$", "", target.augmentor(row)) for row in target.rows} <= known


def test_overheads_and_ppr():
    overheads = expand(["overheads"], Choice(words=["runs=2"]))
    table = (resources.files("rlap.experiments.overheads") / "augmentor_overheads.csv").read_text()
    paper = {(row["augmentor"], row["dataset"]) for row in csv.DictReader(table.splitlines())}
    cells = {(job.augmentor, job.dataset) for job in overheads}
    assert cells == paper | {("WalkSchur", dataset) for _, dataset in paper}
    assert {job.settings["runs"] for job in overheads} == {2}

    jobs = expand(["ppr"], Choice(datasets=["PubMed"], seeds=1))
    measured = [job.settings for job in jobs if job.kind == "ppr"]
    gammas = {(one["way"], one["gamma"]) for one in measured}
    assert gammas == {("PPR", 0.0)} | {(way, step / 10) for way in ("shortcut", "grounded") for step in range(1, 6)}
    runs = [job for job in jobs if job.kind == "method"]
    trained = {job.augmentor: job.settings["method"] for job in runs if job.protocol == "clean"}
    assert {name: one["options"] for name, one in trained.items()} == {
        "PPRDiffusion": {},
        **{f"PPRSubgraph-{size}": {"size": size} for size in (8192, 4096, 2048)},
    }
    assert trained["PPRSubgraph-2048"]["augmentor"] == "PPRSubgraph"
    # The scripts take PPR of the whole graph, and 8192 nodes of it unless another number is said.
    scripts = {job.augmentor: job.settings["method"] for job in runs if job.protocol == "paper"}
    assert {name: one.get("subgraph") for name, one in scripts.items()} == {
        "PPRDiffusion": None,
        "PPRSubgraph-4096": 4096,
        "PPRSubgraph-2048": 2048,
    }
    assert {one["augmentor"] for one in scripts.values()} == {"PPRDiffusion"}
    assert paper_accuracy("ppr-subgraph", "MVGRL", "PPRDiffusion-2048", "PUBMED").accuracy == 76.4


def test_baselines_have_the_papers_rows():
    for level, target in (("node", "baselines-node"), ("graph", "baselines-graph")):
        found = find_target(target)
        paper = {row["method"] for row in printed() if row["table"] == "baseline" and row["dataset"] in found.datasets}
        left = {"DGK", "MLG", "node2vec", "sub2vec", "graph2vec", "GAT"} if level == "graph" else set()
        assert set(found.rows) == paper - left
        assert len(expand([target], Choice(seeds=1))) == 2 * 5 * len(found.rows)
    both = expand(["baselines"], Choice(["Cora", "IMDB-BINARY"], ["GCN"], "paper", 1, ["epochs=3", "rounds=2"]))
    assert {job.dataset: job.settings["features"] for job in both} == {"CORA": "normalized", "IMDB-BINARY": "constant"}
    assert all(job.settings["epochs"] == 3 and "rounds" not in job.settings for job in both)
    mixed = expand(["baselines", "grace"], Choice(["Cora"], ["GCN", "rLap"], "clean", 1, ["epochs=3", "tau=0.3"]))
    assert {job.kind: job.settings.get("epochs") or job.settings["train"]["epochs"] for job in mixed} == {
        "baseline": 3,
        "method": 3,
    }


def test_the_grid_is_the_papers():
    [search] = find_searches(["grid"], Choice(["Cora"], protocol="clean", words=["method.layers=2", "trials=7"]))[:1]
    assert search.size == 3 * 3 * 6 * 6  # without the layers
    assert search.limit == 7
    assert "layers" not in search.open
    assert find_searches(["grid-bgrl"], Choice(["NCI1"], protocol="paper"))[0].size == 972
    searches = find_searches(["grid"])
    assert len(searches) == 4 * 5 * 2
    assert all(search.paper() is not None for search in searches)  # the paper chose from its grid
    assert expand(["grid"]) == []


def test_choices():
    jobs = expand(["GRACE", "bgrl"], Choice(["cora", "Photo", "MUTAG"], ["rlap"], "paper", 2, ["epochs=3"]))
    assert [(job.method, job.dataset, job.seed) for job in jobs] == [
        ("grace", "CORA", 0),
        ("grace", "AMAZON-PHOTO", 0),
        ("grace", "CORA", 1),
        ("grace", "AMAZON-PHOTO", 1),
        ("bgrl", "MUTAG", 0),
        ("bgrl", "MUTAG", 1),
    ]
    assert all(job.settings["train"]["epochs"] == 3 for job in jobs)
    assert len(expand(["ablation-grace"], Choice(["Cora"], ["rLap-rand-asc"], "clean", 1))) == 1
    assert expand(["grace"], Choice(["digits"], ["rLap"], "clean", 1))[0].dataset == "digits"
    spectral = expand(["spectral"], Choice(["Cora"], ["WalkSchur"], words=["fractions=[0.0, 0.5]"]))
    assert len(spectral) == 10
    assert spectral[0].settings["fractions"] == [0.0, 0.5]
    mixed = expand(["spectral", "grace"], Choice(["Cora"], ["rLap"], seeds=1, words=["epochs=2"]))
    assert {job.kind for job in mixed} == {"method"}


REFUSED = {
    "target": (["gracy"], Choice(), "the nearest is 'grace'"),
    "none": ([], Choice(), "a target must be named"),
    "augmentor": (["grace"], Choice(augmentors=["rLop"]), "(got 'rLop'; the nearest is 'rLap')"),
    "augmentor of others": (["grace"], Choice(augmentors=["walkschur"]), "'walkschur'; these have it: ablation-grace)"),
    "baseline": (["grace"], Choice(augmentors=["WL"]), "(got 'WL'; these have it: baselines-graph)"),
    "dataset": (["grace"], Choice(["Core"]), "did you mean CORA?"),
    "level": (["grace"], Choice(["MUTAG"]), "no run of grace is left"),
    "setting": (["grace"], Choice(words=["epoch=3"]), "the nearest is 'epochs'"),
    "setting of no baseline": (["baselines"], Choice(words=["lrr=3"]), "'lrr' is no setting; the nearest is 'lr'"),
    "setting of spectral": (["spectral"], Choice(words=["epochs=3"]), "'epochs' is no setting"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    targets, choice, rule = REFUSED[case]
    with pytest.raises(ValueError) as problem:  # noqa: PT011
        expand(targets, choice)
    assert rule in str(problem.value)


def test_bad_choices():
    with pytest.raises(ValueError, match=r"protocol must be clean, paper or both \(got 'dirty'\)"):
        Choice(protocol="dirty")
    with pytest.raises(ValueError, match=r"seeds must be at least 1 \(got 0\)"):
        Choice(seeds=0)
    with pytest.raises(ValueError, match="the kind of a job must be one of method"):
        find_compute("magic")
