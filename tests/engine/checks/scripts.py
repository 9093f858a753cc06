"""Small scripts for tests of checks: steps without numbers and times, pieces of a round, and a judge.

A step is an event type with its fields; `log` numbers and times them. `wait` in a step lets milliseconds pass first.
The pieces make a plain legal round with two players, so that a test says only what is odd about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engine import events as ev
from engine.cards import SUITS, Card, parse_cards
from engine.events import DEALER, Area, Device, Event, Role, Side
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.settings import JackpotMode, Method, TableSettings
from engine.verdicts import Ruling, Verdict

Step = tuple[type[Event], dict[str, Any]]
Said = tuple[str, str, int | None]
Part = Any
"""A step, or a list of parts; its type would be recursive."""

SEATS = (2, 5)
HANDS = {2: "2c 3d 7h 8s Jc", 5: "Qs Qd 4c 5h 9s", DEALER: "Ah Kd 3s 6c 8d"}
"""Seat 2 has odd cards, seat 5 a pair of queens, the dealer ace-king: seat 2 loses, seat 5 wins."""


def step(kind: type[Event], **fields: Any) -> Step:
    """Return one step."""
    return kind, fields


def _flat(parts: Iterable[Part]) -> Iterable[Step]:
    for part in parts:
        if isinstance(part, tuple) and part and isinstance(part[0], type):
            yield part
        else:
            yield from _flat(part)


def log(*parts: Part, table: str = "t") -> list[Event]:
    """Number and time steps, half a second apart."""
    events: list[Event] = []
    clock = 0
    for seq, (kind, fields) in enumerate(_flat(parts), start=1):
        own = dict(fields)
        clock += 500 + own.pop("wait", 0)
        events.append(kind(seq=seq, at=clock, table=table, **own))
    return events


def judge(book: str, *parts: Part, group: str = "", **settings: Any) -> list[Verdict]:
    """Return what the monitor says about a script; `group` keeps only the checks of one group."""
    if "jackpot" in settings:
        settings["jackpot"] = JackpotMode(settings["jackpot"])
    verdicts = Monitor(load_rulebook(book), TableSettings(**settings)).feed_all(log(*parts))
    return [one for one in verdicts if one.check.startswith(group)]


def said(verdicts: Iterable[Verdict]) -> list[tuple[str, str, str, int | None]]:
    """Return ruling, check, clause and seat of each verdict."""
    return [(str(one.ruling), one.check, one.clause, one.seat) for one in verdicts]


def found(verdicts: Iterable[Verdict]) -> tuple[list[Said], list[Said]]:
    """Return check, clause and seat of the violations, and of what was put right."""
    told = list(verdicts)
    both = [
        [(one.check, one.clause, one.seat) for one in told if one.ruling is ruling]
        for ruling in (Ruling.VIOLATION, Ruling.HANDLED)
    ]
    return both[0], both[1]


def ready(
    book: str, deck: str = "A", method: Method = Method.SHOE, machine: bool | None = None
) -> list[Step]:
    """Shuffle, cut and load a deck as the rulebook asks."""
    machine = method is Method.HAND if machine is None else machine
    steps = [step(ev.DeckShuffled, deck=deck, by=Role.MACHINE if machine else Role.DEALER)]
    if not machine:
        racked = True if book == "s10" else None
        steps.append(step(ev.DeckCut, deck=deck, by=Role.DEALER, cards=20, cover_card_racked=racked))
    device = {Method.SHOE: Device.SHOE, Method.HAND: Device.HAND, Method.PACKETS: Device.AUTO_SHOE}[method]
    if book == "nz" and method is Method.PACKETS:
        device = Device.SHUFFLER
    return [*steps, step(ev.DeckLoaded, deck=deck, device=device)]


def opened(round: str = "r1", deck: str | None = "A", redeal: bool = False) -> Step:
    """Open the bets."""
    return step(ev.RoundOpened, round=round, deck=deck, redeal=redeal)


def wager(seat: int, area: Area, amount: int | None, **fields: Any) -> Step:
    """Let the player of a seat make a wager of one chip, or as the fields say."""
    chips = None if amount is None else (amount,)
    return step(
        ev.WagerPlaced, **{"seat": seat, "area": area, "amount": amount, "chips": chips, "by": seat} | fields
    )


def ante(seat: int, amount: int | None = 1000, **fields: Any) -> Step:
    """Let a player make an ante."""
    return wager(seat, Area.ANTE, amount, **fields)


def bet(seat: int, amount: int | None = 2000, **fields: Any) -> Step:
    """Let a player make a bet."""
    return wager(seat, Area.BET, amount, **fields)


def jackpot(seat: int, amount: int | None = 100, lit: bool = True, **fields: Any) -> list[Step]:
    """Let a player make a jackpot wager, whose light goes on."""
    light = [step(ev.AcceptorLightChanged, seat=seat, lit=True)] if lit else []
    return [wager(seat, Area.JACKPOT, amount, **fields), *light]


def call(book: str) -> list[Step]:
    """Call "no more bets" and, under s10, press the lock-out."""
    return [step(ev.NoMoreBetsCalled), *([step(ev.LockOutPressed)] if book == "s10" else [])]


def deal(
    book: str,
    seats: Sequence[int] = SEATS,
    method: Method = Method.SHOE,
    back: str | None = "red",
    hands: dict[int, str] | None = None,
) -> list[Step]:
    """Deal five cards to each seat and the dealer; players' cards stay unread, the dealer's up-card shows."""
    dealer = parse_cards((hands or HANDS)[DEALER])
    if method is Method.PACKETS:
        packets = [step(ev.PacketDealt, seat=seat, count=5, back=back) for seat in (*seats, DEALER)]
        spread = [step(ev.HandSpread, seat=DEALER, count=5)] if book == "s10" else []
        up = step(ev.CardsTurned, seat=DEALER, cards=dealer[:1], by=DEALER, position=1)
        return [*packets, *stub(book, len(seats)), *spread, up]
    steps: list[Step] = []
    up_turn = 5 if book == "nz" else 1
    held = [step(ev.DeckHeld, hand=Side.LEFT, over_tray=True)] if method is Method.HAND else []
    for turn in range(1, 6):
        steps += [step(ev.CardDealt, seat=seat, back=back, hand=Side.RIGHT) for seat in seats]
        shown = {"face_up": True, "card": dealer[turn - 1]} if turn == up_turn else {}
        steps.append(step(ev.CardDealt, seat=DEALER, back=back, hand=Side.RIGHT, **shown))
    return [*held, *steps, *stub(book, len(seats))]


def stub(book: str, players: int, count: int | None = None) -> list[Step]:
    """Put the stub into the rack; `count` it first if a number is given."""
    counted = [step(ev.StubCounted, count=count)] if count is not None else []
    return [*counted, step(ev.StubPlaced)] if book == "s10" else []


def reveal(book: str, method: Method = Method.SHOE, hands: dict[int, str] | None = None) -> list[Step]:
    """Turn the dealer's hole cards."""
    dealer = parse_cards((hands or HANDS)[DEALER])
    up = 5 if book == "nz" and method is not Method.PACKETS else 1
    hole = tuple(card for number, card in enumerate(dealer, start=1) if number != up)
    return [step(ev.CardsTurned, seat=DEALER, cards=hole, by=DEALER)]


def turn(seat: int, hands: dict[int, str] | None = None) -> Step:
    """Turn a player's hand face up."""
    return step(ev.CardsTurned, seat=seat, cards=parse_cards((hands or HANDS)[seat]), by=DEALER)


def take(seat: int, area: Area, amount: int) -> Step:
    """Let the dealer take a wager."""
    return step(ev.WagerTaken, seat=seat, area=area, amount=amount)


def pay(seat: int, area: Area, amount: int) -> Step:
    """Let the dealer pay a wager."""
    return step(ev.WagerPaid, seat=seat, area=area, amount=amount)


def collect(seat: int, count: int = 5, back: str | None = "red", **fields: Any) -> Step:
    """Let the dealer put a hand into the rack."""
    return step(ev.CardsCollected, **{"seat": seat, "count": count, "back": back, "in_order": True} | fields)


def clear(book: str, seat: int, back: str | None = "red") -> list[Step]:
    """Let the dealer put a hand into the rack, under nz after a count."""
    counted = [step(ev.HandCounted, seat=seat, count=5)] if book == "nz" and seat != DEALER else []
    return [*counted, collect(seat, back=back)]


def settle(book: str, back: str | None = "red") -> list[Part]:
    """Settle the two hands of `HANDS`: seat 5 wins, seat 2 loses."""
    win: list[Part] = [pay(5, Area.ANTE, 1000), pay(5, Area.BET, 2000)]
    lose: list[Part] = [take(2, Area.ANTE, 1000), take(2, Area.BET, 2000)]
    if book == "nz":
        return [turn(5), win, clear(book, 5, back), turn(2), lose, clear(book, 2, back), clear(book, 0, back)]
    return [turn(5), turn(2), lose, clear(book, 2, back), win, clear(book, 5, back), clear(book, 0, back)]


def close() -> Step:
    """Close the round."""
    return step(ev.RoundClosed)


def sat(*seats: int) -> list[Step]:
    """Let players sit down."""
    return [step(ev.PlayerSat, seat=seat, player=f"p{seat}") for seat in seats or SEATS]


def whole(
    book: str,
    round: str = "r1",
    deck: str = "A",
    method: Method = Method.SHOE,
    back: str | None = "red",
    machine: bool | None = None,
) -> list[Part]:
    """Return a whole legal round with two players, from the shuffle to its end."""
    return [
        ready(book, deck, method, machine),
        opened(round, deck),
        [ante(seat) for seat in SEATS],
        call(book),
        deal(book, method=method, back=back),
        [bet(seat) for seat in SEATS],
        reveal(book, method),
        settle(book, back),
        close(),
    ]


def in_order() -> tuple[Card, ...]:
    """Return a deck by suit in sequence."""
    return tuple(Card(rank, suit) for suit in SUITS for rank in range(2, 15))


def opening(deck: str = "A", back: str = "red", wash: bool = True) -> list[Step]:
    """Bring a deck, inspect it twice, spread and wash it."""
    return [
        step(ev.DeckBrought, deck=deck, back=back),
        step(ev.DeckInspected, deck=deck, by=Role.DEALER),
        step(ev.DeckInspected, deck=deck, by=Role.SUPERVISOR),
        step(ev.DeckSpread, deck=deck, cards=in_order()),
        *([step(ev.DeckWashed, deck=deck)] if wash else []),
    ]
