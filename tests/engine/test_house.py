"""Several tables of one house: each judged by itself, and what only shows between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from engine import events as ev
from engine.errors import BadSettings
from engine.events import Event, Pool
from engine.monitor import Monitor
from engine.monitor.house import HouseMonitor
from engine.rulebook import load_rulebook
from engine.settings import JackpotMode, TableSettings
from engine.verdicts import Verdict
from tests.engine.checks.scripts import log, said, step, whole
from tests.engine.checks.test_jackpot_checks import HANDS, METER, end, meter, paid, settled, start

NZ, S10 = load_rulebook("nz"), load_rulebook("s10")


def table(name: str, **more: Any) -> TableSettings:
    return TableSettings(**{"table": name, "jackpot": JackpotMode.ELECTRONIC} | more)


def house(*settings: TableSettings, book: Any = NZ) -> HouseMonitor:
    return HouseMonitor(book, {one.table: one for one in settings})


def won(name: str, pause: int = 0, before: int = 0, rate: int = 75) -> list[Event]:
    """Return a round at one table in which seat 6 wins a jackpot with a flush, after a pause before its payout."""
    wait = step(ev.JackpotVerified, seat=6, wait=pause)
    round_ = [
        start("nz", HANDS, "electronic", rate),
        settled("nz", (6,)),
        wait,
        paid(6, 10_000),
        end("nz", 6),
    ]
    return [replace(event, at=event.at + before) for event in log(*round_, table=name)]


def together(*logs: Iterable[Event]) -> list[Event]:
    """Return the events of several tables in the order of their times."""
    return sorted((event for one in logs for event in one), key=lambda event: (event.at, event.table))


def of(check: str, verdicts: list[Verdict]) -> list[tuple[Any, ...]]:
    return [(str(v.ruling), v.table, v.seat, v.clause) for v in verdicts if v.check == check]


def test_one_table_is_judged_as_by_its_own_monitor() -> None:
    events = won("A", rate=10)
    alone = Monitor(NZ, table("A")).feed_all(events)
    assert house(table("A")).feed_all(events) == alone
    assert ("violation", "jackpot.meter_rate", "11.6", None) in said(alone)


def test_tables_do_not_disturb_each_other() -> None:
    logs = [log(whole("nz"), table=name) for name in ("A", "B")]
    quiet = [TableSettings(table=name) for name in ("A", "B")]
    apart = [verdict for one in logs for verdict in Monitor(NZ, quiet[0]).feed_all(one)]
    verdicts = house(*quiet).feed_all(together(*logs))
    assert sorted(said(verdicts)) == sorted(said(apart))


def test_without_settings_tables_have_the_defaults() -> None:
    monitor = HouseMonitor(NZ)
    monitor.feed_all(log(whole("nz"), table="X"))
    assert monitor.monitors["X"].settings == TableSettings(table="X")


def test_events_of_a_table_without_settings_are_refused_by_name() -> None:
    with pytest.raises(BadSettings, match=r"table: 'B'.*A"):
        house(table("A")).feed(ev.RoundOpened(seq=1, at=0, table="B", round="r1"))


def test_nz_11_11_the_hand_that_got_its_first_card_first_is_paid_first() -> None:
    first, second = won("A"), won("B", pause=20_000, before=300)
    assert not of("jackpot.priority", house(table("A"), table("B")).feed_all(together(first, second)))
    late, early = won("A", pause=20_000), won("B", before=300)
    verdicts = house(table("A"), table("B")).feed_all(together(late, early))
    assert of("jackpot.priority", verdicts) == [("violation", "B", 6, "11.11")]
    (alert,) = [one for one in verdicts if one.check == "jackpot.priority"]
    assert "seat 6 of table A comes first" in alert.expected


def test_nz_11_11_at_the_same_millisecond_it_cannot_be_told() -> None:
    verdicts = house(table("A"), table("B")).feed_all(together(won("A", pause=20_000), won("B")))
    assert of("jackpot.priority", verdicts) == [("cannot_tell", "B", 6, "11.11")]


def test_nz_11_11_a_hand_that_still_lies_face_down_has_no_claim_yet() -> None:
    waiting = won("A")
    turned = next(
        n for n, event in enumerate(waiting) if isinstance(event, ev.CardsTurned) and event.seat == 6
    )
    later = [event if n < turned else replace(event, at=event.at + 60_000) for n, event in enumerate(waiting)]
    verdicts = house(table("A"), table("B")).feed_all(together(later, won("B", before=300)))
    assert not of("jackpot.priority", verdicts)


def test_tables_with_other_jackpots_do_not_wait_for_each_other() -> None:
    apart = (table("A", jackpot_link="gold"), table("B", jackpot_link="silver"))
    verdicts = house(*apart).feed_all(together(won("A", pause=20_000), won("B", before=300)))
    assert not of("jackpot.priority", verdicts)


def test_nz_11_6c_with_sub_pools_only_the_major_pool_has_an_order() -> None:
    pools = (table("A", sub_pools=True), table("B", sub_pools=True))
    verdicts = house(*pools).feed_all(together(won("A", pause=20_000), won("B", before=300)))
    assert not of("jackpot.priority", verdicts)


def test_s10_has_no_order_between_tables() -> None:
    verdicts = house(table("A"), table("B"), book=S10).feed_all(
        together(won("A", pause=20_000), won("B", before=300))
    )
    assert not of("jackpot.priority", verdicts)


def test_a_reading_at_one_table_is_known_at_the_others() -> None:
    monitor = house(table("A"), table("B"), table("C", jackpot_link="own"))
    for name in "ABC":
        monitor.feed(ev.RoundOpened(seq=1, at=0, table=name, round="r1"))
    monitor.feed(ev.JackpotMeterRead(seq=2, at=5, table="A", amount=777, pool=Pool.MAIN))
    shown = {name: one.state.meters.get(Pool.MAIN) for name, one in monitor.monitors.items()}
    assert shown == {"A": 777, "B": 777, "C": None}


def staked(name: str, seat: int, before: int, meter_after: int | None) -> list[Event]:
    """Return a round of one jackpot wager, after which the meter of the house shows an amount."""
    steps = [
        (ev.RoundOpened, {"round": "r1"}),
        (ev.WagerPlaced, {"seat": seat, "area": ev.Area.ANTE, "amount": 1000}),
        (ev.WagerPlaced, {"seat": seat, "area": ev.Area.JACKPOT, "amount": 100}),
        (ev.AcceptorLightChanged, {"seat": seat, "lit": True}),
        *([] if meter_after is None else [meter(meter_after)]),
        (ev.RoundClosed, {"wait": 10_000}),
    ]
    return [replace(event, at=event.at + before) for event in log(*steps, table=name)]


def test_nz_11_6_the_meter_takes_in_the_wagers_of_all_tables() -> None:
    opening: list[Event] = [
        ev.RoundOpened(seq=1, at=0, table="A", round="r0"),
        ev.JackpotMeterRead(seq=2, at=1, table="A", amount=METER),
        ev.RoundClosed(seq=3, at=2, table="A"),
    ]
    settings = (table("A"), table("B"))

    def rates(last: int) -> list[tuple[Any, ...]]:
        rest = [replace(event, seq=event.seq + 3) for event in staked("A", 3, 100, METER + 75)]
        both = together(opening, rest, staked("B", 5, 400, last))
        return of("jackpot.meter_rate", house(*settings).feed_all(both))

    assert rates(METER + 150) == []
    assert [one[0] for one in rates(METER + 80)] == ["violation"]
