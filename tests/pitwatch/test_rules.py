"""The coverage page tells the truth, and covers both rulebooks from the first clause to the last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.checks import CHECKS
from engine.rulebook import SHIPPED, load_rulebook
from pitwatch.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"


def test_the_coverage_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--markdown"]) == 0
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8"), (
        "docs/coverage.md is old: pitwatch rules --markdown > docs/coverage.md"
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_clauses_and_checks_agree(name: str) -> None:
    """A clause names only checks that are on; every check is named by some clause, or guards a setting of the house."""
    book = load_rulebook(name)
    named = {check for clause in book.clauses for check in clause.checks}
    assert named - set(book.rules) == set()
    unnamed = {id for id in set(book.rules) - named if book.rules[id].clause != "setting"}
    assert unnamed == set()


@pytest.mark.parametrize(("name", "first", "last"), [("nz", "1", "12"), ("s10", "(a)", "(m)")])
def test_every_section_is_there_in_order(name: str, first: str, last: str) -> None:
    ids = [clause.id for clause in load_rulebook(name).clauses]
    assert len(set(ids)) == len(ids)
    assert ids[0].startswith(first)
    assert ids[-1].startswith(last)


def test_every_check_belongs_to_a_rulebook() -> None:
    used = {check for name in SHIPPED for check in load_rulebook(name).rules}
    assert set(CHECKS) == used


def test_rules_as_json_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--rulebook", "nz", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["nz"]
    assert listed["wager.bet_amount"]["clause"] == "5.3"
    assert set(listed) == set(load_rulebook("nz").rules)
