"""Results in a CSV file, which is whole after every measurement, so that a run that was killed can be taken up."""

from __future__ import annotations

import csv
import dataclasses
import os
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

Row = TypeVar("Row", bound=Any)

_READERS: dict[Any, Any] = {
    str: str,
    int: int,
    float: float,
    float | None: lambda text: float(text) if text else None,
}


class ResultFile(Generic[Row]):
    """Rows of a dataclass of strings, numbers and optional floats; a new row replaces an old one with the same key.

    Args:
        path: the CSV file, or None to keep rows in memory only.
        kind: the dataclass.
        key: the fields that name a measurement.
        settings: fields, and the values that all rows must have: results of different options are not mixed.

    Raises:
        ValueError: when the file has other columns, or was made with other settings.

    Example:
        >>> @dataclasses.dataclass(frozen=True)
        ... class Score:
        ...     name: str
        ...     value: float | None
        >>> results = ResultFile(None, Score, key=("name",))
        >>> results.add(Score("a", None))
        >>> results.add(Score("a", 2.0))
        >>> results.rows
        [Score(name='a', value=2.0)]
    """

    def __init__(
        self, path: Path | None, kind: type[Row], *, key: tuple[str, ...], settings: dict[str, Any] | None = None
    ) -> None:
        self.path = path
        self._kind = kind
        self._key = key
        self._rows: dict[tuple[Any, ...], Row] = {}
        if path is not None and path.exists():
            for row in self._read(path):
                self._check(row, settings or {})
                self._rows[self._name(row)] = row

    @property
    def rows(self) -> list[Row]:
        """All rows, in the order in which they came."""
        return list(self._rows.values())

    def find(self, *key: Any) -> Row | None:
        """Give the row with this key, if there is one."""
        return self._rows.get(key)

    def add(self, row: Row) -> None:
        """Add a row, and write the file anew in one step."""
        self._rows[self._name(row)] = row
        if self.path is None:
            return
        part = self.path.with_name(f".{self.path.name}.part")
        with part.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(field.name for field in dataclasses.fields(self._kind))
            writer.writerows(map(dataclasses.astuple, self._rows.values()))
        os.replace(part, self.path)

    def _name(self, row: Row) -> tuple[Any, ...]:
        return tuple(getattr(row, field) for field in self._key)

    def _read(self, path: Path) -> list[Row]:
        kinds = get_type_hints(self._kind)
        names = [field.name for field in dataclasses.fields(self._kind)]
        try:
            with path.open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != names:
                    raise ValueError("its columns are others")
                return [self._kind(**{name: _READERS[kinds[name]](line[name]) for name in names}) for line in reader]
        except (ValueError, TypeError, KeyError) as problem:
            raise ValueError(f"{path} must be a file of results that this command wrote ({problem})") from None

    def _check(self, row: Row, settings: dict[str, Any]) -> None:
        for field, value in settings.items():
            if getattr(row, field) != value:
                raise ValueError(
                    f"{self.path} was made with {field} = {getattr(row, field)}, so that it cannot be continued with "
                    f"{value}: choose another folder for the results, or delete it"
                )
