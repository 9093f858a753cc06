"""What all parts of the interpreter share: the table, the moment, where the round is, and the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.cards import UNKNOWN, Card
from engine.events import Event, FrameRef
from engine.settings import TableSettings
from pipeline.interpret.contacts import Contacts
from pipeline.interpret.outbox import Draft, Outbox
from pipeline.interpret.spots import Spots
from vision.tracks import CardTrack, Tracks
from vision.tracks.identity import name_all


@dataclass(slots=True)
class Phase:
    """Where the round is, as far as cameras and signals tell."""

    open: bool = False
    number: int = 0
    first_card: int | None = None
    turned_hole: int | None = None
    called: int | None = None
    deck: str | None = None


@dataclass(slots=True)
class Context:
    """The table of one interpreter at one moment."""

    settings: TableSettings
    spots: Spots
    contacts: Contacts
    outbox: Outbox
    phase: Phase = field(default_factory=Phase)
    tracks: Tracks = field(default_factory=lambda: Tracks(0, ()))
    past_faces: dict[str, float] = field(default_factory=dict)

    @property
    def at(self) -> int:
        """The present moment (ms)."""
        return self.tracks.at

    @property
    def frames(self) -> tuple[FrameRef, ...]:
        """The frames of the present moment."""
        return tuple(FrameRef(camera, index) for camera, index in self.tracks.frames)

    def put(
        self,
        kind: type[Event],
        at: int,
        late: Callable[[], dict[str, Any]] | None = None,
        done: Callable[[Event], None] | None = None,
        **fields: Any,
    ) -> Draft:
        """Hand in an event that rests on the present frames."""
        return self.outbox.put(kind, at, self.frames, late, done, **fields)

    def names(self) -> dict[int, tuple[str, float]]:
        """The names of all cards that lie face up, with those of this round that are gone kept free."""
        up = [track for track in self.tracks.cards if track.votes]
        return name_all(up, self.past_faces)

    def read(self, tracks: Iterable[CardTrack]) -> tuple[tuple[Card, ...], float]:
        """What some cards are, `??` where that is not sure, and how sure the least sure name is."""
        named = self.names()
        cards: list[Card] = []
        sure = 1.0
        for track in tracks:
            name, conf = named.get(track.id, ("??", 1.0))
            cards.append(Card.parse(name) if name != "??" else UNKNOWN)
            sure = min(sure, conf)
        return tuple(cards), sure
