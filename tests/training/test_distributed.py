"""Two processes against one: the same losses, weights, epochs and files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch_geometric.data import Batch

import rlap.transforms as T
from rlap.experiments import make_config, run
from rlap.training import StopTraining, TrainConfig, train
from rlap.training.distributed import ALONE, World, world
from rlap.training.distributed.shares import take_graphs
from rlap.training.distributed.sharing import sharing
from rlap.training.loaded_steps import make_steps
from tests.training.standin import graphs, make, nodes
from tests.training.two_processes import CASES, CLI, gradients, stop_after, trained

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two processes of torchrun have trained everything."""
    place = tmp_path_factory.mktemp("two")
    with pytest.raises(StopTraining):
        trained("bgrl", checkpoint=place / "by_one.pt", progress=stop_after(2))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*command, "-m", "tests.training.two_processes", str(place)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def ranks(folder):
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


def check(found, expected, rtol=1e-5):
    """Compare with one process: sums in another order, a few units in the last place of single precision each.

    JSD is a difference of means near log 2, so what is left of it may be small beside their rounding.
    """
    np.testing.assert_allclose(found["losses"], expected["losses"], rtol=rtol, atol=5e-7)
    assert (found["best_epoch"], found["stopped"]) == (expected["best_epoch"], expected["stopped"])


@pytest.mark.parametrize("name", CASES)
def test_two_processes_are_one(ranks, name):
    assert [rank["size"] for rank in ranks] == [2, 2]
    expected = trained(name)
    assert len(set(expected["losses"])) > 1
    for rank in ranks:
        # Steps that are large enough to run out of patience soon make more of every rounding.
        check(rank[name], expected, rtol=1e-3 if name == "patience" else 1e-5)
    assert ranks[0][name]["losses"] == ranks[1][name]["losses"]
    assert ranks[0][name]["weights"] == ranks[1][name]["weights"]


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_one_process(ranks, name):
    """Adam forgives a wrong factor, so they are compared themselves.

    By the largest of all: before batch norm, the gradient of a bias is nothing but rounding.
    """
    expected = gradients(name, ALONE)
    scale = max(np.abs(one).max() for one in expected)
    for found, wanted in zip(ranks[0]["gradients"][name], expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * scale)
    assert ranks[0]["gradients"] == ranks[1]["gradients"]


def test_patience_ends_both_at_once(ranks):
    assert [rank["patience"]["stopped"] for rank in ranks] == ["patience"] * 2


def test_one_goes_on_where_two_stopped_and_the_reverse(ranks, folder):
    expected = trained("bgrl")
    assert [rank["stopped"] for rank in ranks] == [True, True]
    check(trained("bgrl", checkpoint=folder / "by_two.pt", resume=True), expected)
    for rank in ranks:
        check(rank["by_one"], expected)
    assert not list(folder.glob(".*.part"))


def test_the_command_line_writes_once(ranks, folder):
    assert [rank["cli"] for rank in ranks] == [0, 0]
    words = [word for name, word in pairwise(CLI) if name == "--set"]
    config = make_config("grace", "digits", words=words, loader="schur", batch_size=900, splits=2)
    expected = run(config)
    written = json.loads((folder / "out" / "result.json").read_text())
    np.testing.assert_allclose(written["losses"], expected.training.losses, rtol=1e-5)
    assert written["config"]["train"]["loader"] == "schur"


@pytest.mark.parametrize("size", [1, 2, 3])
def test_shares_are_the_batch(size):
    """Put together again, they are what everybody had."""
    batch = Batch.from_data_list(graphs(7).graphs)
    view = T.RLap(0.3, seed=0)(batch)
    parts = [take_graphs(view, *World(rank, size).share(7)) for rank in range(size)]
    assert torch.equal(torch.cat([part.x for part in parts]), view.x)
    assert torch.equal(torch.cat([part.node_mask for part in parts]), view.node_mask)
    assert torch.equal(torch.cat([part.edge_weight for part in parts]), view.edge_weight)
    begin = np.cumsum([0, *(len(part.x) for part in parts)])
    joined = torch.cat([part.edge_index + int(at) for part, at in zip(parts, begin, strict=False)], dim=1)
    assert torch.equal(joined, view.edge_index)
    assert torch.cat([part.ptr.diff() for part in parts]).tolist() == view.ptr.diff().tolist()
    across = view.clone()
    across.edge_index[1, -1] = 0
    with pytest.raises(ValueError, match="edges must stay inside of graphs"):
        take_graphs(across, 0, 6)


def test_everybody_draws_what_one_process_draws():
    """The sharing dropout relies on how torch draws its own."""
    rows, layer = torch.randn(37, 5), nn.Dropout(0.3)
    torch.manual_seed(3)
    expected, after = layer(rows), torch.get_rng_state()
    torch.manual_seed(3)
    kept = rows.new_empty(37, 5).bernoulli_(1 - 0.3).div_(1 - 0.3)
    assert torch.equal(rows * kept, expected)
    assert torch.equal(torch.get_rng_state(), after)


def test_what_cannot_be_shared():
    two = World(0, 2)
    with pytest.raises(ValueError, match=r"one graph cannot be shared by 2 processes: take a loader"):
        make_steps(nodes(), TrainConfig(), two)
    with pytest.raises(ValueError, match=r"a piece for each of 2 processes \(got 1 pieces\)"):
        make_steps(nodes(), TrainConfig(loader="schur", batch_size=10), two)
    steps = make_steps(graphs(3), TrainConfig(batch_size=1), two)
    with pytest.raises(ValueError, match=r"one thing for each of 2 processes \(got 1 in a step\)"):
        steps.views(make(graphs(3)), 0)
    with (
        pytest.raises(ValueError, match=r"a method with `sides` and `contrast` \(got Standin\)"),
        sharing(make(nodes()), two),
    ):
        pass
    assert world() == World(0, 1)


LOADERS = ["schur", "induced", "cluster"]


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("pieces", [None, 2])
def test_training_on_a_loader_goes_on_exactly(tmp_path, loader, pieces):
    dataset = nodes()
    config = TrainConfig(lr=1e-2, epochs=4, batch_size=10, loader=loader, pieces=pieces)
    assert make_steps(dataset, config).per_epoch > 1
    expected = train(make(dataset), dataset, config)
    with pytest.raises(StopTraining):
        train(make(dataset), dataset, config, checkpoint=tmp_path / "run.pt", progress=stop_after(2))
    result = train(make(dataset, seed=3), dataset, config, checkpoint=tmp_path / "run.pt", resume=True)
    assert result.losses == expected.losses
    assert result.losses != train(make(dataset), dataset, TrainConfig(lr=1e-2, epochs=4)).losses


def test_pieces_cover_every_node_once():
    dataset = nodes()
    dataset.data.number = torch.arange(40)
    steps = make_steps(dataset, TrainConfig(batch_size=6, loader="schur", pieces=2))  # fourteen batches of three
    method = make(dataset, views=T.TwoViews(T.Identity()))
    shares = [make_steps(dataset, TrainConfig(batch_size=6, loader="schur", pieces=2), World(r, 2)) for r in range(2)]
    seen = []
    for step in range(steps.per_epoch):
        view = steps.views(method, step)[0]
        seen += view.number.tolist()
        mine = [share.views(method, step)[0] for share in shares]
        assert torch.cat([one.number for one in mine]).tolist() == view.number.tolist()
    assert sorted(seen) == list(range(40))


def test_settings_of_loaders():
    with pytest.raises(ValueError, match=r"pieces must divide batch_size, 10 \(got 3\)"):
        TrainConfig(batch_size=10, loader="schur", pieces=3)
    with pytest.raises(ValueError, match=r"pieces needs a loader"):
        TrainConfig(pieces=2)
    with pytest.raises(ValueError, match=r"loader must be one of cluster, induced, schur, walks \(got 'random'\)"):
        TrainConfig(loader="random")
    with pytest.raises(ValueError, match=r"this is a set of graphs"):
        make_steps(graphs(), TrainConfig(loader="schur"))
    with pytest.raises(ValueError, match=r"a batch for every piece, 5 \(got 4 in an epoch\)"):
        make_steps(nodes(), TrainConfig(batch_size=60, loader="schur", pieces=5))
