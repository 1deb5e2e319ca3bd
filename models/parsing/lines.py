"""What one logical line says by itself.

Most lines are a syntax node whose block is still empty (a stage without its clauses, an ``if``
without its branches). The rest have a small node here. `parse` puts lines together to a tree,
`format` prints them one by one.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..node import node
from ..syntax import (
    Attribute,
    Claim,
    Clause,
    Expr,
    Formula,
    Go,
    ItemKind,
    LeftOut,
    Node,
    Option,
    OptionValue,
    PlayersHeader,
    Routine,
    Sequence,
    Stage,
    Statement,
    StateVariable,
    Step,
    Term,
    Zone,
)

SectionName = Literal["items", "attributes", "zones", "state", "left out"]


@node
class LanguageHeader(Node):
    """``language 1``."""

    version: int


@node
class TextHeader(Node):
    """``game "TITLE"`` or ``source "TEXT"``."""

    kind: Literal["game", "source"]
    text: str


@node
class ScopeHeader(Node):
    """``scope players 2, stack 3``."""

    sizes: tuple[tuple[str, int], ...]


@node
class StartHeader(Node):
    """``start STAGE(ARGUMENTS)``."""

    go: Go


@node
class SectionHead(Node):
    """The line above a list of declarations."""

    section: SectionName


@node
class ClaimsHead(Node):
    """``claims`` or ``claims when F``."""

    condition: Expr | None


@node
class PropertyHead(Node):
    """``property NAME "TITLE"`` or ``lemma NAME "TITLE"``."""

    name: str
    title: str
    is_lemma: bool = False


@node
class PriorityLine(Node):
    """``priority P``."""

    holder: Expr


@node
class ElseIf(Node):
    """``else if F``."""

    condition: Expr


@node
class Else(Node):
    """``else``."""


@node
class Or(Node):
    """``or "TITLE"``, the next option of an ``either``."""

    title: str


@node
class WhyLine(Node):
    """``why "TEXT"``."""

    text: str


@node
class AboutLine(Node):
    """``about F``."""

    subject: Expr


@node
class AssumingLine(Node):
    """``assuming players act only finitely often``."""

    who: Literal["players", "cards"]


TopNode: TypeAlias = (
    LanguageHeader | TextHeader | PlayersHeader | ScopeHeader | StartHeader | Option | SectionHead | Sequence | Term | Routine | Stage
    | ClaimsHead | PropertyHead
)  # fmt: skip
InnerNode: TypeAlias = (
    OptionValue | ItemKind | Attribute | Zone | Step | StateVariable | LeftOut | PriorityLine | Clause | Claim
    | WhyLine | AboutLine | AssumingLine | Formula
)  # fmt: skip
StatementNode: TypeAlias = Statement | ElseIf | Else | Or
LineNode: TypeAlias = TopNode | InnerNode | StatementNode
