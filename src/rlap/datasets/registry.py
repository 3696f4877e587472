"""The one list of data sets."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import Literal, Protocol, get_args

from torch_geometric.datasets import Amazon, Coauthor, Planetoid, TUDataset

from rlap.datasets import digits, families, npz, planetoid, tu
from rlap.datasets.features import Features, constant, row_normalized
from rlap.datasets.places import Folder, data_folder, download, find_raw, missing
from rlap.datasets.raw_files import RawFiles, published_digests
from rlap.datasets.sets import GraphSet, NodeSet


@dataclass(frozen=True)
class _Source:
    """A data set in files: PyG's name of its folder, and of one that may stand in for it; where it is downloaded."""

    kind: Literal["planetoid", "amazon", "coauthor", "tu"]
    folder: str
    substitute: str | None = None

    @property
    def folders(self) -> list[str]:
        return [self.folder, self.substitute] if self.substitute else [self.folder]

    def files(self, folder: str) -> list[str]:
        if self.kind == "planetoid":
            return planetoid.files(folder.lower())
        if self.kind == "tu":
            return tu.files(folder)
        stem = "amazon_electronics" if self.kind == "amazon" else "ms_academic"
        return [f"{stem}_{folder[:3].lower() if self.kind == 'coauthor' else folder.lower()}.npz"]

    def fetch(self, trusted: bool) -> RawFiles:
        origin = {"planetoid": Planetoid, "amazon": Amazon, "coauthor": Coauthor, "tu": TUDataset}[self.kind]
        start = f"{self.folder}/raw/"
        files = [path.removeprefix(start) for path in published_digests() if path.startswith(start)]
        return download(self.folder, origin.url.rstrip("/"), files, zipped=self.kind == "tu", trusted=trusted)

    def read(self, name: str, raw: RawFiles, features: Features, sparse: bool) -> NodeSet | GraphSet:
        folder = raw.name
        files = self.files(folder)
        for file in files:
            if not raw.has(file):
                raise FileNotFoundError(f"{name} needs the file {file}, which is missing in {raw.folder}")
        if self.kind == "tu":
            return tu.read(name, raw, folder, features)
        if self.kind == "planetoid":
            return _with_features(planetoid.read(name, raw, folder.lower(), sparse), features)
        return _with_features(npz.read(name, raw, files[0], sparse), features)


class _Builder(Protocol):
    def __call__(self, features: Features) -> NodeSet | GraphSet: ...


def _with_features(dataset: NodeSet, features: Features) -> NodeSet:
    if features == "default":
        return dataset
    data = dataset.data.clone()
    data.x = constant(data.num_nodes) if features == "constant" else row_normalized(data.x)
    return replace(dataset, data=data)


_NODE_FILES = {
    "CORA": _Source("planetoid", "Cora"),
    "AMAZON-PHOTO": _Source("amazon", "Photo"),
    "PUBMED": _Source("planetoid", "PubMed"),
    "COAUTHOR-CS": _Source("coauthor", "CS"),
    "COAUTHOR-PHY": _Source("coauthor", "Physics"),
}
_GRAPH_FILES = {
    "MUTAG": _Source("tu", "MUTAG"),
    "PROTEINS": _Source("tu", "PROTEINS", substitute="PROTEINS_full"),  # the same graphs and labels
    "IMDB-BINARY": _Source("tu", "IMDB-BINARY"),
    "IMDB-MULTI": _Source("tu", "IMDB-MULTI"),
    "NCI1": _Source("tu", "NCI1"),
}
_FILES = _NODE_FILES | _GRAPH_FILES
_EMBEDDED: dict[str, _Builder] = {
    "digits": lambda features: _with_features(digits.build(), features),
    "families": families.build,
}
_ALIASES = {"photo": "AMAZON-PHOTO", "cs": "COAUTHOR-CS", "physics": "COAUTHOR-PHY", "coauthor-physics": "COAUTHOR-PHY"}


def names(level: Literal["node", "graph"] | None = None) -> list[str]:
    """List the data sets, or those of one level; the embedded one of a level comes last.

    Example:
        >>> from rlap import datasets
        >>> datasets.names("graph")
        ['MUTAG', 'PROTEINS', 'IMDB-BINARY', 'IMDB-MULTI', 'NCI1', 'families']
    """
    if level not in ("node", "graph", None):
        raise ValueError(f'level must be "node", "graph" or None (got {level!r})')
    node, graph = [*_NODE_FILES, "digits"], [*_GRAPH_FILES, "families"]
    return node if level == "node" else graph if level == "graph" else node + graph


def canonical(name: str) -> str:
    """Give the registry's spelling of a name; capitals do not matter, and PyG's short names are known too.

    Example:
        >>> from rlap.datasets.registry import canonical
        >>> canonical("Physics"), canonical("cora")
        ('COAUTHOR-PHY', 'CORA')
    """
    known = {one.lower(): one for one in names()} | _ALIASES
    try:
        return known[name.lower()]
    except KeyError:
        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"; did you mean {known[near[0]]}?" if near else ""
        raise ValueError(f"the data set must be one of {', '.join(names())} (got {name!r}{hint})") from None


def load(
    name: str,
    folder: Folder = None,
    *,
    features: Features = "default",
    sparse_features: bool = False,
    download: bool = False,
    trust_data: bool = False,
) -> NodeSet | GraphSet:
    """Load a data set by name.

    Features are bags of words (node sets), node labels (MUTAG, PROTEINS, NCI1), degrees, one-hot (IMDB, "families"), or
    pixels ("digits"), all as float32.

    Args:
        name: one of `names()`, in any case, or PyG's name of it.
        folder: holds `Cora/raw` and so on, as PyG lays them out. None takes the variable RLAP_DATA, and then what was
            downloaded before. It is only read. A `DataFolder` may say that its files are trusted.
        features: "default", "constant" for a single 1 at every node, or "normalized", for node sets: those of every
            node divided by their sum.
        sparse_features: give the `x` of a node set as torch.sparse_csr if fewer than 5 % of its entries are not zero.
            Features of graph sets are narrow, and stay dense.
        download: fetch raw files that are not there into a cache (RLAP_CACHE, or `rlap` in XDG_CACHE_HOME).
        trust_data: read files that are not the published ones, too. They can run nothing, but are somebody's word.

    Raises:
        ValueError: for a name or features that do not exist, and for a file whose SHA-256 is not the published one.
        FileNotFoundError: when the files are not there; it says how to get them.

    Example:
        >>> from rlap import datasets
        >>> families = datasets.load("families", features="constant")
        >>> len(families.graphs), families.num_classes, families.num_features
        (300, 5, 1)
    """
    known = canonical(name)
    if features not in get_args(Features):
        raise ValueError(f"features must be one of {', '.join(get_args(Features))} (got {features!r})")
    if features == "normalized" and known not in names("node"):
        raise ValueError(f"features of a graph set cannot be normalized (got {known})")
    if known in _EMBEDDED:
        return _EMBEDDED[known](features)
    source = _FILES[known]
    place = data_folder(folder)
    place = replace(place, trusted=place.trusted or trust_data)
    raw = find_raw(place, source.folders)
    if raw is None and download:
        raw = source.fetch(place.trusted)
    if raw is None:
        raise missing(known, place, source.folders)
    return source.read(known, raw, features, sparse_features)
