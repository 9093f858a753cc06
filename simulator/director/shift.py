"""Whole shifts: a table is opened, played for some rounds, left vacant, its decks are changed; all within the rules.

Much of what a rulebook orders about cards lies between rounds (inspection, spread, wash, alternation, counts that are
due every so often), so it takes more than one round to break it, or to show that it was kept.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine import events as ev
from engine.cards import DECK, SUITS, Card
from engine.events import Device, Event, Role
from engine.settings import Method, TableSettings
from simulator.director.before import device_of, make_ready
from simulator.director.house import ANY, Want, lawful_settings
from simulator.director.plan import BACKS, Frame, RoundPlan, opening_meters, plan
from simulator.director.play import play_round
from simulator.director.script import Script
from simulator.director.stage import Stage

MINUTE = 60_000
COUNT_EVERY = 5
"""s10 (g)(6), (h)(5), (i)(5): the stub is counted at least once every five rounds."""


def in_sequence(rng: random.Random) -> tuple[Card, ...]:
    """Return a deck as it lies in an opening spread: by suit, in sequence, up or down, the ace at either end."""
    cards: list[Card] = []
    down, low_ace = rng.random() < 0.3, rng.random() < 0.5
    for suit in rng.sample(list(SUITS), 4):
        row = sorted((card for card in DECK if card.suit == suit), key=lambda card: card.rank)
        if low_ace:
            row = [row[-1], *row[:-1]]
        cards += reversed(row) if down else row
    return tuple(cards)


class Shift:
    """A table and its dealer at work: every method lets something lawful happen on one stage."""

    def __init__(
        self, rulebook: str, seed: str | int, want: Want = ANY, settings: TableSettings | None = None
    ) -> None:
        self.rulebook, self.seed, self.want = rulebook, str(seed), want
        rng = random.Random(f"shift:{rulebook}:{seed}")
        self.settings = settings or lawful_settings(rulebook, rng, want)
        self.stage = Stage(self.settings, rng, start=rng.randrange(1_000, 5_000))
        self.stage.meters = opening_meters(self.settings, rng)
        backs = rng.sample(BACKS, len(BACKS))
        self.backs = dict(zip("ABCDEFGH", [*backs, *backs], strict=True))
        self.decks = ["A", "B"][: self.settings.decks]
        self.players: dict[int, str] = {}
        self.plans: list[RoundPlan] = []
        self.uncounted = 0
        self.last_deck: str | None = None

    @property
    def nz(self) -> bool:
        """Whether the rulebook is nz."""
        return self.rulebook == "nz"

    @property
    def rng(self) -> random.Random:
        """The source of all chance."""
        return self.stage.rng

    def open(self) -> None:
        """Open the table (nz 6, s10 (c)): devices, decks brought, inspected, spread, shown, washed, shuffled."""
        put = self.stage.put
        for device in self._devices():
            put(ev.DeviceInstalled, (500, 2000), device=device)
        put(ev.TableOpened, (1000, 3000))
        put(ev.DealerChanged, (200, 900), dealer=f"d{self.rng.randrange(10, 99)}")
        for deck in self.decks:
            self.bring(deck)
        self.seat_players()
        for deck in self.decks:
            self.mix_new(deck)

    def _devices(self) -> list[Device]:
        found = [Device.SHUFFLER] if self.settings.machine_shuffle else []
        if self.settings.method is Method.SHOE:
            found.append(Device.SHOE)
        elif self.settings.method is Method.PACKETS and not self.nz:
            found.append(Device.AUTO_SHOE)
        return found

    def bring(self, deck: str) -> None:
        """Bring a deck to the table; dealer and supervisor go through it, and it is spread for the players."""
        put = self.stage.put
        put(ev.DeckBrought, (2000, 6000), deck=deck, back=self.backs[deck])
        put(ev.DeckInspected, (20000, 40000), deck=deck, by=Role.DEALER)
        put(ev.DeckInspected, (15000, 40000), deck=deck, by=Role.SUPERVISOR)
        cards = in_sequence(self.rng)
        put(ev.DeckSpread, (6000, 15000), faces=cards, deck=deck, cards=cards, face_up=True)

    def mix_new(self, deck: str) -> None:
        """Turn a new deck down, wash it where that is asked (nz 6.4, s10 (c)(3)), and shuffle it a first time."""
        put, machine = self.stage.put, self.settings.machine_shuffle
        if not self.nz or machine or self.stage.chance(0.4):
            put(ev.DeckWashed, (8000, 20000), deck=deck)
        if self.nz and machine:
            put(ev.DeckShuffled, (9000, 20000), deck=deck, by=Role.DEALER)
            self.shuffle_by_machine(deck)

    def shuffle_by_machine(self, deck: str) -> None:
        """Load a deck into the shuffler and let it shuffle, and report where it counts."""
        self.stage.put(ev.DeckLoaded, (1500, 3500), deck=deck, device=Device.SHUFFLER)
        self.stage.put(ev.DeckShuffled, (9000, 20000), deck=deck, by=Role.MACHINE)
        if self.settings.counting_shuffler:
            self.stage.put(ev.ShufflerReported, (200, 600), deck=deck, count=52)

    def seat_players(self) -> None:
        """Let players arrive."""
        low = min(max(self.want.seats_at_least, len(self.want.hands) + self.want.folds, 1), 7)
        high = max(low, min(self.want.seats_at_most, 6))
        self.sit(*self.rng.sample(range(1, 8), self.rng.randint(low, high)))

    def sit(self, *seats: int) -> None:
        """Let players sit down."""
        for seat in seats:
            self.players[seat] = f"p{self.rng.randrange(100, 999)}-{seat}"
            self.stage.seated.add(seat)
            self.stage.put(ev.PlayerSat, (800, 6000), seat=seat, player=self.players[seat])

    def leave(self, *seats: int) -> None:
        """Let players leave between rounds."""
        for seat in seats:
            del self.players[seat]
            self.stage.seated.discard(seat)
            self.stage.put(ev.PlayerLeft, (800, 4000), seat=seat)

    def come_and_go(self) -> None:
        """Let a player join or leave now and then."""
        free = [seat for seat in range(1, 8) if seat not in self.players]
        least = max(1, self.want.seats_at_least, len(self.want.hands) + self.want.folds)
        if free and len(self.players) < self.want.seats_at_most and self.stage.chance(0.25):
            self.sit(self.rng.choice(free))
        elif len(self.players) > least and self.stage.chance(0.2):
            self.leave(self.rng.choice(sorted(self.players)))
        if self.stage.chance(0.1):
            self.stage.put(ev.DealerChanged, (3000, 9000), dealer=f"d{self.rng.randrange(10, 99)}")

    def next_deck(self) -> str:
        """Return the deck whose turn it is (s10 (b)(2)(iv))."""
        others = [deck for deck in self.decks if deck != self.last_deck]
        return (others or self.decks)[0]

    def planned(
        self,
        want: Want | None = None,
        deck: str | None = None,
        count: bool | None = None,
        redeal: bool = False,
    ) -> RoundPlan:
        """Return the plan of the next round."""
        deck = deck or self.next_deck()
        idle = [one for one in self.decks if one != deck]
        due = not self.nz and not self.excused and self.uncounted >= COUNT_EVERY - 1
        frame = Frame(
            settings=self.settings,
            players=dict(sorted(self.players.items())),
            meters=dict(self.stage.meters),
            round=f"R{len(self.plans) + 1}",
            deck=deck,
            back=self.backs[deck],
            idle_deck=idle[0] if idle else None,
            count_stub=(due or self.stage.chance(0.2)) if count is None else count,
            redeal=redeal,
            must_play=frozenset(seat for seat in self.players if self.stage.chance(0.7)),
        )
        return plan(self.rulebook, f"{self.seed}:{len(self.plans) + 1}", want or self.want, frame)

    @property
    def excused(self) -> bool:
        """Whether a counting shuffler makes stub counts unnecessary (s10 (i)(6))."""
        return self.settings.method is Method.PACKETS and self.settings.counting_shuffler

    def ready(self, deck: str) -> bool:
        """Whether a deck was shuffled since it was last played, washed, spread or brought."""
        for beat in reversed(self.stage.beats):
            event = beat.event
            if isinstance(event, ev.DeckShuffled) and event.deck == deck:
                return event.complete
            spoils = isinstance(event, ev.DeckWashed | ev.DeckSpread | ev.DeckBrought) and event.deck == deck
            if spoils or isinstance(event, ev.TableVacated):
                return False
            if isinstance(event, ev.RoundOpened) and event.deck == deck:
                return False
        return False

    def prepare(self, plan: RoundPlan) -> None:
        """Have the deck of a round ready to be dealt."""
        if self.settings.machine_shuffle and self.ready(plan.deck):
            if not self.nz:
                self.stage.put(ev.DeckLoaded, (1200, 2600), deck=plan.deck, device=device_of(plan))
            return
        make_ready(self.stage, plan)

    def play(self, plan: RoundPlan) -> None:
        """Prepare and play a planned round, and put its deck into the shuffler if there is another one."""
        self.prepare(plan)
        self.begin(plan)
        play_round(self.stage, plan)
        self.ended(plan)

    def begin(self, plan: RoundPlan) -> None:
        """Note that a round is played."""
        self.plans.append(plan)
        self.last_deck = plan.deck
        self.uncounted = 0 if plan.count_stub and not self.nz else self.uncounted + 1

    def ended(self, plan: RoundPlan) -> None:
        """Put the deck of a round that is over into the shuffler, where another one is played next."""
        if self.settings.decks == 2:
            self.stage.put(ev.DeckLoaded, (1500, 3500), deck=plan.deck, device=Device.SHUFFLER)

    def round(self, want: Want | None = None, **how: bool | None) -> RoundPlan:
        """Play one more round."""
        planned = self.planned(want, count=how.get("count"), redeal=bool(how.get("redeal")))
        self.play(planned)
        return planned

    def vacate(self, low: int = 2 * MINUTE, high: int = 40 * MINUTE) -> None:
        """Let everybody leave; the cards lie spread until somebody comes (s10 (d)(5))."""
        self.leave(*sorted(self.players))
        self.stage.put(ev.TableVacated, (300, 900))
        up = self.stage.chance(0.5)
        lying: dict[str, tuple[Card, ...]] = {}
        if not self.nz:
            for deck in self.decks:
                lying[deck] = tuple(self.rng.sample(DECK, 52))
                self._spread(deck, lying[deck], up)
        self.stage.wait(low, high)
        self.seat_players()
        for deck, cards in lying.items():
            if not up:
                self._spread(deck, cards, True)
        for deck in lying:
            self.stage.put(ev.DeckWashed, (8000, 20000), deck=deck)
        if self.nz and self.settings.machine_shuffle:
            for deck in self.decks:
                self.shuffle_by_machine(deck)

    def _spread(self, deck: str, cards: Sequence[Card], up: bool) -> None:
        shown = tuple(cards) if up else ()
        self.stage.put(ev.DeckSpread, (4000, 9000), faces=cards, deck=deck, cards=shown, face_up=up)

    def change_decks(self) -> None:
        """Take the decks off the table and bring new ones (nz 7.4, s10 (c)(5))."""
        old = list(self.decks)
        for deck in old:
            self.stage.put(ev.DeckRemoved, (1500, 4000), deck=deck)
        self.decks = [chr(ord(deck) + len(old)) for deck in old]
        for deck in self.decks:
            self.bring(deck)
        for deck in self.decks:
            self.mix_new(deck)

    def script(self, name: str = "clean") -> Script:
        """Return the shift as a script."""
        return Script(
            self.rulebook,
            self.settings,
            tuple(self.stage.beats),
            name=name,
            notes={"plans": tuple(self.plans), "plan": self.plans[-1] if len(self.plans) == 1 else None},
        )


def shift(rulebook: str, seed: str | int, want: Want = ANY, rounds: int | None = None) -> Script:
    """Return a legal shift: opened, played for some rounds with all that may lie between them, closed."""
    table = Shift(rulebook, seed, want)
    rounds = table.rng.randint(3, 8) if rounds is None else rounds
    table.open()
    for number in range(rounds):
        table.round()
        if number == rounds - 1:
            break
        if table.stage.chance(0.12):
            table.vacate()
        elif table.stage.chance(0.08):
            table.change_decks()
        else:
            table.come_and_go()
    if table.stage.chance(0.5):
        table.leave(*sorted(table.players))
        table.stage.put(ev.TableClosed, (2000, 9000))
    return table.script("shift")


def first_rounds(rulebook: str, seed: str, want: Want, rounds: int = 1) -> Script:
    """Return a shift that is only opened and played for so many rounds."""
    table = Shift(rulebook, seed, want)
    table.open()
    for _ in range(rounds):
        table.round()
    return table.script()


def opening(rulebook: str, seed: str, want: Want) -> Script:
    """Return the opening of a table and its first round."""
    return first_rounds(rulebook, seed, want)


def two_rounds(rulebook: str, seed: str, want: Want) -> Script:
    """Return the opening of a table and two rounds."""
    return first_rounds(rulebook, seed, want, 2)


def with_vacancy(rulebook: str, seed: str, want: Want) -> Script:
    """Return two rounds between which the table stood vacant for a while."""
    table = Shift(rulebook, seed, want)
    table.open()
    table.round()
    table.vacate()
    table.round()
    return table.script()


def placed_at(script: Script, *kinds: type[Event]) -> list[int]:
    """Return where events of some kinds stand in a script."""
    return [at for at, beat in enumerate(script.beats) if isinstance(beat.event, kinds)]


def later(script: Script, at: int, milliseconds: int) -> Script:
    """Return the script with everything from an index on happening so much later."""
    beats = [
        beat if number < at else replace(beat, event=replace(beat.event, at=beat.event.at + milliseconds))
        for number, beat in enumerate(script.beats)
    ]
    return replace(script, beats=tuple(beats))
