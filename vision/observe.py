"""What the eyes report of one camera frame, in table millimetres: the seam between seeing and tracking.

Real vision and the simulator's noise model both produce a `View`; tracking and everything after it knows nothing
else. A view says what was found, not what is there: an object that is missing may be covered, out of the picture,
or simply missed. An object that an evaluator carried over from an earlier frame because its pixels did not change is
reported as the very same Python object, so that a tracker can tell old news from a second look.

Frame and units are those of `calibration.layout` (mm; angles here are degrees, counter-clockwise, 0 = a card whose
top points to +y). Positions are measured on the cloth's plane, so a thing that is held up appears shifted and of the
wrong size: `SeenCard.flat` says whether the outline has the size of a card that lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from calibration.layout import CARD_HEIGHT, CARD_WIDTH, Point
from vision.detections import UNKNOWN

FLAT_TOLERANCE = 0.14
"""By how much (share) an outline may differ from a card's size and still be a card that lies on the cloth."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card: middle, turn, measured size, which side is up, what was read.

    `label` is "As" … or "??" (a face not or not surely read; always for backs); `conf` how sure the label is; `back`
    names the look of a back (one name for each deck that differs), None if it was not told apart.
    """

    x: float
    y: float
    angle: float
    face_up: bool
    label: str = UNKNOWN
    conf: float = 0.0
    back: str | None = None
    width: float = CARD_WIDTH
    height: float = CARD_HEIGHT
    score: float = 1.0

    @property
    def flat(self) -> bool:
        """Whether the outline has the size of a card that lies on the cloth."""
        return (
            abs(self.width / CARD_WIDTH - 1) < FLAT_TOLERANCE
            and abs(self.height / CARD_HEIGHT - 1) < FLAT_TOLERANCE
        )

    @property
    def quad(self) -> tuple[Point, ...]:
        """The four corners, counter-clockwise from the top left one as seen by who reads it."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        w, h = self.width / 2, self.height / 2
        return tuple(
            (self.x + dx * c - dy * s, self.y + dx * s + dy * c)
            for dx, dy in ((-w, h), (-w, -h), (w, -h), (w, h))
        )


@dataclass(frozen=True, slots=True)
class SeenStack:
    """A chip stack: the middle of its foot; `chips` are values bottom to top, None if they could not be read."""

    x: float
    y: float
    chips: tuple[int, ...] | None = None
    conf: float = 0.0
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand with what shows of its arm: the point it works at, an outline, and where the arm comes over the edge.

    `spine` is the middle line from the finger tips to the end of the arm, `radius` half its width: together
    they are the outline. `entry` is None where the arm's end was not in view.
    """

    tip: Point
    spine: tuple[Point, ...]
    radius: float
    entry: Point | None = None
    side: str | None = None
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenDeck:
    """A squared pile of cards: deck, stub, packet in the machine; `top` is what its top card shows, if it is a face."""

    x: float
    y: float
    angle: float = 0.0
    top: str | None = None
    back: str | None = None
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenThing:
    """Something flat that may be a wager without chips: `kind` is cash, coupon or plaque; a cut card is `cut_card`."""

    kind: str
    x: float
    y: float
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class View:
    """Everything that one camera's frame showed. `usable` false: the camera saw nothing that can be trusted (`why`)."""

    camera: str
    index: int
    at: int
    cards: tuple[SeenCard, ...] = ()
    stacks: tuple[SeenStack, ...] = ()
    hands: tuple[SeenHand, ...] = ()
    decks: tuple[SeenDeck, ...] = ()
    things: tuple[SeenThing, ...] = ()
    usable: bool = True
    why: str = ""
