"""From a script to motion: every event that a camera can see becomes an action, and gets the time when it shows.

The script says what happens in which order and about when. The choreography says how long it takes: an event is
moved to the first frame on which its change can be seen, and whatever comes after it is moved along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from calibration.layout import Layout
from engine import events as ev
from engine.events import DEALER, Event, Role
from simulator.choreography import cards, deal, deck, people, settle, show, shuffle, wagers
from simulator.choreography.act import Act
from simulator.choreography.board import Board
from simulator.choreography.clutter import place_clutter
from simulator.choreography.gestures import go_home
from simulator.choreography.places import Places
from simulator.choreography.tracks import Timeline
from simulator.director import Beat, Script

Handler = Callable[[Board, Beat], Act | None]

LEAD: Final = 600.0
"""An action may begin so long (ms) before the event in front of it is done: people do not wait for each other."""
LONGEST_GAP: Final = 2600
"""Longest time (ms) in which nothing happens; a script's longer waits are cut to it."""
LINGER: Final = 1200.0
"""After so long (ms) without work a hand goes back to where it rests."""
OPENING, CLOSING = 800, 1500
"""What a film shows before its first and after its last event (ms)."""

MOTIONS: Final[dict[type[Event], Handler]] = {
    ev.PlayerSat: people.sat,
    ev.PlayerLeft: people.left,
    ev.DealerChanged: people.dealer_changed,
    ev.DeviceInstalled: people.device_changed,
    ev.DeviceRemoved: people.device_changed,
    ev.NoMoreBetsCalled: people.no_more_bets,
    ev.LockOutPressed: people.lock_out,
    ev.CouponRedeemed: people.coupon,
    ev.DeckBrought: deck.brought,
    ev.DeckInspected: deck.inspected,
    ev.DeckSpread: deck.deck_spread,
    ev.DeckWashed: shuffle.washed,
    ev.DeckShuffled: shuffle.shuffled,
    ev.DeckCut: shuffle.cut,
    ev.DeckLoaded: deck.loaded,
    ev.DeckRemoved: deck.removed,
    ev.DeckCounted: deck.deck_counted,
    ev.DeckHeld: deck.held,
    ev.CardShown: deck.shown,
    ev.StubCounted: deck.stub_counted,
    ev.StubPlaced: deal.stub_placed,
    ev.CardDealt: deal.card_dealt,
    ev.PacketDealt: deal.packet_dealt,
    ev.CardMisdrawn: deal.misdrawn,
    ev.CardFoundFaceUp: deal.found_face_up,
    ev.CardDiscarded: deal.discarded,
    ev.RoundOpened: wagers.cleared,
    ev.WagerPlaced: wagers.placed,
    ev.WagerChanged: wagers.changed,
    ev.WagerWithdrawn: wagers.withdrawn,
    ev.WagerTouched: wagers.touched,
    ev.WagerTaken: settle.taken,
    ev.WagerPaid: settle.paid,
    ev.JackpotPaid: settle.jackpot_paid,
    ev.JackpotChipsCounted: settle.chips_counted,
    ev.AcceptorLightChanged: settle.light,
    ev.HandPickedUp: cards.picked_up,
    ev.HandViewed: cards.viewed,
    ev.HandLaidDown: cards.laid_down,
    ev.HandTouched: cards.hand_touched,
    ev.PlayerFolded: cards.folded,
    ev.CardsOutOfSight: cards.out_of_sight,
    ev.CardMoved: cards.moved,
    ev.CardsTurned: show.turned,
    ev.CardFlashed: show.flashed,
    ev.HandSpread: show.spread,
    ev.HandCounted: show.counted,
    ev.CardsCollected: show.collected,
    ev.HandRebuilt: show.rebuilt,
    ev.JackpotVerified: show.verified,
}
"""How each event that can be seen is acted."""


@dataclass(frozen=True, slots=True)
class Performance:
    """A film before it is filmed: what moves when, and the script with the times at which its events show.

    `acted` are the numbers of the events that have a motion of their own.
    """

    timeline: Timeline
    script: Script
    acted: frozenset[int]
    fps: float

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return ceil(self.timeline.duration * self.fps / 1000)

    def time_of(self, frame: int) -> float:
        """The moment (ms) that a frame shows."""
        return frame * 1000.0 / self.fps


def choreograph(script: Script, layout: Layout, seed: int | str = 0, fps: float = 25.0) -> Performance:
    """Act a script out on a table; the same script and seed give the same motion."""
    board = Board(Places(layout), script.settings, f"{script.rulebook}:{script.name}:{seed}")
    board.start(_needs(script), _racked(script), not _brings_device(script))
    names, board.decks = _decks(script)
    place_clutter(board, _players(script))
    clock = _Clock(fps)
    done: list[Beat] = []
    acted: set[int] = set()
    before = script.beats[0].event.at if script.beats else 0
    for beat in script.beats:
        event = beat.event
        wanted = clock.now + min(LONGEST_GAP, max(0, event.at - before))
        before = event.at
        _rest_idle_hands(board, wanted)
        board.deck_now = names.get(getattr(event, "deck", None), board.deck_now)
        handler = MOTIONS.get(type(event))
        act = handler(board, beat) if handler is not None else None
        if act is not None and act.steps:
            acted.add(event.seq)
            at = clock.place(act, wanted)
        else:
            at = clock.mark(wanted, barrier=True)
        done.append(replace(beat, event=replace(event, at=at)))
    end = max([clock.now, *(track.free for track in board.tracks.all.values())]) + CLOSING
    _rest_idle_hands(board, end)
    timeline = Timeline(board.tracks.all.values(), ceil(end))
    return Performance(timeline, replace(script, beats=tuple(done)), frozenset(acted), fps)


class _Clock:
    """Where on the film's time the script has come to."""

    def __init__(self, fps: float) -> None:
        self.fps = fps
        self.now = OPENING
        self.barrier = 0.0

    def frame_time(self, t: float) -> int:
        """The moment (whole ms) of the first frame at or after a time."""
        return ceil(ceil(t * self.fps / 1000.0 - 1e-6) * 1000.0 / self.fps - 1e-6)

    def place(self, act: Act, wanted: float) -> int:
        """Put an action on the tracks so that its event is done when wanted, or as soon after as can be."""
        earliest = max(act.earliest(), self.barrier, self.now - LEAD, 0.0)
        start = max(earliest, wanted - act.done)
        act.commit(start)
        return self.mark(start + act.done, barrier=False)

    def mark(self, t: float, barrier: bool) -> int:
        """Let an event be done at a time; nothing that comes after a barrier begins before it."""
        at = max(self.frame_time(t), self.now + 1)
        if barrier:
            self.barrier = max(self.barrier, at)
        self.now = at
        return at


def _rest_idle_hands(board: Board, until: float) -> None:
    """Let hands that will have nothing to do until a moment go back to where they rest."""
    holding = set(board.held.values())
    if board.deck_hand is not None:
        holding.add(f"hand:{DEALER}:{board.deck_hand}")
    for name, track in list(board.tracks.all.items()):
        if not name.startswith("hand:") or track.last is None or name in holding:
            continue
        act = board.act(DEALER)
        now = act.hand(name)
        home = board.home(name, now.who, now.side)
        far = abs(now.x - home.x) + abs(now.y - home.y)
        if far > 8.0 and until - track.free > LINGER + act.travel(far):
            go_home(board, act, name, 0.0)
            act.commit(track.free + LINGER * 0.4)


def _players(script: Script) -> list[int]:
    """The seats at which somebody sits in the course of a script."""
    seats = {beat.event.seat for beat in script.beats if isinstance(beat.event, ev.PlayerSat)}
    return sorted(seats)


def _brings_device(script: Script) -> bool:
    """Whether the shoe or shuffler is put on the table in the film, before any card is dealt from it."""
    for event in script.events:
        if isinstance(event, ev.DeviceInstalled | ev.CardDealt | ev.PacketDealt | ev.DeckLoaded):
            return isinstance(event, ev.DeviceInstalled)
    return False


def _decks(script: Script) -> tuple[dict[str | None, int], dict[str, int]]:
    """The numbers (0 or 1) of the decks by name, and by back."""
    names: dict[str | None, int] = {}
    backs: dict[str, int] = {}
    now = 0
    for event in script.events:
        name = getattr(event, "deck", None)
        if name is not None:
            names.setdefault(name, min(1, len(names)))
        if isinstance(event, ev.RoundOpened):
            now = names.get(event.deck, now)
        back = getattr(event, "back", None)
        if back is not None and back not in backs and (at := names.get(name, now)) not in backs.values():
            backs[back] = at
    return names, backs


def _needs(script: Script) -> dict[int, Counter[int]]:
    """The chips that every player will put on the table."""
    needs: dict[int, Counter[int]] = {}
    for beat in script.beats:
        event = beat.event
        if isinstance(event, ev.WagerPlaced | ev.WagerChanged):
            if getattr(event, "tender", ev.Tender.CHIPS) is not ev.Tender.CHIPS:
                continue  # a plaque, a coupon or money comes out of a pocket, not from the stacks
            who = event.seat if event.by is None else event.by
            needs.setdefault(who, Counter()).update(beat.chips or event.chips or ())
    return needs


def _racked(script: Script) -> int:
    """How many cards lie in the rack when the film begins: the deck, unless it comes new or out of a machine."""
    for beat in script.beats:
        event = beat.event
        if isinstance(event, ev.DeckBrought):
            return 0
        if isinstance(event, ev.DeckShuffled) and event.by is Role.MACHINE:
            return 0
        if isinstance(
            event, ev.DeckLoaded | ev.DeckShuffled | ev.DeckWashed | ev.DeckSpread | ev.DeckInspected
        ):
            return 52
        if isinstance(event, ev.CardDealt | ev.PacketDealt):
            return 0
    return 52
