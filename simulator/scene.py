"""One instant at the table, as frozen values: what the choreography writes and the renderer films.

Everything is in table millimetres (see `calibration.layout`) and DEGREES, counter-clockwise seen from
above. Values compare by content: the renderer redraws only objects whose value differs from the last
frame, so give a thing that rests exactly the same value in every frame, and a stable `id` through the
whole film.

Conventions
- A card with yaw 0 has the top of its face towards +y. `CardPose.yaw_for(direction)` turns a layout direction
  (radians) into a yaw. flip 0 = face down, 180 = face up; in between it turns about its long axis (or
  about its short axis with flip_axis "short"). `tilt` lifts the top edge (positive) about the bottom
  edge's axis through the middle; `roll` lifts the left edge. `curl` bends the card about its short axis:
  mm of rise of the ends (top and bottom) over the middle. z is the height of the card's middle; a card
  flat on cloth has z = CARD_THICKNESS / 2.
- A chip stack's (x, y, z) is the middle of its bottom. Chips are values in cents, bottom to top.
- A hand's (x, y, z) is the point that its fingers work at: between thumb and index for `pinch`/`hold`,
  under the finger tips for `flat`/`push`/`point`/`rest`. The arm follows from the owner's body unless
  `yaw` is given.
- seat 0 = dealer. Deck 0 and 1 are the table's two decks (two back colours), from the Look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import degrees, pi
from typing import Literal

from calibration.layout import CARD_THICKNESS, CHIP_HEIGHT

Grip = Literal["rest", "flat", "pinch", "hold", "push", "point", "fist", "spread"]
Side = Literal["left", "right"]
ClutterKind = Literal["glass", "cup", "phone", "cash", "coaster", "button", "coupon", "plaque"]
ShoeKind = Literal["shoe", "shuffler", "none"]


@dataclass(frozen=True, slots=True)
class CardPose:
    """One card in space. `label` is like "As"; None draws a face that is blank (never seen, or only its
    back).
    """

    id: str
    label: str | None
    x: float
    y: float
    z: float = CARD_THICKNESS / 2
    yaw: float = 0.0
    flip: float = 0.0
    tilt: float = 0.0
    roll: float = 0.0
    curl: float = 0.0
    deck: int = 0
    flip_axis: Literal["long", "short"] = "long"

    @staticmethod
    def yaw_for(direction: float) -> float:
        """The yaw (degrees) of a card whose top points along a layout direction (radians)."""
        return degrees(direction - pi / 2)


@dataclass(frozen=True, slots=True)
class ChipStack:
    """Chips on top of each other. `jitter` is how untidy (mm); offsets and turns of single chips follow
    from `seed`.
    """

    id: str
    chips: tuple[int, ...]
    x: float
    y: float
    z: float = 0.0
    jitter: float = 0.5
    seed: int = 0
    lean: tuple[float, float] = (0.0, 0.0)

    @property
    def height(self) -> float:
        """Height of the stack in mm."""
        return len(self.chips) * CHIP_HEIGHT


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand with its arm, which comes from `who`'s side of the table.

    `open` spreads the fingers of the grip (0 closed, 1 open), `yaw` overrides the direction in which the
    fingers point (None: away from the owner's body), `turn` rolls the palm about the forearm (180 = palm up).
    """

    id: str
    who: int
    side: Side
    x: float
    y: float
    z: float = 5.0
    grip: Grip = "rest"
    open: float = 0.5
    yaw: float | None = None
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class DeckBlock:
    """A squared pile of cards drawn as one block: deck, stub, packet, the rack's content, cards in the shoe.

    `top` is the label of the top card if it lies face up; `cut_card` puts a cut or cover card under the block
    (0 = at the bottom) or sticking out above that many cards; `skew` leans the pile (mm over its height).
    """

    id: str
    cards: int
    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    deck: int = 0
    top: str | None = None
    cut_card: int | None = None
    skew: float = 0.0


@dataclass(frozen=True, slots=True)
class CutCard:
    """A plain coloured plastic card of card size, lying or stuck into the deck."""

    id: str
    x: float
    y: float
    z: float = CARD_THICKNESS / 2
    yaw: float = 0.0
    tilt: float = 0.0


@dataclass(frozen=True, slots=True)
class Clutter:
    """A thing that is not part of the game; `size` scales it, `seed` picks its variant."""

    id: str
    kind: ClutterKind
    x: float
    y: float
    yaw: float = 0.0
    size: float = 1.0
    seed: int = 0
    z: float = 0.0


@dataclass(frozen=True, slots=True)
class Fixtures:
    """What stands on the table for the whole film, and its lights.

    `tray` is a tuple of columns (value in cents, number of chips), in order from dealer's left to right;
    `rack` is how many cards lie in the discard rack and of which deck; `lights` are the seats whose
    jackpot light is on.
    """

    tray: tuple[tuple[int, int], ...] = ()
    rack_cards: int = 0
    rack_deck: int = 0
    shoe: ShoeKind = "shuffler"
    shoe_light: bool = False
    lights: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Light:
    """Lighting: key light direction (from table to lamp), strengths, warmth (kelvin), softness of shadows."""

    key: tuple[float, float, float] = (0.25, 0.2, 1.0)
    strength: float = 1.0
    ambient: float = 0.42
    kelvin: float = 4200.0
    fill: tuple[float, float, float] = (-0.5, 0.6, 0.8)
    fill_strength: float = 0.25
    pool: float = 0.25


@dataclass(frozen=True, slots=True)
class Person:
    """How one person looks on camera: skin and sleeve colours (sRGB 0..1), sleeve length and width, hand
    size.
    """

    skin: tuple[float, float, float] = (0.80, 0.60, 0.48)
    sleeve: tuple[float, float, float] = (0.15, 0.15, 0.18)
    sleeve_length: float = 1.0
    girth: float = 1.0
    cuff: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that varies between films but not within one; drawn from a seed by
    `simulator.looks.sample_look`.

    Art is named by id (see `simulator.art`): two decks (face art with back), chip set, felt, print, room.
    """

    split: str = "train"
    seed: int = 0
    decks: tuple[str, str] = ("own-classic", "own-classic")
    backs: tuple[str, str] = ("own-lattice-blue", "own-lattice-red")
    chips: str = "club"
    felt: str = "green"
    print: str = "serif-gold"
    room: str = "carpet-red"
    rail: tuple[float, float, float] = (0.17, 0.13, 0.11)
    light: Light = Light()
    people: tuple[Person, ...] = field(default_factory=lambda: tuple(Person() for _ in range(8)))
    card_wear: float = 0.1
    camera_jitter: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def person(self, who: int) -> Person:
        """The dealer (0) or the player of a seat."""
        return self.people[who % len(self.people)]


SceneObject = CardPose | ChipStack | HandPose | DeckBlock | CutCard | Clutter


@dataclass(frozen=True, slots=True)
class Scene:
    """One instant. Ids are unique over all objects of a scene."""

    cards: tuple[CardPose, ...] = ()
    stacks: tuple[ChipStack, ...] = ()
    hands: tuple[HandPose, ...] = ()
    blocks: tuple[DeckBlock, ...] = ()
    cut_cards: tuple[CutCard, ...] = ()
    clutter: tuple[Clutter, ...] = ()
    fixtures: Fixtures = Fixtures()

    def objects(self) -> tuple[SceneObject, ...]:
        """Every movable object, in drawing order."""
        return (*self.clutter, *self.blocks, *self.cut_cards, *self.cards, *self.stacks, *self.hands)
