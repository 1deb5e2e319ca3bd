"""What people write who come from elsewhere: other languages, rulebooks, plain English."""

from __future__ import annotations

import re
from dataclasses import replace

from ...source import Span
from ...words import join_words
from ..outline import HEADS, Place, first_word
from ..scan import END, Scan
from .forms import (
    SyntaxMistake,
    edited,
    forms_of,
    is_better,
    piece_of,
    place_of,
    shown,
    word_before,
)

FOREIGN = {
    "=": "`is` compares, and `:=` changes a value",
    "==": "write `is`",
    "!=": "write `is not`",
    "<>": "write `is not`",
    "&&": "write `and`",
    "||": "write `or`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    ";": "one statement a line needs nothing at its end",
    "{": "blocks are made by indentation",
    "}": "blocks are made by indentation",
    "/": "comments begin with `#`",
    "*": "numbers are only added and taken away",
    "elif": "write `else if`",
    "elseif": "write `else if`",
    "unless": "`when not CONDITION` or `if not CONDITION` says it",
    "otherwise": "write `else`",
    "for": "`remove every t in ZONE`, `NAME of every p in players := VALUE`, or `choose` one",
    "while": "a stage that goes to itself repeats",
    "goto": "write `go`",
    "then": "what is to be done stands in the lines below, two spaces deeper",
    "equals": "write `is`",
    "isnt": "write `is not`",
    **dict.fromkeys(("was", "were", "had"), "a formula looks back with `previously` or `once`"),
    "'": 'titles stand in double quotes: "TEXT"',
}
"""Words and signs of other languages, and what to write instead."""

ACTIONS = {
    "set": "it is written like this: `NAME := VALUE`",
    "add": "it is written like this: `NAME += VALUE`, of a number or a set of players",
    **dict.fromkeys(("cast", "play", "create"), "an item comes with `put KIND on ZONE`"),
    **dict.fromkeys(("destroy", "discard", "counter"), "an item leaves with `remove ITEM`"),
    **dict.fromkeys(
        ("win", "wins", "lose", "loses"),
        "the game ends with `game over`; who has won is not told apart",
    ),
    **dict.fromkeys(
        ("give", "gives"), "a stage says who has priority, and `go STAGE(PLAYER)` goes there"
    ),
    **dict.fromkeys(
        ("clear", "clears", "empty"), "an empty set of players is `none`: `NAME := none`"
    ),
    "draw": "what has no word of its own is state: `NAME := VALUE`",
}
"""What is done in games, and the statements that do it."""

_PLAYERS = {
    **dict.fromkeys(("active", "turn", "current"), "write `active`"),
    "next": "`after PLAYER` is the player after that one in turn order",
    "previous": "`before PLAYER` is the player before that one in turn order",
    **dict.fromkeys(("other", "an", "the"), "with two players the other one is `after PLAYER`"),
    **dict.fromkeys(("each", "every", "all"), "a set with all players is `everyone`"),
    "any": "`by any p where CONDITION` or `some p in players where CONDITION` says which",
}
"""What stands before `player` elsewhere, and how such a player is named here."""

_HEADINGS = {
    **dict.fromkeys(("ruleset", "rules", "name", "title", "module"), "game"),
    **dict.fromkeys(("kind", "kinds", "item", "card", "cards", "enum"), "items"),
    "attribute": "attributes",
    **dict.fromkeys(("zone", "stack", "pile", "piles"), "zones"),
    **dict.fromkeys(("var", "vars", "variable", "variables", "int", "bool", "global"), "state"),
    **dict.fromkeys(("phase", "phases", "steps", "turns"), "turn"),
    **dict.fromkeys(("player", "seats"), "players"),
    **dict.fromkeys(("options", "setting", "settings"), "option"),
    **dict.fromkeys(("define", "terms", "const"), "term"),
    **dict.fromkeys(("def", "function", "procedure", "routine", "macro"), "to"),
    **dict.fromkeys(("stages", "window", "windows"), "stage"),
    **dict.fromkeys(("init", "initial", "initially"), "start"),
    **dict.fromkeys(("claim", "guarantee", "guarantees", "assert", "invariant"), "claims"),
}
"""What begins a part of a text elsewhere, and the word that begins it here."""

LATER = {
    "eventually": "eventually",
    "always": "always",
    "never": "never",
    "again": "again and again",
    "finitely": "finitely often",
}
"""How words about the future begin that stand before a formula."""
_YES_OR_NO = r"(yes|no)\s+or\s+(yes|no)\b"
_DOTS = re.compile(r"\d+\s*\.+\s*(\d+)")
_PLAYER_NOUNS = ("player", "opponent")
_RANGE = "A number has a range."
_TIMES = ("turn", "step", "phase")
_ENDS = ("first", "last", "next", "bottom", "head", "oldest", "newest")
_BEFORE_FORMULAS = (
    "always",
    "never",
    "possible",
    "eventually",
    "once",
    "implies",
    "and",
    "or",
    "not",
    "(",
    ":",
)
_GOES_ON = ("next", "end", "skip", "pass", "begin", "start")


def from_elsewhere(read: Scan) -> SyntaxMistake | None:
    """Find a word or a sign that this language has not, or not there, and say what to write."""
    return (
        _time(read)
        or _claim(read)
        or _negation(read)
        or _sign(read)
        or _action(read)
        or _set_of_players(read)
        or _flag(read)
        or _several(read)
        or _type_of_parameter(read)
        or _line_below(read)
        or _heading(read)
    )


def in_english(read: Scan) -> SyntaxMistake | None:
    """Find words of English that mean something else here, or nothing: ``go to``, ``all players``,
    ``if … then`` in a formula.
    """
    if len(read.tokens) < 2:
        return None
    return _phrase(read) or _quantified(read) or _player_by_nouns(read) or _article(read)


def _time(read: Scan) -> SyntaxMistake | None:
    """Find ``next turn``, ``the step ends`` and the like."""
    words = piece_of(read).text.split()
    goes_on = (words[0] in _GOES_ON and words[-1] in _TIMES) or (
        words[-1] == "ends" and words[-2:-1] in ([time] for time in _TIMES)
    )
    if read.line.place is not Place.STATEMENTS or len(words) > 4 or not goes_on:
        return None
    said = f"`{' '.join(words)}` is not how a turn goes on."
    hint = (
        "`advance` goes to the next step, and from the last one to the next turn; `skip to STEP` "
        "goes to a later one"
    )
    return SyntaxMistake(said, hint, read.tokens[0])


def _claim(read: Scan) -> SyntaxMistake | None:
    """Find a formula where a claim is to begin."""
    word = read.texts[0]
    if read.line.place is not Place.CLAIMS or word not in (
        "never",
        "always",
        "eventually",
        "for",
        "again",
        "finitely",
        "some",
        "every",
    ):
        return None
    hint = (
        'it is written like this: `holds NAME "TITLE"`, and the formula in the line below, two '
        "spaces deeper"
    )
    return SyntaxMistake(f"No claim begins with `{word}`.", hint, read.tokens[0])


def _negation(read: Scan) -> SyntaxMistake | None:
    """Find ``isn't`` and the like, whose apostrophe ends the word before it."""
    whole = f"{read.bad}'t"
    if read.bad.isidentifier() and read.bad.endswith("n") and whole in piece_of(read).text:
        is_in = piece_of(read).text.partition(whole)[2].split()[:1] == ["in"]
        hint = (
            f"write `{'not' if is_in else 'is not'}`"
            if read.bad == "isn"
            else "put `not` before what is not so"
        )
        at = place_of(read.bad)
        return SyntaxMistake(
            f"`{whole}` is not used in this language.", hint, replace(at, end=at.end + len("'t"))
        )
    return None


def _sign(read: Scan) -> SyntaxMistake | None:
    before = read.tokens[-2] if len(read.tokens) > 1 else None
    if read.bad == "." and before is not None and before.type == "NAME":
        after = first_word(piece_of(read).text[(read.bad.start_pos or 0) + 1 :])
        hint = f"write `{shown(after)} of {shown(before)}`" if after else ""
        whole = f"{before}.{after}"
        return SyntaxMistake(
            "A dot does not lead to a part of something.",
            hint,
            _widened(place_of(before), whole, read),
        )
    if read.bad == "." and before is not None and before.type == "NUMBER":
        dots = _DOTS.match(piece_of(read).text, before.start_pos or 0)
        hint = (
            f"write `{before} to {dots[1]}`" if dots else "it is written like this: `LOW to HIGH`"
        )
        return SyntaxMistake(
            "A range has no dots.", hint, _widened(place_of(before), dots[0] if dots else "", read)
        )
    if read.bad == ":" and read.line.opens is not None:
        if not piece_of(read).text.rstrip().endswith(":"):
            return SyntaxMistake(f"No colon stands after `{word_before(read)}`.", "leave it out")
        return SyntaxMistake(
            "No colon stands at the end of this line.", "the deeper lines below it are its block"
        )
    if read.bad in ("{", "[") and before == ":=":
        return SyntaxMistake(
            f"No value begins with `{read.bad}`.",
            "an empty set of players is `none`, a full one `everyone`",
        )
    if read.bad == "-" and "NUMBER" in read.accepts():
        return SyntaxMistake("There are no numbers below 0.", "let the range begin at 0")
    return None


def _action(read: Scan) -> SyntaxMistake | None:
    if read.bad == "=" and "COLON" in read.accepts():
        return None
    if read.bad == "empty" and read.texts[-2:-1] == ["not"] and read.texts[-3:-2]:
        missing = "`is` is missing before `not empty`."
        return SyntaxMistake(missing, "write `is not`", read.tokens[-2])
    known = {**FOREIGN, **(ACTIONS if read.line.place is Place.STATEMENTS else {})}
    for token in (read.bad, read.tokens[0]):
        if token == "for" and read.line.place in (Place.PROPERTY, Place.STATE):
            continue
        if token in known and (token is read.bad or len(read.tokens) == 2):
            used = (
                "only stands where something is declared"
                if token == "="
                else "is not used in this language"
            )
            return SyntaxMistake(f"`{token}` {used}.", known[token], token)
    return None


def _set_of_players(read: Scan) -> SyntaxMistake | None:
    words = read.texts[:-1]
    if (
        read.line.place in (Place.STATE, Place.ATTRIBUTES)
        and words[-1:] == ["number"]
        and (read.bad.type == END or read.bad.isdigit())
    ):
        hint = "leave out `number`" if read.bad.isdigit() else "write `0 to 9`, or another range"
        return SyntaxMistake(_RANGE, hint, read.tokens[-2])
    if (
        read.line.place is not Place.STATE
        or words[-2:-1] != ["of"]
        or words[-1] not in ("players", "player")
        or len(words) < 3
    ):
        return None
    whole = replace(place_of(read.tokens[-4]), end=place_of(read.tokens[-2]).end)
    if words[-3] == "number":
        return SyntaxMistake(_RANGE, "write `0 to number of players`", whole)
    return SyntaxMistake("A set of players is called `players` alone.", "write `players`", whole)


def _flag(read: Scan) -> SyntaxMistake | None:
    words = read.texts
    if read.line.place not in (Place.STATE, Place.ATTRIBUTES) or words[-2:] not in (
        ["yes", "or"],
        ["no", "or"],
    ):
        return None
    return SyntaxMistake(
        "What is yes or no is called a `flag`.",
        "write `flag`",
        _widened(place_of(read.tokens[-2]), _YES_OR_NO, read),
    )


def _several(read: Scan) -> SyntaxMistake | None:
    """Find two things where one stands: properties in a claim, zones of players."""
    if read.line.place is Place.CLAIMS and read.bad == "," and len(read.tokens) == 3:
        return SyntaxMistake("A claim names one property.", "one claim a line")
    if read.line.place is Place.ZONES and read.bad == "of" and len(read.tokens) == 2:
        hint = "a zone has the items of all players; `controller of t` says whose an item is"
        return SyntaxMistake("No zone belongs to a player.", hint)
    return None


def _type_of_parameter(read: Scan) -> SyntaxMistake | None:
    if (
        read.line.place is not Place.TOP
        or read.bad not in (")", ",")
        or "COLON" not in read.accepts()
    ):
        return None
    name = word_before(read)
    return SyntaxMistake(
        f"It is not said what `{name}` is.",
        f"write `{name}: player`; or it is a `flag`, or a range such as `0 to 3`",
        read.tokens[-2],
    )


def _heading(read: Scan) -> SyntaxMistake | None:
    """Find a part of the ruleset that begins with the word that it has elsewhere."""
    word = read.texts[0]
    if read.line.place is not Place.TOP or word not in _HEADINGS or len(read.tokens) > 2:
        return None
    here = _HEADINGS[word]
    below, forms = HEADS[Place.TOP][here], forms_of(Place.TOP, here)
    if below is not None and (forms == [here] or below is Place.CLAIMS):
        listed = _any_of(forms_of(below, "holds" if below is Place.CLAIMS else "NAME"))
        hint = f"`{here}` begins it, and in the lines below, two spaces deeper, stand {listed}"
    else:
        hint = f"it is written like this: {_any_of(forms)}"
    return SyntaxMistake(f"No line at the left margin begins with `{word}`.", hint, read.tokens[0])


def _widened(span: Span, whole: str, read: Scan) -> Span:
    """Return *span* up to the end of what is *whole* from there on in the line of *read*, or as it
    is if that is not.
    """
    found = re.compile(whole if whole is _YES_OR_NO else re.escape(whole)).match(
        piece_of(read).text, span.column - piece_of(read).column
    )
    return replace(span, end=span.column + len(found[0])) if found else span


def _any_of(forms: list[str]) -> str:
    return join_words([f"`{form}`" for form in forms], "or")


def _line_below(read: Scan) -> SyntaxMistake | None:
    """Find a condition, or another statement, that goes on behind the head of a clause, and who has
    priority behind that of a stage.
    """
    if read.line.place is Place.TOP and read.tokens[0] == "stage" and read.bad == "priority":
        return SyntaxMistake(
            "No `priority` stands in the head of a stage.",
            "put `priority PLAYER` in the line below, two spaces deeper",
        )
    if read.line.place is Place.STAGE and read.bad in _PLAYER_NOUNS and len(read.tokens) == 3:
        said = "Whose move it is stands below the head of a clause."
        return SyntaxMistake(
            said,
            f'it is written like this: `{read.tokens[0]} ID "TITLE"`, and `by any p` in the line '
            "below, two spaces deeper",
        )
    if (
        read.line.place is not Place.STAGE
        or len(read.tokens) < 3
        or read.bad not in HEADS[Place.STATEMENTS]
    ):
        return None
    return SyntaxMistake(
        f"No `{read.bad}` stands in the head of a clause.",
        f"put `{read.bad}` and what follows in the line below, two spaces deeper",
    )


def _phrase(read: Scan) -> SyntaxMistake | None:
    words, before = read.texts, read.tokens[-2]
    if words[:2] == ["go", "to"] and is_better(read, edited(read.line, read.tokens[1], "")):
        return SyntaxMistake("No `to` stands after `go`.", "leave out `to`", read.tokens[1])
    if words == ["pass", "priority"]:
        return SyntaxMistake(
            "`pass` stands alone.", "the stage that `go` leads to says who has priority next"
        )
    if words[0] == "remove" and read.bad == "from" and before != "all":
        return SyntaxMistake(
            "No `from` stands after `remove`.",
            "an item leaves with `remove ITEM`, a player leaves a set with `SET -= PLAYER`",
        )
    if read.bad == "of" and before in _ENDS:
        hint = (
            "it is `top of ZONE` if the zone is last in first out, `front of ZONE` if it is first "
            "in first out"
        )
        return SyntaxMistake(f"`{before} of` names no item.", hint, before)
    if words[-3:] in (["no", "item", "on"], ["no", "items", "on"]):
        hint = "it is `ZONE is empty`, in a formula also `not something on ZONE`"
        return SyntaxMistake("`no` begins `no t in ZONE where CONDITION`.", hint)
    if read.bad == "for" and read.line.place is Place.STATE and "=" in words:
        return SyntaxMistake(
            "`for each player` stands before `=`.",
            f"it is written like this: `{words[0]} : TYPE for each player = VALUE`",
        )
    if read.line.place is Place.PROPERTY and (found := _in_a_formula(read, words)) is not None:
        return found
    if before in ("next", "previous") and read.bad.isidentifier() and read.bad not in _PLAYER_NOUNS:
        return SyntaxMistake(f"No `{before}` stands before a name.", _PLAYERS[str(before)], before)
    if before == "if" and read.line.place is Place.PROPERTY:
        return SyntaxMistake(
            "No `if` stands in a formula.",
            "it is written like this: `A implies B`",
            before,
        )
    return None


def _in_a_formula(read: Scan, words: list[str]) -> SyntaxMistake | None:
    before = read.tokens[-2]
    if before == "next":
        hint = (
            "what comes later is asked with `A leads to B` or `eventually A`, what came before "
            "with `previously A`"
        )
        return SyntaxMistake("`next` is not used in formulas.", hint, before)
    if before in ("since", "until") and words[-3:-2] and words[-3] in _BEFORE_FORMULAS:
        return SyntaxMistake(
            f"`{before}` stands between two formulas.",
            f"it is written like this: `A {before} B`",
            before,
        )
    if read.bad in ("on", "in") and words[-4:-2] == ["every", "item"]:
        return SyntaxMistake(
            f"No `{read.bad}` stands before the formula.", f"say `{before} on ZONE` in the formula"
        )
    if read.bad in LATER and (END in read.accepts() or before.type == "NAME"):
        is_subject = before.type == "NAME" and words[-3:-2] not in (["of"], ["in"], ["on"])
        what = LATER[read.bad]
        hint = f"put `{what}` before " + (f"`{before}`" if is_subject else "all that it is said of")
        return SyntaxMistake(f"`{what}` stands before its formula.", hint)
    if (
        read.bad in ("gets", "receives", "takes", "holds")
        and "priority" in piece_of(read).text.split()
    ):
        return SyntaxMistake(f"`{read.bad}` is not used in formulas.", "write `has`")
    if words[-3:-1] == ["is", "on"]:
        return SyntaxMistake("No `is` stands before `on`.", "leave out `is`", read.tokens[-3])
    if words[-3:-1] == ["every", "player"] and read.bad.isidentifier():
        hint = "pick one above the formula, `for every player p:`, and say `p` for the player"
        return SyntaxMistake("`every player` is no player that a formula can name.", hint, before)
    if before in ("two", "three") and read.bad.isidentifier():
        return SyntaxMistake(
            f"`{before}` does not count anything.",
            "ask for a number: `size of ZONE > 1`",
            before,
        )
    return None


def _quantified(read: Scan) -> SyntaxMistake | None:
    words, before = read.texts, read.tokens[-2]
    if before == "all" and words[0] in ("remove", "move", "resolve"):
        return SyntaxMistake(
            "`all` is not used in this language.",
            f"it is written like this: `{words[0]} every t in ZONE where CONDITION`",
            before,
        )
    if before == "all" and read.bad.isidentifier() and len(words) > 2:
        hint = (
            "a set with all players `is everyone`; else it is `every p in players satisfies "
            "CONDITION`"
        )
        return SyntaxMistake("`all` is not used in this language.", hint, before)
    if (
        read.bad.type != END
        and "SATISFIES" in read.accepts()
        and words[-5:-4] == ["every"]
        and words[-3] == "in"
    ):
        name = words[-4]
        return SyntaxMistake(
            f"It is not said what `every {name} in {before}` is to satisfy.",
            f"write `satisfies {name} {read.bad}`",
        )
    return None


def _player_by_nouns(read: Scan) -> SyntaxMistake | None:
    """Find a player called by two words, such as ``next player``."""
    if read.bad not in _PLAYER_NOUNS:
        return None
    hint = _PLAYERS.get(word_before(read).lower())
    return (
        None
        if hint is None
        else SyntaxMistake(
            f"`{word_before(read)} {read.bad}` is not how a player is named here.", hint
        )
    )


def _article(read: Scan) -> SyntaxMistake | None:
    """Find an article before a name: things are called by their names alone."""
    for token in read.tokens[-2:]:
        if token in ("a", "an", "the") and is_better(read, edited(read.line, token, "")):
            return SyntaxMistake(
                f"No `{token}` stands before a name.", f"leave out `{token}`", token
            )
    return None
