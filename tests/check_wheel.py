"""Run by `make wheel-check` in an environment that has the wheel, NumPy and SciPy, and nothing else."""

from importlib.metadata import distributions, files

import numpy as np
import scipy.sparse as sp

import rlap

installed = {found.metadata["Name"].lower() for found in distributions()} - {"pip", "setuptools"}
assert installed == {"rlap", "numpy", "scipy"}, installed

shipped = [str(path) for path in files("rlap") or []]
natives = [path for path in shipped if path.endswith(".so")]
assert len(natives) == 1, natives
assert natives[0].startswith("rlap/_core."), natives
TEXTS = ("py.typed", "_core.pyi", "transforms/rlap.py", "adapters/torch.py", "experiments/hyperparameters.csv")
TEXTS += ("experiments/targets/accuracy.toml", "experiments/paper/accuracy.csv")
for needed in (f"rlap/{name}" for name in TEXTS):
    assert needed in shipped, needed
strange = [path for path in shipped if not path.startswith(("rlap/", "rlap-", "../../../bin/rlap"))]
assert not strange, strange

rng = np.random.default_rng(0)
upper = sp.random_array((200, 200), density=0.05, rng=rng, data_sampler=lambda size: rng.uniform(0.5, 2.0, size))
graph = sp.csr_array(sp.triu(upper, k=1))
graph = sp.csr_array(graph + graph.T)
keep = np.arange(0, 200, 2)
exact = rlap.exact_schur(graph, keep=keep)
for estimate in (rlap.randomized_schur, rlap.walk_schur, rlap.vertex_coarsening):
    view = estimate(graph, keep=keep, rng=0)
    assert abs(view - view.T).max() == 0
    # One sample of a sum of some thousand weights; the three estimators stay well within a tenth of it.
    assert abs(view.sum() / exact.sum() - 1) < 0.1, (estimate.__name__, view.sum(), exact.sum())
b = rng.standard_normal(200)
solution = rlap.laplacian_solver(graph)(b)
assert solution.converged
coo = graph.tocoo()
views = rlap.schur_view(np.stack([coo.row, coo.col]), coo.data, num_nodes=200, fraction=0.5, num_views=2, seed=0)
assert [int(view.node_mask.sum()) for view in views] == [100, 100]
missing = ""
try:
    import rlap.transforms
except ModuleNotFoundError as error:
    missing = str(error.name)
assert missing in ("torch", "torch_geometric"), missing
print(f"the wheel works: rlap {rlap.__version__} with NumPy {np.__version__} and {natives[0]}")
