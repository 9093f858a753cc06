"""From tracks and signals to the engine's events: the only translator between the eyes and the game.

`feed` takes the tracks of one moment and the signals that arrived since the last one, and returns the events that are
now certain enough to be told, in the order in which they happened. Same input, same events: nothing here looks at a
clock or draws a random number.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Final

from calibration.layout import Layout
from engine import events as ev
from engine.events import DEALER, Area, Event
from engine.settings import Method, TableSettings
from pipeline.interpret.contacts import Contacts
from pipeline.interpret.context import Context
from pipeline.interpret.dealer import DealerDesk
from pipeline.interpret.deals import Landing, Rhythm
from pipeline.interpret.decks import RIBBON, DeckDesk, TableDesk
from pipeline.interpret.outbox import Draft, Outbox
from pipeline.interpret.pictures import Lying
from pipeline.interpret.rounds import RoundDesk
from pipeline.interpret.seats import ONE_CARD, SeatDesk
from pipeline.interpret.spots import CardSpot, Spots
from pipeline.interpret.wagers import WagerDesk
from vision.tracks import CardTrack, Tracks
from vision.tracks.cards import NEW

FRESH: Final = 420
"""A card that has not been seen for longer (ms) and is not covered does not lie there as far as pictures go."""
STRAIGHT: Final = 0.95
"""The least cosine between where a card flew and where a seat is for it to have flown there."""
GUESSED: Final = 0.45
"""How sure the last card of a deal is that nobody saw: not enough to prove anything."""
UNSEEN: Final = 0.6
"""How sure a delivery is that nobody saw and that the rhythm of the deal tells."""
FRESH_FACE: Final = 1000
"""A face in a row hides no other: one that is not seen for a moment (ms) was missed, it is not under its neighbour."""


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
        self.rhythm = Rhythm()
        self.deal_ended = True
        self.rounds = RoundDesk(self.context, self.seats, self.dealer, self.decks)

    def feed(self, tracks: Tracks, signals: Iterable[Event] = ()) -> list[Event]:
        """Take in one moment; returns the events that leave now."""
        context = self.context
        context.tracks = tracks
        context.contacts.update(tracks.at, tracks.hands)
        for signal in signals:
            self._heard(signal)
        groups, loose = self._group()
        self._recheck()
        for track in tracks.landed:
            self._landed(track)
        if self.seats.dealing and context.settings.method is not Method.PACKETS:
            for track in tracks.cards:
                if track.born == tracks.at:
                    self._slipped_in(track)
        self.table.update()
        self.wagers.update()
        self.seats.update(groups)
        self.dealer.update(groups.get(DEALER, Lying()))
        self.decks.update(loose)
        self.rounds.update()
        return context.outbox.release(tracks.at)

    def hear(self, signals: Iterable[Event]) -> list[Event]:
        """Take in signals that came without a picture; returns the events that leave now."""
        listed = list(signals)
        for signal in listed:
            self._heard(signal)
        now = max([self.context.at, *(signal.at for signal in listed)])
        return self.context.outbox.release(now)

    def finish(self, signals: Iterable[Event] = ()) -> list[Event]:
        """The film is over: everything that is still kept back, and the end of the round if it was open."""
        for signal in signals:
            self.context.outbox.signal(signal)
        self.rounds.finish()
        return self.context.outbox.release(None)

    def _heard(self, signal: Event) -> None:
        self.decks.heard(signal)
        self.rounds.heard(signal)
        self.wagers.heard(signal)
        self.context.outbox.signal(signal)

    def _group(self) -> tuple[dict[int, Lying], int]:
        """The cards by seat, and how many lie in the open middle of the table."""
        groups: dict[int, Lying] = {}
        apart: list[tuple[int, CardTrack, CardSpot]] = []
        loose = 0
        for track in self.context.tracks.cards:
            missed = self.context.at - track.seen
            if missed > (FRESH_FACE if track.face_up else FRESH) and track.covered_at != self.context.at:
                continue
            if track.face_up and self._twice(track):
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
            elif (track.under is None or track.face_up) and track.looks >= 2:
                if not spot.home and not track.face_up:
                    apart.append((spot.seat, track, spot))
                else:
                    group.cards.append((track, spot))
        if loose >= 4 and loose + len(apart) >= RIBBON:
            return groups, loose + len(apart)
        for seat, track, spot in apart:
            groups[seat].cards.append((track, spot))
        return groups, loose

    def _twice(self, track: CardTrack) -> bool:
        """Whether a face is an older track of a card that is now followed by another one."""
        return any(
            other is not track
            and other.face_up
            and other.seen > track.seen
            and abs(other.x - track.x) < 12.0
            and abs(other.y - track.y) < 12.0
            for other in self.context.tracks.cards
        )

    def _landed(self, track: CardTrack) -> None:
        spot = self.context.spots.card(track.x, track.y)
        phase = self.context.phase
        if spot is None or not spot.home or not phase.open or phase.turned_hole is not None:
            return
        if phase.first_card is not None and not self.seats.dealing:
            return  # cards that are carried about after the deal
        came = self.context.spots.card(*track.came_from)
        if came is not None and not self._dealt_from(came, spot, track):
            return
        self._deliver(spot.seat, track)

    def _slipped_in(self, track: CardTrack) -> None:
        """Count a card that the dealer's hand hid all its way and that is first seen on its pile."""
        spot = self.context.spots.card(track.x, track.y)
        if spot is None or not spot.home or spot.seat == DEALER or not self.seats.hands[spot.seat].count:
            return
        near = self.context.contacts.who(track.x, track.y, self.context.at - 300, reach=190.0)
        if any(touch.who == DEALER for touch in near):
            self._deliver(spot.seat, track)

    def _deliver(self, seat: int, track: CardTrack) -> None:
        """Count a card that came to a seat, by the rhythm of the deal: once, and with those that nobody saw."""
        at = track.landed if track.landed is not None else self.context.at
        if self.context.settings.method is Method.PACKETS or self._refused(seat, at):
            return
        phase = self.context.phase
        if phase.first_card is None:
            self.decks.dealt(at)
            self.rhythm = Rhythm()
        order = self._order()
        seat = self._meant(seat, track, order)
        doubt = self.rhythm.doubtful(at, seat, order)
        if doubt is True:
            return
        if isinstance(doubt, Landing):
            doubt.draft.cancelled = True
            self.rhythm.landings.remove(doubt)
            self._count_of(doubt.seat, -1)
        for when, passed in self.rhythm.unseen(at, seat, order):
            self.rhythm.landings.append(Landing(when, passed, self._unseen(passed, when, track.back)))
        self.seats.last_delivery = self.context.at
        draft = self.dealer.landed(track, at) if seat == DEALER else self.seats.landed(seat, track, at)
        self.rhythm.landings.append(Landing(at, seat, draft, track, (track.x, track.y)))
        self.deal_ended = False

    def _unseen(self, seat: int, at: int, back: str | None) -> Draft:
        """Tell of a card that must have come to a seat; the dealer's may be the one that lies face up by now."""
        faces = [
            one
            for one in self.context.tracks.cards
            if seat == DEALER and one.face_up and one.id not in self.dealer.up and self._in_row(one)
        ]
        if faces:
            return self.dealer.landed(faces[0], at)
        self._count_of(seat, 1)
        sure = GUESSED if seat == DEALER else UNSEEN
        return self.context.put(ev.CardDealt, at, seat=seat, back=back, confidence=sure)

    def _in_row(self, track: CardTrack) -> bool:
        return self.context.spots.layout.dealer.contains(track.x, track.y, 12.0)

    def _recheck(self) -> None:
        """Take back landings of cards that flew on, and end the deal when no more cards come."""
        for one in [one for one in self.rhythm.landings[-4:] if one.draft.seq is None and one.went_on]:
            one.draft.cancelled = True
            self.rhythm.landings.remove(one)
            self._count_of(one.seat, -1)
        if self.deal_ended or not self.rhythm.landings or self.context.phase.turned_hole is not None:
            return
        last = self.rhythm.landings[-1].at
        if self.context.at - last < 3 * self.rhythm.pause + 600:
            return
        self.deal_ended = True
        counts = {seat: hand.count for seat, hand in self.seats.hands.items()} | {DEALER: self.dealer.count}
        for number, seat in enumerate(self.rhythm.left_out(self._order(), counts), start=1):
            self._count_of(seat, 1)
            at = round(last + number * self.rhythm.pause)
            self.context.put(ev.CardDealt, at, seat=seat, back=self.dealer.back, confidence=GUESSED)

    def _meant(self, seat: int, track: CardTrack, order: list[int]) -> int:
        """The seat of a card that was lost from sight on its way: the one that is due, if it flew that way."""
        due = self.rhythm.follows(self.rhythm.landings[-1].seat, order) if self.rhythm.landings else None
        if track.lost_at is None or due is None or due == seat or not track.speed:
            return seat
        x, y = self.context.spots.cards(due).centre
        dx, dy = x - track.lost_at[0], y - track.lost_at[1]
        along = (dx * track.vx + dy * track.vy) / (hypot(dx, dy) * track.speed + 1e-6)
        return due if along > STRAIGHT else seat

    def _refused(self, seat: int, at: int) -> bool:
        """Whether a card that came to a seat cannot be another delivery."""
        if seat == DEALER:
            return at - self.dealer.delivered < ONE_CARD
        hand = self.seats.hands[seat]
        return hand.held or at - hand.delivered < ONE_CARD

    def _count_of(self, seat: int, change: int) -> None:
        if seat == DEALER:
            self.dealer.count = max(0, self.dealer.count + change)
        else:
            self.seats.hands[seat].count = max(0, self.seats.hands[seat].count + change)

    def _order(self) -> list[int]:
        """The seats that are dealt to, in order: those with an ante, or that have been dealt to, and the dealer."""
        antes = {seat for (seat, area), spot in self.wagers.spots.items() if area is Area.ANTE and spot.piles}
        antes |= {seat for seat, hand in self.seats.hands.items() if hand.count}
        return [*sorted(antes), DEALER]

    def _dealt_from(self, came: CardSpot, spot: CardSpot, track: CardTrack) -> bool:
        """Whether a card first seen over a place may have been dealt: thrown cards are sometimes seen late.

        A card that lay at the place has only been moved; one of another hand is carried, not dealt.
        """
        dealing = self.seats.dealing
        if came.seat != spot.seat:
            return came.seat == DEALER or not came.home or dealing or not self.seats.hands[came.seat].count
        new = (track.landed or self.context.at) - track.born < NEW
        return dealing and new if spot.seat == DEALER else not came.home
