"""Make `datasets/logs`: rounds as event logs with the verdicts that are proper, for `pitwatch demo` and the tests.

    python scripts/make_logs.py

The same code and seeds give the same bytes, so a difference in git after running this is a change of behaviour.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from simulator.logs import write_events_only
from simulator.scenarios import script_of

LOGS = Path(__file__).parents[1] / "datasets" / "logs"
SHIPPED = (
    ("clean", "nz", 3),
    ("clean", "s10", 4),
    ("wager.late", "nz", 1),
    ("wager.bet_amount", "s10", 1),
    ("deal.player_count", "nz", 1),
    ("decide.early_reveal", "s10", 1),
    ("settle.bet_amount", "nz", 1),
    ("settle.wrong_outcome", "s10", 1),
    ("jackpot.amount", "nz", 1),
)


def main() -> None:
    """Write every log anew."""
    from simulator.scenarios import scenario_names

    shutil.rmtree(LOGS, ignore_errors=True)
    for check, rulebook, seed in SHIPPED:
        name = next(one for one in scenario_names(rulebook) if one == check or one.startswith(f"{check}/"))
        folder = LOGS / f"{rulebook}-{check.replace('.', '-').replace('_', '-')}"
        write_events_only(script_of(name, rulebook, seed), folder)


if __name__ == "__main__":
    main()
