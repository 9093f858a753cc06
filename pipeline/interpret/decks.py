"""Decks as blocks: shuffled, cut, loaded, held, counted, put away; chips counted before the tray; players who sit.

A block is seen, or it is not; what happens to it is told from where blocks appear, part, join and vanish.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot
from typing import Final

from engine import events as ev
from engine.events import DEALER, Device, Role, Side
from engine.settings import JackpotMode, Method
from pipeline.interpret.context import Context
from vision.observe import SeenDeck
from vision.tracks import StackTrack

QUIET: Final = 220
CLEAR_OF: Final = 88.0
"""Chips this far (mm) from the dealer's finger tips are all of the row: none is under the hand."""
OVER_TRAY: Final = 150.0
"""A deck held this far out (mm) or farther is over the cloth, not over the tray."""
COVER_WAIT: Final = 900
"""How long (ms) after a cut the cover card may show."""
SPREAD: Final = 5
"""So many backs that lie in the open middle of the table are cards that are spread to be counted."""
RIBBON: Final = 8
"""So many backs in the open middle of the table are a deck that is counted."""


class DeckDesk:
    """The deck in play, as far as it is seen as a block."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.decks = ("A", "B") if context.settings.decks == 2 else ("A",)
        self.ready: str | None = None
        self.parted = 0
        self.apart = False
        self.widest = 0.0
        self.start: tuple[float, float] | None = None
        self.last: tuple[float, float, int] | None = None
        self.cut: tuple[int, int] | None = None
        self.cover: tuple[float, float, int] | None = None
        self.held = False
        self.held_by: Side | None = None
        self.hand_told = False
        self.grip: tuple[Side, int, tuple[float, float]] | None = None
        self.ribbon = 0
        self.ribbon_at = 0
        self.loose_at = 0
        self.reported = False
        self.returning = False
        self.top: str | None = None
        self.pending: tuple[str, int] | None = None

    @property
    def deck(self) -> str:
        """The deck that is being handled: the one that a machine has ready, or the only one."""
        return self.ready or self.context.phase.deck or self.decks[0]

    def heard(self, event: ev.Event) -> None:
        """Take in what a machine says about a deck."""
        if isinstance(event, ev.DeckShuffled | ev.ShufflerReported | ev.ShufflerJammed) and event.deck:
            self.ready = event.deck

    def update(self, loose: int) -> None:
        """Follow blocks; `loose` is how many backs lie in ribbons in the middle of the table."""
        at, blocks = self.context.at, self.context.tracks.decks
        self._ribbons(loose, at)
        if self.cut is not None:
            self._cover_card(at)
        if blocks:
            self._blocks(blocks, at)
        elif self.last is not None and at - self.last[2] > QUIET:
            self._vanished(at)

    def _blocks(self, blocks: Sequence[SeenDeck], at: int) -> None:
        if self.last is None:
            self.start = (blocks[0].x, blocks[0].y)
        main = blocks[0]
        self.top = main.top or self.top
        if len(blocks) >= 2:
            gap = max(hypot(a.x - b.x, a.y - b.y) for a in blocks for b in blocks)
            self.widest = max(self.widest, gap)
            if gap > 45.0:
                self.apart = True
        elif self.apart:
            self.apart = False
            self.parted += 1
        self.last = (main.x, main.y, at)
        if self.context.settings.method is Method.HAND and self.context.phase.first_card is None:
            self._in_hand(main, at)
        hands = self.context.contacts.now(main.x, main.y, 110.0)
        if len(blocks) == 1 and self.parted and not hands:
            self._mixed(at)

    def _mixed(self, at: int) -> None:
        """Both hands have left a block that was parted: a shuffle, or a cut."""
        left = self.context.contacts.left(self.last[0], self.last[1], at - 4000) if self.last else None
        when = at if left is None else left
        if self.widest > 108.0:
            self.context.put(ev.DeckShuffled, when, deck=self.deck, by=Role.DEALER)
        else:
            self.cut = (when, at)
        self.parted, self.widest = 0, 0.0

    def _cover_card(self, at: int) -> None:
        """Tell of a cut when it is known where the cover card went: to the rack, aside, or nowhere to be seen."""
        assert self.cut is not None
        when, since = self.cut
        shown = [one for one in self.context.tracks.things if one.kind == "cut_card"]
        if shown:
            self.cover = (shown[0].x, shown[0].y, at)
        if self.cover is None:
            if at - since > COVER_WAIT:
                self._told_cut(when, None)
            return
        x, y, seen = self.cover
        if at - seen > QUIET and self.context.spots.in_rack(x, y, 160.0):
            self._told_cut(seen + 60, True)
        elif at - since > 2 * COVER_WAIT:
            self._told_cut(when, False if shown else None)

    def _told_cut(self, at: int, racked: bool | None) -> None:
        self.cut = self.cover = None
        self.context.put(ev.DeckCut, at, deck=self.deck, by=Role.DEALER, cover_card_racked=racked)

    def _in_hand(self, block: SeenDeck, at: int) -> None:
        """Tell that the deck was taken in hand, and in which one it is held to deal from."""
        if abs(block.x) > 190.0 or not -60.0 < block.y < 300.0 or hypot(block.x, block.y - 330.0) < 90.0:
            self.grip = None
            return
        side = Side.LEFT if block.x < 0 else Side.RIGHT
        here = (block.x, block.y)
        if self.grip is None or self.grip[0] is not side or dist(self.grip[2], here) > 25.0:
            self.grip = (side, at, here)
        elif at - self.grip[1] >= QUIET:
            if not self.held:
                self.held = True
                self.context.put(ev.DeckLoaded, self.grip[1], deck=self.deck, device=Device.HAND)
                self.held_by = side
            if self.context.phase.open and self.held_by is not side:
                self._tell_hand(self.grip[1])

    def _tell_hand(self, at: int) -> None:
        """Tell in which hand the deck is held."""
        assert self.grip is not None
        side, _, (_, y) = self.grip
        over = y < OVER_TRAY
        self.context.put(ev.DeckHeld, at, hand=side, over_tray=over)
        self.held_by, self.hand_told = side, True

    def dealt(self, at: int) -> None:
        """The first card of a round came: a deck that stayed in the hand that took it up is told now."""
        if self.grip is not None and not self.hand_told:
            self._tell_hand(at - 700)

    def _vanished(self, at: int) -> None:
        assert self.last is not None
        x, y, seen = self.last
        spots = self.context.spots
        exposed = self.top is not None
        self.last, self.held, self.parted, self.top = None, False, 0, None
        self.held_by = self.grip = None
        self.hand_told = False
        if spots.in_rack(x, y, 70.0) or hypot(x - 560.0, y - 85.0) < 220.0:
            if self.returning:
                self.returning = False
                return
            self.context.put(ev.StubPlaced, seen + 60, in_rack=True, exposed=exposed)
        elif spots.in_shoe(x, y, 150.0) and self.context.phase.first_card is None:
            method = self.context.settings.method
            device = Device.SHOE
            if method is Method.PACKETS:
                device = Device.SHUFFLER
            self.context.put(ev.DeckLoaded, seen + 300, deck=self.deck, device=device)

    def _ribbons(self, loose: int, at: int) -> None:
        """Tell that a deck or stub was spread in rows and counted, when it is gathered again.

        How many cards it had is left open: backs in a ribbon hide each other, and the hand is over them.
        """
        if loose >= SPREAD and not self.reported:
            self.ribbon = max(self.ribbon, loose)
            if loose >= 0.9 * self.ribbon:
                self.ribbon_at = at
        if self.ribbon >= SPREAD and loose < 0.45 * self.ribbon and not self.reported:
            self.reported = True
            if self.context.phase.turned_hole is None:
                self.context.put(ev.StubCounted, self.ribbon_at, count=None)
            else:
                self.returning = True
                self.context.put(ev.DeckCounted, self.ribbon_at, deck=self.deck, count=None)
        if loose:
            self.loose_at = at
        elif at - self.loose_at > 1500:
            self.ribbon, self.reported = 0, False


class TableDesk:
    """Chips counted before the tray, and players who come and go."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.seated: set[int] = set()
        self.stash_since: dict[int, int] = {}
        self.empty_since: dict[int, int] = {}
        self.row: dict[int, int] = {}
        self.row_at: int | None = None
        self.row_last = 0
        self.row_told = False

    def update(self) -> None:
        """Look at the players' own chips and at the space before the tray."""
        at = self.context.at
        there: set[int] = set()
        row: list[StackTrack] = []
        for stack in self.context.tracks.stacks:
            if stack.y < 180.0:
                if self.context.spots.before_tray(stack.x, stack.y):
                    row.append(stack)
                continue
            if not stack.resting:
                continue
            seat = self.context.spots.stash(stack.x, stack.y)
            if seat is not None:
                there.add(seat)
        self._players(there, at)
        self._count(row, at)

    def _players(self, there: set[int], at: int) -> None:
        for seat in there:
            self.empty_since.pop(seat, None)
            if seat in self.seated:
                continue
            x, y = self.context.spots.layout.seat(seat).stash.centre
            if self.context.contacts.now(x, y, 110.0):
                self.stash_since.pop(seat, None)
                continue
            since = self.stash_since.setdefault(seat, at)
            if at - since >= 200:
                self.seated.add(seat)
                since = self.context.contacts.cleared(x, y, since, seat, 180.0)
                self.context.put(ev.PlayerSat, since + 80, seat=seat)
        for seat in list(self.seated - there):
            since = self.empty_since.setdefault(seat, at)
            x, y = self.context.spots.layout.seat(seat).stash.centre
            if at - since > 700 and not self.context.contacts.now(x, y, 200.0):
                self.seated.discard(seat)
                self.empty_since.pop(seat)
                self.context.put(ev.PlayerLeft, since, seat=seat)

    def _count(self, row: list[StackTrack], at: int) -> None:
        """Jackpot chips in a row before the tray: the dealer lays them out, and takes them away again.

        The hand hides most of it. Chips that were seen together, free of it, are counted; otherwise the number is
        left open, and only the fact is told.
        """
        phase = self.context.phase
        if not phase.open or phase.called is None or self.row_told:
            self.row_told = self.row_told and phase.open
            return
        tips = [tip for tip in self.context.contacts.tips(DEALER) if self.context.spots.before_tray(*tip)]
        fresh = [stack for stack in row if stack.seen == at]
        hovers = self.context.settings.method is not Method.HAND
        if fresh or (tips and hovers and self.context.settings.jackpot is JackpotMode.ELECTRONIC):
            self.row_at = at if self.row_at is None else self.row_at
            self.row_last = at
        tips = self.context.contacts.tips(DEALER)
        clear = all(hypot(one.x - x, one.y - y) > CLEAR_OF for one in fresh for x, y in tips)
        if fresh and clear and all(one.resting for one in fresh):
            self.row[len(fresh)] = self.row.get(len(fresh), 0) + 1
        dealt = phase.first_card is not None
        if self.row_at is not None and (dealt or at - self.row_last > 2 * QUIET):
            self._row_counted(self.row_at, self.row_last)
            self.row_told = dealt

    def _row_counted(self, first: int, last: int) -> None:
        """Tell of the chips that were counted, if that was more than a hand that passed by."""
        most = max(self.row, default=0)
        if most or last - first > 2 * QUIET:
            count = most if self.row.get(most, 0) >= 2 else None
            self.context.put(ev.JackpotChipsCounted, max(first, last - 450), count=count)
        self.row.clear()
        self.row_at = None


def dealer_is_at(context: Context, x: float, y: float) -> bool:
    """Whether the dealer's hand is near a point now."""
    return DEALER in context.contacts.now(x, y)
