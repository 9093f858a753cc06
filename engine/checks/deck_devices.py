"""Devices and decks in turn: jams of shuffler and shoe, the dealing method, two decks used turn and turn about."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deck_common import DEALS, begins, deck_before, idle_since_deal, last_deal, unseen
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import DEALER, Device, Role
from engine.settings import Method


@check(
    "deck.shuffler_jam",
    "Shuffler jammed, and no reshuffle",
    on=(ev.ShufflerJammed, ev.DeckShuffled, *DEALS),
    needs=("signal:shuffler", "deck"),
    applies=lambda settings: settings.machine_shuffle,
    outside_rounds=True,
    in_void_rounds=True,
    own_doubts=True,
    first_card=True,
)
def shuffler_jam(m: Moment) -> Iterator[Finding]:
    """A shuffle that was broken off is done again before that deck is played; the monitor watches the remedy."""
    if isinstance(m.event, DEALS):
        reason = unseen(m, ("signal:shuffler",), last_deal(m) or 0) if begins(m) else ""
        if reason:
            yield unsure(reason, key="unseen")
        return
    if isinstance(m.event, ev.DeckShuffled) and (m.event.complete or m.event.by is not Role.MACHINE):
        return
    deck: str | None = m.event.deck
    if deck is None:
        idle = [one.id for one in m.before.decks.values() if one.removed is None]
        deck = idle[0] if len(idle) == 1 else ""
    observed = (
        "the shuffler jammed" if isinstance(m.event, ev.ShufflerJammed) else "the shuffle was broken off"
    )
    yield Finding(
        "the cards reshuffled after the jam", observed, key=f"deck:{deck}", zones=("signal:shuffler", "deck")
    )


@check(
    "deck.shoe_jam",
    "Automated shoe jammed, and round not void",
    on=(ev.ShoeJammed,),
    needs=("signal:shuffler",),
    applies=lambda settings: settings.method is Method.PACKETS,
)
def shoe_jam(m: Moment) -> Iterator[Finding]:
    """A shoe that fails while it deals makes the round void; after the deal it no longer matters."""
    now = m.before.round
    if now is not None and now.closed is None and now.deal_over is None:
        yield Finding("the round declared void", "the automated shoe jammed during the deal", certain=True)


@check(
    "deck.alternation",
    "Decks not alternated",
    on=DEALS,
    needs=("deck",),
    applies=lambda settings: settings.decks == 2,
    own_doubts=True,
    first_card=True,
)
def alternation(m: Moment) -> Iterator[Finding]:
    """Two decks are used turn and turn about; after a void round, a vacant table or a new deck either may come."""
    previous, now = m.after.previous, m.after.round
    if not begins(m) or previous is None or now is None or previous.first_card is None:
        return
    if previous.voided is not None or idle_since_deal(m) is not None:
        return
    dealt = previous.first_card
    if any((deck.brought or 0) > dealt or (deck.removed or 0) > dealt for deck in m.after.decks.values()):
        return
    if (m.after.opened or 0) > dealt:
        return
    if now.deck is None or previous.deck is None:
        yield unsure("which deck is in play was not seen")
    elif now.deck == previous.deck:
        finding = Finding(
            "the other deck, turn and turn about",
            f"deck {now.deck} in two rounds running",
            events=(dealt, m.event.seq),
            certain=True,
        )
        reason = unseen(m, (), dealt)
        yield unsure(reason) if reason else finding


@check("deck.method", "Dealing method mixed or not as set", on=DEALS, needs=("deck",), own_doubts=True)
def method(m: Moment) -> Iterator[Finding]:
    """Cards come as the table is set: from that device, in packets or one by one; other devices are gone."""
    one_by_one = isinstance(m.event, ev.CardDealt)
    packets = m.settings.method is Method.PACKETS
    completes = m.event.seat == DEALER and m.before.dealer_hand.dealt == 4
    if one_by_one is packets and not completes and m.round.shoe_jammed is None:
        yield Finding(
            "packets of five" if packets else "one card at a time",
            "a single card dealt" if one_by_one else "a packet dealt",
            key="dealt",
            certain=True,
        )
    if begins(m):
        reason = unseen(m, ("deck",), last_deal(m) or 0)
        if reason:
            yield unsure(reason, key="device")
        else:
            yield from _devices(m)


def _devices(m: Moment) -> Iterator[Finding]:
    """Judge where the deck was put, who shuffled it, and what still stands on the table."""
    deck = deck_before(m)
    wanted = m.rule.param("device").get(str(m.settings.method))
    played = 0 if deck is None else deck.played or 0
    fresh = deck is not None and (deck.loaded_seq or 0) > played
    if fresh and deck is not None and deck.loaded not in (None, Device.SHUFFLER, wanted):
        yield Finding(
            f"cards dealt from the {_name(wanted)}",
            f"from the {_name(str(deck.loaded))}",
            events=(deck.loaded_seq or m.event.seq, m.event.seq),
            key="device",
            certain=True,
        )
    by_hand = deck is not None and (deck.shuffled or 0) > played and deck.shuffled_by is Role.DEALER
    if by_hand and deck is not None and m.settings.method is Method.HAND:
        yield Finding(
            "a machine shuffle where cards are dealt from the hand",
            "shuffled by the dealer",
            events=(deck.shuffled or m.event.seq, m.event.seq),
            key="shuffle",
            clause=m.rule.param("hand_shuffle"),
            certain=True,
        )
    elif (by_hand and Device.SHUFFLER in m.before.devices) or (
        Device.AUTO_SHOE in m.before.devices and m.settings.method is not Method.PACKETS
    ):
        yield Finding(
            "the device removed before another method is used",
            "it still stands on the table",
            key="device",
            certain=True,
        )


def _name(device: str) -> str:
    return {"auto_shoe": "automated shoe", "hand": "dealer's hand"}.get(device, device)
