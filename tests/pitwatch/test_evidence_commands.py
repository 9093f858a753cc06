"""From the record to a package that a court can check, by the commands alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from pipeline.record import Record
from pitwatch.cli import main
from simulator.director import legal


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A record with one round of table CS-1."""
    url = f"sqlite:///{tmp_path / 'pitwatch.db'}"
    record = Record.open(url)
    script = legal("s10", 21)
    writer = record.claim(script.settings.table, "s10")
    monitor = Monitor(load_rulebook("s10"), script.settings)
    for event in script.events:
        writer.append(event, monitor.feed(event))
    record.close()
    return url


@pytest.fixture
def round_name(url: str) -> str:
    record = Record.open(url)
    [row] = record.rounds()
    record.close()
    return f"{row.table_name}/{row.round}"


def test_export_and_verify(
    url: str, round_name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = tmp_path / "overview.mp4"
    clip.write_bytes(b"\x00film")
    out, key = tmp_path / "case.zip", tmp_path / "key.pem"
    assert main(
        ["export", round_name, "--record", url, "--out", str(out), "--key", str(key), "--attach", str(clip)]
    ) == 0  # fmt: skip
    assert "signed by" in capsys.readouterr().out
    assert main(["verify", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["holds"] is True
    assert {"clips/overview.mp4", "report.html", "events.jsonl"} <= set(told["manifest"]["files"])
    data = bytearray(out.read_bytes())
    data[data.index(b"\x00film") + 2] ^= 1
    out.write_bytes(bytes(data))
    assert main(["verify", str(out)]) in (1, 2)  # the zip's own checksum notices it first
    said = capsys.readouterr()
    assert "case.zip" in said.out + said.err


def test_reconstruct_writes_a_report_and_notes_who_looked(
    url: str, round_name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "round"
    assert (
        main(["reconstruct", round_name.split("/")[1], "--record", url, "--out", str(out), "--who", "kim"])
        == 0
    )
    assert "0 violation(s)" in capsys.readouterr().out
    assert round_name.split("/")[1] in (out / "report.html").read_text(encoding="utf-8")
    assert (out / "events.jsonl").read_text(encoding="utf-8").count("\n") > 20
    record = Record.open(url)
    assert record.verify_audit() == 1
    record.close()


def test_a_round_that_is_not_there_is_one_clear_line(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reconstruct", "R0", "--record", url, "--out", str(tmp_path / "x")]) == 2
    assert "round R0: not in the record (tables: CS-1)" in capsys.readouterr().err
    assert main(["reconstruct", "R0", "--record", "mysql://x", "--out", str(tmp_path / "x")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
