"""Decks drawn by this project: standard anglo pattern, indices and pips, with simple double-headed courts.

Real casino decks differ in index size, letter form, index layout, colours and frame; the styles here cover
that range, so that a reader learns ranks and suits and not one printer's drawing. Units are tenths of a mm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.art.glyphs import PIPS, rank_svg, suit_svg

WIDTH: Final = 630
HEIGHT: Final = 880
TWO_COLOUR: Final = {"s": "#111418", "c": "#111418", "h": "#c8102e", "d": "#c8102e"}
FOUR_COLOUR: Final = {"s": "#111418", "c": "#0a7a3c", "h": "#cf1226", "d": "#1550b4"}
DARK_RED: Final = {"s": "#1b1b22", "c": "#1b1b22", "h": "#a50f1e", "d": "#a50f1e"}
BRIGHT: Final = {"s": "#000000", "c": "#000000", "h": "#ec1c24", "d": "#ec1c24"}


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """How one of our decks is drawn.

    `index` is the rank's height in tenths of a mm (about 100 for standard, 190 for jumbo), `corners` 2 or 4
    indices, `beside` puts the index suit beside the rank instead of under it, `faces` "pips" draws pips,
    "jumbo" one large suit, `court` picks the palette and drawing of the court cards.
    """

    name: str
    index: float = 105
    weight: float = 13
    squeeze: float = 0.85
    slab: bool = True
    corners: int = 2
    beside: bool = False
    faces: str = "pips"
    colours: tuple[tuple[str, str], ...] = tuple(TWO_COLOUR.items())
    paper: str = "#fbfaf6"
    pip: float = 108
    court: int = 0
    frame: bool = True
    edge: float = 62


COURTS: Final = (
    ("#f2b632", "#c8102e", "#1c3f94", "#111418"),
    ("#e8c14a", "#b3122a", "#14532d", "#1b1b22"),
    ("#f6d44b", "#e4572e", "#2e86ab", "#222222"),
    ("#d9a441", "#8c1c3a", "#39327a", "#101010"),
    ("#ffd23f", "#d7263d", "#02182b", "#000000"),
)


def _half_court(rank: str, suit: str, style: DeckStyle) -> str:
    """The upper half figure of a court card, in card coordinates."""
    gold, red, blue, ink = COURTS[style.court % len(COURTS)]
    lead, second = (red, blue) if suit in "hd" else (blue, red)
    if style.court % 2:
        lead, second = second, lead
    skin, hair = "#f4d9bd", gold if rank != "J" else ("#8a5a2b" if style.court % 2 else gold)
    line = f'stroke="{ink}" stroke-width="4" stroke-linejoin="round"'
    parts = [
        f'<path d="M135 440V330C160 285 215 275 250 268H380c35 7 90 17 115 62V440z" fill="{lead}" {line}/>',
        f'<path d="M250 268L315 350 380 268 420 440H210z" fill="{gold}" {line}/>',
        f'<path d="M280 268L315 318 350 268 340 440H290z" fill="{second}" {line}/>',
    ]
    for i in range(4):
        x = 160 + i * 24
        parts.append(f'<circle cx="{x}" cy="{405 - i * 22}" r="9" fill="{gold}" {line}/>')
        parts.append(f'<circle cx="{630 - x}" cy="{405 - i * 22}" r="9" fill="{gold}" {line}/>')
    if rank == "Q":
        parts.append(f'<path d="M238 280C220 220 235 150 315 148S410 220 392 280z" fill="{hair}" {line}/>')
    elif rank == "K":
        parts.append(f'<path d="M245 262C232 200 250 155 315 155S398 200 385 262z" fill="{hair}" {line}/>')
    else:
        parts.append(
            f'<path d="M250 275C238 215 250 165 315 163S392 215 380 275L350 250H280z" fill="{hair}" {line}/>'
        )
    parts.append(f'<ellipse cx="315" cy="222" rx="44" ry="54" fill="{skin}" {line}/>')
    if rank == "K":
        parts.append(
            '<path d="M272 230C272 290 300 306 315 306S358 290 358 230C345 262 285 262 272 230z" '
            f'fill="{hair}" {line}/>'
        )
    eyes = (
        f'<path d="M288 210h18M324 210h18M315 214v22M303 250h24" fill="none" stroke="{ink}" '
        'stroke-width="4.5"/>'
    )
    parts.append(eyes)
    crown = {
        "K": "M245 165L232 100 275 132 315 88 355 132 398 100 385 165z",
        "Q": "M258 162C250 120 285 108 315 92c30 16 65 28 57 70C345 148 285 148 258 162z",
        "J": "M240 168L252 118H378L390 168C345 150 285 150 240 168z",
    }[rank]
    parts.append(f'<path d="{crown}" fill="{gold}" {line}/>')
    band = f'<path d="M250 160C285 142 345 142 380 160" fill="none" stroke="{lead}" stroke-width="10"/>'
    parts.append(band)
    prop = {
        "K": f'<path d="M468 120V420M448 175H488" fill="none" stroke="{ink}" stroke-width="13"/>',
        "Q": (
            f'<circle cx="456" cy="215" r="22" fill="{lead}" {line}/><path d="M456 237V330" stroke="{ink}" '
            'stroke-width="7"/>'
        ),
        "J": f'<path d="M470 110V430M470 110l24 34-24 20" fill="{gold}" stroke="{ink}" stroke-width="9"/>',
    }[rank]
    return "".join([prop, *parts])


def _court(rank: str, suit: str, colour: str, style: DeckStyle) -> str:
    half = _half_court(rank, suit, style)
    frame = (
        f'<rect x="118" y="92" width="394" height="696" fill="none" stroke="{COURTS[style.court % 5][2]}" '
        'stroke-width="5"/>'
        if style.frame
        else ""
    )
    size = style.pip * 0.9
    pips = suit_svg(suit, 118 + size * 0.68, 92 + size * 0.75, size, colour) + suit_svg(
        suit, 512 - size * 0.68, 788 - size * 0.75, size, colour, True
    )
    clip = '<clipPath id="h"><rect x="118" y="80" width="394" height="360"/></clipPath>'
    upper = f'<g clip-path="url(#h)">{half}</g>'
    return f'<defs>{clip}</defs>{upper}<g transform="rotate(180 315 440)">{upper}</g>{frame}{pips}'


def _indices(rank: str, suit: str, colour: str, style: DeckStyle) -> str:
    x = max(style.edge, style.index * style.squeeze * 0.36 + 18)
    y = 46 + style.index / 2
    mark = style.index * 0.62
    parts = rank_svg(rank, x, y, style.index, style.weight, colour, style.squeeze, style.slab)
    if style.beside:
        parts += suit_svg(suit, x + style.index * 0.75, y, mark, colour)
    else:
        parts += suit_svg(suit, x, y + style.index / 2 + mark * 0.72, mark, colour)
    if style.corners == 4:
        right = rank_svg(rank, WIDTH - x, y, style.index, style.weight, colour, style.squeeze, style.slab)
        right += suit_svg(suit, WIDTH - x, y + style.index / 2 + mark * 0.72, mark, colour)
        parts += right
    return f"{parts}<g transform='rotate(180 315 440)'>{parts}</g>"


def _middle(rank: str, suit: str, colour: str, style: DeckStyle) -> str:
    if rank in "JQK":
        return _court(rank, suit, colour, style)
    if style.faces == "jumbo":
        return suit_svg(suit, 315 + style.index * 0.2, 440 + style.index * 0.35, 330, colour)
    if rank == "A":
        size = 300 if suit == "s" else style.pip * 1.5
        return suit_svg(suit, 315, 440, size, colour)
    narrow = 175 if style.index > 150 or style.corners == 4 else 150
    x0, x1, y0, y1 = narrow + 20, WIDTH - narrow - 20, 165, HEIGHT - 165
    return "".join(
        suit_svg(suit, x0 + px * (x1 - x0), y0 + py * (y1 - y0), style.pip, colour, py > 0.5)
        for px, py in PIPS[rank]
    )


def card_svg(label: str, style: DeckStyle) -> str:
    """The face of a card such as "Td", as an SVG document without rounded corners."""
    rank, suit = label[0], label[1]
    colour = dict(style.colours)[suit]
    body = _middle(rank, suit, colour, style) + _indices(rank, suit, colour, style)
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{style.paper}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">{paper}{body}</svg>'


def _four(palette: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(palette.items())


STYLES: Final[dict[str, tuple[DeckStyle, ...]]] = {
    "train": (
        DeckStyle("own-classic"),
        DeckStyle("own-jumbo", index=185, weight=14, squeeze=0.78, faces="pips", pip=92, court=1),
        DeckStyle("own-poker", index=150, weight=12, squeeze=0.8, colours=_four(BRIGHT), court=2, edge=60),
        DeckStyle("own-sans", index=125, weight=15, slab=False, court=3, pip=100, colours=_four(DARK_RED)),
        DeckStyle("own-sans-jumbo", index=200, weight=16, squeeze=0.72, slab=False, faces="jumbo", court=4),
        DeckStyle("own-four", index=120, weight=12, corners=4, squeeze=0.75, pip=95, court=1, frame=False),
        DeckStyle("own-fourcolour", index=160, weight=14, squeeze=0.76, colours=_four(FOUR_COLOUR), pip=95,
        court=2),
        DeckStyle("own-thin", index=110, weight=9, squeeze=0.8, paper="#ffffff", court=4, pip=118),
    ),
    "valid": (
        DeckStyle("own-v-standard", index=112, weight=14, squeeze=0.9, colours=_four(BRIGHT), court=3,
        pip=112),
        DeckStyle("own-v-jumbo", index=178, weight=13, squeeze=0.82, court=0, pip=90, frame=False),
    ),
    "test": (
        DeckStyle("own-t-standard", index=118, weight=12, squeeze=0.78, court=2, pip=104, paper="#fdfdfd"),
        DeckStyle("own-t-jumbo", index=192, weight=15, squeeze=0.75, slab=True, court=3, pip=88,
        colours=_four(DARK_RED)),
    ),
}  # fmt: skip
