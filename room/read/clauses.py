"""Clauses in words: what the rulebook says where an alert cites it.

An alert may cite a clause more finely than the rulebook's list has it (`5.10(b)`); then the nearest clause above it is
shown, and its number says so.
"""

from __future__ import annotations

from engine.rulebook import Clause, Rulebook


def clause_for(book: Rulebook, cited: str) -> Clause | None:
    """Return the clause that is cited, or the one that contains it.

    >>> from engine.rulebook import load_rulebook
    >>> clause_for(load_rulebook("nz"), "4.1").says
    'All suits rank alike.'
    >>> clause_for(load_rulebook("nz"), "99.1") is None
    True
    """
    known = {clause.id: clause for clause in book.clauses}
    text = cited.strip()
    while text:
        if text in known:
            return known[text]
        text = _shorter(text)
    inside = [clause for clause in book.clauses if clause.id.startswith(f"{cited.strip()}(")]
    return inside[0] if inside else None


def _shorter(text: str) -> str:
    """Return the clause one step up: (j)(5)(i) -> (j)(5), 5.10(b) -> 5.10; nothing above 5.10."""
    if text.endswith(")") and "(" in text:
        return text[: text.rindex("(")]
    return ""
