"""From tracks and signals to the engine's events: the only translator between the eyes and the game.

`feed` takes the tracks of one moment and the signals that arrived since the last one, and returns the events that are
now certain enough to be told, in the order in which they happened. Same input, same events: nothing here looks at a
clock or draws a random number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from calibration.layout import Layout
from engine import events as ev
from engine.events import DEALER, Event
from engine.settings import TableSettings
from pipeline.interpret.contacts import Contacts
from pipeline.interpret.context import Context
from pipeline.interpret.dealer import DealerDesk
from pipeline.interpret.decks import RIBBON, DeckDesk, TableDesk
from pipeline.interpret.outbox import Outbox
from pipeline.interpret.rounds import RoundDesk
from pipeline.interpret.seats import Lying, SeatDesk
from pipeline.interpret.spots import CardSpot, Spots
from pipeline.interpret.wagers import WagerDesk
from vision.tracks import CardTrack, Tracks

FRESH: Final = 420
"""A card that has not been seen for longer (ms) and is not covered does not lie there as far as pictures go."""


class Interpreter:
    """One table's interpreter."""

    def __init__(self, settings: TableSettings, layout: Layout, seq: int = 1) -> None:
        spots = Spots(layout)
        self.context = Context(settings, spots, Contacts(spots), Outbox(settings.table, seq))
        self.wagers = WagerDesk(self.context)
        self.seats = SeatDesk(self.context)
        self.dealer = DealerDesk(self.context)
        self.decks = DeckDesk(self.context)
        self.table = TableDesk(self.context)
        self.rounds = RoundDesk(self.context, self.seats, self.dealer, self.decks)

    def feed(self, tracks: Tracks, signals: Iterable[Event] = ()) -> list[Event]:
        """Take in one moment; returns the events that leave now."""
        context = self.context
        context.tracks = tracks
        context.contacts.update(tracks.at, tracks.hands)
        for signal in signals:
            self.decks.heard(signal)
            self.rounds.heard(signal)
            context.outbox.signal(signal)
        groups, loose = self._group()
        for track in tracks.landed:
            self._landed(track)
        self.table.update()
        self.wagers.update()
        self.seats.update(groups)
        self.dealer.update(groups.get(DEALER, Lying()))
        self.decks.update(loose)
        self.rounds.update()
        return context.outbox.release(tracks.at)

    def finish(self, signals: Iterable[Event] = ()) -> list[Event]:
        """The film is over: everything that is still kept back, and the end of the round if it was open."""
        for signal in signals:
            self.context.outbox.signal(signal)
        self.rounds.finish()
        return self.context.outbox.release(None)

    def _group(self) -> tuple[dict[int, Lying], int]:
        """The cards by seat, and how many lie in the open middle of the table."""
        groups: dict[int, Lying] = {}
        apart: list[tuple[int, CardTrack, CardSpot]] = []
        loose = 0
        for track in self.context.tracks.cards:
            if self.context.at - track.seen > FRESH and track.covered_at != self.context.at:
                continue
            spot = self.context.spots.card(track.x, track.y)
            if spot is None:
                loose += track.resting and not track.face_up and track.under is None
                continue
            group = groups.setdefault(spot.seat, Lying())
            if not track.flat and spot.seat != DEALER:
                if spot.home and self.context.at - track.seen < 200:
                    group.lifted.append(track)
            elif not track.resting:
                group.moving += 1
            elif track.under is None and track.looks >= 2:
                if not spot.home and not track.face_up:
                    apart.append((spot.seat, track, spot))
                else:
                    group.cards.append((track, spot))
        if loose >= 4 and loose + len(apart) >= RIBBON:
            return groups, loose + len(apart)
        for seat, track, spot in apart:
            groups[seat].cards.append((track, spot))
        return groups, loose

    def _landed(self, track: CardTrack) -> None:
        spot = self.context.spots.card(track.x, track.y)
        phase = self.context.phase
        if spot is None or not spot.home or not phase.open or phase.turned_hole is not None:
            return
        came = self.context.spots.card(*track.came_from)
        if came is not None and (came.seat == spot.seat or self._holds_cards(came)):
            return
        if spot.seat == DEALER:
            self.dealer.landed(track)
        else:
            self.seats.landed(spot.seat, track)

    def _holds_cards(self, spot: CardSpot) -> bool:
        """Whether a card that came from a place was one of a hand there: it is carried, not dealt."""
        if spot.seat == DEALER or not spot.home:
            return False
        return self.seats.hands[spot.seat].count > 0 and not self.seats.dealing

def retraction(seq: int, why: str) -> dict[str, object]:
    """The fields of an event that takes back another one."""
    return {"kind": ev.EventRetracted, "retracts": seq, "why": why}
