"""The transform must give what `schur_view` gives, and leave data that PyG still takes for whole."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData, TemporalData
from torch_geometric.loader import DataLoader

import rlap
from rlap.transforms import Compose, RLap
from tests.graphs import KARATE, random_graph


def data_of(graph, label=0):
    index = torch.from_numpy(graph.edge_index)
    nodes, edges = graph.num_nodes, index.shape[1]
    return Data(
        x=torch.randn(nodes, 3, generator=torch.Generator().manual_seed(nodes)),
        edge_index=index,
        edge_weight=None if graph.edge_weight is None else torch.from_numpy(graph.edge_weight).float(),
        edge_attr=torch.arange(edges).float()[:, None],
        edge_type=torch.zeros(edges, dtype=torch.long),
        y=torch.tensor([label]),
        pos=torch.arange(2.0 * nodes).view(nodes, 2),
        train_mask=torch.arange(nodes) % 3 == 0,
        names=[f"{label}:{node}" for node in range(nodes)],
    )


GRAPHS = [random_graph(size, min(2 * size, size * (size - 1) // 2), seed=size) for size in (9, 2, 16, 5, 23)]
SIZES = [graph.num_nodes for graph in GRAPHS]


def single():
    return data_of(GRAPHS[2], label=7)


def batch(**options):
    return Batch.from_data_list([data_of(graph, label) for label, graph in enumerate(GRAPHS)], **options)


def expected_view(data, **options):
    return rlap.schur_view(
        data.edge_index, data.get("edge_weight"), num_nodes=data.num_nodes, **{"fraction": 0.5, "seed": 4, **options}
    )


def assert_equal(left, right):
    assert left.edge_index.tolist() == right.edge_index.tolist()
    assert left.edge_weight.tolist() == right.edge_weight.tolist()


@pytest.mark.parametrize("method", ["elimination", "walks", "coarsening"])
def test_data_gets_the_edges_of_the_view_and_keeps_the_rest(method):
    data = single()
    result = RLap(0.5, method=method, seed=4)(data)
    view = expected_view(data, method=method)
    assert_equal(result, view)
    assert torch.equal(result.node_mask, view.node_mask)
    assert int((~result.node_mask).sum()) == 8
    assert set(result.keys()) == (set(data.keys()) - {"edge_attr", "edge_type"}) | {"node_mask"}
    for key in ("x", "y", "pos", "train_mask"):
        assert result[key] is data[key]
    assert result.num_nodes == 16
    assert result.validate()


def test_the_callers_data_is_not_changed():
    for source in (single(), batch()):
        before = source.clone()
        kept = {key: value.clone() for key, value in source._slice_dict.items()} if isinstance(source, Batch) else {}
        RLap(0.5, relabel=True, seed=4)(source)
        assert source.keys() == before.keys()
        for key in before.keys():  # noqa: SIM118
            same = torch.equal if isinstance(before[key], torch.Tensor) else list.__eq__
            assert same(source[key], before[key]), key
        for key, value in kept.items():
            assert torch.equal(source._slice_dict[key], value), key
        if isinstance(source, Batch):
            assert [graph.num_edges for graph in source.to_data_list()] == [g.edge_index.shape[1] for g in GRAPHS]


@pytest.mark.parametrize(
    ("node_order", "neighbor_order"), [("degree", "asc"), ("random", "desc"), ("degree", "random")]
)
def test_orders_are_passed_on(node_order, neighbor_order):
    data = single()
    result = RLap(0.5, node_order, neighbor_order, seed=4)(data)
    assert_equal(result, expected_view(data, node_order=node_order, neighbor_order=neighbor_order))


def test_without_weights_they_are_one():
    data = Data(edge_index=torch.from_numpy(KARATE.edge_index), num_nodes=34)
    result = RLap(0.5, seed=4)(data)
    assert_equal(result, expected_view(data))
    assert result.edge_weight.dtype == torch.float32


def test_unweighted_views_have_the_topology_alone():
    data = single()
    plain = RLap(0.5, weighted=False, seed=4)(data)
    assert "edge_weight" not in plain
    assert torch.equal(plain.edge_index, RLap(0.5, seed=4)(data).edge_index)


def test_labels_of_edges_stay_even_when_they_are_as_many_as_the_edges():
    data = single()
    data.edge_label = torch.ones(data.num_edges)
    data.edge_label_index = data.edge_index.clone()
    data.y = torch.arange(data.num_edges)
    result = RLap(0.5, seed=4)(data)
    for key in ("edge_label", "edge_label_index", "y"):
        assert result[key] is data[key]


def test_other_forms_of_the_edges_do_not_stay_behind():
    data = single()
    data.adj_t = torch.eye(16).to_sparse()
    assert "adj_t" not in RLap(0.5, seed=4)(data)


def test_relabel_drops_nodes_and_slices_what_belongs_to_them():
    data = single()
    result = RLap(0.5, relabel=True, seed=4)(data)
    assert_equal(result, expected_view(data, relabel=True))
    kept = expected_view(data).node_mask
    assert result.num_nodes == 8
    for key in ("x", "pos", "train_mask"):
        assert torch.equal(result[key], data[key][kept])
    assert result.names == [name for name, stays in zip(data.names, kept, strict=True) if stays]
    assert result.y.tolist() == [7]
    assert result.node_mask.tolist() == [True] * 8
    assert result.validate()


def test_relabel_with_arrays_tuples_and_an_explicit_number_of_nodes():
    data = Data(edge_index=torch.from_numpy(KARATE.edge_index), num_nodes=34)
    data.features = np.arange(34)
    data.pairs = tuple(range(34))
    data.weights = torch.randn(5, 34)  # belongs to nothing: its first dimension is not the nodes
    result = RLap(0.5, relabel=True, seed=4)(data)
    kept = expected_view(data).node_mask.nonzero().flatten().tolist()
    assert result.num_nodes == 17
    assert result.features.tolist() == kept
    assert result.pairs == tuple(kept)
    assert result.weights is data.weights


def test_relabel_refuses_other_numbers_of_nodes():
    data = single()
    data.edge_label_index = torch.tensor([[0, 1], [2, 3]])
    with pytest.raises(ValueError, match=r"other attributes hold their numbers \(got 'edge_label_index'\)"):
        RLap(0.5, relabel=True, seed=4)(data)


@pytest.mark.parametrize("relabel", [False, True])
def test_a_batch_gives_back_the_views_of_its_graphs(relabel):
    source = batch()
    result = RLap(0.5, relabel=relabel, seed=4)(source)
    graphs = result.to_data_list()
    assert len(graphs) == len(GRAPHS)
    for number, (graph, original) in enumerate(zip(graphs, source.to_data_list(), strict=True)):
        alone = RLap(0.5, relabel=relabel, seed=rlap.derive_seed(4, graph=number))(original)
        assert_equal(graph, alone)
        assert set(graph.keys()) == set(alone.keys())
        for key in ("x", "y", "pos", "train_mask", "node_mask"):
            assert torch.equal(graph[key], alone[key]), key
        assert graph.names == alone.names
        assert graph.num_nodes == alone.num_nodes == (SIZES[number] - SIZES[number] // 2 if relabel else SIZES[number])
        assert graph.validate()
    lost = torch.tensor([size // 2 for size in SIZES])
    if relabel:
        assert torch.equal(result.ptr.diff(), torch.tensor(SIZES) - lost)
    else:
        assert torch.equal(torch.bincount(result.batch[~result.node_mask]), lost)
    assert torch.equal(torch.bincount(result.batch), result.ptr.diff())
    assert result.batch.numel() == result.num_nodes == result.x.shape[0]
    assert torch.equal(result.batch[result.edge_index[0]], result.batch[result.edge_index[1]])
    assert result[2].edge_index.tolist() == graphs[2].edge_index.tolist()


@pytest.mark.parametrize("relabel", [False, True])
def test_the_record_is_what_batching_the_views_would_have_made(relabel):
    result = RLap(0.5, relabel=relabel, seed=4)(batch(follow_batch=["x", "edge_index", "edge_attr"]))
    again = Batch.from_data_list(result.to_data_list(), follow_batch=["x", "edge_index"])
    assert set(result.keys()) == set(again.keys())
    for key in again.keys():  # noqa: SIM118
        same = torch.equal if isinstance(again[key], torch.Tensor) else list.__eq__
        assert same(result[key], again[key]), key
    for made, expected in ((result._slice_dict, again._slice_dict), (result._inc_dict, again._inc_dict)):
        assert set(made) == set(expected)
        for key, value in expected.items():
            assert (value is None and made[key] is None) or torch.equal(made[key], value), key


@pytest.mark.parametrize("relabel", [False, True])
def test_a_batch_that_was_told_its_numbers_of_nodes(relabel):
    path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    sizes = [4, 3, 6]
    source = Batch.from_data_list([Data(edge_index=path, num_nodes=size) for size in sizes])
    graphs = RLap(0.5, relabel=relabel, seed=1)(source).to_data_list()
    assert [graph.num_nodes for graph in graphs] == ([2, 2, 3] if relabel else sizes)


def test_a_batch_of_one_small_graph():
    """The two offsets of the batch are as many as its nodes and as its edges, and belong to neither."""
    source = Batch.from_data_list([Data(x=torch.eye(2), edge_index=torch.tensor([[0, 1], [1, 0]]))])
    result = RLap(0.5, relabel=True, seed=0)(source)
    assert result.ptr.tolist() == [0, 1]
    assert result.batch.tolist() == [0]
    assert RLap(0.0)(source).ptr.tolist() == [0, 2]


def test_what_belongs_to_graphs_is_not_taken_for_nodes():
    """Two graphs with five values each look like ten nodes, but the graphs have three and seven."""
    path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    graphs = [Data(x=torch.randn(size, 1), edge_index=path, target=torch.randn(5)) for size in (3, 7)]
    result = RLap(0.5, relabel=True, seed=0)(Batch.from_data_list(graphs))
    for graph, original in zip(result.to_data_list(), graphs, strict=True):
        assert torch.equal(graph.target, original.target)


def test_data_with_a_batch_vector_is_a_batch():
    source = batch()
    data = Data(x=source.x, edge_index=source.edge_index, batch=source.batch)
    lost = torch.bincount(data.batch[~RLap(0.5, seed=0)(data).node_mask])
    assert lost.tolist() == [size // 2 for size in SIZES]


def hetero():
    path = torch.from_numpy(GRAPHS[0].edge_index)
    other = torch.from_numpy(random_graph(9, 14, seed=3).edge_index)
    data = HeteroData()
    data["paper"].x = torch.randn(9, 2)
    data["paper"].y = torch.arange(9)
    data["author"].x = torch.randn(4, 2)
    data["paper", "cites", "paper"].edge_index = path
    data["paper", "cites", "paper"].edge_attr = torch.arange(path.shape[1])
    data["paper", "shares", "paper"].edge_index = other
    data["paper", "shares", "paper"].edge_weight = torch.ones(other.shape[1])
    data["author", "writes", "paper"].edge_index = torch.stack([torch.arange(9) % 4, torch.arange(9)])
    data["author", "writes", "paper"].edge_attr = torch.arange(9)
    return data


def test_hetero_data_by_edge_type():
    data = hetero()
    result = RLap(0.5, seed=4)(data)
    first = rlap.schur_view(data["cites"].edge_index, num_nodes=9, fraction=0.5, seed=4)
    second = rlap.schur_view(
        data["shares"].edge_index, num_nodes=9, keep=first.node_mask, seed=rlap.derive_seed(4, view=1)
    )
    assert_equal(result["cites"], first)
    assert_equal(result["shares"], second)
    assert torch.equal(result["paper"].node_mask, first.node_mask)
    assert "node_mask" not in result["author"]
    assert "edge_attr" not in result["cites"]
    assert torch.equal(result["writes"].edge_index, data["writes"].edge_index)
    assert result["paper"].x is data["paper"].x
    assert result.validate()


def test_hetero_relabel_is_the_subgraph_for_the_other_edge_types():
    data = hetero()
    result = RLap(0.5, relabel=True, seed=4)(data)
    kept = RLap(0.5, seed=4)(data)["paper"].node_mask
    expected = data.subgraph({"paper": kept})
    for kind in ("paper", "author"):
        assert torch.equal(result[kind].x, expected[kind].x)
    assert torch.equal(result["paper"].y, expected["paper"].y)
    assert torch.equal(result["writes"].edge_index, expected["writes"].edge_index)
    assert torch.equal(result["writes"].edge_attr, expected["writes"].edge_attr)
    for name in ("cites", "shares"):
        full = RLap(0.5, seed=4)(data)[name].edge_index
        numbers = kept.long().cumsum(0) - 1
        assert torch.equal(result[name].edge_index, numbers[full])
    assert result.validate()


@pytest.mark.parametrize("relabel", [False, True])
def test_a_batch_of_hetero_data(relabel):
    source = Batch.from_data_list([hetero(), hetero(), hetero()])
    result = RLap(0.5, relabel=relabel, seed=4)(source)
    graphs = result.to_data_list()
    again = Batch.from_data_list(graphs)
    for kind in result.node_types + result.edge_types:
        assert set(result[kind].keys()) == set(again[kind].keys())
        for key in again[kind].keys():  # noqa: SIM118
            assert torch.equal(result[kind][key], again[kind][key]), (kind, key)
        for table in ("_slice_dict", "_inc_dict"):
            made, expected = getattr(result, table)[kind], getattr(again, table)[kind]
            assert set(made) == set(expected)
            assert all(torch.equal(made[key], expected[key]) for key in expected), (table, kind)
    assert [graph["paper"].num_nodes for graph in graphs] == [5 if relabel else 9] * 3
    assert graphs[0]["author"].num_nodes == 4
    assert_equal(graphs[0]["cites"], RLap(0.5, relabel=relabel, seed=4)(hetero())["cites"])


def test_two_after_one_another_mask_what_both_eliminated():
    data = single()
    first = RLap(0.5, seed=1)(data)
    second = RLap(0.5, seed=2)(first)
    alone = rlap.schur_view(first.edge_index, first.edge_weight, num_nodes=16, fraction=0.5, seed=2)
    assert torch.equal(second.node_mask, first.node_mask & alone.node_mask)
    assert int(second.node_mask.sum()) < 8
    dropped = Compose([RLap(0.5, seed=1), RLap(0.5, relabel=True, seed=2)])(data)
    assert torch.equal(dropped.x, data.x[second.node_mask])


def test_seeds():
    data = single()
    assert_equal(RLap(0.5, seed=3)(data), RLap(0.5, seed=3)(data))
    assert RLap(0.5, seed=3)(data).edge_weight.tolist() != RLap(0.5, seed=4)(data).edge_weight.tolist()
    views = []
    for _ in range(2):
        torch.manual_seed(11)
        transform = RLap(0.5)
        views.append([transform(data), transform(data)])
    assert_equal(views[0][0], views[1][0])
    assert_equal(views[0][1], views[1][1])
    assert views[0][0].edge_weight.tolist() != views[0][1].edge_weight.tolist()
    drawn = [RLap(0.5, seed=torch.Generator().manual_seed(1))(data) for _ in range(2)]
    assert_equal(*drawn)
    drawn = [RLap(0.5, seed=np.random.default_rng(1))(data) for _ in range(2)]
    assert_equal(*drawn)


class Repeated(torch.utils.data.Dataset):
    """The same graph again and again, transformed anew each time."""

    def __init__(self, transform, length):
        self.transform, self.length, self.data = transform, length, single()

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return self.transform(self.data)


def load(transform, seed):
    loader = DataLoader(
        Repeated(transform, 8), batch_size=2, num_workers=2, generator=torch.Generator().manual_seed(seed)
    )
    return [graph for one in loader for graph in one.to_data_list()]


def test_workers_of_a_loader_differ_from_each_other_and_repeat_with_their_seed():
    graphs = load(RLap(0.5), seed=1)
    weights = {tuple(graph.edge_weight.tolist()) for graph in graphs}
    assert len(weights) == 8  # eight views of one graph with 2^64 seeds
    for graph, again in zip(graphs, load(RLap(0.5), seed=1), strict=True):
        assert_equal(graph, again)
    for graph in load(RLap(0.5, seed=5), seed=2):
        assert_equal(graph, RLap(0.5, seed=5)(single()))


def two_views(data):
    made = rlap.schur_view(data.edge_index, num_nodes=16, fraction=0.5, num_views=4, num_threads=4, seed=0)
    return Data(edge_index=made[3].edge_index, edge_weight=made[3].edge_weight, num_nodes=16)


def test_workers_may_use_threads_after_the_main_process_has():
    """A worker is a fork: threads of its parent are not there, and waiting for them would never end."""
    expected = two_views(single())
    for graph in load(two_views, seed=1):
        assert_equal(graph, expected)


def test_bad_data_is_refused():
    with pytest.raises(ValueError, match=r"must have an edge_index \(got \['x'\]\)"):
        RLap(0.5)(Data(x=torch.eye(3)))
    index = torch.tensor([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"must have num_nodes or node features \(got only \['edge_index', 'y'\]\)"):
        RLap(0.5)(Data(edge_index=index, y=torch.zeros(3)))
    with pytest.raises(ValueError, match="both directions of every edge"):
        RLap(0.5)(Data(edge_index=index[:, :1], num_nodes=2))
    assert RLap(0.0, symmetrize=True)(Data(edge_index=index[:, :1], num_nodes=2)).num_edges == 2
    with pytest.raises(TypeError, match=r"must be a Data, a HeteroData or a Batch of them \(got TemporalData\)"):
        RLap(0.5)(TemporalData(src=index[0], dst=index[1]))
    bipartite = HeteroData()
    bipartite["a", "to", "b"].edge_index = index
    with pytest.raises(ValueError, match=r"an edge type that joins nodes of one type \(got \[\('a', 'to', 'b'\)\]\)"):
        RLap(0.5)(bipartite)
    lonely = HeteroData()
    lonely["a", "to", "a"].edge_index = index
    with pytest.raises(ValueError, match=r"num_nodes or node features of \('a', 'to', 'a'\)"):
        RLap(0.5)(lonely)


def test_bad_arguments_are_refused_when_they_are_given():
    with pytest.raises(ValueError, match=r"fraction must lie in \[0, 1\] \(got 1.5\)"):
        RLap(1.5)
    with pytest.raises(ValueError, match=r'node_order must be "random" or "degree" \(got \'given\'\)'):
        RLap(0.5, "given")
    with pytest.raises(ValueError, match="neighbor_order must be one of"):
        RLap(0.5, "random", "up")
    with pytest.raises(ValueError, match=r'method must be "elimination", "walks" or "coarsening" \(got \'magic\'\)'):
        RLap(0.5, method="magic")


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_extreme_fractions(fraction):
    data = single()
    result = RLap(fraction, relabel=True, seed=0)(data)
    assert result.num_nodes == (16 if fraction == 0 else 0)
    assert result.num_edges == (data.num_edges if fraction == 0 else 0)
    assert RLap(fraction, relabel=True, seed=0)(batch()).num_nodes == (sum(SIZES) if fraction == 0 else 0)


def test_repr_shows_what_is_unusual():
    assert repr(RLap(0.5)) == "RLap(fraction=0.5)"
    shown = repr(RLap(0.25, "degree", relabel=True, seed=3))
    assert shown == "RLap(fraction=0.25, node_order='degree', relabel=True, seed=3)"


def test_it_is_registered_as_a_functional_transform():
    from torch_geometric.data.datapipes import DatasetAdapter

    (result,) = list(DatasetAdapter([single()]).rlap(0.5, seed=4))
    assert_equal(result, expected_view(single()))
