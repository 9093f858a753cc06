"""A small, deterministic TOML writer.

The standard library reads TOML but does not write it. Table files need only scalars, arrays, tables and
arrays of tables, in the order given, so that the same table always gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Value = Any


def _is_table_array(value: Value) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and bool(value)
        and all(isinstance(v, Mapping) for v in value)
    )


def _key(name: str) -> str:
    bare = name.isascii() and all(c.isalnum() or c in "-_" for c in name) and name != ""
    return name if bare else json.dumps(name)


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(_scalar(v) for v in value) + "]"
    raise TypeError(f"TOML cannot hold {type(value).__name__}")


def _write(lines: list[str], table: Mapping[str, Value], path: tuple[str, ...]) -> None:
    nested = {k: v for k, v in table.items() if isinstance(v, Mapping) or _is_table_array(v)}
    for key, value in table.items():
        if key not in nested:
            lines.append(f"{_key(key)} = {_scalar(value)}")
    for key, value in nested.items():
        name = ".".join(_key(p) for p in (*path, key))
        for row in [value] if isinstance(value, Mapping) else value:
            lines.extend(["", f"[{name}]" if isinstance(value, Mapping) else f"[[{name}]]"])
            _write(lines, row, (*path, key))


def dumps(table: Mapping[str, Value]) -> str:
    """TOML text for a mapping, keys in their given order.

    >>> print(dumps({"a": 1, "b": {"c": [1.5, 2.0]}, "d": [{"e": "x"}]}), end="")
    a = 1
    <BLANKLINE>
    [b]
    c = [1.5, 2.0]
    <BLANKLINE>
    [[d]]
    e = "x"
    """
    lines: list[str] = []
    _write(lines, table, ())
    return "\n".join(lines) + "\n"
