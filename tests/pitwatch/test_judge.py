"""The command line as a user meets it: exit codes, one clear line for bad input, and output that programs can read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitwatch.cli import main
from simulator.director import legal
from simulator.director.irregularities import REGISTRY
from simulator.logs import write_events_only


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    write_events_only(legal("nz", 5), tmp_path / "clean")
    return tmp_path / "clean"


@pytest.fixture
def crooked(tmp_path: Path) -> Path:
    name = next(name for name in sorted(REGISTRY) if name.startswith("wager.bet_amount"))
    write_events_only(REGISTRY[name].make("s10", 3), tmp_path / "crooked")
    return tmp_path / "crooked"


def judge(folder: Path, rulebook: str, *more: str) -> int:
    return main(
        [
            "judge",
            str(folder / "truth.jsonl"),
            "--rulebook",
            rulebook,
            "--table",
            str(folder / "table.toml"),
            *more,
        ]
    )


def test_a_clean_log_writes_nothing_and_exits_0(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(clean, "nz") == 0
    assert capsys.readouterr().out == ""


def test_a_violation_is_a_json_line_and_exits_1(crooked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(crooked, "s10") == 1
    alerts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    expected = [json.loads(line) for line in (crooked / "expected.jsonl").read_text().splitlines()]
    found = [one for one in alerts if one["verdict"] == "violation"]
    assert [(one["check"], one["clause"], one["seat"]) for one in found] == [
        (one["check"], one["clause"], one["seat"]) for one in expected
    ]
    assert found[0]["expected"] != ""
    assert found[0]["observed"] != ""
    assert found[0]["events"]


def test_judging_twice_gives_the_same_bytes(crooked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judge(crooked, "s10")
    first = capsys.readouterr().out
    judge(crooked, "s10")
    assert capsys.readouterr().out == first


def test_pretty_names_clause_amounts_and_place(crooked: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge(crooked, "s10", "--pretty") == 1
    out = capsys.readouterr().out
    assert "s10 (a)(1)(ii)" in out
    assert "expected" in out
    assert "1 violation(s)" in out


def bad(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Return the one line that a bad call prints."""
    assert main(list(args)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said


def test_a_bad_line_names_file_line_and_field(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = clean / "truth.jsonl"
    lines = log.read_text().splitlines()
    lines[6] = lines[6].replace('"seq":7', '"seq":"seven"')
    log.write_text("\n".join(lines))
    said = bad(capsys, "judge", str(log), "--rulebook", "nz")
    assert said == f'pitwatch: {log}, line 7, seq: "seven" is not a whole number\n'


def test_missing_log_missing_rulebook_and_wrong_table_file(
    clean: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = str(clean / "truth.jsonl")
    assert "nowhere.jsonl: no such file" in bad(capsys, "judge", "nowhere.jsonl", "--rulebook", "nz")
    assert "rulebook 'xx'" in bad(capsys, "judge", log, "--rulebook", "xx")
    table = tmp_path / "broken.toml"
    table.write_text('name = "CS-1"\nrulebok = "nz"\n')
    said = bad(capsys, "judge", log, "--rulebook", "nz", "--table", str(table))
    assert "broken.toml" in said
    assert "rulebok" in said


def test_a_log_that_is_not_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "film.mp4").write_bytes(b"\x00\x00\x00\x18ftypmp42\xff\xfe")
    assert "film.mp4" in bad(capsys, "judge", str(tmp_path / "film.mp4"), "--rulebook", "nz")


def test_an_event_at_a_seat_that_the_table_has_not(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = clean / "truth.jsonl"
    with log.open("a") as file:
        file.write('{"type":"PlayerFolded","seq":99999,"at":99999999,"table":"CS-1","seat":9}\n')
    table = str(clean / "table.toml")
    assert "seat" in bad(capsys, "judge", str(log), "--rulebook", "nz", "--table", table)
