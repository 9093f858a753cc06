"""`pitwatch simulate` as a user runs it: files written, one clear line when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitwatch.cli import main

LOGS = {"truth.jsonl", "signals.jsonl", "expected.jsonl", "table.toml"}


def run(*words: str | Path) -> int:
    return main(["simulate", *map(str, words)])


def test_events_only_writes_logs_that_judge_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run("--scenario", "clean", "--rulebook", "nz", "--seed", 3, "--events-only", "--out", tmp_path) == 0
    )
    assert {path.name for path in tmp_path.iterdir()} == LOGS
    capsys.readouterr()
    table = tmp_path / "table.toml"
    assert main(["judge", str(tmp_path / "truth.jsonl"), "--rulebook", "nz", "--table", str(table)]) == 0


def test_same_seed_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run("--rulebook", "s10", "--seed", 5, "--events-only", "--out", tmp_path / name) == 0
    for name in LOGS:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_an_irregular_scene_expects_its_violation(tmp_path: Path) -> None:
    from simulator.scenarios import scenario_names

    name = scenario_names("nz", visible_only=True)[1]
    assert run("--scenario", name, "--rulebook", "nz", "--events-only", "--out", tmp_path) == 0
    assert '"verdict":"violation"' in (tmp_path / "expected.jsonl").read_text()


def test_a_scenario_file_says_what_it_wants(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text('rulebook = "nz"\nseed = 4\n[want]\nmethod = "packets"\nseats_at_most = 2\n')
    assert run("--scenario", file, "--events-only", "--out", tmp_path / "out") == 0
    truth = (tmp_path / "out" / "truth.jsonl").read_text()
    assert "PacketDealt" in truth
    assert "CardDealt" not in truth


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rulebook = 'nz'\n[want]\nmethod = 'cannon'\n", "want.method"),
        ("rulebook = 'nz'\nspeed = 3\n", "speed"),
        ("rulebook = 'nz'\n[want]\nfolds = true\n", "want.folds"),
        ("rulebook = 'nz'\n[want]\nhands = ['best']\n", "want.hands"),
        ("rulebook = \n", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_named_with_its_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    file = tmp_path / "scene.toml"
    file.write_text(text)
    assert run("--scenario", file, "--events-only", "--out", tmp_path / "out") == 2
    error = capsys.readouterr().err.strip()
    assert told in error
    assert "scene.toml" in error
    assert "\n" not in error


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--scenario", "no-such-thing", "--rulebook", "nz"), "no-such-thing"),
        (("--rulebook", "nz", "--cameras", "overview,attic"), "attic"),
        (("--rulebook", "nz", "--size", "1081x11"), "--size"),
        (("--rulebook", "nz", "--seats", "9"), "seats"),
        (("--rulebook", "nz", "--fps", "0"), "--fps"),
        (("--scenario", "clean"), "--rulebook"),
    ],
)
def test_wrong_words_are_one_line_and_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert run(*words, "--events-only", "--out", tmp_path / "out") == 2
    error = capsys.readouterr().err.strip()
    assert told in error
    assert "\n" not in error
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert run("--rulebook", "nz", "--events-only", "--out", tmp_path / "file" / "out") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_the_list_names_every_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    from simulator.scenarios import scenario_names

    assert run("--list") == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in scenario_names())
