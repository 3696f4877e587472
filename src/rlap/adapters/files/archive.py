"""NumPy archives from anybody: arrays without objects, and no larger than the file is."""

from __future__ import annotations

import math
import zipfile
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from rlap.adapters.files.streams import reading_with
from rlap.schur.memory import check_memory

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_CHARACTERS = 0x110000  # that Unicode has
_COMPRESSED = ("csr", "csc", "bsr")


class Archive:
    """The arrays of an NPZ file, by name.

    Args:
        stream: the file; it must stay open.

    Raises:
        ValueError: when it is not an archive that `numpy.savez` wrote.
        MemoryError: when its arrays would not fit in memory.
    """

    def __init__(self, stream: BinaryIO) -> None:
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError):
            raise ValueError("an NPZ file must be a NumPy archive, as numpy.savez writes it") from None
        self._members = {one.filename.removesuffix(".npy"): one for one in self._zip.infolist()}
        check_memory(2 * sum(one.file_size for one in self._members.values()))

    @property
    def names(self) -> list[str]:
        """The names of the arrays, sorted."""
        return sorted(self._members)

    @property
    def is_matrix(self) -> bool:
        """Whether `scipy.sparse.save_npz` wrote it."""
        return {"format", "shape", "data"} <= self._members.keys()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._members:
            there = ascii(", ".join(self.names))[1:-1] or "nothing"
            raise ValueError(f"an NPZ file must hold an array {name} (got {there})")
        member = self._members[name]
        with reading_with("NumPy"):
            with self._zip.open(member) as file:
                version = np.lib.format.read_magic(file)
                shape, _, dtype = _HEADERS[version](file)
                stored = member.file_size - file.tell()
            if dtype.hasobject:
                raise ValueError(f"the array {name} holds objects, which would be a pickle")
            claimed = math.prod(shape) * dtype.itemsize
            if claimed != stored or min(shape, default=0) < 0:
                raise ValueError(f"the array {name} must have {claimed} bytes for the shape {shape} (got {stored})")
            with self._zip.open(member) as file:
                return checked_text(np.lib.format.read_array(file, allow_pickle=False))

    def get(self, name: str) -> NDArray[Any] | None:
        """Return an array, or None where there is none of this name."""
        if name in self:
            return self[name]
        return None

    def matrix(self, prefix: str = "") -> Any:
        """Return the sparse matrix whose arrays have names with this prefix; without a format, it is stored by rows.

        Its arrays may not fit together: `coordinates` and `checked_csr` of `rlap.schur.coordinates` see to that.
        """
        form = self.get(f"{prefix}format")
        kind = "csr" if form is None else _word(form)
        shape = tuple(np.atleast_1d(self[f"{prefix}shape"]).tolist())
        if len(shape) != 2 or not all(isinstance(size, int) and 0 <= size < 2**63 for size in shape):
            raise ValueError(f"the shape of a matrix must be two whole numbers (got {shape})")
        data = self[f"{prefix}data"]
        if data.dtype.kind not in "fiub":
            raise ValueError(f"a matrix must hold real numbers (got {data.dtype})")
        if kind in _COMPRESSED:
            parts: Any = (data, self[f"{prefix}indices"], self[f"{prefix}indptr"])
        elif kind == "coo":
            parts = (data, (self[f"{prefix}row"], self[f"{prefix}col"]))
        elif kind == "dia":
            parts = (data, self[f"{prefix}offsets"])
        else:
            raise ValueError(f"the format of a matrix must be csr, csc, bsr, coo or dia (got {kind!r})")
        with reading_with("SciPy"):
            return getattr(sp, f"{kind}_array")(parts, shape=shape)


def checked_text(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array, after a look at its characters: NumPy takes any four bytes for one, and Python does not."""
    if array.dtype.kind == "U" and array.dtype.itemsize and array.size:
        codes = np.ascontiguousarray(array.reshape(-1), dtype=array.dtype.newbyteorder("=")).view(np.uint32)
        if codes.max() >= _CHARACTERS:
            raise ValueError(f"text must have characters below {_CHARACTERS:#x} (got {codes.max():#x})")
    return array


def _word(array: NDArray[Any]) -> str:
    word = array.item() if array.size == 1 else ""
    return word.decode("ascii", "replace") if isinstance(word, bytes) else str(word)
