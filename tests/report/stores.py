"""Small stores with results that are made up, so that the right tables can be computed by other means."""

from __future__ import annotations

import numpy as np

from rlap.experiments.job import job_key
from rlap.experiments.leak import leak_job
from rlap.experiments.method_job import method_job
from rlap.experiments.overheads.suite import Overhead, open_results
from rlap.experiments.spectral import spectral_job
from rlap.experiments.store import Store
from rlap.experiments.targets import find_target

CHECKSUM = "0123456789abcdef"
ENVIRONMENT = {"python": "3.11.0", "processor": "Chip X", "processors": 2, "threads": 1, "peak_memory": 500_000_000}


def put(store, job, result=None, error=None, checksum=CHECKSUM):
    [key] = store.add([(job, checksum)])
    assert key == job_key(job, checksum)
    if result is not None:
        store.finish(store.claim(key), result, environment=ENVIRONMENT, code="abc1234", seconds=12.5)
    elif error is not None:
        store.fail(store.claim(key), error)


def scores(values):
    listed = [float(value) for value in values]
    return {"scores": dict.fromkeys(("accuracy", "micro_f1", "macro_f1"), listed), "epochs": 20, "best_epoch": 7}


def put_cell(store, target, dataset, row, protocol, level, rng, seeds=2, splits=3, words=()):
    """Add a cell, and give all its accuracies: seeds by splits."""
    values = np.clip(level + rng.normal(0, 0.02, (seeds, splits)), 0, 1)
    for seed in range(seeds):
        job = method_job(find_target(target).method, dataset, row, protocol, seed, words)
        put(store, job, scores(values[seed]))
    return values


def spectral_result(rng, variant):
    fractions = [round(0.05 * step, 2) for step in range(11)]
    result = {
        "fractions": fractions,
        "edges": [int(1000 * (1 - one)) + int(rng.integers(0, 20)) for one in fractions],
        "sigma_max": [50 - 20 * one + rng.normal() for one in fractions],
        "sigma_max_adjacency": [14 - 8 * one for one in fractions],
        "exact": [{"fraction": one, "ratio": 1 + rng.normal(0, 0.01), "walks_ratio": 1.0} for one in (0.1, 0.25, 0.5)],
    }
    if variant.startswith("rLap"):
        uniform = "-rand-" in variant
        result |= {
            "deviation": [30 * one + 0.1 for one in fractions],
            "bound": [900 * one for one in fractions] if uniform else None,
            "edgewise_bound": 600.0,
        }
    return result


def put_spectral(store, dataset, variants, runs, rng):
    results = {}
    for variant in variants:
        for seed in range(runs):
            result = spectral_result(rng, variant)
            put(store, spectral_job(dataset, variant, seed), result)
            results.setdefault(variant, []).append(result)
    return results


def put_leak(store, dataset, batches, rng, seeds=2, splits=3):
    """Add runs of the leak, and give all accuracies by way: seeds by splits."""
    ways = ("reference", "unmasked", "shuffled", "clean", "untrained", "oracle")
    values = {way: rng.uniform(0.5, 0.9, (seeds, splits)) for way in ways}
    for seed in range(seeds):
        found = {way: scores(table[seed])["scores"] for way, table in values.items()}
        put(store, leak_job(dataset, "rLap", seed), scores([0.5]) | {"ways": found, "batches": batches})
    return values


def write_costs(path, datasets, augmentors):
    results = open_results(path, perturbation=0.5, runs=10, seed=0)
    for dataset in datasets:
        for at, augmentor in enumerate(augmentors):
            results.add(Overhead("node", dataset, augmentor, 0.5, 10, 0, "measured", 1.0, 0.001 * (at + 1), 0.0, 0.0))


def full_store(path, seed=0):
    """Fill a store with every main cell of GRACE and MVGRL, some failures, trials and spectra."""
    rng = np.random.default_rng(seed)
    store, values = Store(path), {}
    for name in ("grace", "mvgrl"):
        target = find_target(name)
        for at, row in enumerate(target.rows):
            for dataset in target.datasets:
                for protocol in target.protocols:
                    if (name, protocol, dataset) == ("mvgrl", "paper", "COAUTHOR-PHY"):
                        continue
                    place = (name, dataset, row, protocol)
                    values[place] = put_cell(store, name, dataset, row, protocol, 0.9 - 0.01 * at, rng)
    put_spectral(store, "CORA", find_target("spectral").rows, 3, rng)
    put(store, method_job("graphcl", "MUTAG", "rLap", "clean", 0), error="Traceback\nMemoryError: no more <room>")
    store.close()
    return values
