"""What all transforms of the registry have in common."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.utils import is_undirected

import rlap
import rlap.transforms as T
from tests.transforms.examples import SIZES, TAGS, batch, edge_set, hetero, single

NAMES = T.names()
DIFFUSIONS = ["HeatDiffusion", "MarkovDiffusion", "PPRDiffusion"]  # nothing about them is random
RANDOM = [name for name in NAMES if name not in ("Identity", *DIFFUSIONS)]
NODES_GO = [name for name in NAMES if name.startswith(("rLap", "Vertex", "Walk", "Node", "RandomWalk", "PPRSub"))]
KEEP_EDGES = [name for name in NAMES if name.startswith(("EdgeD", "Node", "RandomWalk", "Feature", "Identity"))]
# A dense mask is drawn for all rows at once: graphs have other masks in a batch than alone.
ALONE = [name for name in RANDOM if name != "FeatureMasking"]


def make(name, p=0.5, **options):
    if name == "Identity":
        return T.get(name)
    if name in DIFFUSIONS:
        return T.get(name, 0.2, num_threads=1)
    if name == "PPRSubgraph":
        return T.get(name, 4, **options)
    if name == "RandomWalkSubgraph":
        options = {"walk_length": 2, **options}
    return T.get(name, p, **options)


def same(left, right):
    if isinstance(left, torch.Tensor):
        return torch.equal(left, right)
    return left == right


def assert_same(left, right):
    """Require that two pieces of data are equal in everything."""
    for one, other in zip(left.stores, right.stores, strict=True):
        assert set(one.keys()) == set(other.keys())
        for key in one.keys():  # noqa: SIM118
            assert same(one[key], other[key]), key


def differs(left, right):
    return any(
        not same(one[key], other[key])
        for one, other in zip(left.stores, right.stores, strict=True)
        for key in one.keys()  # noqa: SIM118
    )


@pytest.mark.parametrize("name", NAMES)
def test_data_is_whole_and_everything_else_untouched(name):
    data = single()
    before = data.clone()
    result = make(name, seed=4)(data)
    assert_same(data, before)
    assert result.validate()
    assert result.num_nodes == 16
    for key in ("x", "y", "pos", "train_mask", "names"):
        if (name, key) != ("FeatureMasking", "x"):
            assert result[key] is data[key], key
    if "PPR" not in name and name not in DIFFUSIONS:  # S is symmetric only up to the degrees
        assert is_undirected(result.edge_index, result.edge_weight)
    assert ("node_mask" in result) == (name in NODES_GO)
    if name in NODES_GO:
        assert result.node_mask[result.edge_index].all()


@pytest.mark.parametrize("name", KEEP_EDGES)
def test_edges_that_stay_keep_their_weight_and_attributes(name):
    data = single()
    result = make(name, seed=4)(data)
    assert torch.equal(result.edge_attr[:, 0], TAGS * result.edge_index[0] + result.edge_index[1])
    weights = dict(zip(data.edge_attr[:, 0].tolist(), data.edge_weight.tolist(), strict=True))
    assert [weights[tag] for tag in result.edge_attr[:, 0].tolist()] == result.edge_weight.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_labels_of_edges_stay_and_other_forms_of_edges_go(name):
    data = single()
    data.edge_label = torch.ones(data.num_edges)
    data.y = torch.arange(data.num_edges)
    data.adj_t = torch.eye(16).to_sparse()
    result = make(name, seed=4)(data)
    assert result.edge_label is data.edge_label
    assert result.y is data.y
    assert ("adj_t" in result) == (name in ("FeatureMasking", "Identity"))


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("relabel", [False, True])
def test_a_batch_gives_back_the_views_of_its_graphs(name, relabel):
    options = {"relabel": relabel} if name in NODES_GO else {}
    source = batch()
    graphs = make(name, seed=4, **options)(source).to_data_list()
    for number, (graph, original) in enumerate(zip(graphs, source.to_data_list(), strict=True)):
        alone = make(name, seed=rlap.derive_seed(4, graph=number), **options)(original)
        assert_same(graph, alone)
        assert graph.validate()
        if not (relabel and name in NODES_GO):
            assert graph.num_nodes == SIZES[number]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("relabel", [False, True])
def test_the_record_is_what_batching_the_views_would_have_made(name, relabel):
    options = {"relabel": relabel} if name in NODES_GO else {}
    result = make(name, seed=4, **options)(batch(follow_batch=["x", "edge_index"]))
    again = Batch.from_data_list(result.to_data_list(), follow_batch=["x", "edge_index"])
    assert_same(result, again)
    for made, expected in ((result._slice_dict, again._slice_dict), (result._inc_dict, again._inc_dict)):
        assert set(made) == set(expected)
        for key, value in expected.items():
            assert (value is None and made[key] is None) or torch.equal(made[key], value), key
    assert torch.equal(result.batch[result.edge_index[0]], result.batch[result.edge_index[1]])


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_not_changed(name):
    source = batch()
    before = copy.deepcopy(source)
    make(name, seed=4)(source)
    assert_same(source, before)
    for one, other in zip(source.to_data_list(), before.to_data_list(), strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_data_with_a_batch_vector_is_a_batch(name):
    source = batch()
    plain = Data(x=source.x, edge_index=source.edge_index, edge_weight=source.edge_weight, batch=source.batch)
    result = make(name, seed=4)(plain)
    assert sorted(edge_set(result.edge_index)) == sorted(edge_set(make(name, seed=4)(source).edge_index))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("relabel", [False, True])
def test_hetero_data(name, relabel):
    options = {"relabel": relabel} if name in NODES_GO else {}
    data = hetero()
    before = copy.deepcopy(data)
    result = make(name, seed=4, **options)(data)
    assert_same(data, before)
    assert result.validate()
    assert ("node_mask" in result["paper"]) == (name in NODES_GO)
    assert "node_mask" not in result["author"]
    if name not in NODES_GO:
        assert torch.equal(result["writes"].edge_index, data["writes"].edge_index)
    if name in ("NodeDropping", "RandomWalkSubgraph") and not relabel:
        assert result["paper"].node_mask[result["writes"].edge_index[1]].all()
        assert result["paper"].node_mask[result["shares"].edge_index].all()
    if name in KEEP_EDGES and not (relabel and name in NODES_GO):
        for kind in ("cites", "shares"):
            index = result[kind].edge_index
            assert torch.equal(result[kind].edge_attr, TAGS * index[0] + index[1])
    if name not in ("Identity", "FeatureMasking"):
        for kind in ("cites", "shares"):
            assert not same(result[kind].edge_index, data[kind].edge_index)


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_of_hetero_data(name):
    source = Batch.from_data_list([hetero(), hetero(), hetero()])
    result = make(name, seed=4)(source)
    assert_same(result, Batch.from_data_list(result.to_data_list()))


@pytest.mark.parametrize("name", NAMES)
def test_relabel_is_the_subgraph_of_the_nodes_that_stay(name):
    if name not in NODES_GO:
        with pytest.raises(TypeError):
            T.get(name, *([] if name == "Identity" else [0.5]), relabel=True)
        return
    data = single()
    marked, result = (make(name, seed=4, relabel=relabel)(data) for relabel in (False, True))
    expected = marked.subgraph(marked.node_mask)
    assert torch.equal(result.edge_index, expected.edge_index)
    for key in ("x", "pos", "train_mask", "edge_weight"):
        assert torch.equal(result[key], expected[key]), key
    assert result.num_nodes == int(marked.node_mask.sum()) < 16
    assert result.names == [one for one, stays in zip(data.names, marked.node_mask, strict=True) if stays]


@pytest.mark.parametrize("name", RANDOM)
def test_seeds(name):
    data = single()
    assert_same(make(name, seed=3)(data), make(name, seed=3)(data))
    views = [make(name, seed=seed)(data) for seed in range(8)]
    assert any(differs(views[0], view) for view in views[1:])
    runs = []
    for _ in range(2):
        torch.manual_seed(11)
        transform = make(name)
        runs.append([transform(data) for _ in range(8)])
    for one, other in zip(*runs, strict=True):
        assert_same(one, other)
    assert any(differs(runs[0][0], view) for view in runs[0][1:])
    for generator in (lambda: torch.Generator().manual_seed(1), lambda: np.random.default_rng(1)):
        assert_same(make(name, seed=generator())(data), make(name, seed=generator())(data))
    with pytest.raises(ValueError, match=r"seed must lie in \[0, 2\*\*64\) \(got -1\)"):
        make(name, seed=-1)(data)


class Repeated(torch.utils.data.Dataset):
    """The same graph again and again, transformed anew each time."""

    def __init__(self, transforms, length):
        self.transforms, self.length = transforms, length

    def __len__(self):
        return self.length * len(self.transforms)

    def __getitem__(self, index):
        # A new copy, because a queue moves tensors that are sent into shared memory, from a thread of its own: those
        # that a transform leaves alone would move while the next call reads them.
        return self.transforms[index % len(self.transforms)](single())


def load(seed):
    transforms = [make(name) for name in RANDOM]
    loader = DataLoader(
        Repeated(transforms, 8),
        batch_size=len(transforms),
        num_workers=2,
        multiprocessing_context="fork",
        collate_fn=list,
        generator=torch.Generator().manual_seed(seed),
    )
    return list(loader)


def test_forked_workers_differ_and_repeat_with_their_seed():
    first, again = load(1), load(1)
    for number, name in enumerate(RANDOM):
        views = [one[number] for one in first]
        assert any(differs(views[even], views[even + 1]) for even in (0, 2, 4, 6)), name  # of two different workers
        for one, other in zip(views, [one[number] for one in again], strict=True):
            assert_same(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments_and_data_are_refused(name):
    index = torch.tensor([[0, 1], [1, 0]])
    transform = make(name)
    if name not in ("Identity", "PPRSubgraph", *DIFFUSIONS):
        for bad in (1.5, -0.1, float("nan")):
            with pytest.raises(ValueError, match=rf"(fraction|p) must lie in \[0, 1\] \(got {bad}\)"):
                make(name, bad)
        with pytest.raises(TypeError, match=r"must be a number \(got str\)"):
            make(name, "half")
    if name == "FeatureMasking":
        with pytest.raises(ValueError, match=r"must have features x as a tensor \(got \['edge_index'\]\)"):
            transform(Data(edge_index=index))
        return
    with pytest.raises(ValueError, match=r"must have an edge_index \(got \['x'\]\)"):
        transform(Data(x=torch.eye(3)))
    with pytest.raises(ValueError, match="must have num_nodes or node features"):
        transform(Data(edge_index=index))
    with pytest.raises(ValueError, match=r"must lie where edge_index does, cpu \(got x on meta\)"):
        transform(Data(x=torch.eye(2, device="meta"), edge_index=index))
    bipartite = HeteroData()
    bipartite["a", "to", "b"].edge_index = index
    with pytest.raises(ValueError, match="an edge type that joins nodes of one type"):
        transform(bipartite)
    with pytest.raises(TypeError, match=r"must be a Data, a HeteroData or a Batch of them \(got int\)"):
        transform(3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("p", [0.0, 0.5, 1.0])
def test_graphs_of_no_nodes_no_edges_and_one_node(name, p):
    for nodes in (0, 1, 4):
        empty = Data(x=torch.ones(nodes, 2), edge_index=torch.empty(2, 0, dtype=torch.long))
        result = make(name, p, seed=0)(empty)
        if name in DIFFUSIONS or name == "PPRSubgraph":  # a node diffuses to itself
            assert result.edge_index[0].equal(result.edge_index[1])
        else:
            assert result.num_edges == 0
        assert result.num_nodes == nodes
    graphs = [Data(x=torch.ones(n, 2), edge_index=torch.empty(2, 0, dtype=torch.long)) for n in (1, 3)]
    assert [one.num_nodes for one in make(name, p, seed=0)(Batch.from_data_list(graphs)).to_data_list()] == [1, 3]


@pytest.mark.parametrize("name", NAMES)
def test_repr_and_registry(name):
    transform = make(name, seed=3) if name != "Identity" else make(name)
    shown = repr(transform)
    assert shown.startswith(f"{name}(" if not name.startswith("rLap") else "RLapPPR(" if "PPR" in name else "RLap(")
    rebuilt = eval(shown, vars(T))
    data = single()
    assert_same(transform(data), rebuilt(data))


def test_an_unknown_name_is_refused_with_the_nearest():
    for wrong, near in (
        ("EdgeDropingPR", "EdgeDroppingPR"),
        ("rlap-deg-decs", "rLap-deg-desc"),
        ("nodedropping", "NodeDropping"),
    ):
        with pytest.raises(ValueError, match=rf"got '{wrong}'; the nearest is '{near}'"):
            T.get(wrong, 0.5)


def test_rlap_variants_of_the_registry_are_the_papers():
    data = single()
    expected = T.RLap(0.5, "degree", "desc", seed=1)(data)
    assert_same(T.get("rLap-deg-desc", 0.5, seed=1)(data), expected)
    assert_same(T.get("rLap", 0.5, seed=1)(data), T.get("rLap-rand-asc", 0.5, seed=1)(data))
    assert len([name for name in NAMES if name.startswith("rLap-")]) == 6
