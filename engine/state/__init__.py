"""The state of a table: frozen values in `model`, built by the fold in `fold`."""

from engine.state.fold import apply, fold
from engine.state.model import Phase, Round, Seat, TableState, Wager, empty_table

__all__ = ["Phase", "Round", "Seat", "TableState", "Wager", "apply", "empty_table", "fold"]
