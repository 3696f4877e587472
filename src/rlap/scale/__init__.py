"""Views of graphs and of collections that one process does not hold, on Ray.

`schur_view` reads edges from Parquet files or a Ray Dataset and eliminates part by part; `map_views` transforms a Ray
Dataset of graphs; `rlap.scale.crew` computes the runs of `rlap reproduce`.
`pip install "rlap[scale]"` brings what they need.
"""

from rlap.scale.collection import map_views
from rlap.scale.summary import Level, Summary
from rlap.scale.view import ScaledView, schur_view

__all__ = ["Level", "ScaledView", "Summary", "map_views", "schur_view"]
