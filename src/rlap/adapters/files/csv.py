"""CSV and TSV tables of edges, with or without a title line, weights and names. Read and written by pyarrow."""

from __future__ import annotations

import csv
import io
import re
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rlap.adapters.files.csv_dialect import HEAD, Dialect, find_dialect
from rlap.adapters.files.edge_file import EdgeFile
from rlap.adapters.files.names import from_numbers

_BLOCK = 4 << 20


def read_csv(stream: BinaryIO, num_nodes: int | None = None) -> EdgeFile:
    """Read a table of edges. The separator, the title line and the columns are found out from its first lines.

    Ends that are all whole numbers are node numbers; otherwise they are names. Spaces around a name are dropped.

    >>> import io
    >>> graph = read_csv(io.BytesIO(b"ann,bob,2\\nbob,eve,3\\n"))
    >>> graph.node_names.tolist(), graph.edge_index.tolist(), graph.edge_weight.tolist()
    (['ann', 'bob', 'eve'], [[0, 1], [1, 2]], [2.0, 3.0])
    """
    import pyarrow

    dialect = find_dialect(stream.read(HEAD))
    stream.seek(0)
    if dialect is None:
        return EdgeFile(np.zeros((2, 0), np.int64), None, 0, columns=None)
    table = None
    if dialect.numbered:
        try:
            table = _parse(stream, dialect, pyarrow.int64(), pyarrow.float64())
        except pyarrow.ArrowInvalid:
            stream.seek(0)  # a name or a word among the numbers: read all as text, and see which
    if table is None:
        names = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
        table = _parse(stream, dialect, names, pyarrow.string())
    if table.num_rows == 0:
        return EdgeFile(np.zeros((2, 0), np.int64), None, 0, columns=dialect.columns)
    _check_no_gaps(table)
    weight = None if dialect.weight is None else _to_weights(table.column("weight"))
    source, target = table.column("source"), table.column("target")
    node_names: NDArray[Any] | None
    if source.type == pyarrow.int64():
        index = np.stack([source.to_numpy(), target.to_numpy()])
        index, node_names = from_numbers(index, num_nodes)
    else:
        index, node_names = _to_numbers(source, target)
    count = int(index.max(initial=-1)) + 1 if node_names is None else node_names.size
    return EdgeFile(index, weight, count, node_names, columns=dialect.columns)


def write_csv(stream: BinaryIO, graph: EdgeFile, both_directions: bool, delimiter: str = ",") -> None:
    """Write a row for every edge, or for each of its directions."""
    import pyarrow

    ends, weight = graph.every_direction() if both_directions else graph.one_direction()
    if graph.columns is not None:
        title = io.StringIO()
        csv.writer(title, delimiter=delimiter, lineterminator="\n").writerow(graph.columns)
        stream.write(title.getvalue().encode())
    columns = list(ends)
    if graph.node_names is not None:
        names = pyarrow.array(graph.node_names)
        columns = [names.take(pyarrow.array(end)) for end in ends]
    write_rows(stream, [*columns, weight], delimiter)


def write_tsv(stream: BinaryIO, graph: EdgeFile, both_directions: bool) -> None:
    """Write the table with tabs."""
    write_csv(stream, graph, both_directions, delimiter="\t")


def write_rows(stream: BinaryIO, columns: list[Any], delimiter: str) -> None:
    """Write a table; numbers so that they are read back to the bit."""
    import pyarrow
    import pyarrow.compute as compute
    import pyarrow.csv

    table = pyarrow.table([pyarrow.array(column) for column in columns], names=[str(at) for at in range(len(columns))])
    text = [column for column in table.columns if column.type == pyarrow.string()]
    marks = [compute.any(compute.match_substring_regex(one, f'["\r\n{delimiter}]')).as_py() for one in text]
    options = pyarrow.csv.WriteOptions(
        include_header=False,
        batch_size=1 << 16,
        delimiter=delimiter,
        quoting_style="needed" if any(marks) else "none",  # "needed" quotes every name
    )
    pyarrow.csv.write_csv(table, stream, options)


def _parse(stream: BinaryIO, dialect: Dialect, ends: Any, weight: Any) -> Any:
    """Read the columns that matter, as the types given."""
    import pyarrow
    import pyarrow.csv

    titles = [f"column {at}" for at in range(dialect.width)]
    titles[dialect.source], titles[dialect.target] = "source", "target"
    types = {"source": ends, "target": ends}
    if dialect.weight is not None:
        titles[dialect.weight] = "weight"
        types["weight"] = weight
    try:
        return pyarrow.csv.read_csv(
            stream,
            pyarrow.csv.ReadOptions(column_names=titles, skip_rows=dialect.skip, block_size=_BLOCK),
            pyarrow.csv.ParseOptions(
                delimiter=dialect.delimiter,
                newlines_in_values=ends != pyarrow.int64(),
            ),
            pyarrow.csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[""], strings_can_be_null=True
            ),
        )
    except pyarrow.ArrowInvalid as problem:
        ragged = re.search(r"Expected (\d+) columns, got (\d+): (.*)", str(problem), re.DOTALL)
        if ragged:
            rule = f"every row must have {ragged[1]} columns, as the first"
            raise ValueError(f"{rule} (got {ragged[2]} in {ragged[3][:80]!r})") from None
        if "UTF8" in str(problem):
            raise ValueError(f"a table must be UTF-8 text (got {problem})") from None
        if "Empty CSV" in str(problem):
            return pyarrow.table({name: pyarrow.array([], kind) for name, kind in types.items()})
        raise


def _check_no_gaps(table: Any) -> None:
    for name in table.column_names:
        column = table.column(name)
        if column.null_count:
            row = int(np.asarray(column.is_null()).argmax())
            raise ValueError(f"every row must have a {name} (got none in row {row + 1})")


def _to_weights(column: Any) -> NDArray[np.float64]:
    import pyarrow
    import pyarrow.compute as compute

    if column.type == pyarrow.float64():
        return np.asarray(column.to_numpy(), dtype=np.float64)
    text = compute.utf8_trim_whitespace(column)
    try:
        return np.asarray(text.cast(pyarrow.float64()).to_numpy(), dtype=np.float64)
    except pyarrow.ArrowInvalid:
        number = compute.match_substring_regex(text, r"(?i)^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan)$")
        row = int((~np.asarray(number)).argmax())
        raise ValueError(f"edge weights must be numbers (got {text[row].as_py()!r} in row {row + 1})") from None


def _to_numbers(source: Any, target: Any) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Number the names, in the order in which the sources, then the targets have them."""
    import pyarrow
    import pyarrow.compute as compute

    both = pyarrow.chunked_array(source.chunks + target.chunks, source.type).unify_dictionaries()
    codes = np.concatenate([np.asarray(chunk.indices) for chunk in both.chunks])
    trimmed = compute.utf8_trim_whitespace(both.chunk(0).dictionary).dictionary_encode()
    index = np.asarray(trimmed.indices)[codes].astype(np.int64).reshape(2, -1)
    return index, trimmed.dictionary.to_numpy(zero_copy_only=False)
