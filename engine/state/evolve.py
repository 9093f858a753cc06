"""A changed copy of a frozen value, quickly: the fold makes several for every event."""

from __future__ import annotations

from typing import Any, TypeVar

Value = TypeVar("Value")


def evolve(value: Value, **changes: Any) -> Value:
    """Return a copy with some fields changed, as `dataclasses.replace` does, ten times as fast.

    It copies the instance's dictionary instead of calling the constructor, so it is meant for the plain frozen
    dataclasses of `engine.state.model`: no slots, no `__post_init__`.

    >>> from engine.state.model import Seat
    >>> evolve(Seat(3), folded=7).folded
    7
    """
    new = object.__new__(type(value))
    fields = new.__dict__
    fields.update(value.__dict__)
    fields.update(changes)
    return new
