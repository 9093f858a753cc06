"""Events survive the log, and a bad line is one clear message with its place."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import types
from enum import StrEnum
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK, UNKNOWN, Card
from engine.errors import BadEvent
from engine.events import EVENT_TYPES, Event, FrameRef
from engine.events.codec import decode, encode, read_lines, to_line


def _values(name: str, hint: Any) -> st.SearchStrategy[Any]:
    if isinstance(hint, types.UnionType):
        return st.none() | _values(name, next(arg for arg in get_args(hint) if arg is not type(None)))
    if get_origin(hint) is tuple:
        return st.lists(_values(name, get_args(hint)[0]), max_size=5).map(tuple)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    simple: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(0, {"seat": 9, "to_seat": 9, "count": 104}.get(name, 10**9)),
        str: st.text(max_size=12),
        bool: st.booleans(),
        float: st.floats(0, 1),
        Card: st.sampled_from([*DECK, UNKNOWN]),
        FrameRef: st.builds(FrameRef, st.text(max_size=8), st.integers(0, 10**6)),
    }
    return simple[hint]


@st.composite
def any_event(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(sorted(EVENT_TYPES.values(), key=lambda one: one.__name__)))
    hints = get_type_hints(kind)
    return kind(**{f.name: draw(_values(f.name, hints[f.name])) for f in dataclasses.fields(kind)})


@given(any_event())
def test_every_event_reads_back_as_it_was_written(event: Event) -> None:
    line = to_line(event)
    assert decode(json.loads(line)) == event
    assert to_line(decode(json.loads(line))) == line


def test_events_are_frozen() -> None:
    event = decode({"type": "PlayerFolded", "seq": 1, "at": 0, "table": "t", "seat": 2})
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.seat = 3  # type: ignore[attr-defined]


GOOD = {"type": "CardDealt", "seq": 1, "at": 0, "table": "t", "seat": 3}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "CardDelt"}, 'log.jsonl, line 1, type: "CardDelt" is not a known event'),
        ({"type": None}, "log.jsonl, line 1, type: missing"),
        ({"seat": "3"}, 'log.jsonl, line 1, seat: "3" is not a whole number'),
        ({"seat": True}, "log.jsonl, line 1, seat: true is not a whole number"),
        ({"seat": 12}, "log.jsonl, line 1, seat: 12 is not a seat (0 is the dealer, players are 1 to 9)"),
        ({"card": "1s"}, 'log.jsonl, line 1, card: "1s" is not a card such as As, Td or ??'),
        ({"card": 7}, "log.jsonl, line 1, card: 7 is not a card such as As, Td or ??"),
        ({"hand": "middle"}, 'log.jsonl, line 1, hand: "middle" is not one of left, right'),
        ({"colour": "red"}, "log.jsonl, line 1, colour: CardDealt has no such field"),
        ({"confidence": 1.5}, "log.jsonl, line 1, confidence: 1.5 is not a number from 0 to 1"),
        (
            {"frames": [["overview"]]},
            'log.jsonl, line 1, frames: ["overview"] is not a pair of camera and frame number',
        ),
        (
            {"type": "PacketDealt", "count": 499951},
            "log.jsonl, line 1, count: 499951 is more than the 104 cards of two decks",
        ),
        ({"at": -1}, "log.jsonl, line 1, at: -1 is negative"),
    ],
)
def test_a_bad_line_names_file_line_and_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadEvent) as caught:
        list(read_lines([json.dumps(GOOD | change)], "log.jsonl"))
    assert str(caught.value) == message


def test_a_missing_field_is_named() -> None:
    with pytest.raises(BadEvent, match=r"log.jsonl, line 2, seat: missing in CardDealt"):
        list(read_lines(["", json.dumps({k: v for k, v in GOOD.items() if k != "seat"})], "log.jsonl"))


def test_a_torn_line_is_not_json() -> None:
    with pytest.raises(BadEvent, match=r"log.jsonl, line 1: not JSON"):
        list(read_lines([json.dumps(GOOD)[:-7]], "log.jsonl"))


def test_a_log_that_goes_back_is_refused() -> None:
    lines = [json.dumps(GOOD | {"seq": seq}) for seq in (4, 5, 5)]
    with pytest.raises(BadEvent, match="line 3, seq: 5 does not come after 5"):
        list(read_lines(lines, "log.jsonl"))


def test_two_tables_in_one_log_count_apart() -> None:
    lines = [json.dumps(GOOD | {"seq": seq, "table": table}) for seq, table in ((4, "a"), (1, "b"), (5, "a"))]
    assert [event.seq for event in read_lines(lines, "log.jsonl")] == [4, 1, 5]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda one: st.lists(one) | st.dictionaries(st.text(), one),
    )
)
def test_no_json_value_does_worse_than_bad_event(value: Any) -> None:
    with pytest.raises(BadEvent):
        decode(value)


@given(any_event(), st.data())
def test_a_garbled_event_is_refused_or_equal_in_shape(event: Event, data: st.DataObject) -> None:
    plain = encode(event)
    key = data.draw(st.sampled_from(sorted(plain)))
    plain[key] = data.draw(
        st.none() | st.integers(-5, 5) | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
    )
    with contextlib.suppress(BadEvent):
        assert type(decode(plain)).__name__ == plain["type"]
