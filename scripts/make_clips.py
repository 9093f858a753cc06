"""Make `datasets/clips`: short films with truth for `pitwatch demo` and the tests, with art that this project draws.

    python scripts/make_clips.py [NAME…]

Without names every clip that is missing is filmed; with names those are filmed anew. The same code and seeds give
the same truth, byte for byte.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from simulator.api import Order, simulate

CLIPS = Path(__file__).parents[1] / "datasets" / "clips"
SHIPPED = {
    "nz-clean": ("clean", "nz", 5),
    "nz-settle-bet-amount": ("settle.bet_amount/even_money", "nz", 2),
    "s10-clean": ("clean", "s10", 4),
    "s10-decide-early-reveal": ("decide.early_reveal/hole_card_turned", "s10", 4),
    "nz-wager-pinched": ("wager.pinched/losing_bet_lowered", "nz", 4),
    "s10-wager-bet-amount": ("wager.bet_amount/too_large", "s10", 3),
    "nz-deal-player-count": ("deal.player_count/six_cards", "nz", 2),
    "s10-settle-ante-amount": ("settle.ante_amount/double", "s10", 3),
}
SEATS, QUALITY, FRAMES_EVERY = 2, 30, 25


def main(names: list[str]) -> None:
    """Film what is asked for, or what is missing."""
    wanted = names or [name for name in SHIPPED if not (CLIPS / name / "truth.jsonl").is_file()]
    for style, (name, (scenario, rulebook, seed)) in enumerate(SHIPPED.items()):
        if name not in wanted:
            continue
        shutil.rmtree(CLIPS / name, ignore_errors=True)
        order = Order(
            scenario, rulebook, seed, seats=SEATS, split="test", style=style + 1, quality=QUALITY,
            frames_every=FRAMES_EVERY, own_art=True,
        )  # fmt: skip
        simulate(order, CLIPS / name)


if __name__ == "__main__":
    main(sys.argv[1:])
