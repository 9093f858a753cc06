"""Following the record and pushing: everything once, nothing missed, whatever was cut off in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from engine import events as ev
from pipeline.record import Record, RecordAway
from pipeline.record.queries import heads
from pipeline.record.schema import TableRow
from pitwatch.data import shipped
from pitwatch.replaying import Replay, load_log
from room.api.stream import _messages
from room.read.belief import believe
from room.read.folding import Folding
from room.read.live import catch_up
from room.read.tables import House
from room.services import Room, RoomConfig


def empty_room(folder: Path) -> Room:
    return Room(RoomConfig(f"sqlite:///{folder / 'record.db'}", folder, quick_passwords=True))


def play_one(room: Room, name: str, table: str, folder: Path) -> None:
    Replay(room.record, table, [load_log(shipped("datasets") / "logs" / name)], folder).run()


def test_what_happens_is_pushed_once_and_in_order(tmp_path: Path) -> None:
    room = empty_room(tmp_path)
    page = room.live.subscribe(lambda: None)
    room.live.look()
    play_one(room, "nz-wager-late", "CS-1", tmp_path)
    for _ in range(3):
        room.live.look()
    alerts = [one for one in page.waiting if one.name == "alert"]
    assert [one.data["check"] for one in alerts] == ["wager.late"]
    room.record.act(alerts[0].data["id"], "vera", "acknowledged")
    room.live.look()
    room.live.look()
    actions = [one for one in page.waiting if one.name == "action"]
    assert [(one.data["who"], one.data["state"]) for one in actions] == [("vera", "acknowledged")]
    assert actions[0].cursor == heads(room.record)
    (tile,) = room.live.tables()
    assert tile["table"] == "CS-1"
    assert tile["phase"] == "closed"
    room.close()


def test_a_page_that_was_away_gets_what_it_missed(tmp_path: Path) -> None:
    room = empty_room(tmp_path)
    play_one(room, "nz-wager-late", "CS-1", tmp_path)
    before = heads(room.record)
    play_one(room, "s10-settle-wrong-outcome", "CS-2", tmp_path)
    room.record.act(2, "vera", "acknowledged")
    missed = catch_up(room.record, before)
    new = [one.data["id"] for one in missed if one.name == "alert" and one.data["id"] > before[0]]
    assert new == [2, 3]
    assert [one.data["what"] for one in missed if one.name == "action"] == ["acknowledged"]
    assert missed[-1].cursor == heads(room.record)
    room.close()


def test_the_stream_takes_up_at_its_cursor_and_goes_on_live(tmp_path: Path) -> None:
    room = empty_room(tmp_path)
    play_one(room, "nz-wager-late", "CS-1", tmp_path)
    room.live.start()

    async def read() -> list[str]:
        lines: list[str] = []
        stream = cast(AsyncIterator[bytes], _messages(room, (0, 0), "CS-1"))
        async for chunk in stream:
            lines.append(chunk.decode())
            if "event: hello" in lines[-1]:
                await asyncio.to_thread(play_one, room, "s10-wager-bet-amount", "CS-2", tmp_path)
            if sum("event: alert" in one for one in lines) == 2:
                break
        await stream.aclose()  # type: ignore[attr-defined]
        return lines

    lines = asyncio.run(asyncio.wait_for(read(), 60))
    alerts = [one for one in lines if "event: alert" in one]
    assert [json.loads(one.split("data: ")[1])["check"] for one in alerts] == [
        "wager.late",
        "wager.bet_amount",
    ]
    assert alerts[0].startswith("id: 1.0\n")
    assert not any("event: belief" in one and '"table":"CS-2"' in one for one in lines)
    room.close()


def test_the_record_away_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = empty_room(tmp_path)
    page = room.live.subscribe(lambda: None)
    room.live.look()

    def away() -> list[TableRow]:
        raise RecordAway("record: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(room.record, "tables", away)
        room.live.look()
    assert page.waiting[-1].data == {"problem": "record: the disk is full"}
    room.live.look()
    assert page.waiting[-1].data == {"problem": ""}
    room.close()


def test_a_belief_knows_what_it_cannot_see() -> None:
    log = load_log(shipped("datasets") / "logs" / "nz-wager-late")
    folding = Folding(log.settings.seats)
    for event in log.events:
        folding.feed(event)
    last = log.events[-1]
    folding.feed(
        ev.ViewBlocked(seq=last.seq + 1, at=last.at, table="CS-1", zone="seat:2", why="a tray in front")
    )
    belief = believe(folding.state, House().book("nz"), log.settings, folding.seq, folding.at)
    assert [one["name"] for one in belief["unseen"]] == ["seat 2"]
    assert belief["seats"][1]["unseen"] == "a tray in front"
    assert belief["seats"][0]["unseen"] == ""


def test_a_retracted_event_is_taken_back() -> None:
    folding = Folding(7)
    folding.feed(ev.RoundOpened(seq=1, at=0, table="t", round="r1"))
    folding.feed(ev.WagerPlaced(seq=2, at=1, table="t", seat=3, area=ev.Area.ANTE, amount=500))
    assert folding.state.seats[3].ante is not None
    folding.feed(ev.EventRetracted(seq=3, at=2, table="t", retracts=2, why="a shadow"))
    assert folding.state.seats[3].ante is None
    assert folding.state.round is not None


def test_what_is_due_before_the_reveal_is_not_known_and_not_doubted(tmp_path: Path) -> None:
    log = load_log(shipped("datasets") / "logs" / "s10-settle-wrong-outcome")
    folding = Folding(log.settings.seats)
    outcomes: dict[str, set[str | None]] = {}
    for event in log.events:
        folding.feed(event)
        belief = believe(folding.state, House().book("s10"), log.settings, event.seq, event.at)
        outcomes.setdefault(belief["phase"], set()).update(one["outcome"] for one in belief["seats"])
    assert outcomes["deciding"] <= {None, "fold"}
    assert "lose" in outcomes["closed"]
    assert "undecided" not in outcomes["closed"]


def test_records_without_settings_still_show(tmp_path: Path) -> None:
    record = Record.open(f"sqlite:///{tmp_path / 'record.db'}")
    record.claim("CS-9", "nz", "not json")
    info = House().table(record, "CS-9")
    assert info.settings.table == "CS-9"
    assert info.settings.seats == 7
    record.close()
