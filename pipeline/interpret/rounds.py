"""The punctuation of the log: where a round begins and ends, and what follows from signals alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine import events as ev
from engine.events import Event, Pool
from pipeline.interpret.context import Context, Phase

if TYPE_CHECKING:
    from pipeline.interpret.dealer import DealerDesk
    from pipeline.interpret.decks import DeckDesk
    from pipeline.interpret.outbox import Draft
    from pipeline.interpret.seats import SeatDesk

CAGE_WAIT: Final = 0


class RoundDesk:
    """Opens a round with its first wager and closes it when the next begins, or when the table falls silent."""

    def __init__(self, context: Context, seats: SeatDesk, dealer: DealerDesk, decks: DeckDesk) -> None:
        self.context = context
        self.seats, self.dealer, self.decks = seats, dealer, decks
        self.meters: dict[Pool, int] = {}
        self.dealt = False
        self.paid: set[int] = set()
        self.last_event = 0
        self._opened: Draft | None = None

    def heard(self, event: Event) -> None:
        """Take in a signal."""
        phase = self.context.phase
        if isinstance(event, ev.JackpotMeterRead):
            self.meters[event.pool] = event.amount
        elif isinstance(event, ev.NoMoreBetsCalled):
            phase.called = event.at
        elif isinstance(event, ev.PapersCompleted) and event.seat not in self.paid:
            self.context.put(ev.JackpotPaid, event.at - 1, seat=event.seat, amount=None, by_cage=True)

    def update(self) -> None:
        """Open a round when its first wager waits to be told."""
        phase = self.context.phase
        waiting = self.context.outbox.pending()
        for draft in waiting:
            if draft.kind is ev.JackpotPaid:
                self.paid.add(draft.fields["seat"])
        if phase.open and phase.first_card is not None and self._table_clear():
            placed = [d for d in waiting if d.kind is ev.WagerPlaced and d.at > phase.first_card]
            late = [
                d for d in placed if self.context.at - d.at < 400 and d.fields.get("area") == ev.Area.ANTE
            ]
            if late and self._cleared_since is not None and late[0].at > self._cleared_since:
                self._close(late[0].at - 2)
        if not phase.open:
            first = next((d for d in sorted(waiting, key=lambda d: d.at) if _starts(d.kind)), None)
            if first is not None:
                self._open(first.at - 1)

    _cleared_since: int | None = None

    def _table_clear(self) -> bool:
        clear = self.dealer.count == 0 and all(hand.count == 0 for hand in self.seats.hands.values())
        if not clear:
            self._cleared_since = None
        elif self._cleared_since is None:
            self._cleared_since = self.context.at
        return clear

    def _open(self, at: int) -> None:
        phase = self.context.phase
        number = phase.number + 1
        deck = self.decks.ready or (self.decks.decks[0] if len(self.decks.decks) == 1 else None)
        self.context.phase = Phase(open=True, number=number, deck=deck)
        self.context.past_faces.clear()
        self.paid.clear()
        draft = self.context.put(
            ev.RoundOpened, at, round=f"{self.context.settings.table}-{number}", deck=deck
        )
        draft.order = -1

    def _close(self, at: int) -> None:
        self.context.phase.open = False
        self.context.put(ev.RoundClosed, at)

    def finish(self) -> None:
        """Close the round that is open when the film ends."""
        if self.context.phase.open:
            self._close(self.context.at)


def _starts(kind: type[Event]) -> bool:
    return kind in (ev.WagerPlaced, ev.CardDealt, ev.PacketDealt, ev.OralWagerAccepted, ev.CouponRedeemed)
