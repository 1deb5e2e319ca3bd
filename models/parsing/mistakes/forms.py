"""Forms: how each kind of line is written, for the hints of syntax errors; idioms and repairs.

What the author names stands there in capitals, as in the manual: a message has no name that is not
the author's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...frozen import frozen
from ...source import Span
from ..outline import FORMS, HEADS, LogicalLine, Piece, Place
from ..scan import END, Scan, scan, token_span

if TYPE_CHECKING:
    from lark import Token


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
    word = read.texts[0]
    if read.line.place not in (Place.TOP, Place.STATEMENTS) or word not in IDIOMS:
        return None
    if len(read.tokens) > 2:
        return None  # it is a name: what is wrong comes later in the line
    return SyntaxMistake(
        f"No line {WHERE[read.line.place]} begins with `{shown(read.tokens[0])}`.",
        f"{IDIOMS[word]} ({_PAGE})",
        read.tokens[0],
    )


@frozen
class SyntaxMistake:
    """A mistake: what is said of it, and a hint; at the bad token unless *at* says otherwise."""

    said: str
    hint: str
    at: Token | Span | None = None
    code: str = "R001"


def place_of(token: Token) -> Span:
    """Return where *token* stands; the end of a line is right after it."""
    span = token_span(token)
    return (
        Span(span.line, token.end_column or span.column, (token.end_column or span.column) + 1)
        if token.type == END
        else span
    )


def piece_of(read: Scan) -> Piece:
    """Return the part of the line that the bad token stands in, which may go on over several."""
    return next(piece for piece in read.line.pieces if piece.number == read.bad.line)


def word_before(read: Scan) -> str:
    """Return what stands before the bad token, as `shown`; empty at the start of a line."""
    return shown(read.tokens[-2]) if len(read.tokens) > 1 else ""


def shown(word: str) -> str:
    """Return *word* as a message shows it, cut where it is very long."""
    return str(word) if len(word) <= 40 else f"{word[:40]}…"


def is_better(read: Scan, repaired: LogicalLine) -> bool:
    """Return whether the *repaired* line can be read, or read further than that of *read*."""
    if not any(piece.text.strip() for piece in repaired.pieces):
        return False
    again = scan(repaired)
    return again.tree is not None or len(again.tokens) > max(len(read.tokens), 2)


def edited(line: LogicalLine, token: Token, text: str, keep: bool = False) -> LogicalLine:
    """Return *line* with *text* in place of *token*, or with *keep* before it."""
    at = token.start_pos or 0
    rest = at if keep else at + len(token)
    pieces = [
        p
        if p.number != token.line
        else replace(p, text=p.text[:at] + text + " " * keep + p.text[rest:])
        for p in line.pieces
    ]
    return replace(line, pieces=pieces)


WHERE = {
    Place.TOP: "at the left margin",
    Place.OPTION: "below an `option`",
    Place.ITEMS: "below `items`",
    Place.ATTRIBUTES: "below `attributes`",
    Place.ZONES: "below `zones`",
    Place.STEPS: "below `turn` or a `sequence`",
    Place.STATE: "below `state`",
    Place.LEFT_OUT: "below `left out`",
    Place.STAGE: "below a `stage`",
    Place.STATEMENTS: "in a clause or routine",
    Place.CLAIMS: "below `claims`",
    Place.PROPERTY: "below a property or claim",
    Place.LOST: "here",
}
"""Where the lines of a place stand, for people."""

KIND = {
    Place.TOP: "a header or section",
    Place.STAGE: "a clause",
    Place.STATEMENTS: "a statement",
    Place.CLAIMS: "a claim",
}
"""What a line of a place is that begins with one of its words."""

_LISTED = {
    Place.OPTION: 'VALUE "TITLE"',
    Place.ITEMS: 'KIND "TITLE" | KIND "TITLE" [TAG] | KIND "TITLE" also "TITLE"',
    Place.ATTRIBUTES: "NAME : flag | NAME : VALUE or VALUE",
    Place.ZONES: "ZONE last in first out | ZONE in any order",
    Place.STEPS: 'STEP "TITLE" | STEP "TITLE" [TAG] | STEP "TITLE" also "TITLE" '
    "| STEP when OPTION is VALUE",
    Place.STATE: 'NAME : players "TITLE" | NAME : flag | NAME : 0 to 3',
    Place.LEFT_OUT: 'ID, ID "REASON"',
}

NAME_AFTER = {
    "go": "a stage", "start": "a stage", "at": "a stage", "do": "a routine",
    "put": "a kind of item", "on": "a zone", "leaves": "a zone", "size of": "a zone",
    "top of": "a zone", "front of": "a zone", "skip to": "a step", "end": "a sequence",
    "begin": "a sequence, or `resolving`", "stage": "a name for the stage",
    "term": "a name for the term", "to": "a name", "option": "a name for the option",
    "let": "a name", "choose": "a name for what is chosen", "any": "a name for the player",
    "sequence": "a name for the sequence", "property": "a name for the property",
    "lemma": "a name for the lemma",
}  # fmt: skip
"""What a name means after the words before it, where nothing but a name can stand."""


def forms_of(place: Place, word: str) -> list[str]:
    """Return the forms of lines in *place* that begin with *word* (``NAME``: with a name)."""
    forms, *_ = FORMS.get(place, {}).get(word) or (_LISTED.get(place, ""),)
    return forms.split(" | ") if forms else []


def home_of(word: str, place: Place) -> Place | None:
    """Return the place where a line can begin with *word*, if *place* is not it but another one
    is.
    """
    if place in HEADS and word in HEADS[place]:
        return None
    return next((home for home, heads in HEADS.items() if word in heads), None)
