"""Events as JSON lines and back, with errors that name the line and the field.

Each event type gets its own list of field readers once, at import, from its annotations: decoding a line is then
a walk over a short list, and a new event needs no code here.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields
from enum import StrEnum
from typing import Any, Final, get_args, get_origin, get_type_hints

from engine.cards import Card
from engine.errors import BadCard, BadEvent
from engine.events import EVENT_TYPES
from engine.events.base import Event, FrameRef

Reader = Callable[[Any], Any]
MOST_CARDS: Final = 104
"""Two decks: no table shows more cards or jackpot chips, and a garbled count must not fill the memory."""


def _exactly(kind: type, name: str) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{_shown(value)} is not {name}")
        return value

    return read


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ValueError(f"{_shown(value)} is not a number from 0 to 1")
    return float(value)


def _card(value: Any) -> Card:
    try:
        return Card.parse(value)
    except (BadCard, TypeError):
        raise ValueError(f"{_shown(value)} is not a card such as As, Td or ??") from None


def _frame(value: Any) -> FrameRef:
    if not (isinstance(value, list) and len(value) == 2 and type(value[0]) is str and type(value[1]) is int):
        raise ValueError(f"{_shown(value)} is not a pair of camera and frame number")
    return FrameRef(value[0], value[1])


def _choice(kind: type[StrEnum]) -> Reader:
    members = {str(member): member for member in kind}

    def read(value: Any) -> StrEnum:
        member = members.get(value) if type(value) is str else None
        if member is None:
            raise ValueError(f"{_shown(value)} is not one of {', '.join(members)}")
        return member

    return read


def _reader(hint: Any) -> Reader:
    """Return the reader for one annotation."""
    if isinstance(hint, types.UnionType):
        inner = _reader(next(arg for arg in get_args(hint) if arg is not type(None)))
        return lambda value: None if value is None else inner(value)
    if get_origin(hint) is tuple:
        item = _reader(get_args(hint)[0])

        def read_all(value: Any) -> tuple[Any, ...]:
            if not isinstance(value, list):
                raise ValueError(f"{_shown(value)} is not a list")
            return tuple([item(one) for one in value])

        return read_all
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _choice(hint)
    simple: dict[Any, Reader] = {
        int: _exactly(int, "a whole number"),
        str: _exactly(str, "a text"),
        bool: _exactly(bool, "true or false"),
        float: _number,
        Card: _card,
        FrameRef: _frame,
    }
    return simple[hint]


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."


_READERS: Final[dict[str, dict[str, Reader]]] = {
    name: {key: _reader(hint) for key, hint in get_type_hints(kind).items()}
    for name, kind in EVENT_TYPES.items()
}
_REQUIRED: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING)
    for name, kind in EVENT_TYPES.items()
}
_OPTIONAL: Final[dict[str, dict[str, Any]]] = {
    name: {f.name: f.default for f in fields(kind) if f.default is not MISSING}
    for name, kind in EVENT_TYPES.items()
}
_DEFAULTS: Final[dict[type[Event], tuple[tuple[str, Any], ...]]] = {
    kind: tuple((f.name, f.default) for f in fields(kind)) for kind in EVENT_TYPES.values()
}


def decode(data: Any) -> Event:
    """Build an event from a parsed JSON object.

    >>> decode({"type": "CardDealt", "seq": 7, "at": 12400, "table": "CS-1", "seat": 3, "card": "7h"}).card
    7h
    >>> decode({"type": "CardDealt", "seq": 7, "at": 12400, "table": "CS-1", "seat": "three"})
    Traceback (most recent call last):
    engine.errors.BadEvent: seat: "three" is not a whole number
    """
    if not isinstance(data, dict):
        raise BadEvent("not a JSON object")
    name = data.get("type")
    readers = _READERS.get(name) if isinstance(name, str) else None
    if readers is None:
        raise BadEvent(f"type: {_shown(name)} is not a known event" if name is not None else "type: missing")
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key == "type":
            continue
        reader = readers.get(key)
        if reader is None:
            raise BadEvent(f"{key if key.isidentifier() else _shown(key)}: {name} has no such field")
        try:
            values[key] = reader(value)
        except ValueError as error:
            raise BadEvent(f"{key}: {error}") from None
    for key in _REQUIRED[str(name)]:
        if key not in values:
            raise BadEvent(f"{key}: missing in {name}")
    return _checked(_build(str(name), values))


def _build(name: str, values: dict[str, Any]) -> Event:
    """Make an event of checked values; writing its dictionary is far quicker than a frozen constructor."""
    event = object.__new__(EVENT_TYPES[name])
    event.__dict__.update(_OPTIONAL[name])
    event.__dict__.update(values)
    return event


def _checked(event: Event) -> Event:
    """Refuse what no table can show: negative amounts, counts and times, seats that cannot exist."""
    if event.seq < 0 or event.at < 0:
        key = "seq" if event.seq < 0 else "at"
        raise BadEvent(f"{key}: {getattr(event, key)} is negative")
    seat = getattr(event, "seat", 0)
    if not 0 <= seat <= 9:
        raise BadEvent(f"seat: {seat} is not a seat (0 is the dealer, players are 1 to 9)")
    for key in ("amount", "count"):
        value = getattr(event, key, None)
        if value is not None and value < 0:
            raise BadEvent(f"{key}: {value} is negative")
        if key == "count" and value is not None and value > MOST_CARDS:
            raise BadEvent(f"count: {value} is more than the {MOST_CARDS} cards of two decks")
    return event


def encode(event: Event) -> dict[str, Any]:
    """Return an event as plain values, leaving out what has its default.

    >>> from engine.events import PlayerFolded
    >>> encode(PlayerFolded(seq=1, at=40, table="CS-1", seat=2))
    {'type': 'PlayerFolded', 'seq': 1, 'at': 40, 'table': 'CS-1', 'seat': 2}
    """
    plain: dict[str, Any] = {"type": type(event).__name__}
    for key, default in _DEFAULTS[type(event)]:
        value = getattr(event, key)
        if value == default and type(value) is type(default):
            continue
        plain[key] = _plain(value)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, FrameRef):
        return [value.camera, value.index]
    if isinstance(value, Card):
        return value.label
    return str(value) if isinstance(value, StrEnum) else value


def to_line(event: Event) -> str:
    """Write an event as one JSON line, the same bytes in every run."""
    return json.dumps(encode(event), ensure_ascii=False, separators=(",", ":"))


def read_lines(lines: Iterable[str], name: str) -> Iterator[Event]:
    """Read events from JSON lines; a bad line raises `BadEvent` with file, line and field.

    Sequence numbers must grow: a log that was cut and glued is not one log.
    """
    return (event for _, event in read_numbered(lines, name))


def read_numbered(lines: Iterable[str], name: str) -> Iterator[tuple[int, Event]]:
    """Read events from JSON lines as `read_lines` does, each with the number of its line."""
    last: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            event = decode(json.loads(line))
        except json.JSONDecodeError as error:
            raise BadEvent(f"{name}, line {number}: not {_language(line)} ({error.msg})") from None
        except ValueError:  # more digits than Python will read
            raise BadEvent(f"{name}, line {number}: a number is too long") from None
        except RecursionError:
            raise BadEvent(f"{name}, line {number}: nested too deeply") from None
        except BadEvent as error:
            raise BadEvent(f"{name}, line {number}, {error.message}") from None
        if not line.isascii() and "UTF-8" in _language(line):
            raise BadEvent(f"{name}, line {number}: not text in UTF-8")
        if event.seq <= last.get(event.table, -1):
            raise BadEvent(f"{name}, line {number}, seq: {event.seq} does not come after {last[event.table]}")
        last[event.table] = event.seq
        yield number, event


def _language(line: str) -> str:
    """Return what a line should be and is not; bytes that are no UTF-8 come as lone surrogates."""
    return "text in UTF-8" if any("\udc80" <= one <= "\udcff" for one in line) else "JSON"
