"""Evidence with pictures: the round's clip is the camera's own packets, findings have stills, the PDF is one."""

from __future__ import annotations

import json
import threading
import zipfile
from pathlib import Path

import pytest

from engine.cards import Card
from engine.rulebook import load_rulebook
from pipeline.capture import Capture, FrameClock, SourceSpec
from pipeline.evidence import verify_package
from pipeline.judge import TableJudge
from pipeline.reconstruct import expected_rack, rebuild, report_pdf, tell
from pipeline.record import Record
from pipeline.record.spool import Spool
from pipeline.video import Tape
from pitwatch.cli import main
from simulator.director import legal
from simulator.director.irregularities import REGISTRY
from tests.pipeline.film import make_film


@pytest.fixture
def house(tmp_path: Path) -> tuple[str, Path]:
    """A record with one crooked round, and video of all of it at one frame a second."""
    script = next(REGISTRY[name] for name in sorted(REGISTRY) if name.startswith("wager.bet_amount")).make(
        "nz", 4
    )
    seconds = script.events[-1].at // 1000 + 10
    film = make_film(tmp_path / "film.mp4", frames=seconds, width=64, height=48, fps=1)
    tape = Tape(tmp_path / "video", script.settings.table, "overview", 30_000)
    sink = type("Sink", (), {"put": lambda *_: True})()
    Capture(SourceSpec(str(film), paced=False), sink, tape, FrameClock(film=True)).run(threading.Event())
    url = f"sqlite:///{tmp_path / 'record.db'}"
    record = Record.open(url)
    TableJudge.take_up(record, load_rulebook("nz"), script.settings, Spool(tmp_path / "spool")).feed_all(
        script.events
    )
    record.close()
    return url, tmp_path


def test_a_package_holds_clip_stills_and_both_reports(house: tuple[str, Path]) -> None:
    url, folder = house
    record = Record.open(url)
    [row] = record.rounds()
    name = f"{row.table_name}/{row.round}"
    record.close()
    out = folder / "case.zip"
    options = ["--record", url, "--video", str(folder / "video")]
    assert main(["export", name, *options, "--key", str(folder / "key.pem"), "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as package:
        names = set(package.namelist())
        assert {"clips/overview.mp4", "report.html", "report.pdf", "events.jsonl"} <= names
        assert package.read("report.pdf").startswith(b"%PDF-")
        assert any(one.startswith("stills/overview-") for one in names)
        assert b"data:image/jpeg" in package.read("report.html")
    assert verify_package(out)[0] == []
    code = main(["reconstruct", name, *options, "--out", str(folder / "round"), "--rack", "2c 3c 4c"])
    assert code in (0, 1)
    assert (folder / "round" / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert isinstance(json.loads((folder / "round" / "rack.json").read_text()), list)


@pytest.mark.parametrize("rulebook", ["nz", "s10"])
@pytest.mark.parametrize("seed", range(6))
def test_hands_are_rebuilt_from_the_order_of_the_rack(rulebook: str, seed: int) -> None:
    script = legal(rulebook, seed)
    [truth] = script.truth.rounds
    rack: list[Card] = []
    for packet in expected_rack(script.events):
        held = truth.hands[packet.seat] if packet.seat is not None else packet.cards
        rack += [*packet.cards, *(card for card in held if card not in packet.cards)][: packet.count]
    hands = rebuild(script.events, rack)
    assert hands[0].on_top
    for one in hands:
        assert one.why == ""
        assert one.seat is None or set(one.cards) <= set(truth.hands[one.seat])
    assert "cards are in the rack" in rebuild(script.events, rack[:-1])[-1].why
    unread = [Card.parse("??")] * len(rack)
    assert all(one.why == "not every card was read" for one in rebuild(script.events, unread))


def test_a_pdf_can_say_anything(tmp_path: Path) -> None:
    story = tell(legal("s10", 5).events)
    assert report_pdf([story, story], "Straße ♥ 東京 \x00").startswith(b"%PDF-")
