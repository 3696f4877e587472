"""Connections to a store's file: write-ahead log, waiting instead of failing, transactions that are all or nothing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rlap.experiments.store.schema import APPLICATION, TABLES, VERSION

_WAIT = 60.0  # seconds, for others to finish writing


def connect(path: Path) -> sqlite3.Connection:
    """Open a store's file, which is made where there is none.

    Raises:
        ValueError: when the file is something else, or of a later version.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all of it or nothing. The lock is taken at once, so what was read stays true until it ends."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.row_factory = sqlite3.Row
    try:
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError:
        raise ValueError(f"the store must be a file that rlap wrote (got {str(path)!r})") from None
    if tables and mark != APPLICATION:
        raise ValueError(f"the store must be a file that rlap wrote (got {str(path)!r})")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise ValueError(f"the store's version must be at most {VERSION} (got {version}): take a newer rlap")
    _use_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    if version == VERSION:
        return
    with transaction(connection):
        for statement in _statements(TABLES):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait for others here, so it is done by hand."""
    until = time.monotonic() + _WAIT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def _statements(text: str) -> Iterator[str]:
    part = ""
    for piece in text.split(";"):  # a trigger has semicolons inside, which is why SQLite is asked
        part += piece + ";"
        if sqlite3.complete_statement(part):
            yield part
            part = ""
