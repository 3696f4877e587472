"""Who imports whom: `import rlap` stays small, and the layers of the package point in one direction."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "rlap"

# Every layer may import those before it. Rooms that share a line do not import each other.
LAYERS = [
    ["_core", "metis"],
    ["schur"],
    ["diffusion", "walks", "centrality"],
    ["adapters"],
    ["transforms", "ops", "loader"],
    ["losses", "contrast", "models", "datasets"],
    ["methods"],
    ["training", "evaluation"],
    ["baselines"],
    ["experiments"],
    ["embedder"],
    ["report", "scale"],
    ["cli"],
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
ARRAYS_ONLY = {"numpy", "scipy"}


def run_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_rlap_needs_numpy_and_scipy_alone():
    code = """
import json, sys
import numpy, scipy.sparse
before = set(sys.modules)
import rlap
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
    foreign = set(json.loads(run_python(code))) - {"rlap", "numpy", "scipy"} - sys.stdlib_module_names
    assert foreign == set()


@pytest.mark.parametrize("heavy", ["scipy.sparse.linalg", "scipy.sparse.csgraph", "scipy.linalg", "scipy.optimize"])
def test_import_rlap_leaves_the_slow_parts_of_scipy_for_later(heavy):
    assert run_python(f"import sys, rlap; print({heavy!r} in sys.modules)").strip() == "False"


def test_rooms_are_there_when_asked_for_and_not_before():
    code = """
import sys, rlap
rooms = ("centrality", "diffusion", "walks")
before = [f"rlap.{room}" in sys.modules for room in rooms]
found = [rlap.centrality.pagerank, rlap.diffusion.ppr, rlap.walks.random_walks]
try:
    rlap.eigenvectors
except AttributeError as error:
    print(before, len(found), all(room in dir(rlap) for room in rooms), error)
"""
    expected = "[False, False, False] 3 True module 'rlap' has no attribute 'eigenvectors'"
    assert run_python(code).strip() == expected


def test_import_rlap_works_where_nothing_else_is_installed():
    code = """
import importlib.abc, sys

absent = {"torch", "torch_geometric", "networkx", "sklearn", "typer", "rich", "pandas", "pyarrow", "matplotlib"}

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Missing())
import numpy as np, scipy.sparse as sp, rlap
path = sp.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float))
rlap.randomized_schur(path, fraction=0.5, rng=0)
rlap.walk_schur(path, keep=[0, 2], rng=0)
rlap.laplacian_solver(path)([1.0, 0.0, -1.0])
print(rlap.schur_view(np.array([[0, 1], [1, 0]]), num_nodes=2, fraction=0.5, seed=0).node_mask.sum())
"""
    assert run_python(code).strip() == "1"


def room_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return None if parts == ("__init__",) else parts[0]


def is_for_types(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports_of(path):
    """List every module that a file imports, and whether it does so on import or inside a function, or for types."""
    tree = ast.parse(path.read_text())
    inside = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or is_for_types(node)
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            names = [f"rlap.{alias.name}" for alias in node.names] if node.module == "rlap" else [node.module]
            yield from ((name, id(node) in inside) for name in names)


FILES = sorted(SOURCE.rglob("*.py"))


def test_every_room_is_on_the_map():
    assert {room_of(path) for path in FILES} - {None} <= set(LEVEL)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_to_earlier_layers(path):
    own = room_of(path)
    for module, late in imports_of(path):
        package, _, rest = module.partition(".")
        if package != "rlap":
            continue
        room = rest.partition(".")[0]
        room = room if room in LEVEL else "adapters"  # a name of `rlap` itself, which reaches up to there
        if own is None:
            assert LEVEL[room] <= LEVEL["adapters"] or (late and room == "embedder"), f"rlap must not import {module}"
        else:
            assert room == own or LEVEL[room] < LEVEL[own], f"{own} must not import {module}"


@pytest.mark.parametrize("path", [p for p in FILES if room_of(p) in LAYERS[1] + LAYERS[2]], ids=lambda path: path.name)
def test_the_numerical_layers_need_numpy_and_scipy_alone(path):
    for module, _ in imports_of(path):
        package = module.partition(".")[0]
        assert package in ARRAYS_ONLY | {"rlap"} | sys.stdlib_module_names, module


@pytest.mark.parametrize("path", [p for p in FILES if room_of(p) in ("losses", "contrast")], ids=lambda path: path.name)
def test_objectives_and_modes_need_torch_alone(path):
    """They know tensors, not graphs: a user may take them without PyG."""
    own = room_of(path)
    for module, _ in imports_of(path):
        assert module.partition(".")[0] in {"torch"} | sys.stdlib_module_names or module.startswith(f"rlap.{own}"), (
            module
        )


def test_encoders_need_no_pyg():
    for path in FILES:
        if room_of(path) == "models":
            assert "torch_geometric" not in {module.partition(".")[0] for module, _ in imports_of(path)}, path.name


def test_adapters_import_their_libraries_late_where_rlap_reaches_them():
    """What `rlap.adapters` imports on the way must not bring torch or NetworkX along."""
    seen, queue = set(), [SOURCE / "__init__.py"]
    while queue:
        path = queue.pop()
        if path in seen:
            continue
        seen.add(path)
        for module, late in imports_of(path):
            if late:
                continue
            package = module.partition(".")[0]
            assert package in ARRAYS_ONLY | {"rlap"} | sys.stdlib_module_names, f"{path.name} imports {module}"
            if package == "rlap":
                place = SOURCE.joinpath(*module.split(".")[1:])
                queue += [p for p in (place.with_suffix(".py"), place / "__init__.py") if p.exists()]
    assert len(seen) > 10
