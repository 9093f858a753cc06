"""A third jurisdiction is a file: other odds, another order of settlement, other limits; no check is edited.

The file is written here as a user would write it, next to the table it governs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import BadRulebook
from engine.monitor import Monitor
from engine.rulebook import Rulebook, load_rulebook
from engine.verdicts import Ruling, Verdict
from simulator.director import Script, Want, legal

ISLAND = """
id = "island"
title = "Caribbean stud poker (an island with rules of its own)"
extends = "nz"

[odds.bet]
pair = 1
two_pair = 3
flush = 6

[checks."settle.pass_order"]
clause = "Island 9"
severity = "medium"
consequence = "losers first, then stand-offs, then winners"

[checks."settle.bet_amount"]
clause = "Island 12"
severity = "high"

[checks."settle.seat_order"]
off = true

[checks."wager.stack_order"]
off = true
"""


@pytest.fixture
def island(tmp_path: Path) -> Rulebook:
    path = tmp_path / "island.toml"
    path.write_text(ISLAND, encoding="utf-8")
    return load_rulebook(str(path))


def judged(book: Rulebook, script: Script) -> list[Verdict]:
    return Monitor(book, script.settings).feed_all(script.events)


def test_it_inherits_what_it_does_not_say(island: Rulebook) -> None:
    nz = load_rulebook("nz")
    assert island.rules["wager.bet_amount"] == nz.rules["wager.bet_amount"]
    assert island.odds["bet"]["straight"] == nz.odds["bet"]["straight"]
    assert island.odds["bet"]["flush"] == 6
    assert "settle.seat_order" not in island.rules
    assert island.rules["settle.bet_amount"].clause == "Island 12"


def test_its_odds_are_those_that_are_judged_by(island: Rulebook) -> None:
    """A two pair that nz pays 2 to 1 is paid too little here, and the verdict cites this book."""
    found: list[Verdict] = []
    for seed in range(400):
        script = legal("nz", seed, Want(hands=("two_pair",)))
        found = [one for one in judged(island, script) if one.check == "settle.bet_amount"]
        if found:
            break
    assert found
    assert {one.ruling for one in found} == {Ruling.VIOLATION}
    assert {(one.rulebook, one.clause) for one in found} == {("island", "Island 12")}


def test_its_order_of_settlement_is_the_one_that_is_judged_by(island: Rulebook) -> None:
    """Seat by seat, as nz orders, breaks the passes of this book wherever a winner sits before a loser."""
    orders = [
        one
        for seed in range(120)
        for one in judged(island, legal("nz", seed))
        if one.check == "settle.pass_order"
    ]
    assert orders
    assert {one.clause for one in orders} == {"Island 9"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[checks."settle.nonsense"]\nclause = "1"\nseverity = "low"', "settle.nonsense: no such check"),
        (
            '[checks."settle.bet_amount"]\nseverity = "terrible"',
            "settle.bet_amount.severity: 'terrible' is not",
        ),
        ("[check]\n", "check: no such field"),
        ("id = 3 4", "rulebook"),
    ],
)
def test_a_mistake_in_the_file_names_the_field(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('extends = "nz"\n' + text, encoding="utf-8")
    with pytest.raises(BadRulebook, match=message):
        Monitor(load_rulebook(str(path)), legal("nz", 1).settings)
