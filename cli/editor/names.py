"""Names: every name and id in the texts of a ruleset, what declares it, and where it is used.

A line's words come from its parse tree, by the rule they stand in; of a line that cannot be read
those before the mistake are known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lark import Token, Tree

from ...models.diagnostics import Report
from ...models.frozen import frozen
from ...models.parsing.outline import LogicalLine, Piece, Place, outline
from ...models.parsing.scan import scan, token_span
from ...models.source import Source, Span
from ..judging import CLAUSES, target_of
from .texts import OpenTexts

if TYPE_CHECKING:
    from lsprotocol import types


def name_at(
    texts: OpenTexts, path: str, position: types.Position
) -> tuple[NameTable, Occurrence] | None:
    """Return the name at *position* of the file at *path*, with all names of its ruleset."""
    names, source = names_of_file(texts, path), texts.whole(path)
    if names is None or source is None:
        return None
    found = names.at(source, texts.span_at(source, path, position))
    return None if found is None else (names, found)


def names_of_file(texts: OpenTexts, path: str) -> NameTable | None:
    """Return all names of the ruleset that the file at *path* is of; None if there is none."""
    rules = texts.rules(path)
    inventory = texts.file(target_of(path).removesuffix(".rules") + CLAUSES)
    return None if rules is None else names_in(rules, inventory)


def definition(texts: OpenTexts, path: str, position: types.Position) -> list[types.Location]:
    """Return what declares the name at *position*; of a clause that is declared there, the
    statement that it stands for.
    """
    if (found := name_at(texts, path, position)) is None:
        return []
    names, here = found
    declared = names.declarations(here)
    return _locations(texts, [one for one in declared if one != here] or declared)


def references(
    texts: OpenTexts, path: str, position: types.Position, asked: types.ReferenceContext
) -> list[types.Location]:
    """Return where the name at *position* stands, with its declaration if that is *asked* for."""
    if (found := name_at(texts, path, position)) is None:
        return []
    names, here = found
    left_out = () if asked.include_declaration else names.declarations(here)
    return _locations(texts, [one for one in names.references(here) if one not in left_out])


def _locations(texts: OpenTexts, found: Iterable[Occurrence]) -> list[types.Location]:
    return [texts.location(one.source, one.word.span) for one in found]


_MEANS = {
    **dict.fromkeys(("name", "names", "of", "assign"), "any"),
    "option_head": "=option",
    "sequence_head": "=sequence", "term": "=term", "routine_head": "=routine",
    "stage_head": "=stage", "property_head": "=claim", "lemma_head": "=claim", "claim": "=claim",
    "option_value": "=value", "item_line": "=kind", "attribute": "=attribute", "zone": "=zone",
    "step_line": "=step", "state_variable": "=state", "clause_head": "=clause", "tags": "=tag",
    "values": "=value", "parameter": "+line", "spotlight": "+above", "let": "+clause",
    "choose": "+clause", "by_any": "+clause", "some": "+line", "no": "+line", "every": "+line",
    "some_wide": "+line", "no_wide": "+line", "every_wide": "+line", "assign_every": "any +line",
    "move_every": "+line zone", "remove_every": "+line zone", "resolve_every": "+line zone",
    "ids": "clause", "cites": "clause", "uses": "clause", "clause": "clause",
    "clause_is_possible": "clause", "put": "kind zone", "setting": "attribute", "move": "zone",
    "advance": "sequence", "begin": "sequence", "end": "sequence", "skip_to": "step", "do": "stage",
    "go": "stage", "start_header": "stage", "at": "stage", "call": "term", "size": "zone",
    "end_of": "zone", "on": "zone", "is_put_on": "zone", "leaves": "zone", "scope_entry": "zone",
}  # fmt: skip
"""What the names are that stand right below a rule of the grammar, the last of them also for more:
what they declare (``=``), the part in which they are known (``+``), or what they ask for.
"""
_SPACES = {
    **dict.fromkeys(("option", "sequence", "term", "zone", "state"), "thing"),
    "routine": "stage",
    "statement": "clause",
}
"""What shares its names with others."""
_BY_TITLE = ("stage", "clause", "claim")
"""What is asked for in its own places only."""


@frozen
class WrittenName:
    """A name or id at a *span*: *what* it is or asks for, empty if it may be anything.

    It *declares* that; what is known only in a part of the text says in *reach* in which.
    """

    name: str
    span: Span
    what: str
    declares: bool = False
    reach: str = ""

    @property
    def space(self) -> str:
        """Among which names it stands for one thing only."""
        return _SPACES.get(self.what, self.what)


@frozen
class Occurrence:
    """A *word* in *source*, and the first lines of the parts that it stands in, from the outermost;
    *clause* is that of its clause or routine.
    """

    source: Source
    word: WrittenName
    within: tuple[int, ...] = ()
    clause: int = 0

    @property
    def known_in(self) -> int:
        """The first line of the part in which a local name is known."""
        match self.word.reach:
            case "above":
                return self.within[-2] if len(self.within) > 1 else self.within[-1]
            case "clause":
                return self.clause
            case _:
                return self.within[-1]


class NameTable:
    """All names of a ruleset: those on its *lines* of rules and claims, and its inventory's ids."""

    def __init__(self, lines: Sequence[LogicalLine], found: Sequence[Occurrence]) -> None:
        self.lines, self.all = lines, found
        self._declared: dict[str, list[Occurrence]] = defaultdict(list)
        self._local: dict[tuple[str, int], Occurrence] = {}
        for one in found:
            if one.word.reach:
                self._local[one.word.name, one.known_in] = one
            elif one.word.declares:
                self._declared[one.word.name].append(one)

    def at(self, source: Source, at: Span) -> Occurrence | None:
        """Return the name at the place *at* of *source*, which may be right behind it."""
        found = None
        for one in self.all:
            span = one.word.span
            if (
                span.line == at.line
                and span.column <= at.column <= span.end
                and one.source.name == source.name
            ):
                found = one
        return found

    def declarations(self, of: Occurrence) -> tuple[Occurrence, ...]:
        """Return what declares the name *of* some place, that place too if it does."""
        word = of.word
        if word.reach:
            return (of,)
        if word.space in ("", "thing", "kind", "attribute", "step"):
            for line in reversed(of.within):
                if (local := self._local.get((word.name, line))) is not None and not word.declares:
                    return (local,)
        known = self._declared.get(word.name, [])
        if word.what == "value" and any(one.word.space == "thing" for one in known):
            return tuple(one for one in known if one.word.space == "thing")  # `p: mood`
        if word.space:
            return tuple(one for one in known if one.word.space == word.space)
        return tuple(one for one in known if one.word.space not in _BY_TITLE)

    def references(self, of: Occurrence) -> tuple[Occurrence, ...]:
        """Return all places that mean what the name *of* a place means, the declarations first."""
        declared = self.declarations(of)
        found = [
            one
            for one in self.all
            if one.word.name == of.word.name
            and one not in declared
            and {*self.declarations(one)} & {*declared}
        ]
        return (*declared, *found)

    def declared(self, *whats: str) -> list[WrittenName]:
        """Return the words that declare something of these sorts."""
        return [word for one in self.all if (word := one.word).declares and word.what in whats]

    def local(self, line: int) -> list[WrittenName]:
        """Return the local names that are known on *line* of the text."""
        near = [
            one.within
            for one in self.all
            if one.word.span.line <= line and one.word.what != "statement"
        ]
        within = near[-1] if near else ()
        return [one.word for (_, start), one in self._local.items() if start in within]


@lru_cache(maxsize=8)
def names_in(rules: Source, inventory: Source | None) -> NameTable:
    """Return the names of *rules* and their *inventory*."""
    lines = outline(rules, Report(rules)).lines
    statements = () if inventory is None else _statements(inventory)
    return NameTable(lines, (*_words(rules, lines, (), 0), *statements))


def _words(
    rules: Source, lines: Sequence[LogicalLine], within: tuple[int, ...], clause: int
) -> Iterator[Occurrence]:
    for line in lines:
        here = (*within, line.span.line)
        inside = clause if line.place is Place.STATEMENTS else line.span.line
        for word in words_of(line.place, line.language, tuple(line.pieces)):
            yield Occurrence(rules, word, here, inside)
        yield from _words(rules, line.children, here, inside)


@lru_cache(maxsize=4_000)
def words_of(place: Place, language: int, pieces: tuple[Piece, ...]) -> tuple[WrittenName, ...]:
    """Return the names and ids of one line."""
    if place is Place.LOST:
        return ()
    read = scan(LogicalLine(place, None, 0, list(pieces), language=language))
    if read.tree is not None:
        return tuple(_below(read.tree))
    return tuple(
        WrittenName(str(one), token_span(one), "")
        for one in read.tokens
        if one.type in ("NAME", "ID")
    )


def _below(tree: Tree[Token]) -> Iterator[WrittenName]:
    means = iter((_MEANS.get(tree.data, "") or "any").split())
    last = "any"
    for child in tree.children:
        if isinstance(child, Tree):
            yield from _below(child)
        elif child is not None and child.type in ("NAME", "ID"):
            last = next(means, last)
            yield _word(child, last)


def _word(token: Token, said: str) -> WrittenName:
    name, span = str(token), token_span(token)
    match said[0], said[1:]:
        case "=", what:
            return WrittenName(name, span, what, declares=True)
        case "+", reach:
            return WrittenName(name, span, "local", declares=True, reach=reach)
        case _:
            return WrittenName(name, span, "" if said == "any" else said)


def _statements(inventory: Source) -> Iterator[Occurrence]:
    for number, line in enumerate(inventory.lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            id_ = line.partition("\t")[0]
            start = len(id_) - len(id_.lstrip()) + 1
            span = Span(number, start, start + len(id_.strip()))
            yield Occurrence(
                inventory, WrittenName(id_.strip(), span, "statement", declares=True), (number,)
            )
