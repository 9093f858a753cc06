"""The checks: small named functions, one per thing that can go wrong, in modules by moment of the round.

Importing this package registers them all; `CHECKS` maps ids to checks.
"""

from __future__ import annotations

from engine.checks import (  # noqa: F401
    deal_counts,
    deal_faces,
    deal_manner,
    deal_order,
    decide_dealer,
    decide_fold,
    decide_player,
    deck_devices,
    deck_opening,
    deck_round,
    deck_shuffle,
    jackpot_manner,
    jackpot_meter,
    jackpot_payout,
    settle_amounts,
    settle_cards,
    settle_order,
    settle_outcome,
    wager_after,
    wager_closing,
    wager_jackpot,
)
from engine.checks.registry import CHECKS, Check, Finding, Moment, check

__all__ = ["CHECKS", "Check", "Finding", "Moment", "check"]
