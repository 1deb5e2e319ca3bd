"""What one logical line says by itself.

Most lines are a syntax node whose block is still empty (a stage without its clauses, an ``if``
without its branches). The rest have a small node here. `parse` puts lines together to a tree,
`format` prints them one by one.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from .. import syntax
from ..node import node

SectionName = Literal["items", "attributes", "zones", "state", "left out"]


@node
class LanguageHeader(syntax.Node):
    """``language 1``."""

    version: int


@node
class TextHeader(syntax.Node):
    """``game "TITLE"`` or ``source "TEXT"``."""

    kind: Literal["game", "source"]
    text: str


@node
class ScopeHeader(syntax.Node):
    """``scope players 2, stack 3``."""

    sizes: syntax.NamedSizes


@node
class StartHeader(syntax.Node):
    """``start STAGE(ARGUMENTS)``."""

    go: syntax.Go


@node
class SectionHead(syntax.Node):
    """The line above a list of declarations."""

    section: SectionName


@node
class ClaimsHead(syntax.Node):
    """``claims``, ``claims "TITLE"`` or ``claims when F``."""

    condition: syntax.Expr | None
    title: str = ""


@node
class PropertyHead(syntax.Node):
    """``property NAME "TITLE"`` or ``lemma NAME "TITLE"``."""

    name: str
    title: str
    is_lemma: bool = False


@node
class PriorityLine(syntax.Node):
    """``priority P``."""

    holder: syntax.Expr


@node
class FirstHead(syntax.Node):
    """``the first that applies``, above the clauses of which only the first that applies can be
    used.
    """


@node
class ElseIf(syntax.Node):
    """``else if F``."""

    condition: syntax.Expr


@node
class Else(syntax.Node):
    """``else``."""


@node
class OrLine(syntax.Node):
    """``or "TITLE"``, the next option of an ``either``."""

    title: str


@node
class WhyLine(syntax.Node):
    """``why "TEXT"``."""

    text: str


@node
class AboutLine(syntax.Node):
    """``about F``."""

    subject: syntax.Expr


@node
class AssumingLine(syntax.Node):
    """``assuming players act only finitely often``."""

    who: Literal["players", "cards", "others"]


@node
class GivenLine(syntax.Node):
    """``assuming F``."""

    given: syntax.Expr


@node
class NeedsLine(syntax.Node):
    """``needs players 3, stack 3``."""

    sizes: syntax.NamedSizes


@node
class WithLine(syntax.Node):
    """``with F``."""

    containing: syntax.Expr


TopNode: TypeAlias = (
    LanguageHeader | TextHeader | syntax.PlayersHeader | ScopeHeader | StartHeader | syntax.Option | SectionHead | syntax.Sequence
    | syntax.Term | syntax.Routine | syntax.Stage | ClaimsHead | PropertyHead
)  # fmt: skip
LineOfClaim: TypeAlias = (
    WhyLine | AboutLine | AssumingLine | GivenLine | NeedsLine | WithLine | syntax.Formula
)
InnerNode: TypeAlias = (
    syntax.OptionValue | syntax.ItemKind | syntax.Attribute | syntax.Zone | syntax.Step | syntax.StateVariable | syntax.LeftOut
    | PriorityLine | FirstHead | syntax.Clause | syntax.Claim | LineOfClaim
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
