"""Trees as data: what is told is read again, and what does not fit builds nothing."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from stacklaw.checker.types import verdict
from stacklaw.models import ir, source, syntax
from stacklaw.models.load import load_game
from stacklaw.models.trees import TREES, Trees

from ..luck import tries
from ..strategies_ir import programs

HERE = "stacklaw.models.ir.program"
KNOWN = Trees(TREES)


def whole(value: Any) -> Any:
    """Return all of a tree, with what takes no part in comparisons."""
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), [whole(getattr(value, field.name)) for field in fields(value)]
    return [whole(one) for one in value] if isinstance(value, tuple) else (type(value), value)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["mtg", "fftcg", "zx", "fow", "stack"])
def test_what_is_told_is_read_again(game: str) -> None:
    program = load_game(game)
    assert whole(KNOWN.from_bytes(KNOWN.as_bytes(program), ir.Program)) == whole(program)


@given(programs())
@tries(40)
def test_random_programs_are_read_again(program: ir.Program) -> None:
    assert whole(KNOWN.from_bytes(KNOWN.as_bytes(program), ir.Program)) == whole(program)


def test_what_occurs_twice_is_there_once() -> None:
    """Terms within terms make trees whose size doubles with each, written out."""
    tree: ir.Expr = ir.YES
    for _ in range(60):
        tree = ir.All((tree, tree))
    told = KNOWN.as_bytes(tree)
    assert len(told) < 3000
    found = KNOWN.from_bytes(told, ir.All)
    assert found.parts[0] is found.parts[1]


def said(
    nodes: list[Any],
    root: Any = None,
    names: tuple[str, ...] = ("Literal", "Not", "Neighbour", "IsEmpty"),
) -> bytes:
    return json.dumps(
        [[f"{HERE}:{name}" for name in names], nodes, len(nodes) - 1 if root is None else root]
    ).encode()


def test_what_the_reader_has_is_only_numbered() -> None:
    program = load_game("mtg")
    told = KNOWN.as_bytes((program, ir.YES), [program])
    assert len(told) < 200
    again, yes = KNOWN.from_bytes(told, tuple[ir.Program, ir.Expr], [program])
    assert again is program
    assert yes == ir.YES
    with pytest.raises(ValueError, match="there is no such node"):
        KNOWN.from_bytes(told, tuple[ir.Program, ir.Expr], [ir.YES])


def test_a_word_of_an_enumeration_is_told_as_such_and_read_as_that() -> None:
    trees = Trees([*TREES, verdict])
    told = trees.as_bytes((verdict.Outcome.VIOLATED, verdict.Counts(1, 2, 3, 4)))
    found = trees.from_bytes(told, tuple[verdict.Outcome, verdict.Counts])
    assert found == (verdict.Outcome.VIOLATED, verdict.Counts(1, 2, 3, 4))
    assert isinstance(found[0], verdict.Outcome)
    with pytest.raises(ValueError, match="FINE"):
        trees.from_bytes(told.replace(b"VIOLATED", b"FINE"), tuple[verdict.Outcome, verdict.Counts])
    with pytest.raises(TypeError):
        KNOWN.as_bytes((verdict.Outcome.VIOLATED,))


def test_the_form() -> None:
    assert KNOWN.from_bytes(said([[0, True], [1, 0]]), ir.Not) == ir.Not(ir.YES)


@pytest.mark.parametrize(
    "content",
    [
        said([[1, 0]]),  # itself
        said([[1, 1], [0, True]]),  # what comes later
        said([[0, True], [1, -1]]),
        said([[0, True], [1, True]]),  # a number that is none
        said([[0, True], [1, "0"]]),
        said([[0, True], [1, None]]),
        said([[0, True], [1, [0]]]),
        said([[0, True], [1]]),
        said([[0, True], [1, 0, 0]]),
        said([[0, 1.5], [1, 0]]),
        said([[0, float("nan")], [1, 0]]),
        said([[0, []], [1, 0]]),
        said([[0, True], [2, 0, 2], [1, 1]]),  # a neighbour two seats away
        said([[0, True], [2, 0, True], [1, 1]]),
        said([[3, 1], [1, 0]]),
        said([[9, True], [1, 0]]),
        said([[-1, True], [1, 0]]),
        said([[True, True], [1, 0]]),
        said([[], [1, 0]]),
        said([7, [1, 0]]),
        said([[0, True], [1, 0]], 0),  # not what is asked for
        said([[0, True], [1, 0]], 2),
        said([[0, True], [1, 0]], [1]),
        said([[0, True], [1, 0]], "1"),
        said([[0, True]], 0, ("Expr",)),  # no node
        said([[0, True]], 0, ("node",)),
        said([[0, True]], 0, ("Literal.__init__",)),
        json.dumps([["os:system"], [[0, "true"]], 0]).encode(),
        json.dumps([["pathlib:Path"], [[0, "true"]], 0]).encode(),
        json.dumps([[0], [[0, True]], 0]).encode(),
        json.dumps([[[f"{HERE}:Not"]], [[0, True]], 0]).encode(),
        b'[["stacklaw.models.ir.program:Literal"],[[0,' + b"9" * 100_000 + b"]],0]",
        b"[" * 100_000,
        b"\xff",
        b"",
        b"7",
    ],
)
def test_what_does_not_fit_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - what is wrong is nobody's business
        KNOWN.from_bytes(content, ir.Not)


@dataclass(frozen=True)
class Told:
    seconds: float
    sizes: Mapping[str, float | None]
    folder: Path
    late: int = field(init=False, default=7)


def test_numbers_that_are_not_whole_names_and_paths() -> None:
    trees = Trees([sys.modules[__name__]])
    for one in (Told(1.5, {"a": None, "b": 2}, Path("a/b")), Told(2, {}, Path())):
        told = trees.as_bytes(one)
        assert trees.from_bytes(told, Told) == one
        for wrong in (b"true", b'"a"', b"NaN", b"null"):
            with pytest.raises(ValueError):  # noqa: PT011 - what is wrong is nobody's business
                trees.from_bytes(told.replace(str(one.seconds).encode(), wrong, 1), Told)
    with pytest.raises(ValueError, match="another type"):
        trees.from_bytes(told.replace(b"{}", b'{"a":"b"}'), Told)
    with pytest.raises(TypeError, match="no name"):
        trees.from_bytes(b"[[],[],{}]", Mapping[int, str])


def test_only_trees_are_told() -> None:
    for other in ([], {"a": b""}, object(), ir, (ir.YES, b"")):
        with pytest.raises(TypeError):
            KNOWN.as_bytes(other)
    with pytest.raises(TypeError, match="is no node"):
        Trees([source]).as_bytes(ir.YES)


def test_each_node_can_be_read() -> None:
    """A field of a new kind would be noticed here, and not when the first ruleset has one."""
    modules = (ir.program, syntax, source)
    named = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__
    ]
    kinds = {kind for kind in named if is_dataclass(kind)}
    assert {ir.Program, ir.Put, syntax.Name, source.Source} < kinds
    for kind in kinds - {syntax.Node}:
        KNOWN._node(f"{kind.__module__}:{kind.__qualname__}")
