"""Explaining a line that the grammar refuses: one sentence and a hint, in a rules designer's words.

Each check looks for one kind of mistake; the first that finds something speaks, and the last always
does. Some try a small repair: if the line can be read with it, that is the hint.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from ...diagnostics import Report
from ...source import Span
from ...words import join_words, near
from ..outline import HEADS, Place, first_word
from ..scan import END, MAX_DIGITS, MAX_TOKENS, Scan, lexicon, scan
from .elsewhere import LATER, from_elsewhere, in_english
from .forms import (
    KIND,
    NAME_AFTER,
    WHERE,
    SyntaxMistake,
    edited,
    forms_of,
    home_of,
    idiom,
    is_better,
    piece_of,
    place_of,
    shown,
    word_before,
)

if TYPE_CHECKING:
    from lark import Token

_JOINTS = ("is", "of", "to", "on", "in", "be", "means", ":", ",", "where", "and")


_BEFORE_A_PART = frozenset(
    {
        "and",
        "or",
        "not",
        "implies",
        "to",
        "until",
        "since",
        "once",
        "previously",
        "historically",
        "eventually",
        "always",
        "never",
    }
)
"""What stands before a part of a formula."""

_TRIED = 12
"""How many words, those before the bad one, may be the ones that are misspelt: to try one the whole
line is read.
"""

Check: TypeAlias = Callable[[Scan], SyntaxMistake | None]


_KINDS = {
    "NAME": "a name",
    "STRING": "a text in quotes",
    "ID": "an id",
    "NUMBER": "a number",
    END: "the end of the line",
}
_EXPRESSION = {"NAME", "NUMBER", "LPAR"}
_COMPARISON = {"IS", "IN", "PLUS"}
_MOST = 6


def explain(read: Scan, report: Report) -> None:
    """Say in *report* what is wrong with the line of *read*."""
    for check in _CHECKS:
        finding = check(read)
        if finding is not None:
            is_told = finding.hint.startswith(_LINES_BEGIN) and any(
                error.hint == finding.hint for error in report.errors
            )
            report.add(
                finding.code,
                finding.at if isinstance(finding.at, Span) else place_of(finding.at or read.bad),
                finding.said,
                "" if is_told else finding.hint,
            )
            return


def _limits(read: Scan) -> SyntaxMistake | None:
    if read.limit == "R312":
        return SyntaxMistake(
            f"This line has more than {MAX_TOKENS} words.",
            "name parts of it with `term NAME means EXPRESSION`",
            code="R312",
        )
    if read.limit == "R311":
        shown = f"{read.bad[:12]}…" if len(read.bad) > 12 else str(read.bad)
        return SyntaxMistake(
            f"The number {shown} has more than {MAX_DIGITS} digits.",
            "a game counts less",
            code="R311",
        )
    return None


def _quotes(read: Scan) -> SyntaxMistake | None:
    text = str(read.bad)
    if text[:1] in "“”„«»‟" and text:
        return SyntaxMistake(
            f"`{text[0]}` is not the quote that a text stands in.",
            'put the text between two plain quotes: "TEXT"',
            code="R004",
        )
    if text.startswith('"') and (len(text) == 1 or not text.endswith('"')):
        return SyntaxMistake(
            "The text in quotes does not end on its line.", 'put a `"` where it ends', code="R004"
        )
    if piece_of(read).text.count('"') % 2:
        return SyntaxMistake(
            'There is an odd number of `"` in this line.',
            'each text stands between two of them: "TEXT"',
            code="R004",
        )
    return None


_SIGNS = {"≥": ">=", "≤": "<=", "≠": "is not", "−": "-", "–": "-", "—": "-"}
"""What to write for signs that no keyboard has, and that other programs put in."""


def _no_plain_letter(read: Scan) -> SyntaxMistake | None:
    """Find a sign that only a text in quotes may have: the rest is told by the grammar alone."""
    sign = str(read.bad)[:1]
    if sign.isascii():
        return None
    if sign.isdecimal():
        return SyntaxMistake(f"`{sign}` is no digit of this language.", f"write `{int(sign)}`")
    if sign.isalnum():
        return SyntaxMistake(
            f"A name has no `{sign}`.",
            "write it with the letters a to z; a title, in quotes, may have any",
        )
    if sign in _SIGNS:
        return SyntaxMistake(f"`{sign}` is no sign of this language.", f"write `{_SIGNS[sign]}`")
    if not sign.isprintable():
        return SyntaxMistake(
            f"Between the words stands a sign that cannot be seen (U+{ord(sign):04X}).",
            "write a plain space, or nothing, in its place",
        )
    return None


def _goes_on_below(read: Scan) -> SyntaxMistake | None:
    """Find a line that is deeper than the one above by mistake, and so was read as going on with
    it.
    """
    first, *others = read.line.pieces
    piece = next((p for p in others if p.number == read.bad.line), None)
    if piece is None:
        return None
    # A first word that can go on with the line above (`p may act`) may begin a line all the same:
    # then a later word is the bad one.
    is_head = first_word(piece.text) in HEADS.get(read.line.place, {})
    is_first = piece.column == read.bad.column
    if not is_head and not (
        is_first
        and (END in read.accepts() or any(sign in piece.text for sign in (":=", "+=", "-=")))
    ):
        return None
    word = first_word(piece.text) if is_head else shown(read.bad)
    said = (
        f"This line is deeper than line {first.number} and so goes on with it, but `{word}` cannot "
        "stand there."
    )
    return SyntaxMistake(
        said,
        f"indent it like line {first.number} if it says something of its own",
        piece.span,
        code="R003",
    )


def _wrong_place(read: Scan) -> SyntaxMistake | None:
    """Find a line that begins with a word of another place."""
    word, here = read.texts[0], read.line.place
    home = home_of(word, here)
    if home is None or len(read.tokens) > 2:
        return None
    kind = "a line of a stage" if word == "priority" else KIND[home]
    said = f"`{word}` begins {kind}, and none can stand {WHERE[here]}."
    hint = f"it stands {WHERE[home]}; look at the indentation"
    if word == "priority" and here is Place.STATEMENTS:
        hint = "the stage that `go` leads to says who has priority next"
    return SyntaxMistake(said, hint, read.tokens[0], code="R008")


def _misspelt(read: Scan) -> SyntaxMistake | None:
    """Find a word that is close to one with which the line could be read, or read further."""
    words = [word for word in lexicon().words if word.isalpha()]
    for token in reversed(read.tokens[-_TRIED:]):
        if token.type == END or not token.isidentifier() or token in words:
            continue
        for word in near(token, words):
            if is_better(read, edited(read.line, token, word)):
                return SyntaxMistake(
                    f"`{token}` is not a word that can stand here.",
                    f"did you mean `{word}`?",
                    token,
                    code="R015",
                )
    return None


def _parentheses(read: Scan) -> SyntaxMistake | None:
    opened: list[Token] = []
    for token in read.tokens[:-1]:
        if token == "(":
            opened.append(token)
        elif token == ")" and opened:
            opened.pop()
    if read.bad == ")" and not opened:
        return SyntaxMistake(
            "This `)` closes nothing.", "take it away, or add the `(`", code="R014"
        )
    if (
        opened
        and "RPAR" in read.accepts()
        and (read.bad.type == END or (read.line.opens is None and _begins_a_line(read)))
    ):
        hint = (
            "add the `)`"
            if read.line.opens
            else "add the `)`; a line goes on only in deeper lines below it"
        )
        return SyntaxMistake("This `(` is never closed.", hint, opened[-1], code="R014")
    return None


def _begins_a_line(read: Scan) -> bool:
    return any(
        (piece.number, piece.column) == (read.bad.line, read.bad.column)
        for piece in read.line.pieces[1:]
    )


def _begins_with_joint(read: Scan) -> SyntaxMistake | None:
    """Find a line that should go on with the one above."""
    word = read.tokens[0]
    if (
        word == "or"
        and read.line.place is Place.STATEMENTS
        and read.tokens[1:2]
        and read.tokens[1].type == "STRING"
    ):
        if read.bad == "by":
            return SyntaxMistake(
                "Who chooses is said once.",
                'put `by` after the title of the `either` above: `either "TITLE" by active`',
            )
        return None
    if word not in (
        "and",
        "or",
        "implies",
        "since",
        "until",
        "leads",
        "where",
    ) or read.line.place not in (
        Place.PROPERTY,
        Place.STATEMENTS,
    ):
        return None
    return SyntaxMistake(
        f"No line begins with `{word}`.",
        "indent it deeper than the line above to go on with it",
        word,
        code="R003",
    )


def _inside_of_a_formula(read: Scan) -> SyntaxMistake | None:
    """Find a part about the future that stands inside of a formula without parentheses."""
    if read.line.place is not Place.PROPERTY:
        return None
    words = read.texts
    for number, word in enumerate(words):
        if (
            number
            and word in LATER
            and words[number - 1] in _BEFORE_A_PART
            and words[number - 2 : number] != ["again", "and"]
        ):
            message = f"`{LATER[word]}` stands in parentheses inside of a formula."
            return SyntaxMistake(
                message,
                f"put parentheses around `{LATER[word]}` and what it is said of",
                read.tokens[number],
            )
    return None


def _second_statement(read: Scan) -> SyntaxMistake | None:
    if (
        read.line.place is Place.STATEMENTS
        and read.bad in HEADS[Place.STATEMENTS]
        and len(read.tokens) > 1
        and END in read.accepts()
    ):
        if read.bad == "by" and read.tokens[0] == "put":
            return SyntaxMistake(
                "`by` stands before `on`.", "it is written like this: `put KIND by PLAYER on ZONE`"
            )
        hint = "one statement a line"
        if read.bad == "if":
            said = shown(piece_of(read).text[: read.bad.start_pos].strip())
            hint = f"put `{said}` below a line `if CONDITION`, two spaces deeper"
        return SyntaxMistake(f"A second statement begins here, with `{read.bad}`.", hint)
    return None


def _no_statement(read: Scan) -> SyntaxMistake | None:
    """Find a line that begins like an assignment and is none."""
    if (
        read.line.place is not Place.STATEMENTS
        or len(read.tokens) != 2
        or read.tokens[0].type != "NAME"
    ):
        return None
    word, place = shown(read.tokens[0]), read.tokens[0]
    said = f"No statement begins with `{word}`."
    if read.bad == "(" or read.bad.type == END:
        return SyntaxMistake(
            said, f"`do {word}` uses a routine; `{word} := VALUE` changes a value", place
        )
    hint = (
        "a statement begins with a word such as `when`, `put` or `go`, or changes a value: "
        f"`{word} := VALUE`"
    )
    return SyntaxMistake(said, hint, place)


def _said_twice(read: Scan) -> SyntaxMistake | None:
    """Find a word that stands there twice, one right after the other."""
    for first, second in pairwise(read.tokens[-3:]):
        if (
            str(first) == str(second)
            and second.type != END
            and scan(edited(read.line, second, "")).tree is not None
        ):
            return SyntaxMistake(
                f"`{shown(second)}` stands here twice.", "take one of them away", second
            )
    return None


def _missing_word(read: Scan) -> SyntaxMistake | None:
    """Find a little word that is missing before the bad token."""
    if read.bad.type == END or len(read.tokens) < 2:
        return None
    after_name = word_before(read) not in lexicon().words
    for word in _JOINTS:
        if word.isalpha() and not after_name:
            continue
        if (
            lexicon().words[word] in read.accepts()
            and scan(edited(read.line, read.bad, word, keep=True)).tree is not None
        ):
            said = f"`{shown(read.bad)}` cannot stand right after `{word_before(read)}`."
            return SyntaxMistake(said, f"write `{word} {shown(read.bad)}`")
    return None


_LINES_BEGIN = "lines there begin with "
"""How a hint begins that lists all words that a line can begin with; it is told once."""
_LONGER = {"the": "the first that applies", "left": "left out"}
"""First words of a line that say nothing by themselves."""


def _general(read: Scan) -> SyntaxMistake:
    place, word = read.line.place, read.texts[0]
    forms = [
        f"`{form}`" for form in forms_of(place, "NAME" if read.tokens[0].type == "NAME" else word)
    ]
    hint = f"it is written like this: {', '.join(forms)}" if forms else ""
    wanted = _expected(read)
    if read.bad.type == END:
        return SyntaxMistake(
            f"The line ends too early: after `{word_before(read)}` comes {wanted}.",
            hint,
            code="R005",
        )
    if len(read.tokens) == 1:
        words = ", ".join(f"`{_LONGER.get(head, head)}`" for head in HEADS.get(place, {}))
        return SyntaxMistake(
            f"No line {WHERE[place]} begins with `{shown(read.bad)}`.",
            hint or f"{_LINES_BEGIN}{words}" * bool(words),
        )
    if read.accepts() == {END}:
        return SyntaxMistake(
            f"The line ends after `{word_before(read)}`; `{shown(read.bad)}` is too much.", hint
        )
    return SyntaxMistake(
        f"`{shown(read.bad)}` cannot stand after `{word_before(read)}`; {wanted} can.", hint
    )


_CHECKS: tuple[Check, ...] = (
    _limits,
    _quotes,
    _no_plain_letter,
    _goes_on_below,
    from_elsewhere,
    idiom,
    _wrong_place,
    _begins_with_joint,
    _inside_of_a_formula,
    _misspelt,
    _parentheses,
    _said_twice,
    in_english,
    _second_statement,
    _no_statement,
    _missing_word,
    _general,
)


def _expected(read: Scan) -> str:
    """Return what could have stood at the end of *read*, as a part of a sentence."""
    wanted = read.accepts()
    parts: list[str] = []
    if wanted >= _EXPRESSION:
        parts.append("an expression")
        wanted = {END} & wanted
    elif wanted >= _COMPARISON:
        parts.append("a comparison such as `is`")
        wanted &= {END, "WHERE", "BY", "ON", "SATISFIES", "RPAR", "COMMA", "TO"}
    if "NAME" in wanted:
        parts.append(_name_after(read.texts[:-1]))
    parts += [text for kind, text in _KINDS.items() if kind in wanted and kind != "NAME"]
    words = sorted(
        f"`{word}`"
        for word, kind in lexicon().words.items()
        if kind in wanted and not ("NAME" in wanted and word.isalpha())
    )
    parts += words[:_MOST]
    if len(words) > _MOST:
        parts.append("one of a few other words")
    return join_words(parts, "or") or "nothing more"


def _name_after(before: list[str]) -> str:
    for count in (2, 1):
        found = NAME_AFTER.get(" ".join(before[-count:]))
        if found:
            return found
    return _KINDS["NAME"]
