"""A worker that dies in the middle of what it does, and a machine that does."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def deadly(function, mark):
    """A task whose worker is killed when it is done for the first time, before anybody hears of it."""

    def die_once(*arguments):
        result = function(*arguments)
        try:
            Path(mark).touch(exist_ok=False)
        except FileExistsError:
            return result
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)

    die_once.__name__ = function.__name__
    return die_once


def lose_a_machine():
    """Make a view on two machines, one of which dies after the first level; print whether that changed anything."""
    from ray.cluster_utils import Cluster

    import rlap.scale
    from rlap.scale.session import cluster as joined
    from tests.scale.graphs import grid

    source, target, weight, nodes = grid(12, weighted=True)

    def make(watch=None):
        return rlap.scale.schur_view(
            (source, target, weight), num_nodes=nodes, directions="one", fraction=0.8, parts=3, levels=2, seed=7,
            fits=0, watch=watch,
        )  # fmt: skip

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    doomed = [cluster.add_node(num_cpus=1)]  # everything is computed, and kept, there

    def watch(stage, done, total):
        if stage == "level 2" and done == 0 and doomed:
            cluster.add_node(num_cpus=1)
            cluster.remove_node(doomed.pop(), allow_graceful=False)

    with joined(cluster.address):
        lost, expected = make(watch), make()
    print(not doomed, (lost.edge_index == expected.edge_index).all(), (lost.edge_weight == expected.edge_weight).all())
    cluster.shutdown()


if __name__ == "__main__":
    lose_a_machine()
