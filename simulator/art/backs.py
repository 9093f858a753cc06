"""Card backs drawn by this project: the lattices, diamonds and scrolls that casinos print, in their
colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulator.art.owndeck import HEIGHT, WIDTH


@dataclass(frozen=True, slots=True)
class BackStyle:
    """A pattern, its two colours, the white border (tenths of a mm) and the size of one repeat."""

    name: str
    pattern: str
    ink: str
    paper: str = "#f7f5ef"
    border: float = 36
    step: float = 40
    badge: bool = False


def _tile(style: BackStyle) -> str:
    s, ink, paper = style.step, style.ink, style.paper
    if style.pattern == "lattice":
        return (
            f'<rect width="{s}" height="{s}" fill="{ink}"/><path d="M0 0L{s} {s}M{s} 0L0 {s}" '
            f'stroke="{paper}" stroke-width="{s * 0.14}"/>'
        )
    if style.pattern == "diamond":
        return (
            f'<rect width="{s}" height="{s}" fill="{paper}"/><path d="M{s / 2} {s * 0.08}L{s * 0.92} '
            f'{s / 2} {s / 2} {s * 0.92} {s * 0.08} {s / 2}z" fill="{ink}"/>'
        )
    if style.pattern == "rings":
        return (
            f'<rect width="{s}" height="{s}" fill="{ink}"/><circle cx="{s / 2}" cy="{s / 2}" '
            f'r="{s * 0.36}" fill="none" stroke="{paper}" stroke-width="{s * 0.13}"/><circle '
            f'cx="{s / 2}" cy="{s / 2}" r="{s * 0.1}" fill="{paper}"/>'
        )
    if style.pattern == "weave":
        return (
            f'<rect width="{s}" height="{s}" fill="{ink}"/><path d="M0 {s * 0.25}H{s * 0.5}M{s * 0.5} '
            f'{s * 0.75}H{s}M{s * 0.25} {s * 0.5}V{s}M{s * 0.75} 0V{s * 0.5}" stroke="{paper}" '
            f'stroke-width="{s * 0.16}"/>'
        )
    if style.pattern == "scroll":
        return (
            f'<rect width="{s}" height="{s}" fill="{ink}"/><path d="M0 {s / 2}Q{s / 4} 0 {s / 2} '
            f"{s / 2}T{s} {s / 2}M0 {s}Q{s / 4} {s / 2} {s / 2} {s}T{s} {s}M0 0Q{s / 4} {s * -0.5} "
            f'{s / 2} 0T{s} 0" fill="none" stroke="{paper}" stroke-width="{s * 0.09}"/><circle '
            f'cx="{s / 4}" cy="{s * 0.72}" r="{s * 0.07}" fill="{paper}"/>'
        )
    return (
        f'<rect width="{s}" height="{s}" fill="{ink}"/><path d="M{s / 2} 0L{s} {s / 2}L{s / 2} '
        f'{s}L0 {s / 2}z" fill="none" stroke="{paper}" stroke-width="{s * 0.07}"/><path d="M{s / 2} '
        f'{s * 0.3}l{s * 0.2} {s * 0.2}-{s * 0.2} {s * 0.2}-{s * 0.2}-{s * 0.2}z" fill="{paper}"/>'
    )


def back_svg(style: BackStyle) -> str:
    """The back as an SVG document without rounded corners."""
    b, s = style.border, style.step
    inner = f'x="{b}" y="{b}" width="{WIDTH - 2 * b}" height="{HEIGHT - 2 * b}"'
    pattern = (
        f'<pattern id="p" width="{s}" height="{s}" patternUnits="userSpaceOnUse" '
        f'patternTransform="translate(315 440)">{_tile(style)}</pattern>'
    )
    badge = ""
    if style.badge:
        badge = (
            f'<ellipse cx="315" cy="440" rx="130" ry="175" fill="{style.paper}" stroke="{style.ink}" '
            f'stroke-width="14"/><path d="M315 320L375 440 315 560 255 440z" fill="{style.ink}"/>'
        )
    line = f'<rect {inner} fill="none" stroke="{style.ink}" stroke-width="9"/>' if b > 0 else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><defs>{pattern}</defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{style.paper}"/>'
        f'<rect {inner} fill="url(#p)"/>{line}{badge}</svg>'
    )


BACKS: Final[dict[str, tuple[BackStyle, ...]]] = {
    "train": (
        BackStyle("own-lattice-blue", "lattice", "#1f4e9c"),
        BackStyle("own-lattice-red", "lattice", "#b3202c"),
        BackStyle("own-diamond-blue", "diamond", "#22408f", border=0, step=34),
        BackStyle("own-diamond-red", "diamond", "#c0272d", border=0, step=34),
        BackStyle("own-rings-green", "rings", "#14613a", step=46, badge=True),
        BackStyle("own-rings-purple", "rings", "#53307a", step=46, badge=True),
        BackStyle("own-weave-brown", "weave", "#6b3b1e", step=44, border=30),
        BackStyle("own-weave-navy", "weave", "#152a52", step=44, border=30),
        BackStyle("own-facet-black", "facet", "#1c1c20", step=60, border=42, badge=True),
        BackStyle("own-facet-red", "facet", "#9c1c2e", step=60, border=42, badge=True),
    ),
    "valid": (
        BackStyle("own-v-scroll-red", "scroll", "#a81f2f", step=54, border=34),
        BackStyle("own-v-scroll-blue", "scroll", "#244f9e", step=54, border=34),
    ),
    "test": (
        BackStyle("own-t-facet-green", "facet", "#1b5e3b", step=44, border=28),
        BackStyle("own-t-facet-blue", "facet", "#1d3f86", step=44, border=28),
    ),
}  # fmt: skip
