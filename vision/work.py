"""Work and its price: what the evaluator may spend on a frame, and what it gives up first.

Prices are in units of a nominal microsecond on one core of the reference machine, not in measured time: the same
frames then give the same looks on a slow and on a fast machine, offline and live. Whoever must keep up with a clock
allows fewer units (see `Pace`) and writes down how many; a replay allows the same.

What does not fit is shed from the end of `Task`, the last first, and reported. Shed work is not lost: a tile that
was not looked at stays changed and an overdue look stays due, so it is done when there is room.
"""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

FIND: Final = 0.021
"""A pixel given to the finder."""
ALIGN: Final = 220
"""A card looked at by the aligner, once."""
READ: Final = 330
"""A card read."""
STACK: Final = 900
"""A chip stack read: two looks."""
WHOLE_FRAME: Final = 25_000
"""The default allowance: a whole-frame look that finds and reads 20 cards."""


class Task(IntEnum):
    """Kinds of work, the most important first; shedding begins at the end."""

    SETTLED = 0
    """Look where something changed and has come to rest."""
    MOVING = 1
    """Look where something moves."""
    READ = 2
    """Align and read cards that are new or changed."""
    STACKS = 3
    """Read stacks that are new or changed."""
    UNSURE = 4
    """Look again at what could not be read surely."""
    REFRESH = 5
    """Look at the whole frame although little changed."""
    AGAIN = 6
    """Look again at what is sure, for another vote."""


@dataclass(slots=True)
class Budget:
    """The allowance of one frame. `take` says whether work may be done, and keeps count of what was shed."""

    units: float = WHOLE_FRAME
    spent: float = 0.0
    shed: dict[Task, int] = field(default_factory=dict)

    def take(self, task: Task, price: float, must: bool = False) -> bool:
        """Return whether there is room for work; work that `must` be done always has room."""
        if must or self.spent + price <= self.units:
            self.spent += price
            return True
        self.shed[task] = self.shed.get(task, 0) + 1
        return False

    def room(self, price: float) -> int:
        """How many pieces of work of this price still fit."""
        return max(0, int((self.units - self.spent) // price))

    def skip(self, task: Task, count: int = 1) -> None:
        """Note work that is not done."""
        if count > 0:
            self.shed[task] = self.shed.get(task, 0) + count


class Pace:
    """How many units to allow so that looks take about `target_ms` on this machine: for live use only.

    It follows the measured price of a unit slowly and gives full or nothing less than an eighth, so that a short
    hitch does not blind the eyes.
    """

    def __init__(self, target_ms: float = 33.0, most: float = WHOLE_FRAME) -> None:
        self.target_ms = target_ms
        self.most = most
        self._price = 1e-3

    @property
    def units(self) -> int:
        """What to allow for the next frame."""
        return round(min(self.most, max(self.most / 8, self.target_ms / self._price)))

    def took(self, spent: float, elapsed_ms: float) -> None:
        """Learn from a look that cost `spent` units and took some time."""
        if spent > 500:
            self._price += 0.1 * (elapsed_ms / spent - self._price)
