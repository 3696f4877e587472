"""How fast is InfoNCE without the matrix of all pairs, and a first layer with sparse features?

    python benchmarks/losses.py --data DIR [--runs 5] [--threads 1] [--skip-large]

DIR holds the raw files of PyG's data sets, for Coauthor-CS. Times are forward and backward; memory is the growth of the
resident size above the inputs, in a process of its own. The dense form is that of the usual library: each direction by
itself, with masks for positive and negative pairs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from core import claim
from timing import in_new_process, medians
from torch import Tensor
from torch.nn.functional import normalize
from torch_geometric.datasets import Coauthor

from rlap.losses import InfoNCE
from rlap.models import lift

TAU = 0.4
MEMORY = """
import sys
sys.path.insert(0, sys.argv[1])
import torch
from losses import TAU, both_ways, dense, views
from rlap.losses import InfoNCE
from timing import peak_growth
torch.set_num_threads(int(sys.argv[5]))
loss = dense if sys.argv[2] == "dense" else InfoNCE(TAU)
both_ways(loss, *views(64, int(sys.argv[4])))
pair = views(int(sys.argv[3]), int(sys.argv[4]))
print(peak_growth(lambda: both_ways(loss, *pair))[0])
"""


def views(rows: int, width: int) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(0)
    one, other = (torch.randn(rows, width, generator=random).requires_grad_() for _ in range(2))
    return one, other


def dense(one: Tensor, other: Tensor) -> Tensor:
    return (_direction(one, other) + _direction(other, one)) / 2


def _direction(anchor: Tensor, sample: Tensor) -> Tensor:
    positive = torch.eye(len(anchor))
    negative = 1 - positive
    similarity = normalize(anchor) @ normalize(sample).t() / TAU
    weights = similarity.exp() * (positive + negative)
    logs = similarity - weights.sum(dim=1, keepdim=True).log()
    return -((logs * positive).sum(dim=1) / positive.sum(dim=1)).mean()


def both_ways(loss: Callable[[Tensor, Tensor], Tensor], one: Tensor, other: Tensor) -> None:
    one.grad = other.grad = None
    loss(one, other).backward()


def memory(form: str, rows: int, width: int, threads: int) -> float:
    here = str(Path(__file__).parent)
    return float(in_new_process(MEMORY, here, form, str(rows), str(width), str(threads)))


def first_layer(x: Tensor, weight: Tensor, above: Tensor) -> None:
    weight.grad = None
    lift(x, weight).backward(above)


def coauthor_features(data: Path) -> Tensor:
    with tempfile.TemporaryDirectory() as root:
        shutil.copytree(data / "CS", Path(root) / "CS")
        return Coauthor(root, "CS")[0].x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RLAP_DATA"), help="raw files of PyG's data sets")
    parser.add_argument("--runs", type=int, default=5, help="runs of each candidate")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")
    parser.add_argument("--skip-large", action="store_true", help="leave out the run with 34,493 rows")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)

    pair = views(8192, 256)
    times = medians(
        {"dense": partial(both_ways, dense, *pair), "tiles": partial(both_ways, InfoNCE(TAU), *pair)}, arguments.runs
    )
    print(f"InfoNCE, 8192 x 256: dense {times['dense']:.2f} s, tiles {times['tiles']:.2f} s", flush=True)
    claim("InfoNCE against dense, time", times["tiles"] / times["dense"], 0.5, None)
    sizes = {form: memory(form, 8192, 256, arguments.threads) for form in ("dense", "tiles")}
    print(f"  (dense {sizes['dense'] / 1e6:.0f} MB, tiles {sizes['tiles'] / 1e6:.0f} MB)")
    claim("InfoNCE against dense, memory", sizes["tiles"] / sizes["dense"], 0.1, None)
    if not arguments.skip_large:
        grown = memory("tiles", 34_493, 128, arguments.threads) / 2**30
        claim("InfoNCE, 34,493 x 128, GiB above the inputs", grown, 2.0, None)
    if arguments.data:
        x = coauthor_features(Path(arguments.data))
        sparse = x.to_sparse_csr()
        weight = torch.randn(x.shape[1], 256).requires_grad_()
        above = torch.randn(len(x), 256)
        layer = {"dense": partial(first_layer, x, weight, above), "sparse": partial(first_layer, sparse, weight, above)}
        times = medians(layer, arguments.runs)
        print(
            f"first layer, CS: dense {times['dense'] * 1e3:.0f} ms, sparse {times['sparse'] * 1e3:.0f} ms", flush=True
        )
        claim("first layer, sparse against dense, CS", times["sparse"] / times["dense"], 0.1, None)


if __name__ == "__main__":
    main()
