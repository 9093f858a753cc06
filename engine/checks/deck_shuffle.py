"""Shuffle and cut: before play, between rounds, after a vacant table or an exposed card."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deck_common import (
    DEALS,
    begins,
    brought_new,
    deck_before,
    idle_since_deal,
    judged,
    last_deal,
    shuffle_zones,
    unseen,
)
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import Role
from engine.state.model import Deck


def _due_since(deck: Deck) -> int | None:
    """Return the event after which the deck must have been shuffled; None if its story is not known so far back."""
    return deck.played if deck.played is not None else deck.brought


@check(
    "deck.no_shuffle",
    "No shuffle before play",
    on=DEALS,
    needs=("deck",),
    own_doubts=True,
    first_card=True,
)
def no_shuffle(m: Moment) -> Iterator[Finding]:
    """A deck must have been shuffled to the end since it came, or since it was last played."""
    if not begins(m):
        return
    deck, dealt = deck_before(m), last_deal(m)
    if deck is None:
        yield from _unknown_deck(m, dealt)
        return
    since = _due_since(deck)
    if since is None or (deck.shuffled is not None and deck.shuffled > since):
        return
    jam_is_judged = "deck.shuffler_jam" in m.book.rules and deck.jammed is not None and deck.jammed > since
    if jam_is_judged or (idle_since_deal(m) is not None and not brought_new(deck)):
        return
    when = "before the start of play" if deck.played is None else "after the last round"
    finding = Finding(
        f"deck {deck.id} shuffled {when}",
        "no complete shuffle",
        events=(since, m.event.seq),
        clause=(m.rule.params or {}).get("new_deck" if deck.played is None else "after_round"),
        certain=True,
    )
    yield judged(m, finding, shuffle_zones(m), since)


def _unknown_deck(m: Moment, dealt: int | None) -> Iterator[Finding]:
    """Judge a round of which no deck is named: any shuffle since the last round will do."""
    if dealt is None:
        yield from _hidden(m)
        return
    if idle_since_deal(m) is not None:
        return
    decks = m.before.decks.values()
    if any(deck.shuffled is not None and deck.shuffled > dealt for deck in decks):
        return
    if m.settings.decks == 2:
        yield unsure("which deck is in play was not seen")
        return
    finding = Finding(
        "the cards shuffled after the last round",
        "no shuffle",
        events=(dealt, m.event.seq),
        clause=(m.rule.params or {}).get("after_round"),
        certain=True,
    )
    yield judged(m, finding, shuffle_zones(m), dealt)


def _hidden(m: Moment) -> Iterator[Finding]:
    """Yield the doubt about a deck of which nothing was seen, if that is because the view was blocked."""
    reason = unseen(m, ("deck",), last_deal(m) or 0)
    if reason:
        yield unsure(reason)


@check(
    "deck.cut",
    "Cut missing or wrong",
    on=(ev.DeckCut, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    own_doubts=True,
    first_card=True,
)
def cut(m: Moment) -> Iterator[Finding]:
    """After the shuffle the right person cuts, in the right way; a cut may be made again until the first card."""
    params = m.rule.params or {}
    if isinstance(m.event, ev.DeckCut):
        if params.get("player_never") and m.event.by is Role.PLAYER:
            yield Finding("the cards cut by the house only", "a player cut the cards", certain=True)
        return
    if not begins(m) or str(m.settings.method) not in params["methods"]:
        return
    deck = deck_before(m)
    if deck is None:
        if not (params["manual_only"] and m.settings.machine_shuffle):
            yield from _hidden(m)
        return
    if deck.shuffled is None or (deck.played is not None and deck.shuffled < deck.played):
        since = _due_since(deck)  # no shuffle is reported as that; a cut may have gone unseen with it
        reason = "" if since is None else unseen(m, ("deck",), since)
        if reason and not (params["manual_only"] and m.settings.machine_shuffle):
            yield unsure(reason)
        return
    if params["manual_only"] and deck.shuffled_by is not Role.DEALER:
        return
    if deck.cut is None or deck.cut < deck.shuffled:
        finding = Finding(
            "the cards cut after the shuffle", "no cut", events=(deck.shuffled, m.event.seq), certain=True
        )
        yield judged(m, finding, ("deck",), deck.shuffled)
        return
    yield from _cut_faults(m, deck, deck.cut)


def _cut_faults(m: Moment, deck: Deck, seq: int) -> Iterator[Finding]:
    """Judge the last cut before play."""
    params = m.rule.params or {}
    events = (seq, m.event.seq)
    by = str(deck.cut_by)
    if by not in params["by"] and not (params.get("player_never") and deck.cut_by is Role.PLAYER):
        who = " or ".join(f"the {role}" for role in params["by"])
        yield Finding(
            f"the cut made by {who}",
            f"made by the {by}",
            events=events,
            key="by",
            clause=params.get("how"),
            certain=True,
        )
    if params.get("once") and deck.cuts > 1:
        yield Finding(
            "the cards cut once after the shuffle",
            f"cut {deck.cuts} times",
            events=events,
            key="once",
            certain=True,
        )
    least = params.get("least")
    if least is not None and deck.cut_cards is None:
        yield unsure("how many cards were cut could not be seen", key="least")
    elif least is not None and deck.cut_cards is not None and deck.cut_cards < least:
        yield Finding(
            f"at least {least} cards taken off the top",
            f"{deck.cut_cards} cards",
            events=events,
            key="least",
            clause=params.get("how"),
            certain=True,
        )
    if params.get("cover_card") and deck.cover_racked is None:
        yield unsure("where the cover card went could not be seen", key="cover")
    elif params.get("cover_card") and not deck.cover_racked:
        yield Finding(
            "the cover card under the cut, then in the discard rack",
            "no cover card in the rack",
            events=events,
            key="cover",
            clause=params.get("how"),
            certain=True,
        )


@check(
    "deck.idle_spread",
    "Idle table without the cards spread",
    on=(ev.PlayerSat, *DEALS),
    needs=("deck",),
    outside_rounds=True,
    own_doubts=True,
    first_card=True,
)
def idle_spread(m: Moment) -> Iterator[Finding]:
    """While nobody plays the cards lie spread; a spread that lies face down is turned up for the first player."""
    if isinstance(m.event, ev.PlayerSat):
        vacant, at = m.before.vacant, m.before.vacant_at
        if vacant is None or at is None or m.event.at - at < 1000 * m.rule.param("grace_seconds"):
            return
        if any((deck.spread_seq or 0) > vacant for deck in m.before.decks.values()):
            return
        finding = Finding(
            "the cards spread on the idle table",
            "no spread while the table was vacant",
            events=(vacant, m.event.seq),
            certain=True,
        )
        yield judged(m, finding, ("deck",), vacant)
        return
    vacant = idle_since_deal(m) if begins(m) else None
    deck = deck_before(m)
    if vacant is not None and m.before.vacant is not None:
        yield unsure("when the first player came to the idle table was not seen")
        return
    if vacant is None or deck is None or deck.spread_seq is None or deck.spread_seq < vacant:
        return
    if not deck.spread_face_up:
        finding = Finding(
            "the spread turned face up when a player arrives",
            "the cards stayed face down",
            events=(deck.spread_seq, m.event.seq),
            key="face",
            certain=True,
        )
        yield judged(m, finding, ("deck",), deck.spread_seq)


@check(
    "deck.vacant_no_reshuffle",
    "Play resumed after a vacant table without a shuffle",
    on=DEALS,
    needs=("deck",),
    own_doubts=True,
    first_card=True,
)
def vacant_no_reshuffle(m: Moment) -> Iterator[Finding]:
    """The first round after a vacant table is dealt from a deck that was mixed again since."""
    vacant = idle_since_deal(m) if begins(m) else None
    if vacant is None:
        return
    deck = deck_before(m)
    if deck is None:
        if m.before.decks:
            yield unsure("which deck is in play was not seen")
        return
    if deck.brought is not None and deck.brought > vacant:
        return
    marks = {"wash": deck.washed, "shuffle": deck.shuffled}
    missing = [step for step in m.rule.param("steps") if (marks[step] or 0) < vacant]
    if not missing:
        return
    finding = Finding(
        f"{' and '.join(m.rule.param('steps'))} before play resumes at a table that was vacant",
        f"no {' and no '.join(missing)}",
        events=(vacant, m.event.seq),
        certain=True,
    )
    zones = shuffle_zones(m) if "shuffle" in missing else ("deck",)
    yield judged(m, finding, zones, vacant)


@check(
    "deck.exposed_no_reshuffle",
    "Card shown before it entered the shoe, and no reshuffle",
    on=(ev.CardShown,),
    needs=("deck",),
    outside_rounds=True,
)
def exposed_no_reshuffle(m: Moment) -> Iterator[Finding]:
    """A face seen while shuffling or cutting calls for another shuffle; the remedy is watched by the monitor."""
    card = f"the {m.event.card} of deck {m.event.deck}" if m.event.card.known else "a card"
    yield Finding("the cards shuffled again", f"{card} showed its face", key=f"deck:{m.event.deck}")
