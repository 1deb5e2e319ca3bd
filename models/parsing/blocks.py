"""Blocks of statements: what each logical line says, put together with the others.

By itself most lines are a syntax node whose block is still empty (a stage without its clauses, an
``if`` without its branches). The rest have a small node here. `parse` puts lines together to a
tree, `format` prints them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from .. import syntax
from ..diagnostics import Report
from ..frozen import frozen
from ..syntax import Block, Either, If, Maybe, Statement
from .outline import MAX_DEPTH, LogicalLine, first_word

SectionName = Literal["items", "attributes", "zones", "state", "left out"]


@frozen
class LanguageHeader(syntax.Node):
    """``language 1``."""

    version: int


@frozen
class TextHeader(syntax.Node):
    """``game "TITLE"`` or ``source "TEXT"``."""

    kind: Literal["game", "source"]
    text: str


@frozen
class ScopeHeader(syntax.Node):
    """``scope players 2, stack 3``."""

    sizes: syntax.NamedSizes


@frozen
class StartHeader(syntax.Node):
    """``start STAGE(ARGUMENTS)``."""

    go: syntax.Go


@frozen
class SectionHead(syntax.Node):
    """The line above a list of declarations."""

    section: SectionName


@frozen
class ClaimsHead(syntax.Node):
    """``claims``, ``claims "TITLE"`` or ``claims when F``."""

    title: str = ""
    condition: syntax.Expr | None = None


@frozen
class PropertyHead(syntax.Node):
    """``property NAME "TITLE"`` or ``lemma NAME "TITLE"``."""

    name: str
    title: str
    is_lemma: bool = False


@frozen
class PriorityLine(syntax.Node):
    """``priority P``."""

    holder: syntax.Expr


@frozen
class FirstHead(syntax.Node):
    """``the first that applies``, above the clauses of which only the first that applies can be
    used.
    """


@frozen
class ElseIf(syntax.Node):
    """``else if F``."""

    condition: syntax.Expr


@frozen
class Else(syntax.Node):
    """``else``."""


@frozen
class OrLine(syntax.Node):
    """``or "TITLE"``, the next option of an ``either``."""

    title: str = ""


@frozen
class WhyLine(syntax.Node):
    """``why "TEXT"``."""

    text: str


@frozen
class AboutLine(syntax.Node):
    """``about F``."""

    subject: syntax.Expr


@frozen
class AssumingLine(syntax.Node):
    """``assuming players act only finitely often``."""

    who: Literal["players", "cards", "others"]


@frozen
class GivenLine(syntax.Node):
    """``assuming F``."""

    given: syntax.Expr


@frozen
class NeedsLine(syntax.Node):
    """``needs players 3, stack 3``."""

    sizes: syntax.NamedSizes


@frozen
class WithLine(syntax.Node):
    """``with F``."""

    containing: syntax.Expr


TopNode: TypeAlias = (
    LanguageHeader | TextHeader | syntax.PlayersHeader | ScopeHeader | StartHeader | syntax.Option
    | SectionHead | syntax.Sequence | syntax.Term | syntax.Routine | syntax.Stage | ClaimsHead
    | PropertyHead
)  # fmt: skip
LineOfClaim: TypeAlias = (
    WhyLine | AboutLine | AssumingLine | GivenLine | NeedsLine | WithLine | syntax.Formula
)
InnerNode: TypeAlias = (
    syntax.OptionValue | syntax.ItemKind | syntax.Attribute | syntax.Zone | syntax.Step
    | syntax.StateVariable | syntax.LeftOut | PriorityLine | FirstHead | syntax.Clause
    | syntax.Claim | LineOfClaim
)  # fmt: skip
ControlNode: TypeAlias = (
    syntax.If
    | ElseIf
    | Else
    | syntax.Maybe
    | syntax.Either
    | OrLine
    | syntax.Do
    | syntax.Go
    | syntax.GameOver
    | syntax.Todo
)
StatementNode: TypeAlias = syntax.Statement | ControlNode
LineNode: TypeAlias = TopNode | InnerNode | StatementNode


MAX_LEVELS = 80
_JOINED = {"else": "if", "or": "either"}


@frozen
class ParsedLine:
    """A line, what it says (None if it could not be read), and the lines of its block."""

    line: LogicalLine
    node: LineNode | None
    children: tuple[ParsedLine, ...]

    @property
    def word(self) -> str:
        """The first word."""
        return first_word(self.line.pieces[0].text)


def need_lines(parsed: ParsedLine, report: Report, what: str) -> None:
    """Report *parsed* if no lines stand below it that would say *what* it needs; where a tab
    indents the next line, that is the mistake.
    """
    if not parsed.children and parsed.node is not None and not _tab_below(parsed, report):
        said = f"Nothing stands below `{parsed.word}`; {what}."
        report.add(
            "R006",
            parsed.line.span,
            said,
            "put the lines that belong to it below it, two spaces deeper",
        )


def _tab_below(parsed: ParsedLine, report: Report) -> bool:
    below = report.source.lines[parsed.line.pieces[-1].number :]
    following = next((line for line in below if line.strip()), "")
    return "\t" in following[: len(following) - len(following.lstrip())]


def body_of(lines: Sequence[ParsedLine], report: Report) -> Block:
    """Put the statements of a clause or routine together; none if they are nested beyond the limit.

    Branches count as levels here: an ``else if`` stands in the ``else`` of the one before.
    """
    body = block_of(lines, report)
    level = body
    for _ in range(MAX_LEVELS):
        level = tuple(
            inner for statement in level for block in blocks_below(statement) for inner in block
        )
        if not level:
            return body
    said = f"Blocks and branches are nested deeper than {MAX_LEVELS} levels here."
    report.add(
        "R313", level[0].span, said, "a routine (`to NAME`) or a stage of its own is easier to read"
    )
    return ()


def blocks_below(statement: Statement) -> tuple[Block, ...]:
    """Return the blocks that stand below *statement*."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case Maybe(body):
            return (body,)
        case Either(options):
            return tuple(body for _, body in options)
        case _:
            return ()


def block_of(lines: Sequence[ParsedLine], report: Report) -> Block:
    """Put the statements of one block together."""
    built = (_statement(group, report) for group in _groups(lines, report))
    return tuple(statement for statement in built if statement is not None)


def _groups(lines: Sequence[ParsedLine], report: Report) -> list[list[ParsedLine]]:
    """Put each ``else`` to the ``if`` above it and each ``or`` to its ``either``; a line that
    cannot be read stands for either.
    """
    groups: list[list[ParsedLine]] = []
    for parsed in lines:
        head = (
            _JOINED.get(parsed.word)
            if parsed.node is None or isinstance(parsed.node, (Else, ElseIf, OrLine))
            else None
        )
        if (
            head is None
            and parsed.node is None
            and parsed.children
            and groups
            and groups[-1][0].word in _JOINED.values()
        ):
            head = groups[-1][0].word
        if head is None:
            groups.append([parsed])
        elif groups and (
            groups[-1][0].word == head or None in (groups[-1][0].node, groups[-1][-1].node)
        ):
            groups[-1].append(parsed)
        elif parsed.node is not None:
            said = f"There is no `{head}` right above this `{parsed.word}`."
            report.add(
                "R007",
                parsed.line.span,
                said,
                f"`{parsed.word}` stands below the lines of an `{head}`, indented like it",
            )
            block_of(parsed.children, report)
    return groups


def _statement(group: list[ParsedLine], report: Report) -> Statement | None:
    head = group[0]
    match head.node:
        case If():
            return _if(head.node, group, report)
        case Either():
            return _either(head.node, group, report)
        case Maybe(body=()):
            return replace(head.node, body=_below(head, report))
        case None:
            for parsed in group:
                block_of(parsed.children, report)
            return None
        case node:
            # Below an unreadable line stands what its first word promises: a formula below
            # `possible`, in a routine too.
            return node if isinstance(node, Statement) else None


def _below(parsed: ParsedLine, report: Report) -> Block:
    need_lines(parsed, report, "it needs the statements that belong to it")
    return block_of(parsed.children, report)


def _if(head: If, group: list[ParsedLine], report: Report) -> If:
    if len(group) > MAX_DEPTH:
        said = f"This `if` has more than {MAX_DEPTH} branches."
        report.add(
            "R313",
            group[MAX_DEPTH].line.span,
            said,
            "a stage of its own for some of them is easier to read",
        )
        group = group[:MAX_DEPTH]
    otherwise: Block = ()
    for parsed in reversed(group[1:]):
        if isinstance(parsed.node, ElseIf):
            otherwise = (
                If(parsed.node.condition, _below(parsed, report), otherwise, span=parsed.node.span),
            )
            continue
        if otherwise and parsed.node is not None:
            report.add(
                "R007", parsed.line.span, "Another branch follows this `else`.", "`else` comes last"
            )
        otherwise = _below(parsed, report)
    return replace(head, then=_below(group[0], report), otherwise=otherwise)


def _either(head: Either, group: list[ParsedLine], report: Report) -> Either:
    if len(group) == 1 and all(child.node is not None for child in group[0].children):
        said = "This `either` has no `or`."
        report.add(
            "R007",
            group[0].line.span,
            said,
            "put `or` and its lines below; what may or may not happen is a `maybe`",
        )
    options = [(head.options[0][0], _below(group[0], report))]
    for parsed in group[1:]:
        title = parsed.node.title if isinstance(parsed.node, OrLine) else ""
        options.append((title, _below(parsed, report)))
    return replace(head, options=tuple(options))
