"""Unclear passages are settings of the rulebook: another value changes the verdict, and alerts name the reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import events as ev
from engine.cards import parse_cards
from engine.checks import CHECKS
from engine.errors import BadRulebook
from engine.events import DEALER, Area
from engine.rulebook import SHIPPED, load_rulebook
from engine.settings import JackpotMode
from tests.engine.checks.scripts import (
    HANDS,
    SEATS,
    Part,
    ante,
    bet,
    call,
    clear,
    close,
    collect,
    deal,
    found,
    jackpot,
    judge,
    opened,
    pay,
    ready,
    reveal,
    step,
    take,
    turn,
    whole,
)

Read = Callable[..., str]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a rulebook that reads one passage otherwise."""

    def make(base: str, **readings: Any) -> str:
        file = tmp_path / f"{base}-{len(list(tmp_path.iterdir()))}.toml"
        lines = [f'extends = "{base}"']
        for name, value in readings.items():
            plain = str(value).lower() if isinstance(value, bool) else f'"{value}"'
            lines += [f"[readings.{name}]", f"value = {plain}"]
        file.write_text("\n".join(lines))
        return str(file)

    return make


def start(book: str, hands: dict[int, str] | None = None, seats: tuple[int, ...] = SEATS) -> list[Part]:
    return [
        ready(book),
        opened(),
        [ante(seat) for seat in seats],
        call(book),
        deal(book, seats, hands=hands),
        [bet(seat) for seat in seats],
        reveal(book, hands=hands),
    ]


def win(seat: int) -> list[Part]:
    return [pay(seat, Area.ANTE, 1000), pay(seat, Area.BET, 2000)]


def lose(seat: int) -> list[Part]:
    return [take(seat, Area.ANTE, 1000), take(seat, Area.BET, 2000)]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_reading_names_checks_that_are_in_force(name: str) -> None:
    book = load_rulebook(name)
    assert book.readings
    for one in book.readings.values():
        assert one.value in one.values
        assert set(one.checks) <= set(book.rules) <= set(CHECKS)


def test_a_value_that_no_check_knows_is_refused(read: Read) -> None:
    with pytest.raises(
        BadRulebook, match=r"readings\.comparison\.value: 'suits' is not one of 'groups', 'cards'"
    ):
        load_rulebook(read("s10", comparison="suits"))


def test_an_alert_shows_the_reading_on_which_it_rests() -> None:
    short = [one for number, one in enumerate(deal("nz")) if number != 3]
    parts = [ready("nz"), opened(), [ante(seat) for seat in SEATS], call("nz"), short, step(ev.RoundVoided)]
    (verdict,) = judge("nz", parts)
    assert (verdict.check, str(verdict.ruling)) == ("deal.player_count", "handled")
    assert "12.11 is read so: A misdeal voids the whole round" in verdict.consequence


def test_nz_12_11_a_misdeal_of_one_hand_voids_the_round_or_that_hand(read: Read) -> None:
    cards = [one for number, one in enumerate(deal("nz")) if number != 3]
    begin = [ready("nz"), opened(), [ante(seat) for seat in SEATS], call("nz"), cards]
    void = [step(ev.HandVoided, seat=2), collect(2, 4), bet(5), reveal("nz"), turn(5), win(5)]
    parts = [begin, void, clear("nz", 5), clear("nz", DEALER), close()]
    one = ("deal.player_count", "12.2", 2)
    assert found(judge("nz", parts)) == ([one], [])
    assert found(judge(read("nz", misdeal_voids="hand"), parts)) == ([], [one])
    assert found(judge("nz", parts, misdeal_voids_one_hand=True)) == ([], [one])


def test_s10_m_4_a_misdealt_player_voids_that_hand_or_the_round(read: Read) -> None:
    cards = [one for number, one in enumerate(deal("s10")) if number != 3]
    begin = [ready("s10"), opened(), [ante(seat) for seat in SEATS], call("s10"), cards]
    void = [step(ev.HandVoided, seat=2), collect(2, 4), bet(5), reveal("s10"), turn(5), win(5)]
    parts = [begin, void, clear("s10", 5), clear("s10", DEALER), close()]
    one = ("deal.player_count", "(m)(4)", 2)
    assert found(judge("s10", parts)) == ([], [one])
    assert found(judge(read("s10", misdealt_player="round"), parts)) == ([one], [])


def test_s10_e_3_pairs_before_single_cards_or_the_highest_card_at_once(read: Read) -> None:
    """The dealer has tens with a king, the player nines with an ace."""
    hands = {5: "9s 9d Ac 5h 4s", 2: "2c 3d 7h 8s Jc", DEALER: "Th Td Kd 6c 8d"}
    paid = [
        turn(5, hands),
        turn(2, hands),
        lose(2),
        clear("s10", 2),
        win(5),
        clear("s10", 5),
        clear("s10", 0),
    ]
    parts = [start("s10", hands), paid, close()]
    wrong = [("settle.wrong_outcome", "(j)(5)(i)", 5)] * 2
    assert found(judge("s10", parts)) == (wrong, [])
    assert found(judge(read("s10", comparison="cards"), parts)) == ([], [])


def test_s10_j_5_i_losers_seat_by_seat_or_all_wagers_first(read: Read) -> None:
    hands = HANDS | {5: "Qs Td 4c 5h 9s"}
    one_by_one = [turn(5, hands), turn(2, hands), lose(5), clear("s10", 5), lose(2), clear("s10", 2)]
    parts = [start("s10", hands), one_by_one, clear("s10", DEALER), close()]
    assert found(judge("s10", parts)) == ([], [])
    strict = read("s10", losers_seat_by_seat=False)
    assert found(judge(strict, parts)) == ([("settle.pass_order", "(j)(5)(i)", 5)], [])


def test_s10_k_1_a_losing_hand_with_a_progressive_win_stays_until_paid(read: Read) -> None:
    hands = {2: "2c 4c 7c 8c Jc", 5: "Qs Qd 4d 5h 9s", DEALER: "Ah Kh 3h 6h 8h"}
    begin = [
        ready("s10"),
        opened(),
        [ante(seat) for seat in SEATS],
        jackpot(2),
        call("s10"),
        step(ev.JackpotChipsCounted, count=1),
        deal("s10", hands=hands),
        [bet(seat) for seat in SEATS],
        reveal("s10", hands=hands),
    ]
    proper = [step(ev.JackpotVerified, seat=2), step(ev.SupervisorConfirmed, seat=2)]
    paid = [proper, step(ev.JackpotPaid, seat=2, amount=5000)]
    early = [turn(5, hands), turn(2, hands), lose(5), clear("s10", 5), lose(2), clear("s10", 2), paid]
    parts = [begin, early, clear("s10", DEALER), close()]
    settings: dict[str, Any] = {"jackpot": JackpotMode.ELECTRONIC}
    assert found(judge("s10", parts, **settings)) == ([("jackpot.cards_taken_early", "(k)(1)", 2)], [])
    other = read("s10", progressive_before_losers=False)
    assert found(judge(other, parts, **settings)) == ([], [])


def test_s10_l_4_the_most_that_one_patron_could_win(read: Read) -> None:
    settings: dict[str, Any] = {"ante_min": 5000, "ante_max": 50_000, "payout_limit": 1_000_000}
    parts = whole("s10")
    told = [one[0] for one in found(judge("s10", parts, **settings))[0]]
    assert "settle.posted_floor" not in told
    told = [one[0] for one in found(judge(read("s10", least_payout_limit="round"), parts, **settings))[0]]
    assert "settle.posted_floor" in told


def test_nz_11_2_limits_of_the_sign_are_judged_or_not(read: Read) -> None:
    settings: dict[str, Any] = {"ante_min": 5000}
    wrong = [("wager.limits", "11.2", seat) for seat in SEATS]
    assert found(judge("nz", whole("nz"), **settings)) == (wrong, [])
    assert found(judge(read("nz", table_limits="none"), whole("nz"), **settings)) == ([], [])


def test_nz_5_1_c_a_blind_bet_is_twice_the_ante_or_anything(read: Read) -> None:
    early = [
        ready("nz"),
        opened(),
        [ante(seat) for seat in SEATS],
        bet(5, 1000),
        call("nz"),
        deal("nz"),
        bet(2),
    ]
    paid = [pay(5, Area.ANTE, 1000), pay(5, Area.BET, 1000), clear("nz", 5)]
    rest = [reveal("nz"), turn(5), paid, turn(2), lose(2), clear("nz", 2), clear("nz", DEALER), close()]
    settings: dict[str, Any] = {"blind_bets": True}
    wrong = [("wager.bet_amount", "5.3", 5)]
    assert found(judge("nz", early, rest, **settings)) == (wrong, [])
    assert found(judge(read("nz", blind_bet_amount="any"), early, rest, **settings)) == ([], [])


def test_nz_12_5_the_dealers_own_cards_do_not_count_unless_read_so(read: Read) -> None:
    """A card of seat 5 and two of the dealer's showed; 12.7 speaks of the dealer's, whatever their number."""
    up = parse_cards(HANDS[DEALER])
    cards = deal("nz")
    shown = [(kind, dict(fields)) for kind, fields in cards]
    first = parse_cards(HANDS[5])[:1]
    for number, face in ((1, first[0]), (5, up[1]), (8, up[2])):
        shown[number][1].update(face_up=True, card=face)
    down = step(ev.CardsTurned, seat=5, cards=first, face_up=False, by=DEALER, position=1)
    last = [*shown[:2], down, *shown[2:14], step(ev.CardDealt, seat=DEALER, back="red")]
    rest = [step(ev.CardsTurned, seat=DEALER, cards=(up[0], up[3], up[4]), by=DEALER), turn(5), win(5)]
    begin = [ready("nz"), opened(), [ante(seat) for seat in SEATS], call("nz"), last]
    bets = [bet(seat) for seat in SEATS]
    parts = [
        begin,
        bets,
        rest,
        clear("nz", 5),
        turn(2),
        lose(2),
        clear("nz", 2),
        clear("nz", DEALER),
        close(),
    ]
    several = "deal.several_exposed"
    assert several not in [one.check for one in judge("nz", parts)]
    assert several in [one.check for one in judge(read("nz", exposed_cards_counted="all"), parts)]


def test_nz_11_14_a_count_before_the_payout_will_do_unless_read_otherwise(read: Read) -> None:
    hands = {2: "2c 3d 7h 8s Jc", 5: "2h 4h 9h Th Jh", DEALER: "Ah Kd 3s 6c 8d"}
    begin = [
        ready("nz"),
        opened(),
        [ante(seat) for seat in SEATS],
        jackpot(5),
        call("nz"),
        deal("nz", hands=hands),
    ]
    won = [turn(5, hands), pay(5, Area.ANTE, 1000), pay(5, Area.BET, 10_000)]
    lost = [turn(2, hands), lose(2), clear("nz", 2)]
    proper = [step(ev.JackpotVerified, seat=5), step(ev.SupervisorConfirmed, seat=5)]
    paid = [step(ev.DeckCounted, deck="A", count=52), proper, step(ev.JackpotPaid, seat=5, amount=10_000)]
    bets = [bet(seat) for seat in SEATS]
    rest = [bets, reveal("nz", hands=hands), won, lost, paid, clear("nz", 5), clear("nz", DEALER), close()]
    settings: dict[str, Any] = {"jackpot": JackpotMode.ELECTRONIC}
    assert found(judge("nz", begin, rest, **settings)) == ([], [])
    wrong = [("deck.jackpot_count", "11.14", 5)]
    after = read("nz", deck_count_at_jackpot="after")
    assert found(judge(after, begin, rest, **settings)) == (wrong, [])
