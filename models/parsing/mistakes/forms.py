"""Forms: how each kind of line is written, for the hints of syntax errors."""

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
    Place.OPTION: 'adder "the player who added"',
    Place.ITEMS: 'instant "instant spell" [fast]',
    Place.ATTRIBUTES: "locked : flag",
    Place.ZONES: "stack  last in first out",
    Place.STEPS: 'main "main phase" [main]',
    Place.STATE: 'passed : players "who has passed"',
    Place.LEFT_OUT: 'FF-63, FF-70 "no timing"',
}
_FORMS = {
    Place.TOP: {
        "language": "language 1",
        "game": 'game "Two passes"',
        "source": 'source "the rulebook, second edition"',
        "players": "players 2 | players 2 to 4 | players 2 or more",
        "scope": "scope players 2, stack 3",
        "start": "start decide(active)",
        "option": 'option first "who is first" cites C-1',
        "sequence": 'sequence battle "a battle"',
        "term": "term quiet(p: player) means p is active and stack is empty",
        "to": 'to happen(p: player) "what card texts may cause"',
        "stage": 'stage decide(holder: player) "a player has priority"',
        "claims": "claims | claims when additions is adder",
        "left": "left out",
        "property": 'property lifo "what came last resolves first"',
        "lemma": 'lemma paired "as many on one zone as on the other"',
    },
    Place.STAGE: {
        "priority": "priority holder",
        "the": "the first that applies",
        **{mode: f'{mode} 117.3d "pass" cites 117.3d/a' for mode in ("may", "must", "chance")},
    },
    Place.STATEMENTS: {
        "when": "when stack is not empty",
        "by": "by holder | by any p where p is not active",
        "require": "require stack is not empty",
        "put": "put spell by holder with speed fast on stack",
        "move": "move t to stack | move every t in waiting to stack where t is slow",
        "remove": "remove top of stack | remove every t in waiting where t is slow",
        "resolve": "resolve top of stack | resolve every t in waiting where t is slow",
        "begin": "begin battle | begin resolving top of stack",
        "end": "end battle",
        "pass": "pass",
        "advance": "advance | advance battle",
        "skip": "skip to cleanup",
        "let": "let next be after holder",
        "if": "if stack is empty",
        "else": "else | else if stack is empty",
        "choose": "choose t in waiting where controller of t is active by active",
        "maybe": 'maybe "a trigger" | maybe sba := yes',
        "either": 'either "attack" by active',
        "or": 'or "do not attack"',
        "do": "do happen(holder)",
        "go": "go decide(after holder)",
        "game": "game over",
        "todo": "todo",
        "NAME": "passed := none | round += 1 | hand of holder -= 1",
    },
    Place.CLAIMS: {
        word: f'{word} response_window "why, if it needs saying" cites 117.3c'
        for word in ("holds", "fails", "possible", "impossible", "vacuous", "lemma")
    },
    Place.PROPERTY: {
        "why": 'why "without it a player can only watch"',
        "about": "about something resolves",
        "assuming": "assuming players act only finitely often",
        "needs": "needs stack 3",
        "with": "with something resolves",
        "for": "for every item i, player p: never (i resolves and p has priority)",
    },
}  # fmt: skip

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
    """Return examples of lines in *place* that begin with *word* (``NAME``: with a name)."""
    forms = _FORMS.get(place, {}).get(word, "") or _LISTED.get(place, "")
    return forms.split(" | ") if forms else []


def home_of(word: str, place: Place) -> Place | None:
    """Return the place where a line can begin with *word*, if *place* is not it but another one is."""
    if place in HEADS and word in HEADS[place]:
        return None
    return next((home for home, heads in HEADS.items() if word in heads), None)
