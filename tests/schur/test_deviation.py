"""The deviation of one run against dense computations, and its tail bounds against enumeration and high precision."""

from __future__ import annotations

import itertools
from decimal import Decimal, localcontext
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import rlap
from rlap.schur.deviation import (
    Deviation,
    StepBounds,
    composite_corrector,
    deviation_bound,
    sigma_max,
    spectrum,
    tail_bound,
    track_deviation,
)
from rlap.schur.deviation import run as run_module

ORDERS = list(itertools.product(["random", "degree", "given"], ["asc", "desc", "random"]))


def random_graph(nodes, density, seed, weighted=True):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((nodes, nodes)) < density, 1)
    weight = rng.lognormal(0, 1, upper.shape) if weighted else np.ones(upper.shape)
    return sp.csr_array(np.where(upper, weight, 0) + np.where(upper, weight, 0).T)


def dense_laplacian(adjacency, ground=0.0):
    weights = adjacency.toarray()
    return np.diag(weights.sum(axis=1) + ground) - weights


def norm(matrix):
    return np.abs(np.linalg.eigvalsh(matrix)).max(initial=0.0)


def trace_exp(matrix):
    return np.exp(np.linalg.eigvalsh(matrix)).sum()


def clique(weight):
    """The exact clique of a star."""
    return np.diag(weight) - np.outer(weight, weight) / weight.sum()


def outcomes(weight):
    """Every sampled clique of a star with its probability, for the neighbour order in which the weights come."""
    size, total = weight.size, weight.sum()
    for partners in itertools.product(*(range(place + 1, size) for place in range(size - 1))):
        sampled, probability = np.zeros((size, size)), 1.0
        for place, partner in enumerate(partners):
            behind = weight[place + 1 :].sum()
            probability *= weight[partner] / behind
            pair = np.zeros(size)
            pair[place], pair[partner] = 1, -1
            sampled += weight[place] * behind / total * np.outer(pair, pair)
        yield sampled, probability


def made_up(remainder, cliques, choices, num_nodes=10, variance=3.0, edge=0.5, uniform=True):
    """A run with bounds of our own."""
    nothing = np.zeros(0)
    bounds = StepBounds(np.array(remainder), np.array(cliques), np.array(choices), variance, edge)
    return Deviation(nothing.astype(np.int64), nothing, nothing, nothing.astype(np.int64), num_nodes, uniform, bounds)


class TestSigmaMax:
    # Both branches: dense up to 200 nodes, Lanczos above.
    @pytest.mark.parametrize("nodes", [1, 2, 3, 10, 60, 199, 200, 201, 260, 400])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_equals_the_dense_one(self, nodes, weighted):
        for seed in range(3):
            adjacency = random_graph(nodes, min(1.0, 3 / nodes), seed, weighted)  # mostly disconnected
            assert sigma_max(adjacency) == pytest.approx(norm(dense_laplacian(adjacency)), rel=1e-8, abs=1e-12)

    @pytest.mark.parametrize("nodes", [40, 250])
    def test_equals_the_dense_one_with_ground(self, nodes):
        adjacency = random_graph(nodes, 4 / nodes, 0)
        ground = np.random.default_rng(1).exponential(3.0, nodes)
        assert sigma_max(adjacency, ground) == pytest.approx(norm(dense_laplacian(adjacency, ground)), rel=1e-8)

    @pytest.mark.parametrize("nodes", [2, 7, 200, 300])
    def test_closed_forms(self, nodes):
        full = sp.csr_array(1.0 - np.eye(nodes))
        path = sp.diags_array([np.ones(nodes - 1)] * 2, offsets=[-1, 1])
        star = sp.lil_array((nodes, nodes))
        star[0, 1:] = star[1:, 0] = 1.0
        assert sigma_max(full) == pytest.approx(nodes, rel=1e-9)
        assert sigma_max(star) == pytest.approx(nodes, rel=1e-9)
        assert sigma_max(path) == pytest.approx(2 - 2 * np.cos(np.pi * (nodes - 1) / nodes), rel=1e-9)

    @pytest.mark.parametrize("nodes", [0, 1, 5, 500])
    def test_no_edges(self, nodes):
        assert sigma_max(sp.csr_array((nodes, nodes))) == 0.0

    def test_ground_alone(self):
        assert sigma_max(sp.csr_array((3, 3)), [1.0, 5.0, 2.0]) == 5.0

    @pytest.mark.parametrize("factor", [2.0**-400, 2.0**400])
    def test_scales_with_the_weights(self, factor):
        adjacency = random_graph(250, 0.02, 3)
        assert sigma_max(adjacency * factor) == pytest.approx(factor * sigma_max(adjacency), rel=1e-8)

    def test_weights_over_twelve_orders_of_magnitude(self):
        adjacency = random_graph(250, 0.02, 4)
        adjacency = adjacency.power(4.0)  # still symmetric
        assert sigma_max(adjacency) == pytest.approx(norm(dense_laplacian(adjacency)), rel=1e-8)

    def test_one_far_component_decides(self):
        blocks = [sp.csr_array((150, 150)), sp.csr_array(1.0 - np.eye(3)), sp.csr_array(5.0 - 5 * np.eye(2))]
        adjacency = sp.block_diag([*blocks, sp.csr_array((150, 150))], format="csr")
        assert sigma_max(sp.csr_array(adjacency)) == pytest.approx(10.0, rel=1e-9)

    def test_same_graph_same_number(self):
        adjacency = random_graph(300, 0.02, 5)
        assert sigma_max(adjacency) == sigma_max(adjacency)

    def test_close_eigenvalues_cost_precision_and_say_so(self):
        nodes = 5000
        path = sp.diags_array([np.ones(nodes - 1)] * 2, offsets=[-1, 1])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(spectrum, "_RESTARTS", 10)
            with pytest.warns(RuntimeWarning, match="accurate to 1e-4 only"):
                found = sigma_max(path)
        assert 4 * (1 - 1e-4) <= found <= 4

    def test_no_convergence_is_an_error(self, monkeypatch):
        monkeypatch.setattr(spectrum, "_RESTARTS", 1)
        path = sp.diags_array([np.ones(4999)] * 2, offsets=[-1, 1])
        with (
            pytest.warns(RuntimeWarning, match="too close"),
            pytest.raises(RuntimeError, match=r"within 1 restarts of 64 vectors \(it did not, on 5000 nodes\)"),
        ):
            sigma_max(path)


class TestTrackDeviation:
    def dense_run(self, adjacency, ground, **arguments):
        """L_i and R_i after every elimination, from `schur_path` and `approximate_factor`."""
        nodes = adjacency.shape[0]
        fractions = [min(1.0, (step + 0.5) / nodes) for step in range(nodes + 1)]
        path = rlap.schur_path(adjacency, fractions, ground=ground, **arguments)
        factor = rlap.approximate_factor(adjacency, ground=ground, **arguments)
        lower = np.empty((nodes, nodes))
        lower[factor.order] = factor.lower.toarray()
        for step, view in enumerate(path):
            view, leak = (view, 0.0) if ground is None else view
            rest = dense_laplacian(view, leak)
            gone = lower[:, :step]
            yield rest + gone * factor.diagonal[:step] @ gone.T, rest, view.nnz // 2

    @pytest.mark.parametrize("with_ground", [False, True])
    @pytest.mark.parametrize(("node_order", "neighbor_order"), ORDERS)
    def test_equals_the_dense_one_at_every_step(self, node_order, neighbor_order, with_ground):
        nodes = 18
        adjacency = random_graph(nodes, 0.35, 7)
        ground = np.random.default_rng(8).exponential(1.0, nodes) if with_ground else None
        order = np.random.default_rng(9).permutation(nodes) if node_order == "given" else node_order
        arguments = {"node_order": order, "neighbor_order": neighbor_order, "rng": 11}
        run = track_deviation(adjacency, steps=range(nodes + 1), ground=ground, **arguments)
        laplacian = dense_laplacian(adjacency, 0.0 if ground is None else ground)
        dense = list(self.dense_run(adjacency, ground, **arguments))
        assert run.eliminated.tolist() == list(range(nodes + 1))
        assert run.edges.tolist() == [edges for *_, edges in dense]
        # Sums of some tens of numbers up to the norm of L.
        near = {"rtol": 1e-10, "atol": 1e-13 * norm(laplacian)}
        np.testing.assert_allclose(run.sigma_max, [norm(rest) for _, rest, _ in dense], **near)
        np.testing.assert_allclose(run.deviation, [norm(now - laplacian) for now, *_ in dense], **near)
        assert run.deviation[nodes // 2] > 0.01  # the comparison is not of zeros

    def test_equals_the_dense_one_by_lanczos(self):
        nodes = 230
        adjacency = random_graph(nodes, 0.05, 12)
        run = track_deviation(adjacency, steps=[57, 115, 230], rng=13)
        laplacian = dense_laplacian(adjacency)
        dense = list(self.dense_run(adjacency, None, rng=13))
        wanted = [norm(dense[step][0] - laplacian) for step in run.eliminated]
        np.testing.assert_allclose(run.deviation, wanted, rtol=1e-8, atol=1e-12)

    def test_keep(self):
        adjacency = random_graph(20, 0.4, 14)
        keep = [1, 2, 3, 11, 19]
        run = track_deviation(adjacency, keep=keep, rng=15)
        factor = rlap.approximate_factor(adjacency, keep=keep, rng=15)
        lower = np.empty((20, 15))
        lower[factor.order] = factor.lower.toarray()
        end = dense_laplacian(factor.remainder) + lower * factor.diagonal @ lower.T
        assert run.eliminated[-1] == 15
        assert run.deviation[-1] == pytest.approx(norm(end - dense_laplacian(adjacency)), rel=1e-10)
        assert run.sigma_max[-1] == pytest.approx(norm(dense_laplacian(factor.remainder)), rel=1e-10)
        assert run.bounds.choices.tolist() == list(range(15, 0, -1))

    @pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
    def test_closed_form(self, neighbor_order):
        # The hub of three leaves: 1/3 too much on one edge of the triangle, 1/3 too little on another. The eigenvalues
        # are 0 and +- sqrt(3) / 3, whatever is drawn.
        star = sp.csr_array(np.array([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], dtype=float))
        for seed in range(10):
            run = track_deviation(star, eliminate=[0], neighbor_order=neighbor_order, rng=seed)
            assert run.eliminated.tolist() == [0, 1]
            np.testing.assert_allclose(run.deviation, [0, 3**-0.5], rtol=1e-12)

    @pytest.mark.parametrize("nodes", [30, 300])
    def test_trees_eliminated_from_their_leaves_do_not_stray(self, nodes):
        rng = np.random.default_rng(16)
        adjacency = sp.lil_array((nodes, nodes))
        for node in range(1, nodes):
            parent = rng.integers(node)
            adjacency[node, parent] = adjacency[parent, node] = rng.exponential()
        run = track_deviation(adjacency, node_order=np.arange(nodes)[::-1], rng=17)
        assert run.deviation.max() <= 1e-12 * run.sigma_max[0]
        assert tail_bound(run, 1e-9, corrector="edgewise") == 0.0
        assert deviation_bound(run, 0.5, corrector="edgewise") == 0.0

    @pytest.mark.parametrize("factor", [2.0**-300, 2.0**300])
    def test_scales_with_the_weights(self, factor):
        adjacency = random_graph(25, 0.3, 18)
        small, large = (track_deviation(adjacency * scale, rng=19) for scale in (1.0, factor))
        np.testing.assert_allclose(large.deviation, factor * small.deviation, rtol=1e-9)
        np.testing.assert_allclose(large.bounds.remainder, factor * small.bounds.remainder, rtol=1e-9)
        wanted = [factor * deviation_bound(small, 0.05, corrector=word) for word in ("composite", "edgewise")]
        found = [deviation_bound(large, 0.05, corrector=word) for word in ("composite", "edgewise")]
        np.testing.assert_allclose(found, wanted, rtol=1e-6)

    @pytest.mark.parametrize(("node_order", "neighbor_order"), ORDERS)
    def test_the_mean_of_the_martingale_is_zero(self, node_order, neighbor_order, monkeypatch):
        nodes, runs, steps = 7, 300, [2, 4]
        adjacency = random_graph(nodes, 0.7, 20)
        seen = []
        monkeypatch.setattr(run_module, "spectral_norm", lambda operator, _: seen.append(operator @ np.eye(nodes)) or 0)
        # Also for the order by degree, which looks at what was sampled: a martingale may.
        order = np.arange(nodes) if node_order == "given" else node_order
        for seed in range(runs):
            track_deviation(adjacency, steps=steps, node_order=order, neighbor_order=neighbor_order, rng=seed)
        # R_i and L_i - L take turns; the first pair is step 0.
        strayed = np.array(seen).reshape(runs, 3, 2, nodes, nodes)[:, 1:, 1]
        mean, error = strayed.mean(axis=0), strayed.std(axis=0) / np.sqrt(runs)
        assert (error > 1e-3).mean() > 0.2
        # Two-sided normal, Bonferroni over 56 different entries of each of 9 cases: 3e-4 in all at 5.
        assert (np.abs(mean) <= 5 * error + 1e-13).all()

    def test_same_seed_same_run(self):
        adjacency = random_graph(40, 0.2, 21)
        first, again, other = (track_deviation(adjacency, rng=seed) for seed in (3, 3, 4))
        assert first.deviation.tolist() == again.deviation.tolist() != other.deviation.tolist()

    def test_default_steps_reach_from_zero_to_the_end(self):
        run = track_deviation(random_graph(101, 0.1, 22), fraction=0.5, rng=0)
        assert run.eliminated[[0, -1]].tolist() == [0, 50]
        assert run.eliminated.size == 17

    @pytest.mark.parametrize("nodes", [0, 1, 6])
    def test_no_edges(self, nodes):
        run = track_deviation(sp.csr_array((nodes, nodes)), rng=0)
        assert run.eliminated[-1] == nodes
        assert run.deviation.max() == run.sigma_max.max() == run.edges.max() == 0
        for corrector in ("composite", "edgewise"):
            assert tail_bound(run, 1.0, corrector=corrector) == 0.0
            assert deviation_bound(run, 0.1, corrector=corrector) == 0.0

    def test_nothing_eliminated(self):
        run = track_deviation(random_graph(10, 0.5, 23), fraction=0.0, rng=0)
        assert run.eliminated.tolist() == [0]
        assert run.deviation.tolist() == [0.0]
        assert tail_bound(run, 1.0) == 0.0
        assert deviation_bound(run, 0.1) == 0.0

    def test_single_precision_input_is_tracked_in_double(self):
        adjacency = random_graph(30, 0.3, 24)
        single = adjacency.astype(np.float32)
        one, two = (track_deviation(matrix, rng=1) for matrix in (single, single.astype(np.float64)))
        assert one.deviation.tolist() == two.deviation.tolist()

    @pytest.mark.parametrize(
        ("steps", "error", "message"),
        [
            ([0, 6], ValueError, r"steps must lie in \[0, 5\], the number of eliminations \(got 6\)"),
            ([-1], ValueError, r"\(got -1\)"),
            ([[1]], ValueError, r"steps must have one dimension \(got 2\)"),
            ([0.5], TypeError, r"steps must hold integers \(got float64\)"),
        ],
    )
    def test_bad_steps(self, steps, error, message):
        with pytest.raises(error, match=message):
            track_deviation(random_graph(10, 0.5, 25), steps=steps, fraction=0.5, rng=0)


class TestStepBounds:
    @pytest.mark.parametrize("steps", ["all", "few", "none"])
    @pytest.mark.parametrize("with_ground", [False, True])
    def test_they_hold_at_every_step(self, steps, with_ground):
        nodes = 14
        for seed in range(8):
            adjacency = random_graph(nodes, 0.4, 30 + seed)
            ground = np.random.default_rng(seed).exponential(1.0, nodes) if with_ground else None
            stops = {"all": range(nodes + 1), "few": [4, 9], "none": []}[steps]
            bounds = track_deviation(adjacency, steps=stops, ground=ground, rng=seed).bounds
            fractions = [(step + 0.5) / nodes for step in range(nodes)] + [1.0]
            for step, view in enumerate(rlap.schur_path(adjacency, fractions, ground=ground, rng=seed)[:-1]):
                view, leak = (view, np.zeros(nodes)) if ground is None else view
                # The ground's row is taken off the whole Laplacian: smaller norms.
                assert norm(dense_laplacian(view, leak)) <= bounds.remainder[step] * (1 + 1e-9)
                weights = np.column_stack([view.toarray(), leak])
                for star in weights:
                    star = np.sort(star[star > 0])
                    if star.size < 2:
                        continue
                    worst = np.append(star[:-1] * np.cumsum(star[::-1])[::-1][1:] / star.sum(), 0.0)
                    tree = sp.lil_array((star.size, star.size))  # all meet the last: the largest norm
                    tree[-1, :] = worst
                    assert norm(dense_laplacian(sp.csr_array(tree + tree.T))) <= bounds.clique[step] * (1 + 1e-9)
                assert bounds.choices[step] == nodes - step

    def test_growth_between_the_steps_is_the_gain_of_the_worst_draw(self):
        # Two hubs that share the leaf 0: after the first goes, a leaf can have gained half its star's sum, and so on.
        adjacency = sp.lil_array((8, 8))
        adjacency[6, :4] = 1.0
        adjacency[7, [0, 4, 5]] = 2.0
        adjacency = sp.csr_array(adjacency + adjacency.T)
        order = [6, 7, 0, 1, 2, 3, 4, 5]
        bounds = track_deviation(adjacency, steps=[], fraction=0.25, node_order=order, rng=0).bounds
        gain = 4 * 1 * (1 - 1 / 4) / 2
        np.testing.assert_allclose(bounds.remainder, norm(dense_laplacian(adjacency)) + np.array([0, 2 * gain]))
        np.testing.assert_allclose(bounds.clique, 2 / 3 * (6 + np.array([0, gain])))

    def test_steps_looked_at_are_taken_as_seen(self):
        adjacency = random_graph(15, 0.4, 41)
        run = track_deviation(adjacency, steps=range(16), rng=0)
        path = rlap.schur_path(adjacency, [(step + 0.5) / 15 for step in range(15)] + [1.0], rng=0)
        assert run.bounds.remainder.tolist() == run.sigma_max[:-1].tolist()
        np.testing.assert_allclose(run.bounds.clique, [2 / 3 * view.sum(axis=1).max() for view in path[:-1]])

    def test_growth_does_not_pass_through_the_ground(self):
        # Three hubs whose stars share nothing but the ground: what one draws adds nothing to what another did.
        adjacency = sp.block_diag([[[0, 1.0, 1.0], [1.0, 0, 0], [1.0, 0, 0]]] * 3, format="csr")
        arguments = {"steps": [], "eliminate": [0, 3, 6], "node_order": range(9), "rng": 0}
        bounds = track_deviation(sp.csr_array(adjacency), ground=[1.0, 0, 0] * 3, **arguments).bounds
        np.testing.assert_allclose(bounds.remainder, bounds.remainder[0] + np.array([0, 2 * 1.0, 2 * 1.0]))

    def test_nodes_that_are_kept_do_not_count(self):
        adjacency = sp.lil_array((6, 6))
        adjacency[0, 1:] = 3.0
        adjacency[1, 2] = 1.0
        bounds = track_deviation(sp.csr_array(adjacency + adjacency.T), keep=[0, 5], rng=0).bounds
        assert bounds.clique[0] == pytest.approx(2 / 3 * 4)

    def test_variance_and_edge_of_one_star(self):
        def bounds_of(leaves, ground):
            star = sp.lil_array((1 + len(leaves), 1 + len(leaves)))
            star[0, 1:] = leaves
            leak = np.zeros(1 + len(leaves))
            leak[0] = ground
            bounds = track_deviation(sp.csr_array(star + star.T), eliminate=[0], ground=leak, rng=0).bounds
            return [bounds.variance, bounds.edge]

        assert bounds_of([1.0, 2.0], 0.0) == [0, 0]
        # The edge: 2 max w (1 - w / W). The variance: that times the largest weight to a node that is not the ground.
        np.testing.assert_allclose(bounds_of([1.0, 1.0, 1.0], 0.0), [4 / 3, 4 / 3])
        np.testing.assert_allclose(bounds_of([1.0, 1.0, 2.0], 0.0), [2 * 2, 2])
        np.testing.assert_allclose(bounds_of([1.0, 1.0], 5.0), [20 / 7, 20 / 7])

    def test_no_sampled_clique_exceeds_two_thirds_of_its_star(self):
        rng = np.random.default_rng(40)
        for size in (2, 3, 4, 5):
            for _ in range(20):
                weight = rng.lognormal(0, 2, size)
                for sampled, _ in outcomes(weight):
                    assert norm(sampled) <= 2 / 3 * weight.sum()
                    assert norm(sampled - clique(weight)) <= 2 / 3 * weight.sum()

    def test_variance_and_edge_hold_by_enumeration(self):
        # The summed variances along the run, from all outcomes of every star. Weights are distinct: asc has no ties.
        nodes = 9
        for seed in range(10):
            adjacency = random_graph(nodes, 0.6, 50 + seed)
            run = track_deviation(adjacency, rng=seed)
            columns = rlap.approximate_factor(adjacency, rng=seed).columns
            summed, largest = np.zeros((nodes, nodes)), 0.0
            for begin, end in itertools.pairwise(columns.begin):
                order = begin + np.argsort(columns.weight[begin:end])
                weight, neighbor = columns.weight[order], columns.neighbor[order]
                exact = clique(weight) if weight.size else np.zeros((0, 0))
                for sampled, probability in outcomes(weight):
                    summed[np.ix_(neighbor, neighbor)] += probability * np.linalg.matrix_power(sampled - exact, 2)
                for place in range(weight.size - 2):  # the last but one has only one partner
                    behind = weight[place + 1 :]
                    largest = max(largest, weight[place] * behind.sum() / weight.sum())
            assert 0 < norm(summed) <= run.bounds.variance
            assert 0 < largest <= run.bounds.edge / 2


class TestBound:
    def test_corrector_against_forty_digits(self):
        run = made_up([4.0, 7.5, 1e-3], [1.5, 2.0, 1e-4], [10, 9, 8])
        for theta in (1e-9, 1e-3, 0.3, 1.0, 1.4):
            with localcontext() as context:
                context.prec = 40
                at, wanted = Decimal(theta), Decimal(0)
                for norms, most, choices in zip(*_exact(run), strict=True):
                    exponent = norms * most * at**2 / (2 * (1 - most * at / 3))
                    wanted += 2 / (norms * choices) * (exponent.exp() - 1) * norms
            # An exponent of some hundreds turns its rounding into a relative error of 1e-13.
            assert composite_corrector(run, theta) == pytest.approx(float(wanted), rel=1e-12)
        assert composite_corrector(run, 0.0) == 0.0
        assert composite_corrector(run, 1.5) == composite_corrector(run, 100.0) == np.inf

    @pytest.mark.parametrize("theta", [0.02, 0.1, 0.2])
    def test_corrector_corrects(self, theta):
        # The definition, at M = 0, for the first step: E tr exp(theta U - g(theta) R) <= N, by full enumeration over
        # the node that goes and what it samples.
        nodes = 6
        adjacency = random_graph(nodes, 0.8, 60)
        run = track_deviation(adjacency, steps=range(nodes + 1), rng=0)
        first = StepBounds(run.bounds.remainder[:1], run.bounds.clique[:1], run.bounds.choices[:1], 0.0, 0.0)
        corrector = composite_corrector(SimpleNamespace(bounds=first), theta) / run.bounds.remainder[0]
        laplacian = dense_laplacian(adjacency)
        mean = uncorrected = 0.0
        for star in adjacency.toarray():
            neighbor = np.flatnonzero(star)[np.argsort(star[star > 0])]
            for sampled, probability in outcomes(star[neighbor]):
                strayed = np.zeros((nodes, nodes))
                strayed[np.ix_(neighbor, neighbor)] = theta * (sampled - clique(star[neighbor]))
                mean += probability / nodes * trace_exp(strayed - corrector * laplacian)
                uncorrected += probability / nodes * trace_exp(strayed)
        assert mean <= nodes < uncorrected

    def test_tail_is_the_least_over_theta(self):
        run = made_up([4.0, 7.5, 3.0], [1.5, 2.0, 0.5], [10, 9, 8])
        thetas = np.linspace(0, 1.5, 10_001)[1:-1]
        correctors = np.array([composite_corrector(run, theta) for theta in thetas])
        for epsilon in (5.0, 12.0, 30.0, 100.0):
            log_bound = np.log(20) + np.min(correctors - epsilon * thetas)
            # The grid has the least value to the second order in its distance.
            assert tail_bound(run, epsilon) == pytest.approx(min(1.0, np.exp(log_bound)), rel=1e-5)
        for probability in (0.9, 0.05, 1e-6, 1e-100):
            wanted = np.min((np.log(20 / probability) + correctors) / thetas)
            assert deviation_bound(run, probability) == pytest.approx(wanted, rel=1e-5)

    def test_edgewise_closed_form(self):
        run = made_up([4.0], [1.5], [10], num_nodes=10, variance=3.0, edge=0.5)
        wanted = 20 * np.exp(-(6.0**2) / 2 / (3 + 0.5 * 6.0 / 3))
        assert tail_bound(run, 6.0, corrector="edgewise") == pytest.approx(wanted, rel=1e-13)

    @pytest.mark.parametrize("corrector", ["composite", "edgewise"])
    def test_inverse_and_monotone(self, corrector):
        run = track_deviation(random_graph(40, 0.2, 61), fraction=0.5, rng=0)
        for probability in (0.99, 0.5, 1e-3, 1e-12, 1e-200):
            epsilon = deviation_bound(run, probability, corrector=corrector)
            assert tail_bound(run, epsilon, corrector=corrector) == pytest.approx(probability, rel=1e-5)
        grid = np.geomspace(1e-3, 1e6, 200)
        tails = np.array([tail_bound(run, epsilon, corrector=corrector) for epsilon in grid])
        assert (np.diff(tails) <= 0).all()
        assert tails[0] == 1.0
        assert tails[-1] == 0.0
        assert tail_bound(run, 0.0, corrector=corrector) == 1.0

    @pytest.mark.parametrize("scale", [1e-150, 1e150])
    def test_nothing_overflows(self, scale):
        run = made_up([4.0 * scale, 7.5 * scale], [1.5 * scale, 1e-9 * scale], [10, 9])
        plain = made_up([4.0, 7.5], [1.5, 1e-9], [10, 9])
        with np.errstate(all="raise", under="ignore"):
            found = deviation_bound(run, 0.01) / scale
            assert found == pytest.approx(deviation_bound(plain, 0.01), rel=1e-6)
            assert tail_bound(run, found * scale) == pytest.approx(0.01, rel=1e-5)

    def test_runs_stay_within_it(self):
        # No more than a share p of the runs may exceed their own bound at p (plus 5 standard errors of that share).
        runs, share = 100, 0.5
        for seed, weighted in ((70, False), (71, True)):
            adjacency = random_graph(12, 0.5, seed, weighted)
            tracked = [track_deviation(adjacency, steps=[4, 8, 12], rng=number) for number in range(runs)]
            for corrector in ("composite", "edgewise"):
                beyond = [run.deviation.max() >= deviation_bound(run, share, corrector=corrector) for run in tracked]
                assert np.mean(beyond) <= share + 5 * np.sqrt(share * (1 - share) / runs)
            assert max(run.deviation.max() for run in tracked) > 0.1

    def test_edgewise_is_the_tighter_one(self):
        run = track_deviation(random_graph(300, 0.03, 72, weighted=False), fraction=0.5, rng=0)
        assert deviation_bound(run, 0.05, corrector="edgewise") < deviation_bound(run, 0.05) / 2

    def test_composite_needs_the_random_order(self):
        run = track_deviation(random_graph(12, 0.5, 73), node_order="degree", rng=0)
        for call in (lambda: tail_bound(run, 1.0), lambda: deviation_bound(run, 0.1)):
            with pytest.raises(ValueError, match='the composite corrector needs node_order="random"'):
                call()
        assert 0 < deviation_bound(run, 0.1, corrector="edgewise") < np.inf

    def test_bad_arguments(self):
        run = made_up([4.0], [1.5], [10])
        for epsilon in (-1.0, np.nan):
            with pytest.raises(ValueError, match=rf"epsilon must not be negative \(got {epsilon}\)"):
                tail_bound(run, epsilon)
        for probability in (0.0, 1.5, np.nan):
            with pytest.raises(ValueError, match=rf"probability must lie in \(0, 1\] \(got {probability}\)"):
                deviation_bound(run, probability)
        with pytest.raises(ValueError, match="theta must not be negative"):
            composite_corrector(run, -0.1)
        with pytest.raises(ValueError, match=r"corrector must be .* \(got 'chernoff'\)"):
            tail_bound(run, 1.0, corrector="chernoff")


class TestBias:
    """The example of the page on bias: the complete graph of four onto two of its nodes."""

    @pytest.mark.parametrize("neighbor_order", ["asc", "desc", "random"])
    def test_two_eliminations_fall_short_of_the_exact_one(self, neighbor_order):
        # The first leaves a triangle of 5/3, 4/3 and 1, in every arrangement alike; the second, of two edges, is exact.
        full = sp.csr_array(1.0 - np.eye(4))
        possible = np.array([1 + 20 / 27, 4 / 3 + 5 / 8, 5 / 3 + 4 / 7])
        runs = 3000
        found = [
            rlap.randomized_schur(full, keep=[0, 1], neighbor_order=neighbor_order, rng=seed)[0, 1]
            for seed in range(runs)
        ]
        which = np.abs(np.subtract.outer(found, possible)).argmin(axis=1)
        np.testing.assert_allclose(found, possible[which], rtol=1e-12)
        # Counts of a share 1/3, two-sided, 9 of them: 5e-6 in all at 5 standard errors.
        assert (np.abs(np.bincount(which, minlength=3) - runs / 3) <= 5 * np.sqrt(runs * 2 / 9)).all()
        assert rlap.exact_schur(full, keep=[0, 1])[0, 1] == pytest.approx(2.0, rel=1e-12)
        assert possible.mean() / 2 == pytest.approx(0.9895, abs=5e-5)


def _exact(run):
    arrays = (run.bounds.remainder, run.bounds.clique, run.bounds.choices)
    return ([Decimal(float(value)) for value in values] for values in arrays)
