"""The outline pass: a text to a tree of logical lines, by indentation.

In goes a `Source`, out comes a tuple of top `LogicalLine`s, each with the lines of its block below
it. Comments are taken off and kept for the formatter. The place of a line and its first word decide
alone (`HEADS`) whether the deeper lines below it are its block or its continuation. So a line that
is wrong otherwise still has the right lines below it, and one mistake stays one mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

from ..diagnostics import Diagnostic, Report
from ..frozen import frozen
from ..source import Source, Span
from ..words import counted, near

TAB = 2
MAX_DEPTH = 40
MAX_LINE = 10_000


class Place(Enum):
    """Where a line stands; the value is the grammar's start rule for it, or empty where nothing is
    read.
    """

    TOP = "top_line"
    OPTION = "option_line"
    ITEMS = "item_line"
    ATTRIBUTES = "attribute_line"
    ZONES = "zone_line"
    STEPS = "step_line"
    STATE = "state_line"
    LEFT_OUT = "left_out_line"
    STAGE = "stage_line"
    STATEMENTS = "statement"
    CLAIMS = "claim_line"
    PROPERTY = "property_line"
    LOST = ""


_LINES = {
    Place.TOP: """
        language 1
        game "TITLE"
        source "TEXT"
        players 2 | players 2 to 4 | players 2 or more
        scope players 2, ZONE 3
        start STAGE | start STAGE(active)
        term NAME means EXPRESSION | term NAME(p: player) means EXPRESSION
        option NAME "TITLE" | option NAME "TITLE" from 1 to 9 default 2 > OPTION
        items > ITEMS
        attributes > ATTRIBUTES
        zones > ZONES
        turn > STEPS
        sequence NAME "TITLE" > STEPS
        state > STATE
        to NAME "TITLE" | to NAME(p: player) "TITLE" > STATEMENTS
        stage NAME "TITLE" | stage NAME(p: player) "TITLE" > STAGE
        claims | claims "TITLE" | claims when OPTION is VALUE > CLAIMS
        left out > LEFT_OUT
        property NAME "TITLE" > PROPERTY
        lemma NAME "TITLE" > PROPERTY""",
    Place.STAGE: """
        may ID "TITLE" | may ID "TITLE" cites ID > STATEMENTS
        must ID "TITLE" | must ID "TITLE" cites ID > STATEMENTS
        chance ID "TITLE" | chance ID "TITLE" cites ID > STATEMENTS
        priority PLAYER
        the first that applies > STAGE""",
    Place.CLAIMS: """
        holds NAME "TITLE" cites ID > PROPERTY
        fails NAME "TITLE" cites ID > PROPERTY
        possible NAME "TITLE" cites ID > PROPERTY
        impossible NAME "TITLE" cites ID > PROPERTY
        vacuous NAME "TITLE" cites ID > PROPERTY
        lemma NAME "TITLE" cites ID > PROPERTY""",
    Place.STATEMENTS: """
        if CONDITION > STATEMENTS
        else | else if CONDITION > STATEMENTS
        either "TITLE" by PLAYER > STATEMENTS
        or "TITLE" > STATEMENTS
        maybe "TITLE" | maybe STATEMENT > STATEMENTS
        when CONDITION
        by PLAYER | by any p where CONDITION
        require CONDITION
        put KIND on ZONE | put KIND by PLAYER with ATTRIBUTE VALUE on ZONE
        move ITEM to ZONE | move every t in ZONE to ZONE where CONDITION
        remove ITEM | remove every t in ZONE where CONDITION
        resolve ITEM | resolve every t in ZONE where CONDITION
        pass
        advance | advance SEQUENCE
        begin SEQUENCE | begin resolving ITEM
        end SEQUENCE
        skip to STEP
        let NAME be VALUE
        choose t in ZONE where CONDITION by PLAYER
        do ROUTINE | do ROUTINE(PLAYER)
        go STAGE | go STAGE(PLAYER)
        game over
        todo
        NAME := VALUE | NAME += VALUE | NAME of PLAYER := VALUE""",
    Place.PROPERTY: """
        why "TEXT"
        about FORMULA
        assuming players act only finitely often | assuming FORMULA
        needs ZONE 3
        with FORMULA
        for every item i, player p: never FORMULA""",
}
FORMS = {
    place: {line.split()[0]: line.strip().partition(" > ") for line in lines.splitlines()[1:]}
    for place, lines in _LINES.items()
}
"""How lines are written, by their place and first word (``NAME``: with a name), as hints show it;
behind it the name of the place of the lines below them; empty for a line with no block.
"""
HEADS: dict[Place, dict[str, Place | None]] = {
    place: {
        word: Place[below] if below else None
        for word, (_, _, below) in forms.items()
        if word != "NAME"
    }
    for place, forms in FORMS.items()
    if place is not Place.PROPERTY
}
"""The first words of the lines of a place, and the place of the lines below them (None: a line that
goes on below).
"""


@frozen
class Comment:
    """A comment on a line of its own, at the depth of the block it stands in; with empty *text* a
    blank line.
    """

    text: str
    depth: int


@frozen
class Piece:
    """One line of the text: its *number*, the *column* of its first character, and its *text*
    without the comment.

    *tab* says that a tab indents it.
    """

    number: int
    column: int
    text: str
    comment: str
    above: tuple[Comment, ...] = ()
    tab: bool = False

    @property
    def span(self) -> Span:
        """The whole piece."""
        return Span(self.number, self.column, self.column + len(self.text))


@dataclass
class LogicalLine:
    """One logical line: its *pieces* (more than one if it goes on), and the lines of the block it
    opens.

    *opens* is the place of the lines below it, None if it opens no block. It is written in version
    *language* of the language.
    """

    place: Place
    opens: Place | None
    depth: int
    pieces: list[Piece]
    children: list[LogicalLine] = field(default_factory=list)
    language: int = 1

    @property
    def span(self) -> Span:
        """The first piece."""
        return self.pieces[0].span


@frozen
class Outline:
    """All top lines, and the comments after the last line."""

    lines: tuple[LogicalLine, ...]
    tail: tuple[Comment, ...]


@dataclass
class _Open:
    """A line that still may get deeper lines; *line* is None for the whole text."""

    indent: int
    line: LogicalLine | None
    opens: Place | None
    children: list[LogicalLine]
    child_indent: int | None = None
    odd_indent: int | None = None

    @property
    def depth(self) -> int:
        return self.line.depth if self.line else -1


_WORD = re.compile(r"[A-Za-z_]\w*")
_LANGUAGE = re.compile(r"language\s+([0-9]{1,3})")
_UNFINISHED = re.compile(r"(?:\b(?:and|or|implies|but|not|is|in|of|where|satisfies|from)|[(,+-])$")
_JOINS = re.compile(r'(?:and|implies)\b|or\b(?!\s*")')
_ASSIGNMENT = re.compile(r"\w+(?:\s+of\s+[^\"]+?)?\s*[:+-]=")
_CODE = re.compile(r'(?:[^"#]|"[^"]*"|"[^"]*$)*')


def outline(source: Source, report: Report) -> Outline:
    """Cut the text of *source* into logical lines; what is wrong with its indentation goes into
    *report*.
    """
    found, mistakes = _outlined(source)
    for one in mistakes:
        report.add(one.code, one.span, one.message, one.hint)
    return found


@lru_cache(maxsize=2)
def _outlined(source: Source) -> tuple[Outline, tuple[Diagnostic, ...]]:
    """Return the outline of *source* and the mistakes in it, kept for who asks again what follows
    from a mistake.
    """
    report = Report(source)
    return _Outliner(report).outline(source.text), tuple(report.errors)


class _Outliner:
    def __init__(self, report: Report) -> None:
        self.report = report
        self.lines: list[LogicalLine] = []
        self.open = [_Open(-1, None, Place.TOP, self.lines)]
        self.waiting: list[tuple[str, int]] = []
        self.tabs: list[Span] = []
        self.too_deep = False
        self.too_long: set[int] = set()
        self.language = 1

    def outline(self, text: str) -> Outline:
        lines = list(self._physical_lines(text))
        self.language = next(
            (
                int(said[1])
                for indent, piece in lines
                if not indent and (said := _LANGUAGE.fullmatch(piece.text))
            ),
            1,
        )
        following = iter([*(indent for indent, piece in lines if piece.text), 0][1:])
        for indent, piece in lines:
            if piece.text:
                self._add_piece(indent, piece, next(following))
            else:
                self.waiting.append((piece.comment, indent))
        tail = self._comments_above(0)
        self._report_tabs()
        return Outline(tuple(self.lines), tail)

    def _physical_lines(self, text: str) -> Iterator[tuple[int, Piece]]:
        """Yield each line with its indentation; a tab, which is reported, counts as a level."""
        for number, raw in enumerate(text.splitlines(), 1):
            if len(raw) > MAX_LINE:
                self.report.add(
                    "R312",
                    Span(number, 1, 2),
                    f"This line has {len(raw):,} characters; {MAX_LINE:,} is the limit.",
                )
                self.too_long.add(number)
                raw = raw[:MAX_LINE]
            body = raw.lstrip(" \t")
            start = len(raw) - len(body)
            tabs = raw.count("\t", 0, start)
            if tabs:
                self.tabs.append(Span(number, raw.index("\t") + 1, start + 1))
            match = _CODE.match(body)
            code = match.group() if match else ""
            yield (
                start + tabs * (TAB - 1),
                Piece(number, start + 1, code.rstrip(), body[len(code) :].rstrip(), tab=bool(tabs)),
            )

    def _report_tabs(self) -> None:
        if self.tabs:
            more = len(self.tabs) - 1
            also = (
                f", and {more} more {'line has' if more == 1 else 'lines have'} one too"
                if more
                else ""
            )
            self.report.add(
                "R002",
                self.tabs[0],
                f"A tab indents this line{also}.",
                "indent with spaces, two for each level",
            )

    def _add_piece(self, indent: int, piece: Piece, following: int) -> None:
        above = self._comments_above(indent)
        while self.open[-1].indent >= indent:
            self.open.pop()
        parent = self.open[-1]
        piece = replace(piece, above=above) if above else piece
        if parent.line is not None and (parent.opens is None or _goes_on(parent.line, piece.text)):
            parent.line.pieces.append(piece)
            return
        parent = self._meant_parent(parent, indent, piece)
        indent = self._checked_indent(parent, indent, following, piece)
        place = Place.LOST if piece.number in self.too_long else parent.opens or Place.LOST
        line = LogicalLine(
            place, _opens(place, piece.text), parent.depth + 1, [piece], language=self.language
        )
        if line.depth > MAX_DEPTH:
            line = self._lose(line)
        if line.depth <= MAX_DEPTH + 1:
            parent.children.append(line)
        self.open.append(_Open(indent, line, line.opens, line.children))

    def _meant_parent(self, parent: _Open, indent: int, piece: Piece) -> _Open:
        """Return the block that a line indented like no block belongs to by its first word."""
        word = first_word(piece.text)
        while parent.line is not None and parent.child_indent not in (None, indent):
            if parent.opens is Place.PROPERTY or word in HEADS.get(parent.opens or Place.LOST, {}):
                break
            if word not in HEADS.get(parent.line.place, {}):
                break
            self.open.pop()
            parent = self.open[-1]
        return parent

    def _checked_indent(self, parent: _Open, indent: int, following: int, piece: Piece) -> int:
        """Return the indentation of the siblings, which the line is taken to mean; *following* is
        that of the line after it.
        """
        if parent.child_indent is None:
            if parent.line is None and indent:
                self.report.add(
                    "R003",
                    piece.span,
                    "The first line of the text is indented.",
                    "begin it at the left margin",
                )
            parent.child_indent = max(indent, parent.indent + 1) if parent.line else 0
        elif indent != parent.child_indent and len(parent.children) == 1 and following == indent:
            # The one line so far is the odd one, and would make all others wrong.
            self._report_indent(parent.child_indent, indent, parent.children[0].span)
            parent.child_indent = indent
        elif indent == parent.odd_indent:
            # It was told of the first such line; if there are more, it is the others that are odd.
            parent.child_indent = indent
        elif indent != parent.child_indent:
            self._report_indent(indent, parent.child_indent, piece.span)
            parent.odd_indent = indent
        return parent.child_indent

    def _report_indent(self, found: int, others: int, span: Span) -> None:
        said = (
            f"This line is indented by {counted(found, 'space')}, but the lines of its block by "
            f"{counted(others, 'space')}."
        )
        self.report.add("R003", span, said, "indent all lines of a block alike")

    def _lose(self, line: LogicalLine) -> LogicalLine:
        """Return *line* as one that is not read, nor what is below it; the first of its kind is
        reported.
        """
        if not self.too_deep:
            hint = "a routine (`to NAME`) or a stage of its own is easier to read"
            self.report.add(
                "R313", line.span, f"Blocks are nested deeper than {MAX_DEPTH} levels here.", hint
            )
        self.too_deep = True
        return replace(line, place=Place.LOST, opens=Place.LOST)

    def _comments_above(self, indent: int) -> tuple[Comment, ...]:
        """Take the comments read since the last line; the next line stands at *indent*."""
        if not self.waiting:
            return ()
        depth = 1 + max((entry.depth for entry in self.open if entry.indent < indent), default=-1)
        comments = tuple(
            Comment(
                text,
                depth
                if at <= indent
                else max(depth, *(entry.depth for entry in self.open if entry.indent <= at)),
            )
            for text, at in self.waiting
        )
        self.waiting.clear()
        return comments


def first_word(text: str) -> str:
    """Return the word that *text* begins with; empty if it begins with none."""
    match = _WORD.match(text)
    return match.group() if match else ""


def _goes_on(line: LogicalLine, text: str) -> bool:
    """Tell whether *text*, right below the head *line* of a block, goes on with it: the last word
    there, or its first, asks for that.

    A *text* that begins as the lines of the block do is one of them all the same, so that a head
    that ends too early is told as such.
    """
    if line.children:
        return False
    if line.place is Place.STATEMENTS and _JOINS.match(text):
        return True
    if not _UNFINISHED.search(line.pieces[-1].text):
        return False
    return first_word(text) not in HEADS.get(
        line.opens or Place.LOST, {}
    ) and not _ASSIGNMENT.match(text)


def _opens(place: Place, text: str) -> Place | None:
    """Return the place of the lines below a line that begins with *text*, or None if it goes on
    there.
    """
    if place is Place.LOST:
        return Place.LOST
    word = first_word(text)
    rest = text[len(word) :].lstrip()
    if place is Place.STATEMENTS and re.match(r"of\b|[:+-]=", rest):
        return None
    if place is Place.STATEMENTS and word == "maybe" and rest and not rest.startswith('"'):
        return HEADS[place].get(first_word(rest))
    heads = HEADS.get(place)
    if heads is None:
        return None
    return heads[word] if word in heads else _opens_by_mistake(place, word)


def _opens_by_mistake(place: Place, word: str) -> Place | None:
    """Guess what a line opens whose first word *word* does not belong in *place*."""
    for heads in HEADS.values():
        if word in heads:
            return heads[word]
    guesses = near(word, HEADS[place])
    if guesses:
        return HEADS[place][guesses[0]]
    return Place.PROPERTY if place is Place.CLAIMS else Place.LOST
