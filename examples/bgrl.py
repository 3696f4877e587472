"""BGRL: nodes predict what a slower copy of the network sees of their graph; no negatives (Thakoor et al. 2021).

A self-contained run on the embedded families of graphs, by configuration, as the command line does it:
`python examples/bgrl.py`.
"""

from __future__ import annotations

from rlap.experiments import make_config, run


def main() -> None:
    for augmentor in ("rLap", "EdgeDropping"):
        config = make_config("bgrl", "families", augmentor=augmentor, words=["hidden=32", "epochs=15"], seed=0)
        result = run(config)
        low, high = result.scores.interval()
        accuracy = f"{100 * result.scores.mean():.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        print(f"{augmentor}: {result.training.epochs} epochs in {result.training.seconds:.1f} s, accuracy {accuracy}")


if __name__ == "__main__":
    main()
