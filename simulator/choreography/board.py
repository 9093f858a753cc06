"""What lies where while a film is written: cards of each seat, wagers, chips in stash and tray, decks.

The tracks say how things move; the board says what they are to the game, so that the next action finds them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.events import DEALER, OUTSIDER, Area
from engine.settings import Method, TableSettings
from simulator.choreography.act import Act, Tracks
from simulator.choreography.places import Places, hand_id
from simulator.scene import CardPose, ChipStack, Fixtures, HandPose, ShoeKind, Side

TALLEST: Final = 20
"""Chips in one stack; more go into a second one."""
COLUMNS: Final = 10


class Board:
    """The table of one film, as the actions find and leave it."""

    def __init__(self, places: Places, settings: TableSettings, seed: str) -> None:
        self.places = places
        self.settings = settings
        self.rng = random.Random(f"choreography:{seed}")
        self.tracks = Tracks()
        self.paces = {who: self.rng.uniform(0.85, 1.2) for who in range(-1, 10)}
        self.hands: dict[int, list[str]] = {}
        self.held: dict[int, str] = {}
        self.hidden: dict[int, list[str]] = {}
        self.slots: dict[str, int] = {}
        self.wagers: dict[tuple[int, Area], list[str]] = {}
        self.owners: dict[tuple[int, Area], int] = {}
        self.stash: dict[int, list[str]] = {}
        self.folded: set[int] = set()
        self.decks: dict[str, int] = {}
        self.spare: str | None = None
        self.in_device = 0
        self.block: str | None = None
        self.deck_hand: Side | None = None
        self.deck_now = 0
        self.loose: list[str] = []
        self.ribbon = 13
        self.needs: dict[int, Counter[int]] = {}
        self._gone: dict[str, CardPose] = {}
        self._serial: Counter[str] = Counter()

    def new(self, kind: str) -> str:
        """A fresh id for an object."""
        self._serial[kind] += 1
        return f"{kind}:{self._serial[kind]}"

    def act(self, who: int) -> Act:
        """An action of somebody, at their own pace."""
        return Act(self.tracks, self.paces.get(who, 1.0))

    def deck_index(self, back: str | None) -> int:
        """Which of the two decks has this back; a back that belongs to no deck shows as the other deck's."""
        if back is None:
            return self.deck_now
        return self.decks.get(back, 1 - self.deck_now)

    def hand(self, act: Act, who: int, side: Side, seat: int = 0) -> str:
        """The id of somebody's hand, which comes into view if it was not there.

        Somebody who does not play (`OUTSIDER`) reaches in from the nearest place to `seat` at which nobody sits.
        """
        name = hand_id(who, side)
        if not act.has(name):
            act.appear(self.home(name, who, side, seat, away=True), 0.0)
        return name

    def over(self, seat: int, least: float, but: Iterable[str] = ()) -> float:
        """How high (mm) a path to or from a seat must rise so that nothing is carried through its chips."""
        skip = set(but)
        names = [
            name for (one, _), many in self.wagers.items() if one == seat for name in many if name not in skip
        ]
        tall = [pose.height for name in names if isinstance(pose := self.tracks.last(name), ChipStack)]
        return max(least, (max(tall) + 12.0) * 2.0) if tall else least

    def free_side(self, side: Side) -> Side:
        """The dealer's hand for some work: the one asked for, unless it holds the deck."""
        if side != self.deck_hand:
            return side
        return "left" if side == "right" else "right"

    def home(self, name: str, who: int, side: Side, seat: int = 0, away: bool = False) -> HandPose:
        """Where a hand rests."""
        owner = self._beside(seat) if who == OUTSIDER else who
        pose = self.places.away(owner, side) if away else self.places.rest(owner, side)
        return replace(pose, id=name, z=max(pose.z, 5.0))

    def _beside(self, seat: int) -> int:
        """The place nearest to a seat at which nobody sits: there a stranger stands and reaches in."""
        free = [one.seat for one in self.places.layout.seats if not self.stash.get(one.seat)]
        return min(free or [max(1, seat)], key=lambda one: (abs(one - seat), one))

    def fixtures(self) -> Fixtures:
        """The fixtures after everything written so far."""
        value = self.tracks.last("fixtures")
        assert isinstance(value, Fixtures)
        return value

    def labels(self, seat: int) -> list[str | None]:
        """The labels of the cards of a seat, in the order in which they came."""
        act = self.act(DEALER)
        return [act.card(name).label for name in self.hands.get(seat, []) if act.has(name)]

    def chosen(self, seat: int, cards: Sequence[object], position: int | None) -> list[str]:
        """The cards of a seat that an event speaks of: by position, by face, or the first ones."""
        names = self.hands.get(seat, [])
        if position is not None and len(cards) == 1 and 1 <= position <= len(names):
            return [names[position - 1]]
        act = self.act(DEALER)
        wanted = [str(card) for card in cards]
        found = [name for name in names if act.has(name) and act.card(name).label in wanted]
        return found or list(names[: len(wanted)])

    def remember(self, names: Iterable[str]) -> None:
        """Keep what cards look like that go out of view, so that they can come back."""
        for name in names:
            pose = self.tracks.last(name)
            if isinstance(pose, CardPose):
                self._gone[name] = pose

    def gone_pose(self, name: str) -> CardPose:
        """A card that is out of view, as it was."""
        return self._gone[name]

    def start(self, needs: dict[int, Counter[int]], racked: int, device: bool) -> None:
        """Set up the table as it stands when the film begins, with the shoe or shuffler if `device`."""
        act = self.act(DEALER)
        values = sorted(self.settings.chip_values)
        columns = [values[min(len(values) - 1, i * len(values) // COLUMNS)] for i in range(COLUMNS)]
        tray = tuple((value, self.rng.randint(12, 23)) for value in columns)
        shoe: ShoeKind = "shoe" if self.settings.method is Method.SHOE else "shuffler"
        if not device:
            shoe = "none"
        act.appear(Fixtures(tray=tray, rack_cards=racked, shoe=shoe), 0.0)
        for side in ("left", "right"):
            act.appear(self.places.rest(DEALER, side), 0.0)
        act.commit(0.0)
        self.needs = needs

    def build_stash(self, act: Act, who: int, t: float) -> list[str]:
        """Stacks of a player's own chips: what the script will ask for, and some more."""
        counts = Counter(self.needs.get(who, Counter()))
        values = sorted(self.settings.chip_values)[:4]
        for value in self.rng.sample(values, min(2, len(values))):
            counts[value] += self.rng.randint(3, 9)
        piles = [
            (value, min(TALLEST, count - first))
            for value, count in sorted(counts.items(), reverse=True)
            for first in range(0, count, TALLEST)
        ][:8]
        made: list[str] = []
        for slot, (value, count) in enumerate(piles):
            x, y = self.places.stash(who, slot, len(piles))
            name = self.new(f"stash:{who}")
            seed = self.rng.randrange(1 << 30)
            x, y = x + self.rng.gauss(0, 1.5), y + self.rng.gauss(0, 1.5)
            act.appear(ChipStack(name, (value,) * count, x, y, 0.0, self.rng.uniform(0.3, 1.6), seed), t)
            made.append(name)
        return made

    def near_stash(self, act: Act, who: int, value: int) -> str | None:
        """The stack from which a player takes a chip of this value."""
        stacks = [name for name in self.stash.get(who, []) if act.has(name)]
        fits = [name for name in stacks if value in act.stack(name).chips]
        return max(fits, key=lambda name: len(act.stack(name).chips), default=None)


def column_of(tray: Sequence[tuple[int, int]], value: int) -> int:
    """The column of the tray that holds a value: the fullest, or the nearest value's."""
    return min(range(len(tray)), key=lambda i: (abs(tray[i][0] - value), -tray[i][1]))


def tray_after(
    tray: Sequence[tuple[int, int]], chips: Sequence[int], sign: int
) -> tuple[tuple[int, int], ...]:
    """The tray when chips went in or out; the house keeps it filled, so no column runs dry or over."""
    after = list(tray)
    for value, count in sorted(Counter(chips).items()):
        index = column_of(after, value)
        after[index] = (after[index][0], min(26, max(2, after[index][1] + sign * count)))
    return tuple(after)
