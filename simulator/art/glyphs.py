"""Ranks and suits as vector paths drawn here, so that our own decks need no font and no licence but ours.

Ranks are centre lines in a 60 x 100 box (y down) that are stroked; a slab style adds feet to open ends.
Suits are filled outlines in a 100 x 100 box.
"""

from __future__ import annotations

from typing import Final

SUITS: Final = {
    "h": "M50 96C40 80 4 58 4 30 4 12 17 4 29 4c11 0 18 7 21 16C53 11 60 4 71 4c12 0 "
    "25 8 25 26 0 28-36 50-46 66z",
    "d": "M50 2C60 20 74 36 90 50 74 64 60 80 50 98 40 80 26 64 10 50 26 36 40 20 50 2z",
    "s": "M50 3C58 20 95 40 95 65 95 79 84 87 73 87c-8 0-15-4-19-11 1 9 5 16 14 22H32c9-6 "
    "13-13 14-22-4 7-11 11-19 11"
    "C16 87 5 79 5 65 5 40 42 20 50 3z",
    "c": "M50 4c13 0 22 10 22 21 0 8-4 14-10 18 4-2 8-3 12-3 12 0 22 9 22 22S86 84 74 "
    "84c-9 0-17-5-21-12 0 10 4 20 13 26"
    "H34c9-6 13-16 13-26-4 7-12 12-21 12C14 84 4 75 4 62s10-22 22-22c4 0 8 1 12 3-6-4-10-10-10-18C28 "
    "14 37 4 50 4z",
}

RANKS: Final[dict[str, tuple[str, ...]]] = {
    "A": ("M6 95L30 6L54 95", "M15 64H45"),
    "2": ("M8 28C8 13 18 5 30 5S52 14 52 28C52 50 8 66 8 95H53V82",),
    "3": ("M9 18C14 9 21 5 30 5c13 0 21 8 21 20S42 46 28 46c16 0 25 9 25 24S43 95 29 95C18 95 10 89 7 79",),
    "4": ("M42 95V6L6 70H56",),
    "5": ("M50 6H14L11 44c6-5 11-7 19-7 14 0 23 11 23 28S44 95 28 95C18 95 11 90 7 81",),
    "6": ("M49 16C46 9 39 5 31 5 15 5 8 24 8 54c0 27 8 41 22 41s22-12 22-29S43 39 31 39 8 50 8 66",),
    "7": ("M7 20V6H53C36 35 26 63 26 96",),
    "8": (
        "M30 46C17 46 10 38 10 25S18 5 30 5s20 7 20 20-7 21-20 21z",
        "M30 46C15 46 7 56 7 70s9 25 23 25 23-11 23-25-8-24-23-24z",
    ),
    "9": ("M11 84c3 7 10 11 18 11 16 0 23-19 23-49C52 19 44 5 30 5S8 17 8 34s9 27 21 27 23-11 23-27",),
    "T": ("M4 20L13 6V95", "M42 5c-11 0-16 13-16 45s5 45 16 45 16-13 16-45S53 5 42 5z"),
    "J": ("M26 6H52M42 6V72c0 15-7 23-17 23S8 88 8 76",),
    "Q": ("M30 5C16 5 8 21 8 50s8 45 22 45 22-16 22-45S44 5 30 5z", "M28 70L55 99"),
    "K": ("M12 5V95", "M52 5L13 56", "M25 42L54 95"),
}

# Feet of the slab style: (x, y, half length) of short horizontal bars at stroke ends.
FEET: Final[dict[str, tuple[tuple[float, float, float], ...]]] = {
    "A": ((8, 95, 9), (52, 95, 9)),
    "4": ((42, 95, 12),),
    "7": ((26, 95, 10),),
    "T": ((13, 95, 10),),
    "K": ((12, 5, 10), (12, 95, 10), (51, 5, 9), (53, 95, 9)),
}

PIPS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "A": ((0.5, 0.5),),
    "2": ((0.5, 0.0), (0.5, 1.0)),
    "3": ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    "4": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "5": ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    "6": ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    "7": ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    "8": ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    "9": ((0, 0), (1, 0), (0, 0.333), (1, 0.333), (0.5, 0.5), (0, 0.667), (1, 0.667), (0, 1), (1, 1)),
    "T": (
        (0, 0), (1, 0), (0.5, 0.167), (0, 0.333), (1, 0.333),
        (0, 0.667), (1, 0.667), (0.5, 0.833), (0, 1), (1, 1),
    ),
}  # fmt: skip


def rank_svg(
    rank: str, x: float, y: float, height: float, weight: float, colour: str, squeeze: float, slab: bool
) -> str:
    """A rank centred at (x, y), `height` tall; `weight` is the stroke in a 100-high box."""
    scale = height / 100
    cap = "butt" if slab else "round"
    style = (
        f'fill="none" stroke="{colour}" stroke-width="{weight}" '
        f'stroke-linejoin="round" stroke-linecap="{cap}"'
    )
    strokes = "".join(f'<path d="{d}" {style}/>' for d in RANKS[rank])
    if slab:
        bars = "".join(f"M{fx - h} {fy}h{2 * h}" for fx, fy, h in FEET.get(rank, ()))
        strokes += f'<path d="{bars}" {style.replace(str(weight), str(weight * 0.62))}/>' if bars else ""
    place = f"translate({x} {y}) scale({scale * squeeze} {scale}) translate(-30 -50)"
    return f'<g transform="{place}">{strokes}</g>'


def suit_svg(suit: str, x: float, y: float, size: float, colour: str, upside_down: bool = False) -> str:
    """A suit symbol centred at (x, y)."""
    turn = " rotate(180)" if upside_down else ""
    place = f"translate({x} {y}){turn} scale({size / 100}) translate(-50 -50)"
    return f'<path transform="{place}" d="{SUITS[suit]}" fill="{colour}"/>'
