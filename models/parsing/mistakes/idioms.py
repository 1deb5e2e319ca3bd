"""Idioms that people look for: what takes no statement of its own, and how it is said with others,
or that it cannot be said; the page of idioms has a ruleset for each.
"""

from __future__ import annotations

from ..outline import Place
from ..scan import Scan
from .forms import WHERE
from .repair import SyntaxMistake, place_of, shown

_PAGE = "docs/idioms.md, How do I say"
_ONE_TEXT = "a ruleset is one text, as a rulebook is; routines and terms name what stands twice"
_HIDDEN = "what is hidden is chosen by the cards, with `maybe` or `choose`, so every case is tried"
_CHANCE = "what chance decides is a `chance` clause: all outcomes are tried"
_TARGET = "an attribute of an item says that it is one"
_ONCE = "a set of players has those who have done it, and `NAME := none` empties it"
_BACK = "a parameter of the stage says where it leads back"

IDIOMS = {
    **dict.fromkeys(("include", "import", "use", "extends"), _ONE_TEXT),
    **dict.fromkeys(("reveal", "hide", "shuffle", "look"), _HIDDEN),
    **dict.fromkeys(("roll", "flip", "toss", "random"), _CHANCE),
    **dict.fromkeys(("target", "targets", "attach", "equip"), _TARGET),
    **dict.fromkeys(("once", "twice", "limit"), _ONCE),
    **dict.fromkeys(("return", "back", "call", "interrupt"), _BACK),
}
"""What begins a line elsewhere, and what says it here."""


def idiom(read: Scan) -> SyntaxMistake | None:
    """Find a line that begins with a word for what is said with others."""
    word = str(read.tokens[0])
    if read.line.place not in (Place.TOP, Place.STATEMENTS) or word not in IDIOMS:
        return None
    if len(read.tokens) > 2:
        return None  # it is a name: what is wrong comes later in the line
    return SyntaxMistake(
        f"No line {WHERE[read.line.place]} begins with `{shown(read.tokens[0])}`.",
        f"{IDIOMS[word]} ({_PAGE})",
        place_of(read.tokens[0]),
    )
