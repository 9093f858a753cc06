"""Compare the speed of the hand evaluator with `treys` and `phevaluator`, on the same hands in one run.

Each library gets the hands in its own preferred form, made beforehand, so that only the call is timed. The rounds
alternate between the libraries and the best of each counts, so that a busy machine troubles all alike.

With --all the order of all 2,598,960 hands is first compared, hand by hand, with both.

    python benchmarks/bench_hands.py [--hands 20000] [--rounds 7] [--all]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import treys
from phevaluator.evaluator import evaluate_cards

from engine.cards import DECK, Card
from engine.hands import STRONGEST, evaluate

RUN = Callable[[], None]


def forms(hands: Sequence[Sequence[Card]]) -> dict[str, RUN]:
    """One function for each library that evaluates all hands."""
    treys_card = {card: treys.Card.new(card.label) for card in DECK}
    phe_card = {card: 4 * (card.rank - 2) + "cdhs".index(card.suit) for card in DECK}
    treys_hands = [[treys_card[card] for card in hand] for hand in hands]
    phe_hands = [tuple(phe_card[card] for card in hand) for hand in hands]
    rank = treys.Evaluator().evaluate
    board: list[int] = []

    def run_ours() -> None:
        for hand in hands:
            evaluate(hand)

    def run_treys() -> None:
        for hand in treys_hands:
            rank(board, hand)

    def run_phe() -> None:
        for hand in phe_hands:
            evaluate_cards(*hand)

    return {"pitwatch": run_ours, "treys": run_treys, "phevaluator": run_phe}


def compare_all() -> bool:
    """Whether all three libraries order all hands alike, and the digest of that order."""
    treys_card = {card: treys.Card.new(card.label) for card in DECK}
    phe_card = {card: 4 * (card.rank - 2) + "cdhs".index(card.suit) for card in DECK}
    rank: Any = treys.Evaluator().evaluate
    order = array("H")
    different = 0
    for hand in combinations(DECK, 5):
        strength = evaluate(hand)
        order.append(strength)
        expected = STRONGEST + 1 - strength  # both count 1 (royal flush) to 7462
        in_treys = rank([], [treys_card[card] for card in hand])
        in_phe = evaluate_cards(*[phe_card[card] for card in hand])
        different += in_treys != expected or in_phe != expected
    if sys.byteorder == "little":
        order.byteswap()
    print(f"all {len(order):,} hands: {different} ordered differently")
    print(f"SHA-256 of the order: {hashlib.sha256(order.tobytes()).hexdigest()}")
    return different == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--all", action="store_true", help="compare the order of all hands first")
    options = parser.parse_args()
    same = compare_all() if options.all else True
    rng = random.Random(52)
    runs = forms([tuple(rng.sample(DECK, 5)) for _ in range(options.hands)])
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(options.rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    for name, seconds in best.items():
        print(
            f"{name:12} {seconds / options.hands * 1e9:8.0f} ns a call   {seconds / best['pitwatch']:6.2f} x ours"
        )
    faster = all(best["pitwatch"] < seconds for name, seconds in best.items() if name != "pitwatch")
    print("faster than both" if faster else "NOT faster than both")
    return 0 if faster and same else 1


if __name__ == "__main__":
    raise SystemExit(main())
