"""Things on the table that are not part of the game: drinks, phones, money, a coaster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.events import DEALER
from simulator.choreography.board import Board
from simulator.scene import Clutter, ClutterKind

KINDS: Final[tuple[ClutterKind, ...]] = ("glass", "cup", "phone", "cash", "coaster", "glass")


def place_clutter(board: Board, players: Sequence[int]) -> None:
    """Put a drink, a phone or money beside some players, out of the way of cards and wagers."""
    act = board.act(DEALER)
    for seat in players:
        for side in (-1.0, 1.0):
            if board.rng.random() > 0.42:
                continue
            area = board.places.area(seat, "stash")
            x, y = area.at(board.rng.uniform(-14.0, 6.0), side * board.rng.uniform(140.0, 160.0))
            if not board.places.layout.on_cloth(x * 1.05, y * 1.05):
                x, y = x * 0.95, y * 0.95
            kind = board.rng.choice(KINDS)
            yaw = board.rng.uniform(-180.0, 180.0)
            name = board.new("clutter")
            act.appear(
                Clutter(name, kind, x, y, yaw, board.rng.uniform(0.9, 1.1), board.rng.randrange(1 << 16)), 0.0
            )
    act.commit(0.0)
