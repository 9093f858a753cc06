"""What the checks of decks share: when play begins, what went unseen before it, whose history is known.

Shuffles, cuts and inspections happen between rounds, so these checks look further back than the round: they weigh
gaps in view themselves, from `past_gaps`, and are silent about a deck whose story began before the log did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine import events as ev
from engine.checks.registry import Finding, Moment, unsure
from engine.events import Event
from engine.state.model import Deck, TableState

DEALS: Final[tuple[type[Event], ...]] = (ev.CardDealt, ev.PacketDealt)
_PLACES: Final = {"table": "the table", "deck": "the deck", "rack": "the discard rack"}


def begins(m: Moment) -> bool:
    """Whether this event brings the first card of a round."""
    now = m.after.round
    return now is not None and now.first_card == m.event.seq


def deck_before(m: Moment) -> Deck | None:
    """Return the deck that this round is played with, as it was before the first card; None if it is not known."""
    deck = m.after.deck_in_play
    return None if deck is None else m.before.decks.get(deck.id)


def brought_new(deck: Deck | None) -> bool:
    """Whether this deck was seen to come to the table and is now played for the first time."""
    return deck is not None and deck.brought is not None and deck.played is None


def last_deal(m: Moment) -> int | None:
    """Return the first card of the round before this one."""
    previous = m.after.previous
    return None if previous is None else previous.first_card


def idle_since_deal(m: Moment) -> int | None:
    """Return the event since which the table stood vacant, if it did since the last round."""
    vacant, dealt = m.before.last_vacant, last_deal(m)
    return vacant if vacant is not None and (dealt is None or vacant > dealt) else None


def unseen(m: Moment, zones: Iterable[str], since: int) -> str:
    """Return why something that happened after an event may have gone unseen, or nothing."""
    for zone in ("table", *zones):
        signal = zone.removeprefix("signal:")
        if signal != zone and signal not in m.settings.signals:
            return f"the signal {signal!r} is not wired at this table"
        gap = m.after.past_gaps.get(zone)
        if gap is not None and (gap.end is None or gap.end >= since):
            where = f"the signal {signal!r}" if signal != zone else _PLACES.get(zone, zone)
            return f"{where} could not be seen: {gap.why}"
    return ""


def shuffle_zones(m: Moment) -> tuple[str, ...]:
    """Return what shows a shuffle at this table: the camera, and the machine where there is one."""
    return ("deck", "signal:shuffler") if m.settings.machine_shuffle else ("deck",)


def judged(m: Moment, finding: Finding, zones: Iterable[str], since: int) -> Finding:
    """Return the finding, or that it cannot be told if the missing thing may have gone unseen."""
    reason = unseen(m, zones, since)
    return unsure(reason, finding.seat, finding.area, finding.key) if reason else finding


def hidden_arrival(m: Moment) -> str:
    """Return why the opening of the deck that is now first played may have gone unseen, or nothing.

    A deck that was at the table before the log began is taken as opened rightly; one that may have come while the
    deck's place was out of view is not.
    """
    deck = deck_before(m) if begins(m) else None
    if m.after.deck_in_play is None or (
        deck is not None and (deck.brought is not None or deck.played is not None)
    ):
        return ""
    return unseen(m, ("deck",), 0) if begins(m) else ""


def decks_here(state: TableState) -> list[Deck]:
    """Return the decks that are at the table."""
    return [deck for deck in state.decks.values() if deck.removed is None]
