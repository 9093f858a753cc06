"""Hands of cards at the players' seats: dealt, taken up, laid down, folded, turned, counted, collected.

A pile of backs hides how many cards it has, so every delivery is counted as it lands. Everything else is a change
between two pictures of a seat in which no hand is at the cards: where they lie, how many show, which side is up. A
hand in the air shows as outlines of the wrong size above the place.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any, Final

from engine import events as ev
from engine.cards import UNKNOWN, Card
from engine.events import DEALER
from engine.settings import Method
from pipeline.interpret.contacts import AT_WORK
from pipeline.interpret.context import Context
from pipeline.interpret.outbox import Draft
from pipeline.interpret.pictures import NOTHING, Hand, Lying, Picture, alike
from vision.tracks import CardTrack

STABLE: Final = 120
LIFTED: Final = 130
READING: Final = 650
"""How long (ms) to wait for all faces of a hand before it is told with those that are read."""
FRESH: Final = 350
COUNTED: Final = 11.0
"""A hand that lies up and is counted comes so much (mm) nearer to the dealer."""
FUMBLED: Final = 420
RECENT: Final = 1500
"""Who did something to cards was at them not longer than this (ms) before it showed."""
LINGER, SWEPT = 4500, 1150
"""Within so long (ms) before cards went, a dealer who only swept them up was at them for no longer than this."""
STRAY: Final = 900
VANISH: Final = 4000
"""Cards that go though nobody was at them are told of only after so long (ms): eyes err, cards do not vanish."""
DEALING: Final = 3600
"""A deal is over when no card has come for so long (ms)."""
ONE_CARD: Final = 330
"""Two deliveries to one hand are farther apart than this (ms): what comes sooner is the same card."""
LEAVES: Final = 260
"""How long (ms) a hand takes to make room."""
AT_CARDS: Final = 90.0
"""A hand this near (mm) to cards may hold them."""
DRAWN, OUTWARD = 17.0, -12.0
"""Cards that are held are at least so much (mm) nearer to their player than they lay, and outside the middle."""


class SeatDesk:
    """The cards of all players."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.last_delivery = -10_000
        self.hands = {place.seat: Hand(place.seat) for place in context.spots.layout.seats}
        for seat, hand in self.hands.items():
            hand.spot = context.spots.cards(seat).centre

    def update(self, groups: dict[int, Lying]) -> None:
        """Take in what lies at every seat."""
        for seat, hand in self.hands.items():
            now = groups.get(seat)
            if now is None and hand.count == 0 and hand.picture is NOTHING and not hand.held:
                continue
            self._seat(hand, now if now is not None else Lying())

    @property
    def dealing(self) -> bool:
        """Whether cards have been delivered a moment ago."""
        return self.context.at - self.last_delivery < DEALING

    def landed(self, seat: int, track: CardTrack, at: int) -> Draft:
        """A card came flying and lies at a seat."""
        hand = self.hands[seat]
        hand.count += 1
        hand.delivered = at
        hand.back = track.back
        return deal(self.context, seat, track, at)

    def _seat(self, hand: Hand, now: Lying) -> None:
        at = self.context.at
        if self._held(hand, now):
            return
        picture = now.picture()
        x, y = self._middle(hand, now)
        if now.cards:
            hand.last_seen = max(hand.last_seen, *(track.seen for track, _ in now.cards))
        if near := self.context.contacts.now(x, y):
            hand.busy, hand.differs_since = at, None
            if DEALER in near:
                self._watch_count(hand, now)
            return
        if now.moving or not self._differs(hand, picture):
            if not now.moving and hand.busy is not None and at - hand.busy > STABLE:
                self._maybe_touched(hand, x, y)
                hand.busy = None
            if not now.moving and picture.cards:
                self._remember(hand, picture, now)
            hand.differs_since = None
            return
        if picture.up < hand.picture.up and any(at - track.seen > 150 for track, _ in now.cards):
            return  # some are gone and the others not seen: they are on their way to the rack
        candidate = hand.candidate
        if hand.differs_since is None or candidate is None or not alike(candidate, picture):
            hand.differs_since, hand.candidate = at, picture
            return
        waited = at - hand.differs_since
        if hand.count == 0 and hand.picture is NOTHING and not hand.held and waited < self._passing:
            return  # cards that are carried past a place at which none were dealt
        if waited < STABLE or (waited < READING and self._incomplete(hand, picture, now)):
            return
        self._resolve(hand, picture, now, (x, y))

    @property
    def _passing(self) -> int:
        """How long (ms) cards must lie at a place at which none were dealt to belong to it."""
        dealing = self.context.settings.method is Method.PACKETS and self.context.phase.turned_hole is None
        return STABLE if dealing else STRAY

    def _incomplete(self, hand: Hand, picture: Picture, now: Lying) -> bool:
        """Whether it is worth waiting: a face not yet read, or fewer cards than were dealt, or all gone unseen."""
        if picture.cards == 0:
            covered = [t for t in hand.tracks if any(c.id == t for c in self.context.tracks.cards)]
            return bool(covered)
        if (picture.up or picture.down >= 3) and hand.count and picture.cards not in (1, hand.count):
            return True
        up = [track for track, _ in now.cards if track.face_up]
        named = self.context.names() if up else {}
        return any(track.id not in named for track in up)

    def _watch_count(self, hand: Hand, now: Lying) -> None:
        """Note cards that the dealer's hand lays out anew one by one: a count leaves no moment without the hand."""
        for track, spot in now.cards:
            if track.seen != self.context.at:
                continue
            if track.face_up:
                if spot.along - hand.laid.get(track.id, spot.along) <= COUNTED:
                    hand.drawn.pop(track.id, None)
                elif track.id not in hand.drawn:
                    hand.drawn[track.id] = self.context.at
            elif track.id in hand.drawn:
                continue
            elif hand.picture.where == "fold" and not spot.home and track.id not in hand.laid:
                hand.drawn[track.id] = self.context.at

    def _was_counted(self, hand: Hand) -> bool:
        """Tell of a count that was seen card by card, and not yet told."""
        if len(hand.drawn) < 3:
            return False
        *_, second, last = sorted(hand.drawn.values())
        at = last + LEAVES if last - second < 450 else second + 450
        self.context.put(ev.HandCounted, at, seat=hand.seat, count=hand.count if hand.sure else None)
        hand.drawn.clear()
        hand.counted = True
        return True

    def _middle(self, hand: Hand, now: Lying) -> tuple[float, float]:
        if now.cards:
            n = len(now.cards)
            return sum(t.x for t, _ in now.cards) / n, sum(t.y for t, _ in now.cards) / n
        return hand.spot

    def _remember(self, hand: Hand, picture: Picture, now: Lying) -> None:
        hand.spot = self._middle(hand, now)
        hand.tracks = tuple(track.id for track, _ in now.cards)
        hand.laid = {track.id: spot.along for track, spot in now.cards}
        hand.lay = max(track.seen for track, _ in now.cards)
        hand.drawn.clear()
        if picture.where == hand.picture.where and picture.up == hand.picture.up:
            hand.picture = picture if picture.cards >= hand.picture.cards else hand.picture
        if hand.unread and picture.up:
            cards, sure = self.context.read([track for track, _ in now.cards if track.face_up])
            self._identify(hand, cards, sure)

    def _differs(self, hand: Hand, picture: Picture) -> bool:
        old = hand.picture
        if hand.held:
            return picture.where != "none"
        if picture.where != old.where or (picture.up > 0) != (old.up > 0):
            return True
        if picture.where == "none":
            return False
        if picture.up != old.up:
            return True
        moved = hypot(picture.along - old.along, picture.across - old.across)
        if picture.up >= 3:
            return picture.along - old.along > COUNTED
        return (picture.cards >= 3 and old.cards < 3) or moved > 34.0

    # -- hands in the air --------------------------------------------------------------------------------------

    def _held(self, hand: Hand, now: Lying) -> bool:
        """Follow a hand that is taken up; returns whether it is in the air now.

        Seen from above, a fan that is held may have the very outline of cards that lie. So a hand is in the air
        when its outlines are wrong, or when a player's hand stays at cards that are no longer where they lay.
        """
        at = self.context.at
        who = self._holder(hand, now)
        if not hand.held and not now.lifted:
            still = [
                track.seen for track, spot in now.cards if track.id in hand.laid and spot.along > OUTWARD
            ]
            hand.lay = max([hand.lay, *still])
        if who is not None and (hand.held or self._lifted(hand, now)):
            if hand.lifted_since is None:
                hand.lifted_since = at
            if not hand.held and at - hand.lifted_since >= LIFTED:
                self._picked_up(hand, who, now)
            if hand.held:
                self._shows_one(hand, now)
                if not self._down(now):
                    hand.settled_at, hand.down = at, None
                elif hand.down is None:
                    hand.down = at
            return hand.held
        if who is None:
            hand.lifted_since = None
        if hand.held and not now.cards:
            return at - hand.settled_at < 500
        return False

    def _down(self, now: Lying) -> bool:
        """Whether cards lie in the middle of their place: put down, though a hand may still be near."""
        lying = [spot.along for track, spot in now.cards if not track.face_up and track.flat]
        return bool(lying) and not now.lifted and sum(lying) / len(lying) > OUTWARD

    def _holder(self, hand: Hand, now: Lying) -> int | None:
        """The player whose hand is at the cards of a seat."""
        points = [(track.x, track.y) for track, _ in now.cards if not track.face_up]
        points += [(track.x, track.y) for track in now.lifted]
        points += [hand.grip] if hand.held and hand.grip is not None else []
        for x, y in points:
            for who in self.context.contacts.now(x, y, AT_CARDS):
                if who != DEALER:
                    hand.grip = (x, y)
                    return who
        return None

    def _lifted(self, hand: Hand, now: Lying) -> bool:
        """Whether cards that lay are up: outlines of the wrong size, or drawn to the player and still in reach."""
        if hand.picture is NOTHING or hand.picture.up >= 2:
            return False
        lying = [spot for track, spot in now.cards if not track.face_up]
        if not lying:
            return bool(now.lifted)
        along = sum(spot.along for spot in lying) / len(lying)
        return along < hand.picture.along - DRAWN and along < OUTWARD

    def _picked_up(self, hand: Hand, who: int, now: Lying) -> None:
        hand.held = True
        up = [
            track.rest_since for track, _ in now.cards if not track.face_up and track.rest_since is not None
        ]
        at = hand.lifted_since if hand.lifted_since is not None else self.context.at
        at = min([at, max(up) - 80] if up else [at])
        if hand.lay:
            at = max(hand.lay, min(at, hand.lay + 330))
        count = hand.count if hand.sure and hand.count else None
        self.context.put(ev.HandPickedUp, at + 120, seat=hand.seat, by=who, count=count)
        hand.settled_at = self.context.at

    def _shows_one(self, hand: Hand, now: Lying) -> None:
        """A player who holds the hand lays one card face up beside it, or takes it back."""
        up = [track for track, _ in now.cards if track.face_up and track.resting]
        if up and hand.shown is None and len(up) == 1:
            cards, sure = self.context.read(up)
            if not cards[0].known and self.context.at - (up[0].rest_since or 0) < READING:
                return
            hand.shown = up[0].id
            hand.faces = cards
            at = up[0].rest_since or self.context.at
            touch = self.context.contacts.actor(up[0].x, up[0].y, self.context.at - 1500)
            who = hand.seat if touch is None else touch.who
            self.context.put(ev.CardsTurned, at + 120, seat=hand.seat, cards=cards, by=who, confidence=sure)
        elif not up and hand.shown is not None:
            gone = all(track.id != hand.shown for track in self.context.tracks.cards)
            if gone or any(t.id == hand.shown and not t.face_up for t in self.context.tracks.cards):
                hand.shown = None
                self.context.put(
                    ev.CardsTurned,
                    self.context.at,
                    seat=hand.seat,
                    cards=hand.faces,
                    face_up=False,
                    by=hand.seat,
                )

    # -- changes between two pictures ------------------------------------------------------------------------------

    def _resolve(self, hand: Hand, picture: Picture, now: Lying, middle: tuple[float, float]) -> None:
        old, since = hand.picture, hand.settled_at
        contacts = self.context.contacts
        point = middle if picture.cards else hand.spot
        rests = sorted(max(t.rest_since or t.born, t.turned) for t, _ in now.cards)
        after = rests[len(rests) // 2] if rests else hand.last_seen
        if picture.cards:
            recent = max(since, after - RECENT)
            touch = contacts.actor(*point, recent) or contacts.actor(*hand.spot, recent)
        else:
            touch = contacts.actor(*hand.spot, after - RECENT // 2, after + RECENT // 2)
            if touch is not None and touch.who != DEALER and touch.nearest > AT_WORK:
                touch = None
        who = None if touch is None else touch.who
        at = contacts.cleared(*point, max(since, after), who)
        was_held = hand.held
        hand.settled_at, hand.differs_since, hand.busy = self.context.at, None, None
        if picture.cards == 0:
            if who is None and not hand.held and self.context.at - hand.last_seen < VANISH:
                hand.settled_at = since
                return  # nobody was there: the eyes missed them
            self._vanished(hand, old, who, at)
            return
        if was_held and picture.where == "fold" and hand.down is not None and at - hand.down > LEAVES:
            count = hand.count if hand.sure and hand.count else None
            self.context.put(ev.HandLaidDown, hand.down + 160, seat=hand.seat, by=who, count=count)
        hand.picture, hand.held, hand.shown, hand.down = picture, False, None, None
        hand.spot, hand.tracks = middle, tuple(track.id for track, _ in now.cards)
        hand.laid = {track.id: spot.along for track, spot in now.cards}
        hand.back = now.cards[0][0].back or hand.back
        self._appeared(hand, old, picture, now, who, at, was_held)

    def _vanished(self, hand: Hand, old: Picture, who: int | None, at: int) -> None:
        if who == DEALER or (old.up and who is None):
            self._collected(hand, at)
        elif hand.held or old.where == "home":
            if hand.held:
                self.context.put(
                    ev.CardsOutOfSight, at, seat=hand.seat, off_table=True, count=None, confidence=0.6
                )
                hand.picture = NOTHING
            else:
                hand.held = True
                hand.picture = NOTHING
                self.context.put(
                    ev.HandPickedUp, at, seat=hand.seat, by=who, count=hand.count or None, confidence=0.7
                )
        else:
            self._collected(hand, at)

    def _perhaps_counted(self, hand: Hand, at: int) -> None:
        """Say that a count cannot be ruled out: the dealer was at the cards for longer than a sweep takes."""
        since = self.context.at - LINGER
        if self.context.contacts.spent(*hand.spot, since, DEALER) > SWEPT:
            self.context.put(ev.HandCounted, at - 800, seat=hand.seat, count=None, confidence=0.45)

    def _collected(self, hand: Hand, at: int) -> None:
        if not self._was_counted(hand) and not hand.counted and hand.count:
            self._perhaps_counted(hand, at)
        count = hand.count if hand.sure and hand.count else None
        faces = hand.faces if len(hand.faces) >= 3 else ()
        self.context.put(
            ev.CardsCollected, at, seat=hand.seat, count=count, cards=faces, in_order=True, back=hand.back
        )
        for card in faces:
            if card.known:
                self.context.past_faces[str(card)] = 9.0
        spot = self.context.spots.cards(hand.seat).centre
        hand.clear(self.context.at)
        hand.spot = spot

    def _appeared(
        self, hand: Hand, old: Picture, picture: Picture, now: Lying, who: int | None, at: int, was_held: bool
    ) -> None:
        seat = hand.seat
        if picture.up >= 2 or (picture.up == 1 and picture.down == 0 and hand.count <= 1):
            if old.up < picture.up:
                self._turned(hand, now, who, at)
            else:
                self._counted(hand, picture, at)
        elif picture.up == 1 and old.up == 0:
            self._turned(hand, now, who, at)
        elif old.up and not picture.up:
            self.context.put(ev.CardsTurned, at, seat=seat, cards=hand.faces, face_up=False, by=who)
            hand.faces = ()
        elif picture.where == "fold" and old.where != "fold":
            if not hand.folded:
                hand.folded = True
                self.context.put(ev.PlayerFolded, at, seat=seat)
        elif picture.down >= 3 and who == DEALER:
            self._counted(hand, picture, at)
        elif was_held:
            count = hand.count if hand.sure and hand.count else None
            self.context.put(ev.HandLaidDown, at, seat=seat, by=who, count=count)
        elif old.where == "none" and hand.count == 0 and who in (DEALER, None):
            self._packet(hand, at)
        elif picture.where == old.where and who is not None and who != DEALER:
            self.context.put(ev.HandTouched, at, seat=seat, by=who)

    def _packet(self, hand: Hand, at: int) -> None:
        if self.context.settings.method is not Method.PACKETS:
            return
        hand.count, hand.sure = 5, False
        self.context.phase.first_card = self.context.phase.first_card or at
        self.context.put(ev.PacketDealt, at, seat=hand.seat, count=None, back=hand.back)

    def _turned(self, hand: Hand, now: Lying, who: int | None, at: int) -> None:
        up = sorted(((t, s) for t, s in now.cards if t.face_up), key=lambda one: -one[1].across)
        tracks = [track for track, _ in up]
        cards, sure = self.context.read(tracks)
        known = {str(card) for card in hand.faces if card.known}
        if hand.unread and known:
            self._identify(hand, cards, sure)
            return
        new = tuple(card for card in cards if not card.known or str(card) not in known)
        if hand.sure and 3 <= len(cards) < hand.count and not any(not t.face_up for t, _ in now.cards):
            missing = (UNKNOWN,) * (hand.count - len(cards))
            cards, new = (*cards, *missing), (*new, *missing)
        hand.faces = cards
        hand.unread = sum(not card.known for card in cards)
        if len(cards) >= 4:
            hand.count, hand.sure = max(hand.count, len(cards)), True
        by = who if who is not None else DEALER
        self.context.put(
            ev.CardsTurned, at, seat=hand.seat, cards=new or cards, by=by, confidence=round(sure, 3)
        )

    def _identify(self, hand: Hand, cards: tuple[Card, ...], sure: float) -> None:
        """Name cards that were told as `??`, as soon as they are read."""
        known = {str(card) for card in hand.faces if card.known}
        for card in cards:
            if card.known and str(card) not in known and hand.unread:
                hand.unread -= 1
                faces = list(hand.faces)
                faces[faces.index(UNKNOWN)] = card
                hand.faces = tuple(faces)
                self.context.put(
                    ev.CardIdentified, self.context.at, seat=hand.seat, card=card, confidence=round(sure, 3)
                )

    def _counted(self, hand: Hand, picture: Picture, at: int) -> None:
        count = picture.cards if not hand.sure or picture.cards == hand.count else None
        hand.drawn.clear()
        hand.counted = True
        if count is not None:
            hand.count, hand.sure = count, True
        self.context.put(ev.HandCounted, at, seat=hand.seat, count=count)

    def _maybe_touched(self, hand: Hand, x: float, y: float) -> None:
        """Somebody's hand was at the cards and left them as they were."""
        if hand.picture.cards == 0 or hand.busy is None:
            return
        contacts = self.context.contacts
        since = max(hand.settled_at, hand.busy - 2500)
        spent = contacts.dwell(x, y, since, 30.0 if hand.picture.up == 0 else 75.0)
        who = max(spent, key=lambda one: spent[one], default=None)
        if who is None or spent[who] < FUMBLED:
            return
        left = contacts.left(x, y, since, who)
        at = self.context.at if left is None else left
        hand.settled_at = self.context.at
        if who == DEALER and hand.picture.up >= 5:
            self.context.put(ev.JackpotVerified, at, seat=hand.seat)
        elif who != DEALER and hand.picture.up == 0:
            self.context.put(ev.HandTouched, at, seat=hand.seat, by=who)


def deal(
    context: Context, seat: int, track: CardTrack, at: int, done: Callable[[ev.Event], None] | None = None
) -> Draft:
    """Tell of one card that was delivered; a face that shows is named when the event leaves."""
    context.phase.first_card = context.phase.first_card or at

    def late() -> dict[str, Any]:
        if not track.face_up:
            return {}
        cards, sure = context.read([track])
        return {"card": cards[0], "face_up": True, "confidence": round(sure, 3)}

    return context.put(ev.CardDealt, at, late=late, done=done, seat=seat, back=track.back)
