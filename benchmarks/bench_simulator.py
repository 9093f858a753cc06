"""How long a round takes to film, and how many stills come in an hour.

    python benchmarks/bench_simulator.py [--seats 5] [--size 1920x1080] [--stills 60] [--seconds S]

Films one legal round with both cameras and writes labelled stills; prints both figures against their goals (a round
of five seats in 6 minutes or less, 2,000 stills an hour or more on two cores).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from simulator.api import Order, simulate


def film(seats: int, size: tuple[int, int], seconds: float | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        order = Order("clean", "nz", 3, size=size, seats=seats, limit=seconds)
        script = simulate(order, Path(folder))
        took = time.monotonic() - start
        whole = script.events[-1].at / 1000 + 1.5
        filmed = min(whole, seconds or whole)
        print(
            f"film: {seats} seats, {size[0]}x{size[1]}, both cameras: {filmed:.0f} s of play in {took / 60:.1f} min "
            f"({1000 * took / (filmed * 25):.0f} ms a frame of both); "
            f"the whole round takes {took * whole / filmed / 60:.1f} min (goal: 6)"
        )


def stills(count: int) -> None:
    from simulator.stills import write_stills

    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        write_stills(count, Path(folder), split="train", seed=1)
        took = time.monotonic() - start
        print(f"stills: {count} in {took:.0f} s, {count / took * 3600:,.0f} an hour (goal: 2,000)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--stills", type=int, default=60)
    parser.add_argument("--seconds", type=float, help="film only so much, and extrapolate")
    args = parser.parse_args()
    width, height = (int(part) for part in args.size.split("x"))
    film(args.seats, (width, height), args.seconds)
    if args.stills:
        stills(args.stills)


if __name__ == "__main__":
    main()
