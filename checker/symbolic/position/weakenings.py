"""Weakenings, which say what the encoding forgets of the rules: a closed list, each with the reason
why it only adds plays. What it can neither say nor forget is unsupported, and an error.

A proof about more plays than there are is a proof about those there are. The other direction is
lost: a play of the encoding need not be one of the rules, so what is not proved is not refuted
either.
"""

from __future__ import annotations

from enum import Enum


class Weakening(Enum):
    """A way in which the encoding has more plays than the rules; the value says which, and why none
    is lost.
    """

    ROTATED = (
        "The first spotlit player sits at seat 0, and any player may be the first active one: "
        "rules never name a seat, so turning the table turns every play into one that is looked at."
    )
    ANONYMOUS_MEMBERS = (
        "Of a set of players only the spotlit ones are remembered; whether another player is in it "
        "is answered either way whenever it is asked."
    )
    SCATTERED = (
        "Of a set of players who do not sit side by side only their number and the spotlit ones "
        "are remembered; another player is in it or not, and when it changes they may sit side by "
        "side then or not."
    )
    ANONYMOUS_ENTRIES = (
        "Of a variable with an entry for each player only the spotlit players' are remembered; "
        "another player's is any value whenever it is asked."
    )
    LOOSE_NEIGHBOURS = (
        "The player after another is any other player; the one that the order of seats names is "
        "among them."
    )
    ANONYMOUS_ITEMS = (
        "Of the items on a zone only the spotlit ones are remembered, and the next to leave; any "
        "other has any kind, controller and attributes whenever it is asked, those it really has "
        "among them."
    )
    FORGOTTEN_ATTRIBUTES = (
        "Attributes that only the rules ask for, not the formula, are forgotten even of spotlit "
        "items; whenever one is asked for, it is any value."
    )
    NOT_COUNTED = (
        "How many items are on a zone, and leave before a spotlit one, is remembered only as none "
        "or some; when one leaves, there may be others or not, unless a spotlit one is there."
    )
    NO_PLACE_IN_A_HEAP = (
        "On a zone in any order an item has no place; which item a choice takes is free."
    )
    NEAREST = (
        "Where only the candidates nearest in turn order remain, any candidate may be taken that "
        "no spotlit candidate comes before; the nearest one is among them."
    )
    UNIVERSAL = (
        "That every player, or every item of a zone, satisfies something says only that the "
        "spotlit ones do, and that some does not says only that there may be one: so both answers "
        "are there wherever the rules have them."
    )
    SLICED = (
        "Variables and attributes that nothing asks for are left out: no guard and no formula can "
        "tell. That the new value of a number is outside its range, so that the move is not "
        "possible, is answered either way."
    )


def sentence(weakening: Weakening) -> str:
    """Return what *weakening* forgets and why it only adds plays."""
    return str(weakening.value)


class UnsupportedError(Exception):
    """A Program or a Property has something in it that the encoding does not know; the message says
    what.
    """
