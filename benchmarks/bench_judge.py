"""How many events a second the monitor judges on one core: legal rounds of both rulebooks, decoding included and not.

    python benchmarks/bench_judge.py [ROUNDS]

The second figure is the same log read from JSON lines, as `pitwatch judge` does.
"""

from __future__ import annotations

import gc
import sys
import time

from engine.events.codec import read_lines, to_line
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from simulator.director import legal


def main(rounds: int) -> None:
    for name in ("nz", "s10"):
        book = load_rulebook(name)
        scripts = [legal(name, seed) for seed in range(rounds)]
        lines = [[to_line(event) for event in script.events] for script in scripts]
        events = sum(map(len, lines))
        gc.collect()
        gc.freeze()  # the scripts are the benchmark's, not the monitor's: collecting them again is no part of judging

        start = time.process_time()
        alerts = sum(len(Monitor(book, script.settings).feed_all(script.events)) for script in scripts)
        judged = time.process_time() - start

        start = time.process_time()
        for script, log in zip(scripts, lines, strict=True):
            Monitor(book, script.settings).feed_all(read_lines(log, "log"))
        read_and_judged = time.process_time() - start

        print(
            f"{name}: {events} events of {rounds} legal rounds, {alerts} alerts; "
            f"judged {events / judged:,.0f} events/s, read and judged {events / read_and_judged:,.0f} events/s"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
