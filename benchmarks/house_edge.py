"""Work out the edge of perfect play, exactly, over all 19,933,230,517,200 deals, beside the known figures.

A player who knows k cards K of the dealer's raises when that loses less than the ante. For each player's hand P
and each K the number of dealer's hands that do not play, that lose, and that tie is needed. It comes from counts of
hands that hold K and a subset S of P, with alternating signs, so that no dealer's hand is ever visited twice:
players' hands go by in order of strength, and the counts of weaker dealer's hands grow along. Hands of players
that differ by a change of suits only are done once. Everything is in whole numbers.

    python benchmarks/house_edge.py            one known card: the game itself (a minute or two)
    python benchmarks/house_edge.py --known 2  what a second, exposed card is worth; 3 takes longer
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.cards import DECK
from engine.exposure import PLAYER_EDGE
from engine.hands import CLASSES, LOWEST, QUALIFYING, Category, category, strength_of_key
from engine.jackpot import JackpotRules, Prize
from engine.odds_analysis import DEALS, HANDS, Strategy, break_even_meter, net_antes
from engine.settlement import Odds, Ratio

Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]

S10 = Odds.to_one("s10", 1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(53)], dtype=np.int64)


def index_of(sets: Ints) -> Ints:
    """Number of each set of cards among those of its size.

    sets: (n, k), ascending along the rows -> (n,)
    """
    size = sets.shape[1]
    return sum((CHOOSE[sets[:, i], i + 1] for i in range(size)), np.zeros(len(sets), dtype=np.int64))


def all_hands() -> tuple[Ints, Ints, Ints]:
    """Return all hands (n, 5), their strengths (n,), and how many each stands for (n,), 0 if another stands for it."""
    hands = np.array(list(combinations(range(52), 5)), dtype=np.int64)
    keys = np.array([card.key for card in DECK], dtype=np.int64)[hands].sum(axis=1)
    unique, inverse = np.unique(keys, return_inverse=True)
    strengths = np.array([strength_of_key(int(key)) for key in unique], dtype=np.int64)[inverse]
    masks = np.zeros((len(hands), 4), dtype=np.int64)
    for column in range(5):
        np.add.at(masks, (np.arange(len(hands)), hands[:, column] // 13), 1 << (hands[:, column] % 13))
    masks.sort(axis=1)
    look = ((masks[:, 0] << 13 | masks[:, 1]) << 13 | masks[:, 2]) << 13 | masks[:, 3]
    _, first, times = np.unique(look, return_index=True, return_counts=True)
    weight = np.zeros(len(hands), dtype=np.int64)
    weight[first] = times
    return hands, strengths, weight


class Tally:
    """Counts of dealer's hands by a subset S they hold and the known cards K they hold.

    rows[s]: (C(52, s), C(52, k)), for sizes s of S from 0 to 5 - k.
    """

    def __init__(self, known: int) -> None:
        self.known = known
        self.rows: list[Counts] = [
            np.zeros((comb(52, size), comb(52, known)), dtype=np.int32) for size in range(6 - known)
        ]

    def add(self, hands: Ints, sign: int = 1) -> None:
        """Count these hands, or take them out again. hands: (n, 5)"""
        for known in combinations(range(5), self.known):
            columns = index_of(hands[:, known])
            rest = [i for i in range(5) if i not in known]
            for size, rows in enumerate(self.rows):
                for chosen in combinations(rest, size):
                    np.add.at(rows, (index_of(hands[:, chosen]), columns), sign)

    def disjoint(self, hands: Ints) -> Counts:
        """For each player's hand and each K: how many counted hands hold K and no card of the player's.

        hands: (n, 5) -> (n, C(52, k)); columns in which K meets the player's hand mean nothing.
        """
        total = np.zeros((len(hands), self.rows[0].shape[1]), dtype=np.int32)
        for size, rows in enumerate(self.rows):
            for chosen in combinations(range(5), size):
                part = rows[index_of(hands[:, chosen])]
                total = total - part if size % 2 else total + part
        return total


class Table:
    """All that stays the same while players' hands go by: the sets of known cards, and who has no hand.

    holds[c]: (C(52, k),) whether each set of known cards holds card c.
    """

    def __init__(self, known: int) -> None:
        sets = np.array(list(combinations(range(52), known)), dtype=np.int64)
        sets = sets[np.argsort(index_of(sets))]
        self.holds = np.array([(sets == card).any(axis=1) for card in range(52)])
        self.rest = comb(47 - known, 5 - known)
        self.chunk = max(1, 4_000_000 // len(sets))

    def best(self, value: Ints, players: Ints, times: Ints) -> tuple[int, int]:
        """Return antes won and raises made when each player does what is better with each set of known cards.

        value: (n, C(52, k)) antes won by raising; players: (n, 5); times: (n,)
        """
        free = ~np.logical_or.reduce([self.holds[players[:, i]] for i in range(5)])
        raised = free & (value > -self.rest)
        won = np.where(raised, value, np.where(free, -self.rest, 0)).sum(axis=1)
        return int((times * won).sum()), int((times * raised.sum(axis=1)).sum()) * self.rest


def perfect_play(known: int, odds: Odds) -> tuple[int, int]:
    """Return the antes won and the raises made over all deals, each counted C(5, known) times."""
    hands, strengths, weight = all_hands()
    order = np.argsort(strengths, kind="stable")
    hands, weight = hands[order], weight[order]
    starts = np.searchsorted(strengths[order], np.arange(len(CLASSES) + 1))
    table, weak, playing = Table(known), Tally(known), Tally(known)
    weak.add(hands[: starts[QUALIFYING]])
    total = raises = 0
    for strength in range(len(CLASSES)):
        group = slice(starts[strength], starts[strength + 1])
        players, times = hands[group][weight[group] > 0], weight[group][weight[group] > 0]
        pieces = [slice(i, i + table.chunk) for i in range(0, len(players), table.chunk)]
        pays = 1 + 2 * odds.rows[category(strength)].num
        plays = strength >= QUALIFYING
        beaten = [playing.disjoint(players[piece]) if plays else None for piece in pieces]
        if plays:
            playing.add(hands[group])  # from here on those that tie are among them
        for piece, wins in zip(pieces, beaten, strict=True):
            idle = weak.disjoint(players[piece]).astype(np.int64)
            value = idle - 3 * (table.rest - idle)
            if wins is not None:
                value += pays * wins.astype(np.int64) + 3 * playing.disjoint(players[piece])
            won, made = table.best(value, players[piece], times[piece])
            total, raises = total + won, raises + made
    return total, raises


GOLDEN = {
    Strategy("always raise"): -3_310_360_338_060,
    Strategy("any pair or better", LOWEST[Category.PAIR]): -1_090_272_101_460,
    Strategy("any ace-king or better", QUALIFYING): -1_132_600_203_540,
}
GOLDEN_PERFECT = -1_041_372_912_372
GOLDEN_METER = 218_047


def report(name: str, found: float, golden: float, unit: str = "antes") -> bool:
    print(
        f"{name:28} {found:>24,} {unit:6} golden {golden:>24,}  {'same' if found == golden else 'DIFFERENT'}"
    )
    return found == golden


def plain_figures() -> bool:
    """Print what needs no perfect play: plain strategies, all five cards known, the break-even meter."""
    same = [report(strategy.name, net_antes(strategy, S10), golden) for strategy, golden in GOLDEN.items()]
    five = net_antes(Strategy("all five known", clairvoyant=True), S10)
    print(f"{'all five dealer cards known':28} {five:>24,} antes  {100 * five / DEALS:+.3f} %")
    book = JackpotRules(
        "s10",
        {
            Category.ROYAL_FLUSH: Prize(share=Ratio(1)),
            Category.STRAIGHT_FLUSH: Prize(share=Ratio(1, 10)),
            Category.FOUR_OF_A_KIND: Prize(amount=50_000),
            Category.FULL_HOUSE: Prize(amount=10_000),
            Category.FLUSH: Prize(amount=5_000),
        },
    )
    same.append(report("break-even meter", break_even_meter(book, 100) // 100, GOLDEN_METER, "units"))
    return all(same)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--known", type=int, default=1, choices=(1, 2, 3), help="dealer's cards that are known"
    )
    known = parser.parse_args().known
    start = time.perf_counter()
    same = plain_figures() if known == 1 else True
    won, raises = perfect_play(known, S10)
    deals = HANDS * comb(47, 5) * comb(5, known)
    edge = 100 * won / deals
    if known == 1:
        same &= report("perfect play", won, GOLDEN_PERFECT) and deals == DEALS
        print(f"house edge {-edge:.4f} %, element of risk {-100 * won / (deals + 2 * raises):.3f} %")
    shown = PLAYER_EDGE[known]
    same &= round(edge * 1000) == shown
    print(
        f"known cards {known}: edge for the player {edge:+.4f} %, in engine/exposure.py {shown / 1000:+.3f} %"
    )
    print(f"{time.perf_counter() - start:.0f} s")
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
