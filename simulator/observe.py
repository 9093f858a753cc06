"""From a choreographed film to what imperfect eyes would report of it, without rendering a single frame.

This is the proving ground of tracking and interpretation: thousands of rounds with misses, jitter, misreads, arms
in the way and dropped frames, at rates that are stated in `Noise` and drawn from a seed. Errors come in looks: an
object is looked at anew when something changed at it or near it and otherwise every `refresh` ms, and what one
look got wrong stays wrong until the next, as with an evaluator that looks only where pixels change.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Final

from calibration.camera import PRESETS
from calibration.layout import Layout
from simulator.choreography import Performance
from simulator.eyesight import ARM_RADIUS, REACH, Arm, Eye, covered, near_arm, visible
from simulator.scene import CardPose, ChipStack, Clutter, CutCard, DeckBlock, HandPose, Scene
from vision.observe import SeenCard, SeenDeck, SeenHand, SeenStack, SeenThing, View

RANKS, SUITS = "23456789TJQKA", "cdhs"
LABELS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
TENDERS: Final = ("cash", "coupon", "plaque")
BLURRED: Final = 10.0
"""A card that moves more than this between two looks (mm) is not read."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How bad the eyes are; rates are shares of looks.

    `miss`: an object in plain view is not found; `fast_miss`: as well, when it moves. `misread`: a face or a stack is
    read as another; `unread`: it is found but not read. `jitter` and `turn`: standard deviations (mm, degrees).
    `dropped`: frames that never arrive; `ghost`: views with a back where none is. Every second frame is looked at
    only while a card moves: nothing else on a table is so quick.
    """

    miss: float = 0.05
    fast_miss: float = 0.10
    misread: float = 0.01
    unread: float = 0.08
    jitter: float = 1.2
    turn: float = 1.0
    dropped: float = 0.01
    ghost: float = 0.0005
    fps: float = 25.0
    refresh: float = 400.0


CLEAR: Final = Noise(0.0, 0.0, 0.0, 0.0, 0.3, 0.2, 0.0, 0.0)
"""Eyes without error: what is then wrong, tracking or interpretation got wrong."""
STATED: Final = Noise()
"""The rates at which the figures are stated: 5 % misses, 1 % misreads."""


@dataclass(slots=True)
class _Look:
    """The last look at one object: its value, what the eye made of it, and until when that holds."""

    value: Any
    seen: Any
    until: float


class Watcher:
    """One camera's eyes over one film."""

    def __init__(
        self, name: str, layout: Layout, noise: Noise, seed: str, cards: bool, reads_chips: bool
    ) -> None:
        self.name = name
        self.noise = noise
        self.layout = layout
        self.eye = Eye(PRESETS[name]().position, layout)
        self.rng = random.Random(f"eyes:{name}:{seed}")
        self.sees_cards, self.reads_chips = cards, reads_chips
        self._looks: dict[str, _Look] = {}
        self._before: dict[str, Any] = {}
        self._arms: dict[str, tuple[HandPose, Arm]] = {}

    def look(self, scene: Scene, at: int, index: int) -> View:
        """What this camera reports of a scene."""
        arms, stirred = self._hands(scene)
        objects: list[Any] = [*scene.stacks, *scene.blocks, *scene.clutter, *scene.cut_cards]
        if self.sees_cards:
            objects += scene.cards
        spots = self._changes(objects)
        cells = _cells(scene.cards) if self.sees_cards else {}
        found: dict[type, list[Any]] = {CardPose: [], ChipStack: [], DeckBlock: [], Clutter: [], CutCard: []}
        for one in objects:
            last = self._looks.get(one.id)
            if last is None or last.value is not one or at >= last.until or _touched(one, spots, stirred):
                last = self._again(one, last, at, cells, arms)
            if last.seen is not None:
                found[type(one)].append(last.seen)
        cards = found[CardPose]
        if self.rng.random() < self.noise.ghost:
            ghost = SeenCard(
                self.rng.uniform(-700, 700), self.rng.uniform(150, 800), self.rng.uniform(-90, 90), False
            )
            cards = [*cards, ghost]
        hands = [self._hand(arm) for arm in arms if self.rng.random() >= self.noise.miss]
        return View(
            self.name, index, at, tuple(cards), tuple(found[ChipStack]), tuple(hands),
            tuple(found[DeckBlock]), (*found[Clutter], *found[CutCard]),
        )  # fmt: skip

    def _hands(self, scene: Scene) -> tuple[list[Arm], list[Arm]]:
        """The arms as they are seen, and those that moved since the last frame, old and new."""
        arms: dict[str, tuple[HandPose, Arm]] = {}
        stirred: list[Arm] = []
        for hand in scene.hands:
            old = self._arms.get(hand.id)
            if old is not None and old[0] is hand:
                arms[hand.id] = old
                continue
            arms[hand.id] = (hand, self.eye.arm(hand))
            stirred.append(arms[hand.id][1])
            if old is not None:
                stirred.append(old[1])
        stirred += [arm for name, (_, arm) in self._arms.items() if name not in arms]
        self._arms = arms
        return [arm for _, arm in arms.values()], stirred

    def _changes(self, objects: Sequence[Any]) -> list[tuple[float, float]]:
        """Where anything but a hand moved, came or went since the last frame."""
        now = {one.id: one for one in objects}
        spots = [(one.x, one.y) for one in objects if self._before.get(one.id) is not one]
        spots += [(one.x, one.y) for name, one in self._before.items() if now.get(name) is not one]
        for name in self._looks.keys() - now.keys():
            del self._looks[name]
        self._before = now
        return spots

    def _again(
        self,
        one: Any,
        last: _Look | None,
        at: int,
        cells: dict[tuple[int, int], list[CardPose]],
        arms: list[Arm],
    ) -> _Look:
        """Look at an object anew."""
        moved = 0.0 if last is None else hypot(one.x - last.value.x, one.y - last.value.y)
        near = [arm for arm in arms if arm.box[0] < one.x < arm.box[2] and arm.box[1] < one.y < arm.box[3]]
        if isinstance(one, CardPose):
            seen: Any = self._card(one, moved, _above(one, cells), near)
        elif isinstance(one, ChipStack):
            seen = self._stack(one, moved, arms)
        elif isinstance(one, DeckBlock):
            seen = self._block(one, near)
        else:
            seen = self._thing(one, near)
        self._looks[one.id] = _Look(one, seen, at + self.noise.refresh * self.rng.uniform(0.7, 1.3))
        return self._looks[one.id]

    def _missed(self, moved: float = 0.0) -> bool:
        rate = self.noise.miss + (self.noise.fast_miss if moved > BLURRED else 0.0)
        return self.rng.random() < rate

    def _card(self, card: CardPose, moved: float, above: list[CardPose], arms: list[Arm]) -> SeenCard | None:
        held = card.z > 25.0
        free = visible(card, above, [] if held else arms)
        share = sum(free)
        inside = self.layout.shoe.contains(card.x, card.y, -25.0) or not self._in_view(card.x, card.y)
        if share < 3 or inside or self._missed(moved) or (held and self.rng.random() < 0.25):
            return None
        noise, rng = self.noise, self.rng
        x, y, turn, width, height = self.eye.outline(card)
        if width < 25.0 or height < 35.0:
            return None
        spread = noise.jitter * (1.0 if share > 6 else 1.8) * (3.0 if held else 1.0)
        up = card.flip > 90.0
        label, conf = "??", 0.0
        index = free[0] or free[-1] or share >= 7
        if up and index and moved < BLURRED and width > 52.0 and card.label and rng.random() >= noise.unread:
            label, conf = card.label, rng.uniform(0.9, 1.0)
            if rng.random() < noise.misread:
                label, conf = rng.choice(LABELS), rng.uniform(0.85, 0.99)
        return SeenCard(
            x + rng.gauss(0, spread), y + rng.gauss(0, spread), turn + rng.gauss(0, noise.turn), up, label, conf,
            f"back{card.deck}", width * rng.gauss(1, 0.01), height * rng.gauss(1, 0.01),
        )  # fmt: skip

    def _stack(self, stack: ChipStack, moved: float, arms: list[Arm]) -> SeenStack | None:
        if (
            self.layout.tray.contains(stack.x, stack.y, 6.0)
            or stack.z < -1.0
            or not self._in_view(stack.x, stack.y)
        ):
            return None
        foot, top = (
            self.eye.down(stack.x, stack.y, stack.z),
            self.eye.down(stack.x, stack.y, stack.z + stack.height),
        )
        hidden = (covered(*foot, arms), covered(*top, arms))
        if all(hidden) or self._missed(moved):
            return None
        rng, noise = self.rng, self.noise
        chips, conf = None, 0.0
        if self.reads_chips and not any(hidden) and moved < BLURRED and rng.random() >= noise.unread:
            chips, conf = stack.chips, rng.uniform(0.9, 1.0)
            if rng.random() < noise.misread:
                chips, conf = self._misread(stack.chips), rng.uniform(0.85, 0.99)
        return SeenStack(
            foot[0] + rng.gauss(0, noise.jitter), foot[1] + rng.gauss(0, noise.jitter), chips, conf
        )

    def _misread(self, chips: tuple[int, ...]) -> tuple[int, ...]:
        """A stack read wrongly: one chip too many, one too few, or one taken for its neighbour."""
        at = self.rng.randrange(len(chips))
        how = self.rng.randrange(3)
        if how == 0 or len(chips) == 1:
            return (*chips[:at], chips[at], *chips[at:])
        if how == 1:
            return (*chips[:at], *chips[at + 1 :])
        return (*chips[:at], self.rng.choice(chips), *chips[at + 1 :])

    def _block(self, block: DeckBlock, arms: list[Arm]) -> SeenDeck | None:
        if self.layout.shoe.contains(block.x, block.y, 10.0) or self._missed() or block.y < -20.0:
            return None
        if block.z < 25.0 and covered(block.x, block.y, arms, ARM_RADIUS * 0.5) and self.rng.random() < 0.5:
            return None
        x, y = self.eye.down(block.x, block.y, block.z)
        rng, jitter = self.rng, self.noise.jitter * 1.5
        return SeenDeck(
            x + rng.gauss(0, jitter), y + rng.gauss(0, jitter), block.yaw, block.top, f"back{block.deck}"
        )

    def _thing(self, thing: Clutter | CutCard, arms: list[Arm]) -> SeenThing | None:
        kind = thing.kind if isinstance(thing, Clutter) else "cut_card"
        if kind not in (*TENDERS, "cut_card") or covered(thing.x, thing.y, arms) or self._missed():
            return None
        x, y = self.eye.down(thing.x, thing.y, thing.z)
        return SeenThing(kind, x + self.rng.gauss(0, 2), y + self.rng.gauss(0, 2))

    def _hand(self, arm: Arm) -> SeenHand:
        rng, jitter = self.rng, self.noise.jitter * 3
        tip = (arm.tip[0] + rng.gauss(0, jitter), arm.tip[1] + rng.gauss(0, jitter))
        return SeenHand(tip, (tip, *arm.spine[1:]), ARM_RADIUS, arm.entry)

    def _in_view(self, x: float, y: float) -> bool:
        return self.layout.on_cloth(x * 0.93, y * 0.93) or -20.0 < y < 40.0


def _cells(cards: Sequence[CardPose]) -> dict[tuple[int, int], list[CardPose]]:
    """The cards by squares of the table, to find neighbours quickly."""
    cells: dict[tuple[int, int], list[CardPose]] = {}
    for card in cards:
        cells.setdefault((int(card.x // 110), int(card.y // 110)), []).append(card)
    return cells


def _above(card: CardPose, cells: dict[tuple[int, int], list[CardPose]]) -> list[CardPose]:
    """The cards that may lie on a card."""
    cx, cy = int(card.x // 110), int(card.y // 110)
    return [
        other
        for i in (cx - 1, cx, cx + 1)
        for j in (cy - 1, cy, cy + 1)
        for other in cells.get((i, j), ())
        if other.z > card.z + 0.01 and abs(other.x - card.x) < 105 and abs(other.y - card.y) < 105
    ]


def _touched(one: Any, spots: list[tuple[float, float]], arms: list[Arm]) -> bool:
    """Whether something changed so near to an object that an eye looks at it again."""
    x, y = one.x, one.y
    for sx, sy in spots:
        if abs(sx - x) < 110 and abs(sy - y) < 110:
            return True
    for arm in arms:
        x0, y0, x1, y1 = arm.box
        if x0 < x < x1 and y0 < y < y1 and near_arm(x, y, arm, ARM_RADIUS + REACH):
            return True
    return False


def observe(
    film: Performance,
    layout: Layout,
    noise: Noise = STATED,
    seed: str | int = 0,
    cameras: Sequence[str] = ("overview", "bets"),
) -> Iterator[tuple[View, ...]]:
    """The views of all cameras, moment by moment; a stretch in which nothing moves is told less often."""
    watchers = [
        Watcher(name, layout, noise, str(seed), cards=name == "overview" or len(cameras) == 1,
                reads_chips=name == "bets" or len(cameras) == 1)
        for name in cameras
    ]  # fmt: skip
    step = 1000.0 / noise.fps
    drop = random.Random(f"drop:{seed}")
    told = -noise.refresh
    lying: list[CardPose] = []
    for index in range(int(film.timeline.duration / step) + 1):
        t = index * step
        if film.timeline.is_still(max(0.0, t - step), t) and t - told < noise.refresh / 2 and index:
            continue
        scene = film.timeline.scene_at(t)
        cards, lying = lying, list(scene.cards)
        if index % 2 and len(cards) == len(lying) and all(a is b for a, b in zip(cards, lying, strict=True)):
            continue
        told = t
        views = tuple(
            watcher.look(scene, round(t), index) for watcher in watchers if drop.random() >= noise.dropped
        )
        if views:
            yield views
