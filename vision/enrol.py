"""Enrol a deck: learn this table's card art from a spread of all 52 cards, without training.

A new deck is spread in order when a table opens: suit by suit, rank by rank. The order labels every card even where
the reader is unsure, because one wrong read cannot move its neighbours. Each card's embedding in the spread becomes
what that card looks like here (a prototype), and later reads are a blend of what the network says and of which
prototype a crop resembles.

    deck = enrol([spread(image, eye) for image in pictures])
    reader = EnrolledReader(deck)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.card_reader import LABELS, CardReader, Reads
from vision.detections import Detections
from vision.errors import BadEnrolment
from vision.evaluator import Aligns
from vision.finder import Finder
from vision.quads import rectify
from vision.weights import Weights

Array = NDArray[Any]

SUITS: Final = "cdhs"
ORDERS: Final = ("A23456789TJQK", "KQJT98765432A", "23456789TJQKA", "AKQJT98765432")
LEAST_CARDS: Final = 40
LEAST_AGREE: Final = 0.5
"""Share of the cards whose own read must agree with their place in the order."""
_SKIP: Final = 4.0
"""Price (in log odds) of a card that was not found, or of a find that is no card of the spread."""
_SHARP: Final = 9.0
_BLEND: Final = 0.5


@dataclass(frozen=True, slots=True)
class Spread:
    """The cards of one picture, in reading order: log odds (N, 52) and embeddings (N, 2, D), both ways up."""

    logs: NDArray[np.float64]
    embeddings: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Deck:
    """What the cards of an enrolled deck look like: prototypes (52, 2, D) of length 1, and which are known (52,)."""

    prototypes: NDArray[np.float32]
    known: NDArray[np.bool_]
    agree: float


def reading_order(quads: Array) -> NDArray[np.intp]:
    """Return indices of quads (N, 4, 2) row by row from the top, each row from the left.

    Rows are told apart along the cards' own long side, so that a spread may lie at an angle to the picture.
    """
    if not len(quads):
        return np.zeros(0, np.intp)
    long = (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2
    long = np.where((long[:, 1] < 0)[:, None], -long, long)
    down = np.median(long, axis=0)
    length = float(np.linalg.norm(down))
    down = down / max(length, 1e-6)
    right = np.array([down[1], -down[0]])
    centres = quads.mean(1)
    along, across = centres @ down, centres @ right
    order = np.argsort(along, kind="stable")
    rows = np.zeros(len(quads), int)
    rows[order[1:]] = np.cumsum(np.diff(along[order]) > 0.45 * length)
    return np.lexsort((across, rows))


def spread(
    image: Array, finder: Finder, aligner: Aligns, reader: CardReader, found: Detections | None = None
) -> Spread:
    """Return the cards of a picture of a spread, or of a part of one (such as a single suit)."""
    found = aligner.align(image, finder.search(image)) if found is None else found
    cards = found[found.is_card]
    quads = cards.quads[reading_order(cards.quads)]
    crops = rectify(image, quads)
    reads = reader.read_crops(crops)
    turned = reader.read_crops(np.ascontiguousarray(crops[:, ::-1, ::-1]))
    both = (reads.odds[:, : len(LABELS)] + turned.odds[:, : len(LABELS)]) / 2
    face = np.asarray(both.sum(1) > 0.05)
    embeddings = np.stack([reads.embeddings, turned.embeddings], 1)
    return Spread(np.log(np.maximum(both[face].astype(np.float64), 1e-6)), embeddings[face])


def sequences() -> list[list[int]]:
    """Return every order in which a deck is spread: suits in any order, ranks up or down, ace low or high."""
    out = []
    for suits in permutations(SUITS):
        out += [[LABELS.index(rank + suit) for suit in suits for rank in ranks] for ranks in ORDERS]
    return out


def match(logs: Array, order: Sequence[int]) -> tuple[float, list[tuple[int, int]]]:
    """Lay cards (N, 52) along an order, allowing cards too many and cards missed; return the score and the pairs."""
    n, m = len(logs), len(order)
    gain = logs[:, list(order)] + 2 * _SKIP
    best = np.zeros((n + 1, m + 1))
    for i in range(1, n + 1):
        step = np.maximum(best[i - 1, :-1] + gain[i - 1], best[i - 1, 1:])
        best[i, 1:] = np.maximum.accumulate(step)
    pairs, i, j = [], n, m
    while i and j:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, order[j]))
    return float(best[n, m]), pairs[::-1]


def enrol(spreads: Sequence[Spread]) -> Deck:
    """Return the deck that some spreads show: one picture of all 52 cards, or one of each suit, in order."""
    logs = np.concatenate([s.logs for s in spreads]) if spreads else np.zeros((0, len(LABELS)))
    if len(logs) < LEAST_CARDS:
        raise BadEnrolment(f"only {len(logs)} faces were found, a spread has 52")
    _, pairs = max((match(logs, order) for order in sequences()), key=lambda one: one[0])
    agree = float(np.mean([logs[i].argmax() == label for i, label in pairs])) if pairs else 0.0
    if len(pairs) < LEAST_CARDS or agree < LEAST_AGREE:
        raise BadEnrolment(
            f"{len(pairs)} of 52 cards lie in an order and {agree:.0%} of them read so: not a spread in order"
        )
    embeddings = np.concatenate([s.embeddings for s in spreads])
    prototypes = np.zeros((len(LABELS), 2, embeddings.shape[2]), np.float32)
    known = np.zeros(len(LABELS), bool)
    for i, label in pairs:
        prototypes[label] += _unit(embeddings[i])
        known[label] = True
    return Deck(_unit(prototypes), known, agree)


def _unit(vectors: Array) -> Array:
    """Vectors of length 1 along the last axis."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6), np.float32)


def blend(reads: Reads, deck: Deck, share: float = _BLEND) -> Reads:
    """Return reads whose odds also say which card of the enrolled deck a crop resembles.

    The mixture is of odds: where the two disagree neither is sure any more, and the threshold says "??".
    """
    if not len(reads):
        return reads
    alike = np.einsum("nd,kwd->nkw", _unit(reads.embeddings), deck.prototypes).max(2)
    alike = np.where(deck.known[None], alike, -1.0) * _SHARP
    likely = np.exp(alike - alike.max(1, keepdims=True))
    likely /= likely.sum(1, keepdims=True)
    cards = len(LABELS)
    odds = reads.odds.astype(np.float64)
    mass = odds[:, :cards].sum(1, keepdims=True)
    product = odds[:, :cards] ** (1 - share) * np.maximum(likely, 1e-9) ** share
    odds[:, :cards] = mass * product / np.maximum(product.sum(1, keepdims=True), 1e-12)
    return Reads(odds.astype(np.float32), reads.embeddings)


class EnrolledReader(CardReader):
    """A card reader that knows this table's deck."""

    def __init__(
        self, deck: Deck, weights: Weights | None = None, threshold: float | None = None, threads: int = 1
    ) -> None:
        super().__init__(weights, threshold, threads)
        self.deck = deck

    def read_crops(self, crops: Array) -> Reads:
        """Read crops (N, 112, 80, 3) and blend with the enrolled deck."""
        return blend(super().read_crops(crops), self.deck)


def save_deck(deck: Deck, path: Path) -> None:
    """Write an enrolled deck."""
    with path.open("wb") as file:
        np.savez(file, prototypes=deck.prototypes, known=deck.known, agree=np.array(deck.agree))


def load_deck(path: Path) -> Deck:
    """Read an enrolled deck; raises BadEnrolment in one line if it is none."""
    try:
        with np.load(path, allow_pickle=False) as data:
            deck = Deck(data["prototypes"], data["known"], float(data["agree"]))
    except (OSError, ValueError, KeyError) as error:
        raise BadEnrolment(f"{path}: not an enrolled deck: {error}") from None
    if (
        deck.prototypes.ndim != 3
        or deck.prototypes.shape[:2] != (len(LABELS), 2)
        or deck.known.shape != (52,)
    ):
        raise BadEnrolment(f"{path}: not an enrolled deck: prototypes of shape {deck.prototypes.shape}")
    return deck
