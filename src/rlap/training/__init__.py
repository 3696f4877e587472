"""Training of contrastive methods, and the embeddings that come out of it.

`train` trains a method of `rlap.methods` on a data set of `rlap.datasets`; `embed` embeds a data set with it.
"""

from rlap.training.config import TrainConfig, find_device
from rlap.training.embedding import embed, embed_draw
from rlap.training.loop import Diverged, TrainResult, train
from rlap.training.progress import Epoch, StopTraining, progress_bar

__all__ = [
    "Diverged",
    "Epoch",
    "StopTraining",
    "TrainConfig",
    "TrainResult",
    "embed",
    "embed_draw",
    "find_device",
    "progress_bar",
    "train",
]
