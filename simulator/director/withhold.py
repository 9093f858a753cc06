"""Take witnesses away at random: what could not be seen is not in the log, and the log says what could not be seen.

A blocked zone, a lost camera or a lost signal is announced by an event, and everything that only it would have shown
is left out until it is back. A detail that could not be read (a face, an amount, whose hand) is left empty in its
event. Nothing is made up: the rest of the log is as true as before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from engine import events as ev
from engine.cards import UNKNOWN
from engine.events import Event
from engine.settings import JackpotMode
from simulator.director.script import Beat, Script, renumbered
from simulator.director.witness import signal_of, zone_of

WHY: Final = (
    "a guest leans over the table",
    "a drinks tray stands in the way",
    "the picture is out of focus",
)
CAMERAS: Final = {"overview": ("deck", "rack", "tray"), "bets": tuple(f"seat:{n}" for n in range(1, 8))}
"""Which zones nothing shows when a camera of the reference rig is lost."""
_EMPTY: Final[dict[str, Any]] = {
    "amount": None,
    "chips": None,
    "by": None,
    "count": None,
    "hand": None,
    "back": None,
    "position": None,
    "in_order": None,
    "over_tray": None,
    "from_top": None,
    "cover_card_racked": None,
    "with_chips": None,
}
"""Details that an event may be without."""
_DETAILS: Final[tuple[tuple[str, ...], ...]] = (
    ("card", "cards"),
    ("amount", "chips"),
    ("by",),
    ("count",),
    ("back",),
    ("hand", "over_tray"),
    ("in_order", "from_top", "position", "cover_card_racked", "with_chips"),
)
"""What is lost together."""


def withhold(script: Script, rng: random.Random) -> Script:
    """Return the script as a worse-equipped or less lucky log would have it; what is true of it stays the same."""
    gaps = (_block, _block, _lose_camera, _lose_signal)  # one at most: two would overlap, and end each other
    details = (_unwire, _unread, _unread, _unsure)
    chosen = rng.choice(
        ((rng.choice(gaps),), (rng.choice(details),), (rng.choice(details), rng.choice(gaps)))
    )
    for way in chosen:
        script = way(script, rng)
    return replace(script, beats=renumbered(script.beats))


def _table(script: Script, rng: random.Random) -> str:
    return rng.choice([one.table for one in script.all_settings])


def _stretch(script: Script, rng: random.Random) -> tuple[int, int | None]:
    """Choose from where to where something is not seen; None: to the end."""
    count = len(script.beats)
    start = rng.randrange(count)
    if rng.random() < 0.25:
        start = 0
    if rng.random() < 0.3:
        return start, None
    return start, min(count, start + rng.choice((1, 2, 5, 12, 30, 80)))


def _note(script: Script, table: str, kind: type[Event], at: int, **fields: Any) -> Beat:
    """Return the event that says what is not seen, or seen again."""
    last = script.beats[min(at, len(script.beats) - 1)].event.at
    return Beat(kind(seq=0, at=last, table=table, witness="operator:system", **fields))


def _without(
    script: Script,
    table: str,
    stretch: tuple[int, int | None],
    lost: Callable[[Event], bool],
    notes: Sequence[Beat],
) -> Script:
    """Return the script without what is lost in a stretch, its start and its end noted."""
    start, end = stretch
    stop = len(script.beats) if end is None else end
    beats: list[Beat] = [*script.beats[:start], notes[0]]
    beats += [beat for beat in script.beats[start:stop] if beat.event.table != table or not lost(beat.event)]
    if end is not None:
        beats.append(notes[1])
    return replace(script, beats=(*beats, *script.beats[stop:]))


def _block(script: Script, rng: random.Random) -> Script:
    """Block the view of one zone for a while."""
    table, stretch = _table(script, rng), _stretch(script, rng)
    zones = sorted({zone for beat in script.beats if (zone := zone_of(beat.event)) is not None})
    zone = rng.choice([*zones, "table"]) if zones else "table"

    def lost(event: Event) -> bool:
        seen_in = zone_of(event)
        return seen_in is not None and zone in (seen_in, "table")

    notes = (
        _note(script, table, ev.ViewBlocked, stretch[0], zone=zone, why=rng.choice(WHY)),
        _note(script, table, ev.ViewRestored, stretch[1] or 0, zone=zone),
    )
    return _without(script, table, stretch, lost, notes)


def _lose_camera(script: Script, rng: random.Random) -> Script:
    """Lose one camera for a while, and all zones that only it sees."""
    table, stretch = _table(script, rng), _stretch(script, rng)
    camera = rng.choice(sorted(CAMERAS))
    zones = CAMERAS[camera]
    notes = (
        _note(script, table, ev.CameraLost, stretch[0], camera=camera, zones=zones, why="no signal"),
        _note(script, table, ev.CameraRestored, stretch[1] or 0, camera=camera),
    )
    return _without(script, table, stretch, lambda event: zone_of(event) in zones, notes)


def _used_signals(script: Script) -> list[str]:
    found = {signal for beat in script.beats if (signal := signal_of(beat.event)) is not None}
    return sorted(found | (set(script.settings.signals) & {"lock_out", "supervisor"}))


def _lose_signal(script: Script, rng: random.Random) -> Script:
    """Lose one signal of the table's controller for a while."""
    table, stretch = _table(script, rng), _stretch(script, rng)
    signal = rng.choice(_used_signals(script))
    notes = (
        _note(script, table, ev.SignalLost, stretch[0], signal=signal, why="line down"),
        _note(script, table, ev.SignalRestored, stretch[1] or 0, signal=signal),
    )
    return _without(script, table, stretch, lambda event: signal_of(event) == signal, notes)


def _unwire(script: Script, rng: random.Random) -> Script:
    """Let one signal not be wired at the tables of the scene at all."""
    signal = rng.choice(_used_signals(script))
    if signal == "lights" and script.settings.jackpot is JackpotMode.NONE:
        return script
    beats = tuple(beat for beat in script.beats if signal_of(beat.event) != signal)
    settings, *linked = (replace(one, signals=one.signals - {signal}) for one in script.all_settings)
    return replace(script, beats=beats, settings=settings, linked=tuple(linked))


def _unread(script: Script, rng: random.Random) -> Script:
    """Leave details empty that could not be read, one kind of them, here and there or everywhere."""
    names = rng.choice(_DETAILS)
    share = rng.choice((0.1, 0.4, 1.0))
    beats = [_dimmed(beat, names) if rng.random() < share else beat for beat in script.beats]
    return replace(script, beats=tuple(beats))


def _dimmed(beat: Beat, names: Sequence[str]) -> Beat:
    """Return a beat without some details, if a camera gave them and they are there."""
    event = beat.event
    if signal_of(event) is not None or zone_of(event) is None:
        return beat
    changes: dict[str, Any] = {}
    for name in names:
        value = getattr(event, name, None)
        if name == "card" and value is not None and not isinstance(event, ev.CardShown):
            changes[name] = UNKNOWN
        elif name == "cards" and isinstance(value, tuple):
            changes[name] = (UNKNOWN,) * len(value)
        elif name in _EMPTY and value is not None and not isinstance(event, _WHOLE.get(name, ())):
            changes[name] = _EMPTY[name]
    return replace(beat, event=replace(event, **changes)) if changes else beat


_WHOLE: Final[dict[str, tuple[type[Event], ...]]] = {
    "by": (ev.DeckInspected, ev.DeckShuffled, ev.DeckCut),
    "hand": (ev.DeckHeld,),
}
"""Events that are nothing without a detail: an inspection is somebody's."""


def _unsure(script: Script, rng: random.Random) -> Script:
    """Let some events be seen so unsurely that they prove nothing."""
    share = rng.choice((0.05, 0.3, 1.0))
    beats = [
        replace(beat, event=replace(beat.event, confidence=round(rng.uniform(0.05, 0.45), 2)))
        if zone_of(beat.event) is not None and rng.random() < share
        else beat
        for beat in script.beats
    ]
    return replace(script, beats=tuple(beats))
