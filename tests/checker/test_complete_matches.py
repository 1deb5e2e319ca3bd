"""Every match over kinds of nodes in the checker names them all, so that the type checker finds
what a new statement lacks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from stacklaw.models import ir
from stacklaw.properties import formula as f

CHECKER = Path(__file__).parents[2] / "checker"
KINDS = {
    kind.__name__
    for union in (ir.Statement, ir.Expr, ir.Domain, ir.Type, f.Formula)
    for kind in get_args(union)
}
EXCEPT = {
    # Of two things together the type checker cannot tell what is left. What is left is refused.
    "symbolic/position/layout.py:_initial",
    # Field by field a node says no less than it does: two of one form do the same.
    "diff/same.py:_of_node",
}


def of_kinds(pattern: ast.pattern) -> bool:
    """Whether *pattern* asks for a kind of node, be it beside something else."""
    match pattern:
        case ast.MatchClass(ast.Attribute(ast.Name("ir" | "f"), kind)):
            return kind in KINDS
        case ast.MatchOr(parts) | ast.MatchSequence(parts):
            return any(map(of_kinds, parts))
        case ast.MatchAs(ast.pattern() as named):
            return of_kinds(named)
        case _:
            return False


def is_complete(match: ast.Match) -> bool:
    """Whether the last case of *match* takes what no other takes, for the type checker to say that
    there is none.
    """
    last = match.cases[-1]
    return (
        isinstance(last.pattern, ast.MatchAs)
        and last.pattern.pattern is None
        and ast.unparse(last.body[0]).startswith("assert_never(")
    )


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(CHECKER.rglob("*.py")):
        yield path.relative_to(CHECKER).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def incomplete(tree: ast.AST) -> Iterator[str]:
    """Yield the functions of *tree* with a match over kinds of nodes that may forget one."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            matches = [node for node in ast.walk(function) if isinstance(node, ast.Match)]
            if any(
                of_kinds(case.pattern) and not is_complete(match)
                for match in matches
                for case in match.cases
            ):
                yield function.name


def test_every_match_names_all_kinds() -> None:
    assert {f"{path}:{name}" for path, tree in trees() for name in incomplete(tree)} == EXCEPT


def test_a_match_that_may_forget_a_kind_is_seen() -> None:
    cases = [
        "case ir.Put(): pass",
        "case f.Not(a) | f.Once(a): pass",
        "case ir.PlayerType(), None: pass",
        "case ir.Size() as it: pass",
    ]
    for case in cases:
        assert list(
            incomplete(ast.parse(f"def one(x):\n  match x:\n    {case}\n    case _: pass"))
        ) == ["one"]
        assert list(incomplete(ast.parse(f"def one(x):\n  match x:\n    {case}"))) == ["one"]
        assert not list(
            incomplete(
                ast.parse(f"def one(x):\n  match x:\n    {case}\n    case _: assert_never(x)")
            )
        )


def test_nobody_walks_nodes_of_any_kind() -> None:
    """A walk hands out nodes of unknown kinds: the checker goes by `models.ir.parts` and
    `properties.formula`.
    """
    for path, tree in trees():
        for found in ast.walk(tree):
            match found:
                case (
                    ast.Attribute(ast.Name("ir"), "walk" | "children")
                    | ast.ImportFrom(module="models.ir.traverse")
                ):
                    pytest.fail(f"{path}: {ast.unparse(found)}")
