"""Wagers: what stands in each area, and who changed it.

Each area is compared with what last stood there when no hand was near. A difference becomes an event once it has
been seen for a moment and read; the person is the one whose hand was nearest, the time is when that hand had left.
Physical only: chips that the dealer adds during settlement are a payment, chips that the dealer lifts are taken,
chips that go to a player's side are withdrawn.
"""

from __future__ import annotations

from typing import Any, Final

from engine import events as ev
from engine.events import DEALER, Area, Event, Tender
from engine.settings import JackpotMode
from pipeline.interpret.contacts import Touch
from pipeline.interpret.context import Context
from pipeline.interpret.outbox import Draft
from pipeline.interpret.piles import READ, Paper, Pile, Spot, near, pile_at, pile_of, total
from vision.tracks import StackTrack

STABLE: Final = 130
PATIENCE: Final = 620
"""How long (ms) to wait for a reading before an amount is given as unknown."""
WAIT: Final = 1700
"""How long (ms) after it happened an event may wait for its chips to be read."""
SWALLOWED: Final = 650
TENDERS: Final = ("cash", "coupon", "plaque")
VANISH: Final = 4000
"""Chips that go though nobody was at them are told of only after so long (ms)."""
BEFORE, LATE = 500, 1500
"""Who took a pile was there not longer than this (ms) before it was last seen; who brought one, before it was seen."""
FUMBLED: Final = 420
"""A hand that stays at a pile for so long (ms) and leaves it as it was has touched it."""


class WagerDesk:
    """All wagering areas of a table."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.spots: dict[tuple[int, Area], Spot] = {}
        self.papers: list[Paper] = []
        self.staked: set[int] = set()
        self.lit: dict[int, int] = {}

    def heard(self, signal: Event) -> None:
        """An acceptor took a chip: one that was not seen although a player's hand was there was hidden by it."""
        if isinstance(signal, ev.AcceptorLightChanged) and not signal.lit:
            self.staked.discard(signal.seat)
        elif isinstance(signal, ev.AcceptorLightChanged) and signal.seat not in self.staked:
            self.lit[signal.seat] = signal.at

    def _swallowed(self) -> None:
        """Tell of chips that an acceptor took before they could be seen."""
        for seat, lit in list(self.lit.items()):
            if seat in self.staked:
                del self.lit[seat]
            elif self.context.at - lit > SWALLOWED:
                del self.lit[seat]
                x, y = self.context.spots.area(seat, Area.JACKPOT).centre
                touch = self.context.contacts.actor(x, y, lit - 2500, lit)
                if touch is not None and touch.who != DEALER:
                    self.staked.add(seat)
                    self._hidden_chip(seat, touch, lit)

    def _hidden_chip(self, seat: int, touch: Touch, lit: int) -> None:
        x, y = self.context.spots.area(seat, Area.JACKPOT).centre
        at = min(self.context.contacts.cleared(x, y, touch.when, touch.who), lit - 1)
        spot = self.spots.get((seat, Area.JACKPOT))
        chips = spot.glimpse if spot is not None else None
        wager = self.context.settings.jackpot_wager
        amount = wager if chips is not None and sum(chips) == wager else None
        fields: dict[str, Any] = {"seat": seat, "area": Area.JACKPOT, "amount": amount, "by": touch.who}
        self.context.put(ev.WagerPlaced, at, confidence=0.6, **fields)

    def _follow_papers(self) -> None:
        """Keep what is not chips through looks that missed it; it goes quickly only where a hand has been."""
        at = self.context.at
        for thing in self.context.tracks.things:
            same = [one for one in self.papers if one.kind == thing.kind and near(one, thing)]
            if same:
                same[0].seen = at
                same[0].looks += 1
            elif thing.kind in TENDERS:
                self.papers.append(Paper(thing.kind, thing.x, thing.y, at, at))
        for one in list(self.papers):
            touched = self.context.contacts.left(one.x, one.y, one.seen - 200) is not None
            covered = bool(self.context.contacts.now(one.x, one.y))
            if not covered and at - one.seen > (PATIENCE if touched else 2 * PATIENCE):
                self.papers.remove(one)

    def update(self) -> None:
        """Compare every area with what stands there now."""
        now: dict[tuple[int, Area], list[Any]] = {}
        for stack in self.context.tracks.stacks:
            key = self.context.spots.wager(stack.x, stack.y)
            if key is not None and stack.resting:
                now.setdefault(key, []).append(stack)
            elif key is not None and key in self.spots:
                self.spots[key].seen = max(self.spots[key].seen, stack.seen)
        self._follow_papers()
        self._swallowed()
        for thing in self.papers:
            key = self.context.spots.wager(thing.x, thing.y)
            redeemed = key is not None and key[1] is Area.JACKPOT and thing.kind == "coupon"
            settled = thing.looks >= 2 and self.context.at - thing.born >= STABLE
            if key is not None and settled and not redeemed:  # of a coupon the acceptor tells
                now.setdefault(key, []).append(thing)
        for key in now.keys() | self.spots.keys():
            spot = self.spots.setdefault(key, Spot(*key, settled_at=max(0, self.context.at - 3000)))
            self._compare(spot, now.get(key, []))

    def _compare(self, spot: Spot, things: list[Any]) -> None:
        at = self.context.at
        if len(things) >= len(spot.piles):
            spot.seen = max([spot.seen, *(one.seen for one in things)])
        if self._near(spot, things):
            spot.busy = at
            spot.differs_since = None
            return
        if not self._differs(spot, things):
            if spot.busy is not None and at - spot.busy > STABLE:
                self._maybe_touched(spot)
                spot.busy = None
            spot.differs_since = None
            return
        shape = tuple(sorted(one.id if isinstance(one, StackTrack) else -1 for one in things))
        if spot.differs_since is None or shape != spot.shape:
            spot.differs_since, spot.shape = at, shape
            return
        waited = at - spot.differs_since
        unread = any(
            isinstance(one, StackTrack) and (one.stale or sum(one.votes.values()) < READ) for one in things
        )
        spot.glimpse = next((one.chips for one in things if isinstance(one, StackTrack)), None)
        if waited < STABLE or (unread and waited < PATIENCE):
            return
        self._resolve(spot, [pile_of(one) for one in things])

    def _near(self, spot: Spot, things: list[Any]) -> bool:
        """Whether a hand is at the area now."""
        points = [(one.x, one.y) for one in things] + [(pile.x, pile.y) for pile in spot.piles]
        if not points:
            return False
        return any(self.context.contacts.now(x, y, 80.0) for x, y in points)

    def _differs(self, spot: Spot, things: list[Any]) -> bool:
        if len(things) != len(spot.piles):
            return True
        for one in things:
            old = pile_at(spot.piles, one.x, one.y)
            if old is None:
                return True
            if isinstance(one, StackTrack) and not one.stale and sum(one.votes.values()) >= READ:
                if one.chips != old.chips and one.sure > 0.6:
                    return True
        return False

    def _maybe_touched(self, spot: Spot) -> None:
        """A hand was at the area and changed nothing: was it at the pile itself for long enough?"""
        if not spot.piles or spot.busy is None or not self.context.phase.open:
            return
        contacts = self.context.contacts
        for pile in spot.piles:
            spent = contacts.dwell(pile.x, pile.y, max(spot.settled_at, spot.busy - 2500), 24.0)
            who = max(spent, key=lambda one: spent[one], default=None)
            if who not in (None, DEALER) and spent[who] >= FUMBLED:
                left = contacts.left(pile.x, pile.y, spot.settled_at, who)
                at = self.context.at if left is None else left
                self.context.put(ev.WagerTouched, at, seat=spot.seat, area=spot.area, by=who)
                spot.settled_at = self.context.at
                return

    def _resolve(self, spot: Spot, piles: list[Pile]) -> None:
        """Turn a difference into events."""
        old, spot.piles = spot.piles, piles
        since, spot.settled_at = spot.settled_at, self.context.at
        spot.differs_since = spot.busy = None
        added = [pile for pile in piles if pile_at(old, pile.x, pile.y) is None]
        kept = [(before, pile) for pile in piles if (before := pile_at(old, pile.x, pile.y)) is not None]
        gone = [pile for pile in old if pile_at(piles, pile.x, pile.y) is None]
        altered = [(before, pile) for before, pile in kept if before.chips != pile.chips]
        if gone and not added:
            since = max(since, spot.seen - BEFORE)
        elif added:
            since = max(since, added[-1].since - LATE)
        if gone and not piles:
            self._emptied(spot, gone, since)
        elif gone and added and not altered and total(gone) == total(added):
            self._shoved(spot, added, since)
        elif gone:
            self._altered(spot, old, piles, gone[0], since)
        else:
            if altered:
                self._altered(spot, old, piles, altered[0][1], since, altered)
            if added:
                self._added(spot, added, since)

    def _actor(self, pile: Pile, since: int, last_seen: int | None = None) -> tuple[int | None, int]:
        """Who worked at a pile, and when they had left (it: a pile that is gone was last seen then)."""
        contacts = self.context.contacts
        until = None if last_seen is not None else pile.since + 300
        touch = contacts.actor(pile.x, pile.y, since, until) or contacts.actor(pile.x, pile.y, since)
        if touch is None:
            return None, self.context.at
        after = touch.when if last_seen is None else min(touch.when, last_seen + 40)
        return touch.who, contacts.cleared(pile.x, pile.y, after, touch.who)

    def _emptied(self, spot: Spot, gone: list[Pile], since: int) -> None:
        who, at = self._actor(gone[0], since, spot.seen)
        where: dict[str, Any] = {"seat": spot.seat, "area": spot.area}
        if who != DEALER and spot.area is Area.JACKPOT and self.electronic:
            return  # the acceptor swallowed it
        if who is None and self.context.at - spot.seen < VANISH:
            spot.piles, spot.settled_at = gone, since
            return  # nobody was there: the eyes missed it
        if who == DEALER:
            self.context.put(ev.WagerTaken, at, amount=total(gone), **where)
        else:
            self.context.put(
                ev.WagerWithdrawn, at, by=who, confidence=1.0 if who is not None else 0.4, **where
            )

    def _shoved(self, spot: Spot, added: list[Pile], since: int) -> None:
        """The same chips stand a little elsewhere."""
        who, at = self._actor(added[0], since)
        if who is not None and self.context.phase.open:
            self.context.put(ev.WagerTouched, at, seat=spot.seat, area=spot.area, by=who)

    def _altered(
        self, spot: Spot, old: list[Pile], piles: list[Pile], where: Pile, since: int,
        altered: list[tuple[Pile, Pile]] | None = None,
    ) -> None:  # fmt: skip
        who, at = self._actor(where, since)
        before, now = total(old), total(piles)
        if who is None:
            self._read_late(spot, before, now, piles)
            return  # nobody was there: the first reading was wrong, and is put right for the next comparison
        fields: dict[str, Any] = {"seat": spot.seat, "area": spot.area}
        settling = who == DEALER and self.context.phase.turned_hole is not None
        if settling and len(piles) >= len(old) and (before is None or now is None or now > before):
            paid = None if before is None or now is None else now - before
            draft = self.context.put(ev.WagerPaid, at, amount=paid, **fields)
            spot.unread = (self._wait(draft), before)
            return
        if before is not None and before == now and len(old) == len(piles):
            return
        chips = piles[0].chips if len(piles) == 1 else None
        draft = self.context.put(ev.WagerChanged, at, amount=now, chips=chips, by=who, **fields)
        spot.unread = (self._wait(draft), 0)

    def _added(self, spot: Spot, added: list[Pile], since: int) -> None:
        who, at = self._actor(added[0], max(since, added[-1].since - LATE))
        amount = total(added)
        chips = added[0].chips if len(added) == 1 else None
        if spot.area is Area.JACKPOT:
            self.staked.add(spot.seat)
            if amount != self.context.settings.jackpot_wager and not added[0].sure:
                amount = chips = None
        fields: dict[str, Any] = {"seat": spot.seat, "area": spot.area, "amount": amount}
        paying = who == DEALER and self.context.phase.first_card is not None
        before = total([pile for pile in spot.piles if pile not in added])
        if paying and spot.area is Area.JACKPOT:
            draft = self.context.put(ev.JackpotPaid, at, seat=spot.seat, amount=amount)
        elif paying:
            draft = self.context.put(ev.WagerPaid, at, chips=chips, **fields)
        else:
            sure = 1.0 if who is not None else 0.6
            draft = self.context.put(
                ev.WagerPlaced, at, chips=chips, tender=added[0].tender, by=who, confidence=sure, **fields
            )
        spot.unread = (self._wait(draft), before)

    def _read_late(self, spot: Spot, before: int | None, now: int | None, piles: list[Pile]) -> None:
        """Chips were read that nobody has touched since they were told of: correct what was told.

        An event that has left is not edited. It is not told again either: order matters in this game, and a wager
        that is told after the call would be a late one. Its amount stays open.
        """
        if spot.unread is None or now is None or before == now:
            return
        draft, base = spot.unread
        told = draft.fields.get("amount")
        amount = None if base is None else now - base
        if amount is None or amount <= 0 or amount == told or (told is not None and before is not None):
            return
        if draft.seq is None:
            draft.fields["amount"] = amount
            if "chips" in draft.fields:
                draft.fields["chips"] = piles[0].chips if len(piles) == 1 else None

    def _wait(self, draft: Draft) -> Draft:
        """Let an event whose chips are not read yet wait for them, and with it whatever comes after it."""
        if draft.fields.get("amount") is None and draft.fields.get("tender", Tender.CHIPS) is Tender.CHIPS:
            draft.wait_for, draft.wait_until = "amount", draft.at + WAIT
        return draft

    @property
    def electronic(self) -> bool:
        """Whether jackpot chips go into an acceptor."""
        return self.context.settings.jackpot is JackpotMode.ELECTRONIC
