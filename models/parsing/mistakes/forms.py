"""Forms: how each kind of line is written, for the hints of syntax errors.

What the author names stands there in capitals, as in the manual: a message has no name that is not
the author's.
"""

from __future__ import annotations

from ..outline import HEADS, Place

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
    Place.STEPS: 'STEP "TITLE" | STEP "TITLE" [TAG] | STEP "TITLE" also "TITLE" | STEP when OPTION is VALUE',
    Place.STATE: 'NAME : players "TITLE" | NAME : flag | NAME : 0 to 3',
    Place.LEFT_OUT: 'ID, ID "REASON"',
}
_FORMS = {
    Place.TOP: {
        "language": "language 1",
        "game": 'game "TITLE"',
        "source": 'source "TEXT"',
        "players": "players 2 | players 2 to 4 | players 2 or more",
        "scope": "scope players 2, ZONE 3",
        "start": "start STAGE | start STAGE(active)",
        "option": 'option NAME "TITLE" | option NAME "TITLE" from 1 to 9 default 2',
        "sequence": 'sequence NAME "TITLE"',
        "term": "term NAME means EXPRESSION | term NAME(p: player) means EXPRESSION",
        "to": 'to NAME "TITLE" | to NAME(p: player) "TITLE"',
        "stage": 'stage NAME "TITLE" | stage NAME(p: player) "TITLE"',
        "claims": 'claims | claims "TITLE" | claims when OPTION is VALUE',
        "left": "left out",
        "property": 'property NAME "TITLE"',
        "lemma": 'lemma NAME "TITLE"',
    },
    Place.STAGE: {
        "priority": "priority PLAYER",
        "the": "the first that applies",
        **{
            mode: f'{mode} ID "TITLE" | {mode} ID "TITLE" cites ID'
            for mode in ("may", "must", "chance")
        },
    },
    Place.STATEMENTS: {
        "when": "when CONDITION",
        "by": "by PLAYER | by any p where CONDITION",
        "require": "require CONDITION",
        "put": "put KIND on ZONE | put KIND by PLAYER with ATTRIBUTE VALUE on ZONE",
        "move": "move ITEM to ZONE | move every t in ZONE to ZONE where CONDITION",
        "remove": "remove ITEM | remove every t in ZONE where CONDITION",
        "resolve": "resolve ITEM | resolve every t in ZONE where CONDITION",
        "begin": "begin SEQUENCE | begin resolving ITEM",
        "end": "end SEQUENCE",
        "pass": "pass",
        "advance": "advance | advance SEQUENCE",
        "skip": "skip to STEP",
        "let": "let NAME be VALUE",
        "if": "if CONDITION",
        "else": "else | else if CONDITION",
        "choose": "choose t in ZONE where CONDITION by PLAYER",
        "maybe": 'maybe "TITLE" | maybe STATEMENT',
        "either": 'either "TITLE" by PLAYER',
        "or": 'or "TITLE"',
        "do": "do ROUTINE | do ROUTINE(PLAYER)",
        "go": "go STAGE | go STAGE(PLAYER)",
        "game": "game over",
        "todo": "todo",
        "NAME": "NAME := VALUE | NAME += VALUE | NAME of PLAYER := VALUE",
    },
    Place.CLAIMS: {
        word: f'{word} NAME "TITLE" cites ID'
        for word in ("holds", "fails", "possible", "impossible", "vacuous", "lemma")
    },
    Place.PROPERTY: {
        "why": 'why "TEXT"',
        "about": "about FORMULA",
        "assuming": "assuming players act only finitely often | assuming FORMULA",
        "needs": "needs ZONE 3",
        "with": "with FORMULA",
        "for": "for every item i, player p: never FORMULA",
    },
}

NAME_AFTER = {
    "go": "a stage", "start": "a stage", "at": "a stage", "do": "a routine", "put": "a kind of item", "on": "a zone", "leaves": "a zone",
    "size of": "a zone", "top of": "a zone", "front of": "a zone", "skip to": "a step", "end": "a sequence",
    "begin": "a sequence, or `resolving`",
    "stage": "a name for the stage", "term": "a name for the term", "to": "a name", "option": "a name for the option",
    "let": "a name", "choose": "a name for what is chosen", "any": "a name for the player", "sequence": "a name for the sequence",
    "property": "a name for the property", "lemma": "a name for the lemma",
}  # fmt: skip
"""What a name means after the words before it, where nothing but a name can stand."""


def forms_of(place: Place, word: str) -> list[str]:
    """Return the forms of lines in *place* that begin with *word* (``NAME``: with a name)."""
    forms = _FORMS.get(place, {}).get(word, "") or _LISTED.get(place, "")
    return forms.split(" | ") if forms else []


def home_of(word: str, place: Place) -> Place | None:
    """Return the place where a line can begin with *word*, if *place* is not it but another one
    is.
    """
    if place in HEADS and word in HEADS[place]:
        return None
    return next((home for home, heads in HEADS.items() if word in heads), None)
