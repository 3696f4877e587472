"""A seeded fuzzer of the public functions: broken and valid input, and what must hold of every result.

    python -m tests.fuzz.api --seconds 60 --seed 0 --jobs 2

A case is a function and its arguments, drawn from (seed, number of the case). Processes of their own run them, each
call within a time limit, so that crashes and hangs are findings too. Every finding is printed with the command that
repeats it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np
import scipy.sparse as sp

import rlap
from rlap import centrality, diffusion, walks

LIMIT = 20.0  # seconds for a call, which takes milliseconds
MEMORY = 12 * 2**30  # bytes of addresses: what asks for more must say so
REFUSALS = (ValueError, TypeError, MemoryError, OverflowError)
Rng = np.random.Generator


@dataclass
class Graph:
    """An edge list, and whether every function must take it."""

    nodes: Any
    index: Any
    weight: Any
    ptr: Any = None
    hard: bool = False  # extreme weights, with which a function may refuse to work


@dataclass
class Case:
    """A call: what is called, with which arguments."""

    name: str
    function: Callable[..., Any]
    graph: Graph
    options: dict[str, Any] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def draw_graph(rng: Rng) -> Graph:
    """Draw a valid graph: sizes, duplicates, self-loops, orders, weights and types of all kinds."""
    nodes = int(rng.choice([0, 1, 2, 3, 8, 30, 100, 400], p=[0.02, 0.03, 0.05, 0.1, 0.3, 0.3, 0.15, 0.05]))
    edges = int(rng.integers(0, 4 * nodes + 1)) if nodes else 0
    low, high = rng.integers(0, max(nodes, 1), (2, edges)) if rng.random() < 0.7 else _hubs(rng, nodes, edges)
    batch = nodes > 3 and rng.random() < 0.2
    ptr = None
    if batch:
        cut = int(rng.integers(0, nodes + 1))
        ptr = np.array([0, cut, nodes])
        same = (low < cut) == (high < cut)
        low, high = low[same], high[same]
    kind = rng.choice(["none", "float32", "float64", "int64", "hard"], p=[0.35, 0.15, 0.25, 0.1, 0.15])
    weight = None
    if kind == "hard":
        weight = 10.0 ** rng.uniform(-320, 300, low.size)
    elif kind != "none":
        weight = rng.integers(1, 9, low.size).astype(kind)
    index = np.stack([np.concatenate([low, high]), np.concatenate([high, low])])
    weight = None if weight is None else np.concatenate([weight, weight])
    order = rng.choice(["row", "column", "none"])
    place = {
        "row": np.lexsort((index[1], index[0])),
        "column": np.lexsort((index[0], index[1])),
        "none": rng.permutation(index.shape[1]),
    }[order]
    index, weight = index[:, place], None if weight is None else weight[place]
    index = index.astype(rng.choice(["int64", "int32", "uint16"], p=[0.7, 0.2, 0.1]))
    if rng.random() < 0.1:
        index = np.asfortranarray(index)
    # Sums of duplicates in another order differ in the last bits, which is fine; but not where they span all exponents.
    return Graph(nodes, index, weight, ptr, hard=kind == "hard")


def _hubs(rng: Rng, nodes: int, edges: int) -> Any:
    return rng.integers(0, max(nodes // 10, 1), edges), rng.integers(0, max(nodes, 1), edges)


JUNK: list[Any] = [
    None, True, -1, 0, 1, 2, 2.5, -0.5, 0.5, np.nan, np.inf, -np.inf, 1e308, 5e-324, 2**31, 2**62, 2**63,
    2**64, -(2**63), "x", b"x", "", [], [1], (1, 2), {}, range(3), 1j, object, np.array([1, 2]), np.array([]),
    np.zeros((2, 2)), np.float32(0.5), np.array(["a"]), np.array([None]), np.datetime64("2020-01-01"),
]  # fmt: skip


def break_graph(rng: Rng, graph: Graph) -> str:
    """Break one rule, and say which; some of these break nothing in some graphs."""
    index, weight = np.array(graph.index), graph.weight
    what = str(
        rng.choice(
            ["node", "one way", "index type", "index shape", "weight", "weight shape", "weight type", "nodes", "ptr"]
        )
    )
    edges = index.shape[1]
    if what == "node" and edges:
        index = index.astype(np.int64)
        index[rng.integers(2), rng.integers(edges)] = rng.choice([-1, graph.nodes, 2**31, 2**62, -(2**63)])
    elif what == "one way" and edges:
        gone = int(rng.integers(edges))
        index = np.delete(index, gone, axis=1)
        weight = None if weight is None else np.delete(weight, gone)
    elif what == "index type":
        index = index.astype(rng.choice(["float64", "bool", "complex64", "str", "object", "uint64", ">i8", "int8"]))
    elif what == "index shape":
        index = [index.T, index[0], index[:1], index[None], np.zeros((2, 0)), [[0], [0, 1]], [], None, 5][
            rng.integers(9)
        ]
    elif what == "weight" and edges:
        weight = np.ones(edges) if weight is None else weight.astype(np.float64)
        weight[rng.integers(edges)] = rng.choice([0.0, -1.0, np.nan, np.inf, -np.inf, 1.7e308])
    elif what == "weight shape":
        weight = [np.ones(edges + 1), np.ones((edges, 2)), np.ones((edges, 1)), 1.0, [], "x"][rng.integers(6)]
    elif what == "weight type":
        weight = np.ones(edges).astype(
            rng.choice(["complex64", "str", "object", "bool", "float16", "longdouble", ">f8"])
        )
    elif what == "nodes":
        graph.nodes = JUNK[rng.integers(len(JUNK))]
    elif what == "ptr":
        graph.ptr = [[0, 5, 3, graph.nodes], [], [0], [1, graph.nodes], np.array([0.0, 1.5]), "x", [[0]], [0, 2**62]][
            rng.integers(8)
        ]
    else:
        return ""
    graph.index, graph.weight = index, weight
    return what


def as_edges(case: Case) -> Any:
    """Call a function of an edge list."""
    graph = case.graph
    ptr = {} if graph.ptr is None else {"ptr": graph.ptr}
    return case.function(graph.index, graph.weight, num_nodes=graph.nodes, **ptr, **case.options)


def as_matrix(case: Case) -> Any:
    """Call a function of a matrix."""
    graph = case.graph
    form = (sp.coo_array, sp.csr_array, sp.csr_matrix)[len(case.broken) % 3]
    try:
        index = np.asarray(graph.index)
        weight = np.ones(index.shape[1]) if graph.weight is None else graph.weight
        # SciPy itself fills the memory with the rows of a large matrix, unless it is one of triples.
        form = form if 0 <= graph.nodes < 10**6 else sp.coo_array
        matrix = form((weight, (index[0], index[1])), shape=(graph.nodes, graph.nodes))
    except Exception as error:  # SciPy's own rules
        raise ValueError(f"SciPy: {error}") from None
    return case.function(matrix, **case.options)


def as_tensors(case: Case) -> Any:
    """Call a function of an edge list with tensors."""
    import torch

    graph = case.graph
    try:
        index = torch.as_tensor(np.ascontiguousarray(graph.index))
        weight = None if graph.weight is None else torch.as_tensor(np.ascontiguousarray(graph.weight))
    except Exception as error:  # torch's own rules
        raise ValueError(f"torch: {error}") from None
    ptr = {} if graph.ptr is None else {"ptr": graph.ptr}
    return case.function(index, weight, num_nodes=graph.nodes, **ptr, **case.options)


def as_data(case: Case) -> Any:
    """Call a transform, with features and labels beside the edges."""
    import torch
    from torch_geometric.data import Data

    graph = case.graph
    try:
        made = {"edge_index": torch.as_tensor(np.ascontiguousarray(graph.index)), "num_nodes": graph.nodes}
        if graph.weight is not None:
            made["edge_weight"] = torch.as_tensor(np.ascontiguousarray(graph.weight))
        if isinstance(graph.nodes, int) and 0 <= graph.nodes < 10_000:
            made["x"] = torch.ones(graph.nodes, 3)
        data = Data(**made)
    except Exception as error:
        raise ValueError(f"torch: {error}") from None
    return case.function(**case.options)(data)


def choice(*values: Any) -> Callable[[Rng, Graph], Any]:
    """Draw one of these."""
    return lambda rng, graph: values[rng.integers(len(values))]


def subset(rng: Rng, graph: Graph) -> Any:
    """Draw nodes, as numbers or as a mask."""
    mask = rng.random(graph.nodes) < 0.6
    return [mask, np.flatnonzero(mask), np.flatnonzero(mask).tolist()][rng.integers(3)]


def leak(rng: Rng, graph: Graph) -> Any:
    """Draw a weight to the ground for every node, or none."""
    return None if rng.random() < 0.6 else rng.choice([0.0, 0.5, 2.0], graph.nodes)


def starts(rng: Rng, graph: Graph) -> Any:
    """Draw nodes where walks start."""
    return rng.integers(0, graph.nodes, 5) if graph.nodes else np.zeros(0, np.int64)


fraction, seed = choice(0.0, 0.3, 0.5, 0.9, 1.0), choice(0, 1, 2**64 - 1)
threads = choice(0, 1, 2)
flag = choice(False, True)
node_order, neighbor_order = choice("random", "degree"), choice("asc", "desc", "random")
ground = {"ground": leak}
view = {"fraction": fraction, "num_threads": threads}
diffused = {"eps": choice(1e-3, 1e-2, 0.1), "transition": choice("random-walk", "symmetric"), "self_loops": flag}
transform = {"seed": seed}

Draws = dict[str, Callable[[Rng, Graph], Any]]
ENTRIES: list[tuple[str, Callable[[Case], Any], Any, Draws]] = [
    *(
        (f"schur_view {form.__name__[3:]}", form, rlap.schur_view, {
            **view, **ground, "seed": seed, "node_order": node_order, "neighbor_order": neighbor_order, "relabel": flag,
            "num_views": choice(None, 1, 3),
            "dtype": choice(None, np.float32, np.float64),
        })
        for form in (as_edges, as_tensors)
    ),
    ("schur_view walks", as_edges, rlap.schur_view,
     {"fraction": choice(0.0, 0.3, 0.5), **ground, "seed": seed, "method": choice("walks"), "relabel": flag}),
    ("schur_view coarsening", as_edges, rlap.schur_view,
     {**view, **ground, "seed": seed, "method": choice("coarsening"), "node_order": node_order}),
    ("schur_view keep", as_edges, rlap.schur_view, {"keep": subset, **ground, "seed": seed}),
    ("schur_view eliminate", as_edges, rlap.schur_view, {"eliminate": subset, "seed": seed, "node_order": node_order}),
    ("prepare", as_edges, rlap.prepare, {"num_threads": threads}),
    ("prepare matrix", as_matrix, rlap.prepare, {}),
    ("randomized_schur", as_matrix, rlap.randomized_schur, {**view, **ground, "rng": seed, "node_order": node_order}),
    ("walk_schur", as_matrix, rlap.walk_schur, {"fraction": choice(0.1, 0.5), **ground, "rng": seed}),
    ("walk_schur keep", as_matrix, rlap.walk_schur, {"keep": subset, "rng": seed}),
    ("vertex_coarsening", as_matrix, rlap.vertex_coarsening, {**view, **ground, "rng": seed}),
    ("exact_schur", as_matrix, rlap.exact_schur, {"keep": subset, **ground}),
    ("schur_path", as_matrix, rlap.schur_path,
     {"fractions": choice([0.5], [0.1, 0.2, 0.9], [0.0, 1.0]), **ground, "rng": seed, "coarsen": flag}),
    ("approximate_factor", as_matrix, rlap.approximate_factor,
     {**ground, "rng": seed, "node_order": node_order, "neighbor_order": neighbor_order}),
    ("laplacian_solver", as_matrix, rlap.laplacian_solver, {"rng": seed, "node_order": node_order}),
    ("ppr", as_matrix, diffusion.ppr, {"alpha": choice(0.1, 0.5, 0.9), **diffused}),
    ("heat", as_matrix, diffusion.heat, {"t": choice(0.1, 2.0, 20.0), **diffused}),
    ("markov", as_matrix, diffusion.markov, {"alpha": choice(0.1, 0.3), "steps": choice(1, 4), **diffused}),
    ("grounded", as_matrix, diffusion.grounded,
     {"ground": lambda rng, graph: np.ones(graph.nodes), "scale": lambda rng, graph: np.ones(graph.nodes),
      "eps": choice(1e-3, 0.1)}),
    ("diffuse_edges", as_edges, diffusion.diffuse_edges,
     {"series": choice(diffusion.PPR(0.3), diffusion.Heat(1.0), diffusion.Markov(0.2, 3)), **diffused}),
    ("degree", as_matrix, centrality.degree, {}),
    ("eigenvector", as_matrix, centrality.eigenvector, {}),
    ("pagerank", as_matrix, centrality.pagerank, {"alpha": choice(0.0, 0.5, 0.85), "tol": choice(1e-3, 1e-10)}),
    ("centrality_of_edges", as_edges, centrality.centrality_of_edges,
     {"kind": choice("degree", "eigenvector", "pagerank")}),
    *(
        (function.__name__, as_edges, function,
         {"start": starts, "length": choice(0, 1, 30), "restart": choice(0.0, 0.3, 1.0), "uniform": flag, "seed": seed})
        for function in (walks.random_walks, walks.visited_nodes)
    ),
]  # fmt: skip


def transforms() -> list[tuple[str, Callable[[Case], Any], Any, Draws]]:
    """The transforms, where PyG is installed."""
    try:
        import rlap.transforms as T
    except ImportError:
        return []
    p = choice(0.0, 0.3, 1.0)
    drawn: list[tuple[Any, Draws]] = [
        (T.RLap, {"fraction": fraction, "relabel": flag, "node_order": node_order, **transform}),
        (T.VertexCoarsening, {"fraction": fraction, "relabel": flag, **transform}),
        (T.WalkSchur, {"fraction": choice(0.1, 0.5), "relabel": flag, **transform}),
        (T.RLapPPR, {"fraction": fraction, "eps": choice(1e-2), **transform}),
        (T.EdgeDropping, {"p": p, "directed": flag, **transform}),
        (T.EdgeDroppingDegree, {"p": p, **transform}),
        (T.EdgeDroppingEVC, {"p": p, **transform}),
        (T.EdgeDroppingPR, {"p": p, **transform}),
        (T.EdgeAddition, {"p": p, "directed": flag, **transform}),
        (T.FeatureMasking, {"p": p, "per": choice("entry", "column"), **transform}),
        (T.NodeDropping, {"p": p, "relabel": flag, **transform}),
        (T.PPRDiffusion, {"eps": choice(1e-2)}),
        (T.HeatDiffusion, {"t": choice(1.0), "eps": choice(1e-2)}),
        (T.MarkovDiffusion, {"eps": choice(1e-2)}),
        (T.PPRSubgraph, {"size": choice(1, 5), "relabel": flag, **transform}),
        (T.RandomWalkSubgraph, {"fraction": choice(0.1, 0.5), "relabel": flag, **transform}),
        (T.Identity, {}),
    ]
    return [(made.__name__, as_data, made, options) for made, options in drawn]


def draw_case(base: int, number: int, entries: list[Any]) -> tuple[Case, Callable[[Case], Any]]:
    """Draw a case: valid, or with one or two things broken."""
    rng = np.random.default_rng([base, number])
    name, form, function, options = entries[rng.integers(len(entries))]
    case = Case(name, function, draw_graph(rng))
    case.options = {option: draw(rng, case.graph) for option, draw in options.items()}
    if form in (as_matrix, as_data):
        case.graph.ptr = None
    if form in (as_tensors, as_data):  # which have no others
        case.graph.index = case.graph.index.astype(np.int64)
    while rng.random() < 0.4:
        if case.options and rng.random() < 0.4:
            option = str(rng.choice(list(case.options)))
            junk = int(rng.integers(len(JUNK)))
            case.options[option] = JUNK[junk]
            case.broken.append(f"{option}={JUNK[junk]!r}")
        else:
            case.broken += filter(None, [break_graph(rng, case.graph)])
            break  # a second rule is hard to break in what is no graph any more
    return case, form


def check(result: Any) -> None:
    """What must hold of any result: finite, and views sorted, symmetric and positive."""
    if isinstance(result, rlap.View):
        index, weight = np.asarray(result.edge_index), np.asarray(result.edge_weight)
        check_view(index, weight)
        mask = np.asarray(result.node_mask)
        named = int(mask.sum()) if index.size and index.max() >= mask.size else mask.size
        require(index.size == 0 or (index.min() >= 0 and index.max() < named), "an edge leads to no node")
    elif isinstance(result, list):
        for one in result:
            check(one)
    elif isinstance(result, tuple) and len(result) == 2 and all(isinstance(part, np.ndarray) for part in result):
        for part in result:
            require(np.isfinite(part).all(), "not finite")
    elif isinstance(result, np.ndarray):
        require(result.dtype.kind != "f" or np.isfinite(result).all(), "not finite")
    elif sp.issparse(result):
        require(np.isfinite(result.data).all(), "not finite")
    elif hasattr(result, "edge_index"):  # PyG's Data
        weight = result.get("edge_weight")
        require(weight is None or bool(np.isfinite(weight.numpy()).all()), "not finite")
        edges = result.edge_index
        require(edges.numel() == 0 or 0 <= int(edges.min()) <= int(edges.max()) < result.num_nodes, "no node")


def check_view(index: Any, weight: Any) -> None:
    """Sorted, no duplicates, no self-loops, both directions with the same bits, positive and finite."""
    require(index.ndim == 2 and index.shape == (2, weight.size), f"shapes {index.shape} and {weight.shape}")
    require(bool((np.isfinite(weight) & (weight > 0)).all()), "a weight is not positive and finite")
    require(bool((index[0] != index[1]).all()), "a self-loop")
    place, back = np.lexsort((index[1], index[0])), np.lexsort((index[0], index[1]))
    require(bool((place == np.arange(weight.size)).all()), "not sorted")
    require(bool((np.diff(index[0]) | np.diff(index[1])).all()), "a duplicate")
    require(bool((index[:, back] == index[::-1]).all()), "not symmetric")
    require(bool((weight[back] == weight).all()), "weights are not symmetric")


def require(holds: bool, what: str) -> None:
    """Raise what `run_case` takes for a finding."""
    if not holds:
        raise AssertionError(what)


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same bits."""
    if isinstance(a, rlap.View):
        return all(same(getattr(a, name), getattr(b, name)) for name in ("edge_index", "edge_weight", "node_mask"))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if sp.issparse(a):
        return (a != b).nnz == 0
    if hasattr(a, "to_dict"):
        return all(same(value, b.to_dict()[key]) for key, value in a.to_dict().items())
    if isinstance(a, np.ndarray) or hasattr(a, "numpy"):
        return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=np.asarray(a).dtype.kind == "f")
    return True


def run_case(base: int, number: int, entries: list[Any]) -> tuple[str, str]:
    """Run a case. Return how it ended and, where that is a finding, what was found."""
    case, form = draw_case(base, number, entries)
    tell = f"{case.name} broken={case.broken} hard={case.graph.hard}"
    try:
        result = form(case)
    except REFUSALS as error:
        if not str(error):
            return "finding", f"{tell}: {type(error).__name__} without a message"
        if case.broken or case.graph.hard or isinstance(error, MemoryError):
            return "refused", ""
        return "finding", f"{tell}: a valid call is refused: {error!r}"
    except RuntimeError as error:
        if "terminal walks took over" in str(error):
            return "refused", ""
        return "finding", f"{tell}: {error!r}\n{traceback.format_exc(limit=-3)}"
    except Exception as error:
        return "finding", f"{tell}: {error!r}\n{traceback.format_exc(limit=-3)}"
    try:
        # Transforms that do not look at edges, or at weights, give back what is wrong with them.
        if form is not as_data or not case.broken:
            check(result)
        drawn = {"seed", "rng"} & set(case.options)
        # A seed that is None, or a thing that is no seed, gives something new every time.
        if number % 3 == 0 and all(type(case.options[name]) is int for name in drawn):
            again, _ = draw_case(base, number, entries)
            require(same(form(again), result), "the same seed gave other bits")
    except Exception as error:
        return "finding", f"{tell}: {error!r}\n{traceback.format_exc(limit=-3)}"
    return "done", ""


def work(pipe: Connection, base: int, first: int, step: int) -> None:
    """Run cases in a process of its own, and say before each which it is."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    entries = [*ENTRIES, *transforms()]
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
    number = first
    while True:
        pipe.send(("begin", number, ""))
        outcome, finding = run_case(base, number, entries)
        pipe.send((outcome, number, finding))
        number += step


@dataclass
class Worker:
    """A process that runs every `step`-th case."""

    base: int
    number: int
    step: int

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(other, self.base, self.number, self.step), daemon=True)
        self.process.start()
        other.close()
        self.began = time.monotonic() + 60  # imports take a while

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def restart_behind(self) -> None:
        self.stop()
        self.number += self.step
        self.start()


def repeat(base: int, number: int) -> str:
    """The command that runs one case again."""
    return f"python -m tests.fuzz.api --seed {base} --case {number}"


def run(base: int, seconds: float, calls: int, jobs: int) -> int:
    """Run cases until the time is over or the calls are made. Return the number of findings."""
    workers = [Worker(base, first, jobs) for first in range(jobs)]
    ended: Counter[str] = Counter()
    since = time.monotonic()
    end = None
    try:
        while sum(ended.values()) < calls and (end is None or time.monotonic() < end):
            for pipe in wait([worker.pipe for worker in workers], timeout=0.5):
                worker = next(one for one in workers if one.pipe is pipe)
                try:
                    what, worker.number, finding = worker.pipe.recv()
                except (EOFError, OSError):
                    worker.process.join()
                    what, finding = "finding", f"the process ended with {worker.process.exitcode}"
                    worker.restart_behind()
                if what == "begin":
                    worker.began = time.monotonic()
                    end = end or time.monotonic() + seconds
                else:
                    ended[what] += 1
                    if finding:
                        print(f"{repeat(base, worker.number)}\n  {finding}", flush=True)
            for worker in workers:
                if time.monotonic() - worker.began > LIMIT:
                    ended["finding"] += 1
                    print(f"{repeat(base, worker.number)}\n  no end after {LIMIT:.0f} s", flush=True)
                    worker.restart_behind()
    finally:
        for worker in workers:
            worker.stop()
    print(
        f"{sum(ended.values())} calls with seed {base} in {time.monotonic() - since:.0f} s: {ended['done']} results, "
        f"{ended['refused']} refusals, {ended['finding']} findings"
    )
    return ended["finding"]


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.api", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--calls", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--case", type=int, help="run this one alone, in this process")
    options = parser.parse_args()
    if options.case is None:
        return int(run(options.seed, options.seconds, options.calls, options.jobs) > 0)
    case, _ = draw_case(options.seed, options.case, [*ENTRIES, *transforms()])
    print(case)
    print(*run_case(options.seed, options.case, [*ENTRIES, *transforms()]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
