"""Settings by name: from TOML files and `key=value` words into typed dataclasses."""

from __future__ import annotations

import difflib
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "run.toml")
        >>> _ = path.write_text("lr = 1e-2")
        >>> read_toml(path)
        {'lr': 0.01}
    """
    if not path.is_file():
        raise ValueError(f"the configuration must be a file (got {str(path)!r})")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"{path}: a configuration must be TOML ({problem})") from None


def parse_words(words: Iterable[str]) -> dict[str, Any]:
    """Read `key=value` words; a value is what it is in TOML, or else text.

    Example:
        >>> parse_words(["lr=1e-2", "weighted=false", "augmentor=rLap"])
        {'lr': 0.01, 'weighted': False, 'augmentor': 'rLap'}
    """
    found: dict[str, Any] = {}
    for word in words:
        key, sign, text = word.partition("=")
        if not sign or not key.strip():
            raise ValueError(f"a setting must look like key=value (got {word!r})")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text
        found[key.strip()] = value
    return found


def check_keys(given: Iterable[str], known: Iterable[str]) -> None:
    """Require keys that exist; for one that does not, name the nearest that does.

    Example:
        >>> check_keys(["learning_rate", "taus"], ["learning_rate", "tau"])
        Traceback (most recent call last):
        ValueError: 'taus' is no setting; the nearest is 'tau'
    """
    names = list(known)
    for key in given:
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1, cutoff=0.0)[0]
            raise ValueError(f"{key!r} is no setting; the nearest is {near!r}")


def typed(key: str, value: Any, kind: Any) -> Any:
    """Give a value the type of its field; a whole number will do for a float, and nothing else for anything else.

    Example:
        >>> typed("lr", 1, float)
        1.0
        >>> typed("epochs", 1.5, int)
        Traceback (most recent call last):
        ValueError: epochs must be a whole number (got 1.5)
    """
    for one in _choices(kind):
        if _fits(value, one):
            return float(value) if one is float else value
    wanted = " or ".join(dict.fromkeys(_say(one) for one in _choices(kind)))
    raise ValueError(f"{key} must be {wanted} (got {value!r})")


def field_types(kind: type) -> dict[str, Any]:
    """List the fields of a dataclass with their types."""
    return {name: hint for name, hint in typing.get_type_hints(kind).items() if get_origin(hint) is not typing.ClassVar}


def _choices(kind: Any) -> tuple[Any, ...]:
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(choice for one in get_args(kind) for choice in _choices(one))
    if get_origin(kind) is Literal:
        return tuple(get_args(kind))
    return (get_origin(kind) or kind,)


def _fits(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    if not isinstance(kind, type):
        return bool(value == kind) and isinstance(value, type(kind))
    if isinstance(value, bool) and kind is not bool:
        return False
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def _say(kind: Any) -> str:
    words = {
        int: "a whole number",
        float: "a number",
        bool: "true or false",
        str: "text",
        type(None): "absent",
        Mapping: "a table",
    }
    return words.get(kind, str(kind)) if isinstance(kind, type) else str(kind)
