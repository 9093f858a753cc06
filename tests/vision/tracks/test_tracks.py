"""Tracks through what tables do to them: hands that cover, cards on cards, throws, eyes that miss, two cameras."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from vision.observe import SeenCard, SeenHand, SeenStack, View
from vision.tracks import Tracker, Tracks
from vision.tracks.identity import name_all

BACK = SeenCard(100.0, 500.0, 0.0, False)
STACK = SeenStack(0.0, 528.0, (500, 500), 0.95)


def hand_at(x: float, y: float, entry: tuple[float, float] = (0.0, 900.0)) -> SeenHand:
    return SeenHand((x, y), ((x, y), (x, y + 70), (x, y + 170), entry), 44.0, entry)


class Table:
    """Feeds a tracker with looks at one camera, 40 ms apart."""

    def __init__(self) -> None:
        self.tracker = Tracker()
        self.index = 0

    def see(
        self,
        cards: Sequence[SeenCard] = (),
        stacks: Sequence[SeenStack] = (),
        hands: Sequence[SeenHand] = (),
        camera: str = "overview",
    ) -> Tracks:
        view = View(camera, self.index, self.index * 40, tuple(cards), tuple(stacks), tuple(hands))
        self.index += 1
        return self.tracker.update([view])

    def hold(self, times: int, *cards: SeenCard, hands: Sequence[SeenHand] = ()) -> Tracks:
        for step in range(times):
            seen = self.see([look(card, 0.1 * (step % 2)) for card in cards], hands=hands)
        return seen


def look(card: SeenCard, dx: float = 0.0, dy: float = 0.0, **changes: object) -> SeenCard:
    """A second look at a card: another object, perhaps elsewhere."""
    values = {name: getattr(card, name) for name in SeenCard.__slots__}
    values |= {"x": card.x + dx, "y": card.y + dy, **changes}
    return SeenCard(**values)


def test_a_card_keeps_its_track_while_it_lies() -> None:
    table = Table()
    first = table.see([BACK]).cards[0].id
    for step in range(8):
        tracks = table.see([look(BACK, 0.5 * (step % 3), -0.4)])
    assert [card.id for card in tracks.cards] == [first]
    assert tracks.cards[0].resting


def test_a_card_under_a_hand_is_not_gone() -> None:
    table = Table()
    table.hold(5, BACK)
    tracks = table.hold(50, hands=[hand_at(100.0, 500.0)])
    assert len(tracks.cards) == 1


def test_a_card_that_a_hand_took_is_gone_soon_after_the_hand() -> None:
    table = Table()
    table.hold(5, BACK)
    table.hold(10, hands=[hand_at(100.0, 500.0)])
    tracks = table.hold(24)
    assert tracks.cards == ()


def test_a_card_that_eyes_miss_for_half_a_second_stays() -> None:
    table = Table()
    table.hold(6, BACK)
    assert len(table.hold(12).cards) == 1
    assert len(table.hold(40).cards) == 0


def test_a_card_that_slides_under_another_is_kept_with_it() -> None:
    table = Table()
    low = look(BACK)
    table.hold(5, low)
    top = look(BACK, 6.0, 4.0)
    table.hold(3, low, top)
    tracks = table.hold(30, top)
    assert len(tracks.cards) == 2
    assert sum(card.under is not None for card in tracks.cards) == 1


def test_thrown_cards_land_one_by_one_on_a_pile() -> None:
    table = Table()
    landed = 0
    pile: list[SeenCard] = []
    for number in range(5):
        goal = (10.0 + 3.0 * number, 700.0 - number)
        for step in range(1, 9):
            share = 1 - (1 - step / 8) ** 2
            flying = SeenCard(-380 + (goal[0] + 380) * share, 60 + (goal[1] - 60) * share, 0.0, False)
            landed += len(table.see([*pile, flying]).landed)
        pile = [SeenCard(*goal, 0.0, False)]
        for _ in range(5):
            landed += len(table.see(pile).landed)
    assert landed == 5


def test_an_unchanged_look_is_old_news_and_brings_a_thrown_card_to_rest() -> None:
    table = Table()
    for x in (-300.0, -200.0, -100.0, -20.0):
        table.see([SeenCard(x, 500.0, 0.0, False)])
    last = SeenCard(0.0, 500.0, 0.0, False)
    landed = [card for _ in range(6) for card in table.see([last]).landed]
    assert len(landed) == 1
    assert landed[0].looks == 5


def test_names_are_voted_and_one_wrong_look_changes_nothing() -> None:
    table = Table()
    face = SeenCard(0.0, 700.0, 0.0, True, "As", 0.97)
    for number in range(9):
        tracks = table.see([look(face, 0.2, label="Ks" if number == 4 else "As")])
    assert name_all(tracks.cards)[tracks.cards[0].id][0] == "As"


def test_two_looks_that_agree_on_a_new_name_forget_the_old_card() -> None:
    table = Table()
    face = SeenCard(0.0, 700.0, 0.0, True, "As", 0.97)
    for _ in range(6):
        table.see([look(face, 0.1)])
    for _ in range(2):
        tracks = table.see([look(face, 0.2, label="7d")])
    assert name_all(tracks.cards)[tracks.cards[0].id][0] == "7d"


def test_one_of_each_gives_a_name_to_the_surer_card() -> None:
    class Voted:
        def __init__(self, number: int, votes: dict[str, float]) -> None:
            self.id, self.votes = number, votes

    sure, unsure = Voted(1, {"As": 5.0}), Voted(2, {"As": 1.9, "Ah": 1.8})
    named = name_all([unsure, sure])
    assert named[1][0] == "As"
    assert named.get(2, ("??", 0))[0] != "As"


def test_two_cards_that_are_both_clearly_the_same_are_both_named() -> None:
    class Voted:
        def __init__(self, number: int) -> None:
            self.id, self.votes = number, {"As": 9.0}

    assert {name for name, _ in name_all([Voted(1), Voted(2)]).values()} == {"As"}


def test_a_stack_that_grew_under_a_hand_is_read_anew() -> None:
    table = Table()
    for _ in range(5):
        table.see(stacks=[SeenStack(0.0, 528.0, (500, 500), 0.95)])
    table.see(stacks=[], hands=[hand_at(5.0, 530.0)])
    for _ in range(4):
        tracks = table.see(stacks=[SeenStack(0.5, 528.0, (500, 500, 500), 0.95)])
    assert [stack.chips for stack in tracks.stacks] == [(500, 500, 500)]
    assert len(tracks.stacks) == 1


def test_a_stack_that_splits_becomes_two() -> None:
    table = Table()
    for _ in range(4):
        table.see(stacks=[STACK])
    for _ in range(4):
        parts = [SeenStack(0.0, 528.0, (500,), 0.95), SeenStack(45.0, 528.0, (500,), 0.95)]
        tracks = table.see(stacks=parts)
    assert len(tracks.stacks) == 2


def test_two_cameras_see_one_stack() -> None:
    tracker = Tracker()
    for index in range(4):
        views = [
            View("overview", index, index * 40, stacks=(SeenStack(0.0, 528.0),)),
            View("bets", index, index * 40, stacks=(SeenStack(3.0, 531.0, (500,), 0.9),)),
        ]
        tracks = tracker.update(views)
    assert [stack.chips for stack in tracks.stacks] == [(500,)]


def test_a_camera_that_cannot_be_trusted_takes_nothing_away() -> None:
    table = Table()
    table.hold(5, BACK)
    for step in range(60):
        at = (table.index + step) * 40
        blind = View("overview", table.index + step, at, usable=False, why="covered")
        tracks = table.tracker.update([blind])
    assert len(tracks.cards) == 1


def test_trackers_share_nothing() -> None:
    one, other = Table(), Table()
    one.hold(3, BACK)
    assert other.see([BACK]).cards[0].id == 1


@pytest.mark.parametrize("height", [0.55, 1.3])
def test_an_outline_of_the_wrong_size_is_held_up(height: float) -> None:
    tracks = Table().see([look(BACK, height=88.0 * height)])
    assert not tracks.cards[0].flat
