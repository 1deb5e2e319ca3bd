"""Formatting: text to canonical text, and trees to text; the layout of lines.

`format_text` keeps the author's order and comments; what it prints parses to the same tree, and
formatting it again changes nothing. `show_part` prints a tree that was never a text.

In come `LayoutLine`s, a tree of lines with the comments that belong to them; out goes the text. It
depends on nothing else, so laying out what was laid out changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TypeAlias

from .. import syntax
from ..diagnostics import Report
from ..parsing import blocks as written
from ..parsing.blocks import LineNode, ParsedLine
from ..parsing.outline import Comment, Piece, outline
from ..parsing.parse import parse_lines, parse_properties, parse_ruleset
from ..source import Source
from ..syntax import Claim, Clause, Formula, Option, Routine, Sequence, Stage
from .show_lines import show_expression, show_line, show_spotlights

WIDTH = 100
HEAD_WIDTH = 120
"""How wide the head of a block may be before what it cites goes on below."""
INDENT = "  "
# Words before which a long line can be broken; the loosest have the lowest rank.
_RANKS = {
    "implies": 0,
    "leads": 0,
    "or": 1,
    "and": 2,
    "since": 3,
    "until": 3,
    "satisfies": 4,
    "where": 4,
    "by": 5,
    "cites": 5,
}
_LIST = 6
# Of these words those after which the head of a block goes on in the next line.
_JOINING = ("implies", "or", "and", "satisfies", "where")
_TOKEN = re.compile(r'"[^"]*"|[()]|[^\s"()]+|\s+')


@dataclass
class LayoutLine:
    """A line's *node*, the entries of its block, and the *pieces* it was read from, if it was."""

    node: LineNode
    children: list[LayoutLine] = field(default_factory=list)
    pieces: tuple[Piece, ...] = ()

    @property
    def above(self) -> tuple[Comment, ...]:
        """The comments and blank lines above the line."""
        return self.pieces[0].above if self.pieces else ()

    @property
    def comment(self) -> str:
        """The comment at the end of the line."""
        return self.pieces[0].comment if self.pieces else ""


@dataclass
class _Row:
    depth: int
    text: str
    comment: str = ""


def lay_out(entries: Iterable[LayoutLine], tail: tuple[Comment, ...] = ()) -> str:
    """Return the text of *entries*, with the comments *tail* after them."""
    rows = list(_block_rows(list(entries), 0))
    rows += _comment_rows(tail, blank_first=False, start=False)
    while rows and not rows[-1].text and not rows[-1].comment:
        rows.pop()
    return "".join(line + "\n" for line in _with_comments(rows))


def _block_rows(entries: list[LayoutLine], depth: int) -> Iterator[_Row]:
    for group in _tables(entries):
        columns = [_columns(entry) for entry in group]
        widths = _widths(columns)
        for entry, cells in zip(group, columns, strict=True):
            first = entry is entries[0]
            yield from _comment_rows(
                entry.above, _stands_apart(entry, depth) and not (first and depth == 0), first
            )
            yield from _entry(entry, _aligned(cells, widths), depth)
            yield from _block_rows(entry.children, depth + 1)


def _columns(entry: LayoutLine) -> tuple[str, ...]:
    cells = show_line(entry.node)
    return (" ".join(cell for cell in cells if cell),) if entry.children else cells


def _tables(entries: list[LayoutLine]) -> Iterator[list[LayoutLine]]:
    """Yield the lines that are aligned with each other: those with no blank line between them."""
    group: list[LayoutLine] = []
    for entry in entries:
        if group and any(not comment.text for comment in entry.above):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _widths(rows: list[tuple[str, ...]]) -> list[int]:
    """Return the width of each column, of the rows that go on after it."""
    columns = max(map(len, rows))
    return [
        max((len(row[i]) for row in rows if any(row[i + 1 :])), default=0) for i in range(columns)
    ]


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    text = ""
    for cell, width in zip(reversed(cells), reversed(widths[: len(cells)]), strict=True):
        gap = " " if text.startswith(":") else "  "
        text = cell.ljust(width) + gap + text if text else cell
    return text


def _stands_apart(entry: LayoutLine, depth: int) -> bool:
    """Tell whether a blank line stands above *entry* in any case."""
    if depth == 0:
        return bool(entry.children) or isinstance(entry.node, (Option, Routine, Sequence, Stage))
    return isinstance(entry.node, Clause)


def _comment_rows(above: tuple[Comment, ...], blank_first: bool, start: bool) -> Iterator[_Row]:
    """Yield comments with at most one blank line between them, and a blank line above those of the
    line itself if *blank_first*.

    At the *start* of a block no blank line of the author's stands above the first comment or line.
    """
    depth = min((comment.depth for comment in above if comment.text), default=0)
    own = next(
        (i for i, comment in enumerate(above) if comment.text and comment.depth == depth),
        len(above),
    )
    blank = start and not blank_first
    for i, comment in enumerate(above):
        if blank_first and i == own and not blank:
            yield _Row(0, "")
            blank = True
        if comment.text:
            yield _Row(comment.depth, "", comment.text)
            blank = False
        elif not blank:
            yield _Row(0, "")
            blank = True
    if blank_first and own == len(above) and not blank:
        yield _Row(0, "")


def _entry(entry: LayoutLine, text: str, depth: int) -> Iterator[_Row]:
    if _keeps_breaks(entry.pieces):
        for i, piece in enumerate(entry.pieces):
            yield from (
                _Row(depth + 1, "", comment.text) for comment in piece.above if i and comment.text
            )
            yield _Row(depth + bool(i), _spaced(piece.text), piece.comment)
        return
    head = show_spotlights(entry.node) if isinstance(entry.node, Formula) else ""
    if isinstance(entry.node, Formula) and head:
        lines = [(depth, head), *_wrapped(show_expression(entry.node.body), depth + 1)]
    elif entry.children:
        lines = _wrapped_head(text, depth)
    elif isinstance(entry.node, Claim):
        lines = [(depth, text)]
    else:
        lines = _wrapped(text, depth)
    for i, (at, line) in enumerate(lines):
        yield _Row(at, line, "" if i else entry.comment)


def _keeps_breaks(pieces: tuple[Piece, ...]) -> bool:
    """Tell whether comments stand within the line, which then stays broken as it is."""
    return any(
        piece.comment or any(comment.text for comment in piece.above) for piece in pieces[1:]
    )


def _spaced(text: str) -> str:
    return "".join(" " if token.isspace() else token for token in _TOKEN.findall(text))


def _wrapped(text: str, depth: int) -> list[tuple[int, str]]:
    """Break *text*, which begins at *depth*, so that no line is wider than `WIDTH` if that can be
    done.

    It is cut at the loosest words in the fewest parentheses, and its parts are packed into lines
    again, one level deeper from the second on; a line that is still too long is broken in the same
    way.
    """
    room = WIDTH - len(INDENT) * depth
    parts = _loosest_parts(text) if len(text) > room else [text]
    if len(parts) == 1:
        return [(depth, text)]
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) <= (room if len(lines) == 1 else room - len(INDENT)):
            lines[-1] += " " + part
        else:
            lines.append(part)
    return [row for i, line in enumerate(lines) for row in _wrapped(line, depth + bool(i))]


def _wrapped_head(text: str, depth: int) -> list[tuple[int, str]]:
    """Break *text*, the head of a block, as `_wrapped` does, but after the words that join its
    parts, for by these it goes on.

    From the second line on it stands deeper than the block.
    """
    room = WIDTH - len(INDENT) * (depth + 2)
    lines = [""]
    width = len(text) + len(INDENT) * depth
    words = _RANKS if width <= HEAD_WIDTH else _JOINING
    for part in _loosest_parts(text, words) if width > WIDTH else [text]:
        word, _, rest = part.partition(" ")
        if word in _JOINING and lines != [""]:
            lines[-1] += f" {word}"
            part = rest
        elif lines != [""] and not lines[-1].endswith(","):
            lines[-1] += f" {part}"
            continue
        if lines[-1] and len(lines[-1]) + 1 + len(part) > room:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".strip()
    return [(depth + 2 * bool(i), line) for i, line in enumerate(lines)]


def _loosest_parts(text: str, words: Collection[str] = _RANKS) -> list[str]:
    """Cut *text* before the loosest of *words*, or after commas, that stand in the fewest
    parentheses.
    """
    places: dict[tuple[int, int], list[int]] = {}
    parentheses, before = 0, ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        parentheses += (token == "(") - (token == ")")
        rank = _RANKS.get(token if token in words else "", _LIST if before.endswith(",") else None)
        if rank is not None and match.start() and not token.isspace():
            places.setdefault((parentheses, rank), []).append(match.start())
        before = token if not token.isspace() else before
    cuts = [0, *places[min(places)], len(text)] if places else [0, len(text)]
    return [text[start:end].strip() for start, end in pairwise(cuts)]


def _with_comments(rows: list[_Row]) -> Iterator[str]:
    """Yield the lines; comments at the ends of lines right below each other begin at the same
    column.
    """
    run: list[tuple[str, str]] = []
    for row in rows:
        line = INDENT * row.depth + row.text if row.text else ""
        if row.text and row.comment:
            run.append((line, row.comment))
            continue
        yield from _joined_words(run)
        run = []
        yield INDENT * row.depth + row.comment if row.comment else line
    yield from _joined_words(run)


def _joined_words(run: list[tuple[str, str]]) -> Iterator[str]:
    width = max((len(line) for line, _ in run), default=0)
    return (f"{line.ljust(width)}  {comment}" for line, comment in run)


def format_text(source: Source) -> str:
    """Return the canonical text of a ruleset or a properties file; raise `InputError` if it cannot
    be read.
    """
    report = Report(source)
    cut = outline(source, report)
    lines = parse_lines(cut.lines, report)
    report.check()
    if any(parsed.word in ("property", "lemma") for parsed in lines):
        parse_properties(source, report)
    else:
        parse_ruleset(source, report)
    report.check()
    return lay_out(_layout_lines(lines), cut.tail)


def _layout_lines(lines: Iterable[ParsedLine]) -> list[LayoutLine]:
    return [
        LayoutLine(p.node, _layout_lines(p.children), tuple(p.line.pieces))
        for p in lines
        if p.node is not None
    ]


ShownPart: TypeAlias = (
    syntax.PlayersHeader | syntax.Go | syntax.Option | syntax.OptionValue | syntax.ItemKind
    | syntax.Attribute | syntax.Zone | syntax.Sequence | syntax.StateVariable | syntax.Term
    | syntax.Routine | syntax.Stage | syntax.Clause | syntax.Claim | syntax.LeftOut
)  # fmt: skip
"""A part of a ruleset that can be shown by itself."""


def show_part(part: ShownPart) -> str:
    """Return the text of one *part* of a ruleset, in the standard layout."""
    return lay_out([part_line(part)])


def part_line(part: ShownPart) -> LayoutLine:
    """Return the line of *part*, with those below it."""
    match part:
        case syntax.Option(values=below) | syntax.Sequence(steps=below):
            return LayoutLine(part, [LayoutLine(one) for one in below])
        case syntax.Routine(body=body) | syntax.Clause(body=body):
            return LayoutLine(part, _block(body))
        case syntax.Stage():
            return LayoutLine(part, list(_stage(part)))
        case syntax.Claim():
            return _claim(part)
        case syntax.Go():
            return LayoutLine(written.StartHeader(part))
        case _:
            return LayoutLine(part)


def _stage(stage: syntax.Stage) -> Iterable[LayoutLine]:
    if stage.priority is not None:
        yield LayoutLine(written.PriorityLine(stage.priority))
    for block, clauses in groupby(stage.clauses, key=lambda clause: clause.block):
        lines = list(map(part_line, clauses))
        yield from [LayoutLine(written.FirstHead(), lines)] if block else lines


def _claim(claim: syntax.Claim) -> LayoutLine:
    needs = [LayoutLine(written.NeedsLine(claim.needs))] if claim.needs else []
    containing = (
        [] if claim.containing is None else [LayoutLine(written.WithLine(claim.containing))]
    )
    return LayoutLine(claim, [*needs, *_formula(claim.formula), *containing])


def _formula(formula: syntax.Formula | None) -> list[LayoutLine]:
    if formula is None:
        return []
    about = [] if formula.about is None else [LayoutLine(written.AboutLine(formula.about))]
    assuming = [LayoutLine(written.AssumingLine(who)) for who in formula.assuming]
    given = [LayoutLine(written.GivenLine(given)) for given in formula.given]
    return [*about, *assuming, *given, LayoutLine(formula)]


def _block(block: syntax.Block) -> list[LayoutLine]:
    return [entry for statement in block for entry in _statement(statement)]


def _otherwise(block: syntax.Block) -> Iterable[LayoutLine]:
    match block:
        case ():
            return
        case (syntax.If(condition, then, otherwise),):
            yield LayoutLine(written.ElseIf(condition), _block(then))
            yield from _otherwise(otherwise)
        case _:
            yield LayoutLine(written.Else(), _block(block))


def _statement(statement: syntax.Statement) -> Iterable[LayoutLine]:
    match statement:
        case syntax.If(_, then, otherwise):
            yield LayoutLine(statement, _block(then))
            yield from _otherwise(otherwise)
        case syntax.Maybe(body, title):
            yield LayoutLine(syntax.Maybe((), title), _block(body))
        case syntax.Either(options):
            (_, first), *others = options
            yield LayoutLine(statement, _block(first))
            yield from (LayoutLine(written.OrLine(title), _block(body)) for title, body in others)
        case _:
            yield LayoutLine(statement)
