"""The command line as a user meets it: exit codes, one clear line for bad input, and output that programs can read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.errors import BadEvent, BadSettings
from engine.events.codec import read_lines
from engine.monitor.house import HouseMonitor
from engine.rulebook import load_rulebook
from pitwatch.cli import main
from pitwatch.config import load_settings
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
    assert "1 violation, 0 handled" in out


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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"type":"PlayerFolded","seq":%d,"at":9,"table":"CS-1","seat":9}', "seat: 9 is not at this table"),
        (b'{"type":"PlayerFolded","seq":%d,"at":9,"table":"CS-8","seat":2}', "table: 'CS-8' has no settings"),
        (b'{"type":"PlayerFolded","seq":%d,"at":-9,"table":"CS-1","seat":2}', "at: -9 is negative"),
        (
            b'{"type":"PlayerFolded","seq":%d,"at":9,"table":"CS-1","":2}',
            '"": PlayerFolded has no such field',
        ),
        (b'{"type":"PlayerFolded","seq":%d,"at":9,"table":"\xff","seat":2}', "not text in UTF-8"),
        (b'{"type":"PlayerFolded","seq":%d,"at":' + b"9" * 5000 + b"}", "a number is too long"),
        (b"[" * 100_000, "nested too deeply"),
    ],
    ids=["seat", "table", "negative", "no name", "no text", "long", "deep"],
)
def test_what_this_table_cannot_show_is_named_by_file_and_line(
    clean: Path, capsys: pytest.CaptureFixture[str], line: bytes, said: str
) -> None:
    log = clean / "truth.jsonl"
    lines = log.read_bytes().splitlines()
    number = len(lines) + 1
    log.write_bytes(b"\n".join([*lines, line % number if b"%d" in line else line]))
    told = bad(capsys, "judge", str(log), "--rulebook", "nz", "--table", str(clean / "table.toml"))
    assert f"{log}, line {number}" in told
    assert said in told
    assert len(told.splitlines()) == 1


WEIRD = (None, True, -1, 1.5, float("nan"), 10**30, "", "x" * 500, [], {}, [1, 2], "??", "Zz", 99, "\0")


def spoilt(lines: list[bytes], rng: random.Random) -> tuple[int, list[bytes]]:
    """Return a log with one line spoilt, and the number of that line."""
    at = rng.randrange(len(lines))
    plain, raw = json.loads(lines[at]), bytearray(lines[at])
    key = rng.choice(list(plain))
    way = rng.randrange(5)
    if way < 2:
        plain[key] = rng.choice(WEIRD)
    elif way == 2:
        del plain[key]
    elif way == 3:
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    else:
        raw = raw[: rng.randrange(len(raw))]
    new = json.dumps(plain).encode() if way < 3 else bytes(raw)
    return at + 1, [*lines[:at], new, *lines[at + 1 :]]


def test_a_spoilt_line_is_judged_or_named_and_never_a_traceback(clean: Path) -> None:
    lines = (clean / "truth.jsonl").read_bytes().splitlines()
    table, settings = load_settings(clean / "table.toml")
    book = load_rulebook("nz")
    refused: list[tuple[int, str]] = []
    for seed in range(150):
        number, log = spoilt(lines, random.Random(f"spoilt:{seed}"))
        texts = [line.decode("utf-8", "surrogateescape") for line in log]
        monitor = HouseMonitor(book, {table.name: settings})
        try:
            monitor.feed_all(read_lines(texts, "log"))
        except (BadEvent, BadSettings) as error:
            refused.append((number, error.message))
    assert len(refused) > 50
    for number, told in refused:
        by_the_table = told.startswith(("seat: ", "table: "))  # the command adds the line to these
        assert by_the_table or f"log, line {number}" in told or f"log, line {number + 1}, seq" in told
