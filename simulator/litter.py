"""Cards and chips strewn over the table: what play seldom shows, so that eyes learn more than tidy rounds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import cos, pi, radians, sin

from calibration.layout import CARD_THICKNESS, CHIP_DIAMETER, Layout
from simulator.art.decks import LABELS
from simulator.scene import CardPose, ChipStack, Scene


def strewn(rng: random.Random, layout: Layout, values: Sequence[int]) -> Scene:
    """Fans, rows and loose cards, and stacks of mixed chips, in random places."""
    labels = rng.sample(LABELS, 52)
    cards: list[CardPose] = []
    for _ in range(rng.randint(1, 7)):
        cards += _group(rng, layout, labels, len(cards))
    spots: list[tuple[float, float]] = []
    stacks: list[ChipStack] = []
    for i in range(rng.randint(2, 12)):
        x, y = _somewhere(rng, layout)
        if all((x - a) ** 2 + (y - b) ** 2 > (CHIP_DIAMETER + 4) ** 2 for a, b in spots):
            spots.append((x, y))
            stacks.append(_stack(rng, f"strewn:stack:{i}", x, y, values))
    return Scene(cards=tuple(cards), stacks=tuple(stacks))


def _somewhere(rng: random.Random, layout: Layout) -> tuple[float, float]:
    spec = layout.spec
    while True:
        x, y = rng.uniform(-spec.half_width, spec.half_width), rng.uniform(150.0, spec.depth)
        if layout.on_cloth(x * 1.08, y * 1.08):
            return x, y


def _group(rng: random.Random, layout: Layout, labels: list[str], level: int) -> list[CardPose]:
    """A few cards that belong together: a fan, a row, a heap."""
    x, y = _somewhere(rng, layout)
    yaw, count, deck = rng.uniform(-180, 180), rng.randint(1, 7), rng.randrange(2)
    kind = rng.choice(("fan", "row", "heap"))
    step = rng.uniform(10, 34) if kind == "row" else rng.uniform(4, 22)
    flip = 180.0 if rng.random() < 0.72 else 0.0
    out = []
    for i in range(min(count, len(labels))):
        turn, dx, dy = 0.0, step * i, rng.gauss(0, 1.5)
        if kind == "fan":
            turn = -step * 0.9 * i
        elif kind == "heap":
            turn, dx, dy = rng.gauss(0, 25), rng.gauss(0, 30), rng.gauss(0, 30)
        angle = radians(yaw)
        card_flip = flip if rng.random() < 0.93 else 180.0 - flip
        out.append(
            CardPose(
                f"strewn:card:{level + i}", labels.pop(), x + dx * cos(angle) - dy * sin(angle),
                y + dx * sin(angle) + dy * cos(angle), CARD_THICKNESS * (level + i + 0.5), yaw + turn, card_flip,
                curl=max(0.0, rng.gauss(0, 1.2)), deck=deck,
            )
        )  # fmt: skip
    return out


def _stack(rng: random.Random, name: str, x: float, y: float, values: Sequence[int]) -> ChipStack:
    """Chips of one value, of a few values in order, or any mixture."""
    count = rng.choice((1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 14, 20))
    kind = rng.random()
    if kind < 0.35:
        chips = [rng.choice(values)] * count
    elif kind < 0.7:
        chips = sorted((rng.choice(values) for _ in range(count)), reverse=True)
    else:
        chips = [rng.choice(values) for _ in range(count)]
    lean = (rng.gauss(0, 2.0) * cos(x), rng.gauss(0, 2.0) * sin(x + pi / 3))
    return ChipStack(name, tuple(chips), x, y, 0.0, abs(rng.gauss(0, 1.2)), rng.randrange(1 << 30), lean)
