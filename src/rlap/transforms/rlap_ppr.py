"""`RLapPPR`: personalised PageRank between some of the nodes, from a randomized Schur complement onto them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch_geometric.data.datapipes import functional_transform

from rlap.adapters.pyg import BatchRecord, Relation, drop_nodes, find_relations, mark_nodes, node_ptr, replace_edges
from rlap.adapters.torch import to_numpy
from rlap.diffusion import Grounded, diffuse_edges
from rlap.diffusion.sparse import check_positive, check_share
from rlap.schur import schur_view
from rlap.schur.seeds import derive_seed
from rlap.schur.selection import check_fraction
from rlap.transforms.augmentation import Augmentation, edge_weights, on_device


@functional_transform("rlap_ppr")
class RLapPPR(Augmentation):
    """Reduce a graph to some of its nodes, then diffuse: cheaper than diffusing first, and almost the same.

    PPR restricted to the kept nodes is exactly alpha D (SC)^-1, where SC is the Schur complement of D - (1 - alpha) A
    onto them and D has the degrees of the whole graph. D - (1 - alpha) A is the Laplacian of (1 - alpha) A with the
    ground alpha d; `rlap` samples its Schur complement together with that ground, and the inverse is taken of the
    sample. The mean of an inverse is not the inverse of the mean, so a sampling error stays.

    `grounded=False` is the paper's shortcut: it reduces A alone, and gives the result the ground of its own degrees.
    That loses what walks leak in eliminated nodes, and is off by much more.

    Edge (i, j) has the weight S_ij. Eliminated nodes stay, without edges, and `node_mask` is false for them.

    Args:
        fraction: the share of nodes of every graph to eliminate, in [0, 1].
        keep: or the nodes to keep, as numbers or a mask.
        alpha: the probability of a return, between 0 and 1.
        eps: entries below are not kept.
        tol: the largest error of an entry of the inverse; None means eps / 10.
        grounded: reduce the ground too.
        relabel: take the eliminated nodes away and number the others anew.
        seed: an integer, a generator, or None for torch's; as in `RLap`.
        num_threads: 0 means all. It does not change the result.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> from rlap.transforms import RLapPPR
        >>> path = Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)
        >>> view = RLapPPR(keep=[0, 2], alpha=0.2)(path)  # one elimination of two neighbours and the ground
        >>> view.edge_index.tolist()
        [[0, 0, 2, 2], [0, 2, 0, 2]]
    """

    def __init__(
        self,
        fraction: float | None = None,
        *,
        keep: Any = None,
        alpha: float = 0.2,
        eps: float = 1e-4,
        tol: float | None = None,
        grounded: bool = True,
        relabel: bool = False,
        seed: Any = None,
        num_threads: int = 0,
    ) -> None:
        if (fraction is None) == (keep is None):
            raise ValueError("give exactly one of fraction and keep")
        self.fraction = None if fraction is None else check_fraction(fraction)
        self.keep = keep
        self.alpha = check_share(alpha, "alpha")
        self.eps = check_positive(eps, "eps")
        self.tol = tol
        self.grounded = grounded
        self.relabel = relabel
        self.seed = seed
        self.num_threads = num_threads

    def forward(self, data: Any) -> Any:
        """Replace the edges of the data, which is a shallow copy of the caller's."""
        relations = find_relations(data)
        record = BatchRecord(data)
        seed = self.draw()
        kept: dict[Any, tuple[Relation, NDArray[np.bool_]]] = {}
        for number, relation in enumerate(relations):
            first = kept.get(relation.nodes._key)
            index, weight, mask = self._reduce(relation, first and first[1], derive_seed(seed, view=number))
            replace_edges(record, relation, on_device(index, relation), on_device(weight, relation))
            kept.setdefault(relation.nodes._key, (relation, mask))
        for relation, mask in kept.values():
            left = mark_nodes(record, relation, on_device(mask, relation))
            if self.relabel:
                drop_nodes(record, data, relation, left)
        return data

    def _reduce(
        self, relation: Relation, kept: NDArray[np.bool_] | None, seed: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.bool_]]:
        index = np.asarray(to_numpy(relation.edges.edge_index), dtype=np.int64)
        given = edge_weights(relation.edges)
        weight = np.ones(index.shape[1]) if given is None else given
        nodes, ptr = relation.num_nodes, node_ptr(relation.nodes, relation.num_nodes)
        degree = np.bincount(index[0], weight, minlength=nodes)
        view = schur_view(
            index,
            (1 - self.alpha) * weight,
            num_nodes=nodes,
            fraction=self.fraction if kept is None else None,
            keep=to_numpy(self.keep) if kept is None else kept,
            ground=self.alpha * degree if self.grounded else None,
            ptr=ptr,
            seed=seed,
            num_threads=self.num_threads,
        )
        own = np.bincount(view.edge_index[0], view.edge_weight, minlength=nodes)
        ground = view.ground if self.grounded else self.alpha / (1 - self.alpha) * own
        made, value = diffuse_edges(
            view.edge_index,
            view.edge_weight,
            num_nodes=nodes,
            series=Grounded(np.asarray(ground, np.float64), np.where(view.node_mask, self.alpha * degree, 0.0)),
            eps=self.eps,
            tol=self.tol,
            ptr=ptr,
            num_threads=self.num_threads,
        )
        return made, value.astype(np.float32), view.node_mask
