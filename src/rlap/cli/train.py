"""`rlap train`: a design, an augmentor and a data set in, an accuracy and an embedding out."""

from __future__ import annotations

from pathlib import Path

from rlap.cli import train_options as option
from rlap.cli.refusal import refusal


def train(
    method: option.Method,
    augmentor: option.Augmentor = None,
    dataset: option.Dataset = None,
    settings: option.Settings = None,
    config: option.Config = None,
    seed: option.Seed = None,
    protocol: option.OneProtocol = None,
    splits: option.Splits = None,
    device: option.Device = None,
    loader: option.OneLoader = None,
    batch_size: option.BatchSize = None,
    accuracy_every: option.AccuracyEvery = None,
    data: option.DataFolder = None,
    download: option.Download = False,
    trust_data: option.TrustData = False,
    checkpoint: option.Checkpoint = None,
    resume: option.Resume = False,
    out: option.Out = None,
    quiet: option.Quiet = False,
) -> None:
    """Train a design of contrastive learning, and evaluate its embedding.

    Where nothing else is said, settings are the paper's for this design and data set.

    Example: `rlap train grace --augmentor rLap --dataset Cora --data DIR --set epochs=500 --seed 0`

    Several processes: `torchrun --nproc-per-node 2 -m rlap.cli train graphcl --dataset NCI1 --data DIR`
    """
    with refusal():
        _check_files(checkpoint, resume, out)
        if accuracy_every is not None and accuracy_every < 1:
            raise ValueError(f"--accuracy-every must be at least 1 (got {accuracy_every})")
        from rlap.cli.train_report import show, write_folder  # torch takes a while: not before the words are in order
        from rlap.datasets import DataFolder
        from rlap.experiments import follow, make_config, run
        from rlap.training.distributed import launched

        chosen = make_config(
            method,
            dataset,
            file=config,
            words=settings or [],
            augmentor=augmentor,
            seed=seed,
            protocol=None if protocol is None else protocol.value,
            splits=splits,
            device=device,
            loader=None if loader is None else loader.value,
            batch_size=batch_size,
        )
        folder = DataFolder(data, trust_data)
        with launched() as processes:
            if not processes.first:
                return follow(chosen, folder=folder, checkpoint=checkpoint, resume=resume)
            result = run(
                chosen,
                folder=folder,
                download=download,
                checkpoint=checkpoint,
                resume=resume,
                progress=not quiet,
                accuracy_every=accuracy_every,
            )
        if out is not None:
            write_folder(out, result)
        if not quiet:
            show(result, out)


def _check_files(checkpoint: Path | None, resume: bool, out: Path | None) -> None:
    if resume and checkpoint is None:
        raise ValueError("--resume needs --checkpoint FILE, to go on from")
    if checkpoint is not None and checkpoint.exists() and not resume:
        raise ValueError(f"the checkpoint is there already; --resume goes on from it (got {str(checkpoint)!r})")
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ValueError(f"--out must be a new or empty folder (got {str(out)!r})")
