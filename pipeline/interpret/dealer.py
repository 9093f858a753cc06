"""The dealer's own cards: dealt into the row, spread, the up-card, the reveal, the end.

The row is read slot by slot: whoever lies apart can be told. A whole reveal is told once, when the dealer's hand has
left the row.
"""

from __future__ import annotations

from math import hypot
from typing import Final

from engine import events as ev
from engine.cards import UNKNOWN, Card
from engine.events import DEALER
from engine.settings import Method
from pipeline.interpret.context import Context
from pipeline.interpret.outbox import Draft
from pipeline.interpret.pictures import Lying
from pipeline.interpret.seats import deal
from vision.tracks import CardTrack

STABLE: Final = 130
READING: Final = 650
WHOLE: Final = 5
VANISH, EARLY = 4000, 1300
"""A row that is empty though nobody took it, and one that is empty before the reveal, are believed so late (ms)."""


class DealerDesk:
    """The dealer's row."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.count = 0
        self.sure = True
        self.up: dict[int, Card] = {}
        self.unread: list[int] = []
        self.up_at: dict[int, tuple[float, float]] = {}
        self.down = 0
        self.spread = False
        self.back: str | None = None
        self.settled_at = 0
        self.differs_since: int | None = None
        self.shape: tuple[int, int] = (0, 0)
        self.busy: int | None = None
        self.last_seen = 0
        self.delivered = -10_000
        self.arrived: int | None = None
        self.arrived_at = (0.0, 0.0)
        self.parted: int | None = None
        self.spot = context.spots.layout.dealer.centre

    def landed(self, track: CardTrack, at: int) -> Draft:
        """A card came flying into the row."""
        self.count += 1
        self.delivered = at
        self.back = track.back
        if track.face_up:
            self.up[track.id] = UNKNOWN

        def named(event: ev.Event) -> None:
            assert isinstance(event, ev.CardDealt)
            if track.id in self.up:
                self.up[track.id] = event.card
                if not event.card.known:
                    self.unread.append(track.id)

        return deal(self.context, DEALER, track, at, named)

    def update(self, now: Lying) -> None:
        """Compare the row with what lay there last."""
        at = self.context.at
        if not now.cards and not self.count:
            return
        if now.cards:
            self.last_seen = max(self.last_seen, *(track.seen for track, _ in now.cards))
            self.spot = _middle(now)
        if self.parted is None and sum(not t.face_up for t, _ in now.cards) >= 4:
            self.parted = at
        if not self.count:
            if not now.cards:
                self.arrived = None
            elif self.arrived is None:
                self.arrived, self.arrived_at = at, self.spot
        if self.unread:
            self._identify(now)
        points = [(t.x, t.y) for t, _ in now.cards] or [self.context.spots.layout.dealer.centre]
        if now.moving or any(self.context.contacts.now(x, y, 84.0) for x, y in points):
            self.busy, self.differs_since = at, None
            return
        faces = [track for track, _ in now.cards if track.face_up]
        backs = [track for track, _ in now.cards if not track.face_up]
        shape = (len(faces), len(backs))
        fresh = [track for track in faces if track.id not in self.up and not self._same_card(track)]
        self.up_at |= {track.id: (track.x, track.y) for track in faces if track.id in self.up}
        spread = len(backs) >= 4 and not self.spread
        if now.cards and not fresh and not spread and (self.count or not backs):
            self.down = max(self.down, len(backs)) if not faces else len(backs)
            self.differs_since = None
            return
        if self.differs_since is None or shape != self.shape:
            self.differs_since, self.shape = at, shape
            return
        waited = at - self.differs_since
        if waited < STABLE or (waited < READING and not self._read(fresh)):
            return
        if not now.cards and waited < 2 * STABLE:
            return
        self._resolve(now, faces, fresh, spread)

    def _read(self, fresh: list[CardTrack]) -> bool:
        named = self.context.names()
        return all(track.id in named for track in fresh)

    def _resolve(self, now: Lying, faces: list[CardTrack], fresh: list[CardTrack], spread: bool) -> None:
        since, self.settled_at = self.settled_at, self.context.at
        self.differs_since = None
        x, y = _middle(now) if now.cards else self.spot
        rests = sorted(max(t.rest_since or t.born, t.turned) for t in fresh or [t for t, _ in now.cards])
        after = rests[-1 - (len(rests) >= 3)] if rests else self.last_seen
        left = self.context.contacts.cleared(x, y, max(since, after), DEALER)
        if not now.cards:
            if not self._taken():
                self.settled_at = since
                return  # nobody was there: the eyes missed them
            self._collected(left)
        elif not self.count:
            came = self.arrived or after
            self._packet(self.context.contacts.cleared(*self.arrived_at, came, DEALER), now)
        else:
            if not self.spread and self.parted is not None and len(now.cards) >= 4 and len(faces) <= 1:
                first = self.context.contacts.cleared(x, y, max(since, self.parted), DEALER)
                self._spread(now, min(first, left - 1) if fresh else left)
            if fresh:
                self._turned(now, faces, fresh, left)

    def _taken(self) -> bool:
        """Whether the row is empty because the dealer took the cards, and not because they were missed."""
        gone = self.context.at - self.last_seen
        if gone > VANISH:
            return True
        if self.context.phase.turned_hole is None and gone < EARLY:
            return False
        x, y = self.context.spots.layout.dealer.centre
        near = self.context.contacts.who(x, y, self.last_seen - 800, self.last_seen + 800, 220.0)
        return any(touch.who == DEALER for touch in near)

    def _same_card(self, track: CardTrack) -> bool:
        """Whether a face is one that is known to lie there, followed by a new track."""
        there = {one.id for one in self.context.tracks.cards if one.seen == self.context.at}
        for old, (x, y) in self.up_at.items():
            if old not in self.up or old in there or hypot(track.x - x, track.y - y) > 24.0:
                continue
            name = self.context.names().get(track.id, ("??", 0.0))[0]
            if name == str(self.up[old]):
                self.up[track.id] = self.up.pop(old)
                if old in self.unread:
                    self.unread[self.unread.index(old)] = track.id
                return True
        return False

    def _spread(self, now: Lying, at: int) -> None:
        """Tell that the cards were laid out in a row."""
        self.spread = True
        self.sure, self.count = True, len(now.cards)
        self.context.put(ev.HandSpread, at, seat=DEALER, count=len(now.cards), face_up=False)

    def _packet(self, at: int, now: Lying) -> None:
        if self.context.settings.method is not Method.PACKETS:
            return
        self.count, self.sure = WHOLE, False
        self.back = now.cards[0][0].back
        self.context.phase.first_card = self.context.phase.first_card or at
        self.context.put(ev.PacketDealt, at, seat=DEALER, count=None, back=self.back)

    def _turned(self, now: Lying, faces: list[CardTrack], fresh: list[CardTrack], at: int) -> None:
        cards, sure = self.context.read(sorted(fresh, key=lambda track: track.x))
        known = {str(card) for card in self.up.values() if card.known}
        new = tuple(card for card in cards if str(card) not in known)
        for track, card in zip(sorted(fresh, key=lambda track: track.x), cards, strict=True):
            self.up[track.id] = card
            if not card.known:
                self.unread.append(track.id)
        if not new:
            return
        position = None
        if len(new) == 1 and self.spread and len(now.cards) == WHOLE:
            position = sorted(track.x for track, _ in now.cards).index(fresh[0].x) + 1
        if len(faces) >= 2 and len(faces) >= self.count - 1:
            self.context.phase.turned_hole = at
            self.count, self.sure = max(self.count, len(faces)), True
        self.context.put(
            ev.CardsTurned,
            at,
            seat=DEALER,
            cards=new,
            by=DEALER,
            position=position,
            confidence=round(sure, 3),
        )

    def _identify(self, now: Lying) -> None:
        """Name cards that were told as `??`, as soon as they are read."""
        for track in [one for one, _ in now.cards if one.id in self.unread]:
            (card,), sure = self.context.read([track])
            if card.known and str(card) not in {str(one) for one in self.up.values()}:
                self.unread.remove(track.id)
                self.up[track.id] = card
                self.context.put(
                    ev.CardIdentified, self.context.at, seat=DEALER, card=card, confidence=round(sure, 3)
                )

    def _collected(self, at: int) -> None:
        faces = tuple(card for card in self.up.values())
        whole = faces if len(faces) >= WHOLE else ()
        count = self.count if self.sure else None
        self.context.put(
            ev.CardsCollected, at, seat=DEALER, count=count, cards=whole, in_order=True, back=self.back
        )
        for card in faces:
            if card.known:
                self.context.past_faces[str(card)] = 9.0
        self.clear()

    def clear(self) -> None:
        """Forget the row."""
        self.__init__(self.context)  # type: ignore[misc]
        self.settled_at = self.context.at


def _middle(now: Lying) -> tuple[float, float]:
    n = len(now.cards)
    return sum(t.x for t, _ in now.cards) / n, sum(t.y for t, _ in now.cards) / n
