"""What the command line and the tests call: make a scene from a scenario, as logs or as film.

from simulator.api import Order, simulate

simulate(Order("clean", "nz", seed=7, seats=3), Path("film"))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from simulator.director import Script
from simulator.errors import SimulatorError
from simulator.logs import write_events_only
from simulator.scenarios import script_of

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is to do."""
CAMERAS = ("overview", "bets")


@dataclass(frozen=True, slots=True)
class Order:
    """One film that is asked for. `split` and `style` choose art, light and camera poses (None: by the seed);
    `own_art` leaves out decks that are not drawn by this project.
    """

    scenario: str = "clean"
    rulebook: str | None = None
    seed: int | None = None
    cameras: tuple[str, ...] = CAMERAS
    size: tuple[int, int] = (1920, 1080)
    fps: float = 25.0
    seats: int | None = None
    split: str = "train"
    style: int | None = None
    quality: int = 23
    frames_every: int = 10
    limit: float | None = None
    own_art: bool = False

    def script(self) -> Script:
        """The script of this order."""
        return script_of(self.scenario, self.rulebook, self.seed, self.seats)


def simulate(order: Order, out: Path, events_only: bool = False, progress: Progress | None = None) -> Script:
    """Write a scene into a folder, filmed unless `events_only`; returns its script as written (film times)."""
    script = order.script()
    if events_only:
        write_events_only(script, out)
        return script
    try:
        from simulator.film import film_order
    except ModuleNotFoundError as error:
        raise missing_extra(error) from None
    return film_order(order, script, out, progress)


def missing_extra(error: ModuleNotFoundError) -> SimulatorError:
    """Say in one line what is not installed."""
    return SimulatorError(f"{error.name} is missing: filming needs the extra, pip install 'pitwatch[sim]'")
