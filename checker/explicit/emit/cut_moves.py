"""Cut moves: what the rules allow where the scope cuts a move (NOTE(enabled) in
`reference.formulas.evaluate`).

In comes a layout, out goes one with more room: so much that no move from a position within the
scope can need more. Texts over it cut nothing, and a position of the one is easily written as one
of the other. They are asked only where a move was cut, and only of clauses of which it matters:
where nothing that follows a ``put`` can stop the move, or pass, all is known at the cut itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never

from ....models import ir
from ....models.ir.analysis import most_joining
from ....models.ir.parts import blocks_of
from ...types.scope import Scope
from ..layout.layout import WIDE, Field, Layout, TooWideError
from ..moves.writer import FunctionWriter


def with_room(layout: Layout, clauses: Iterable[ir.Clause], *, telling: bool) -> Layout:
    """Return a layout for what *layout* keeps, without extra fields, in which no move of *clauses*
    from its positions is cut.

    Raises `TooWideError` if there is none. A text for *telling* runs in CPython only, so its words
    are as wide as it takes.
    """
    more = most_joining(
        (layout.left_of(clause).body for clause in clauses), dict(layout.scope.sizes)
    ) | Counter(dict(layout.scope.joining))
    scope = Scope(
        layout.players, tuple((zone, size + more[zone]) for zone, size in layout.scope.sizes)
    )
    try:
        return layout.with_scope(scope, layout.word)
    except TooWideError as error:
        if telling:
            return layout.with_scope(scope, WIDE)
        raise TooWideError(
            f"with room for what the rules allow beyond the scope, {error}"
        ) from error


def written_with_room(
    function: FunctionWriter, layout: Layout, roomy: Layout, words: Iterable[str]
) -> list[str]:
    """Write the position *words* of *layout* as one of *roomy*, and return the names of its
    words.
    """
    given, parts = list(words), [list[str]() for _ in range(roomy.words)]
    for field, to in zip(_fields(layout), _fields(roomy), strict=True):
        if field.bits:
            value = f"({given[field.word]} >> {field.shift} & {field.mask})"
            parts[to.word].append(f"({value} << {to.shift})" if to.shift else value)
    return [function.let("w", " | ".join(part) or "0") for part in parts]


def _fields(layout: Layout) -> Iterator[Field]:
    """Yield the fields of a position, all entries of a variable as one, in the same order for every
    layout of the same slice.
    """
    yield layout.stage
    yield layout.shared
    for variable in layout.program.variables:
        if variable.name in layout.variables:
            field = layout.variables[variable.name]
            yield Field(
                field.word,
                field.shift,
                field.bits * (layout.players if variable.each_player else 1),
            )
    for zone in layout.zones.values():
        yield zone.length
        yield zone.slots


def is_open(clause: ir.Clause, layout: Layout) -> bool:
    """Whether what becomes of a move of *clause* that the scope cuts has to be looked at: it may
    fail, or pass, after a ``put``.
    """
    return _from(clause.body, layout, has_joined=False) is None


def _from(block: ir.Block, layout: Layout, *, has_joined: bool) -> bool | None:
    """Return whether an item may have joined a zone by the end of *block*; None if it is open what
    becomes of a move after that.
    """
    for statement in block:
        joined = _after(statement, layout, has_joined=has_joined)
        if joined is None:
            return None
        has_joined = joined
    return has_joined


def _after(statement: ir.Statement, layout: Layout, *, has_joined: bool) -> bool | None:
    match statement:
        case ir.Put():
            return True if not has_joined or _is_sure(statement, layout) else None
        case ir.Move():
            return True
        case ir.If() | ir.Branch():
            ways = [_from(block, layout, has_joined=has_joined) for block in blocks_of(statement)]
            return None if None in ways else any(ways)
        case ir.ForEach(body=(ir.Move(),)):
            return True
        case (
            ir.Require() | ir.Choose() | ir.SimpleOfState() | ir.Alter() | ir.Go() | ir.ForEach()
            | ir.Let() | ir.Leave() | ir.BeginResolving() | ir.GameOver()
        ):  # fmt: skip
            return has_joined if not has_joined or _is_sure(statement, layout) else None
        case _:
            assert_never(statement)


def _is_sure(statement: ir.Statement, layout: Layout) -> bool:
    """Whether *statement* is done by every move that comes to it, and is no pass; of a choice that
    is not asked.
    """
    fits = layout.specialiser.fits
    match statement:
        case ir.Require() | ir.Choose() | ir.Pass():
            return False
        case ir.Advance(name):
            return name == ir.TURN
        case ir.Assign(name, _, value):
            return fits(value, layout.sorts[name])
        case ir.Alter(_, name, value):
            return fits(value, layout.parts[name])
        case ir.Put(_, _, attributes):
            sorts = [layout.parts[attribute.name] for attribute in layout.program.attributes]
            return all(fits(value, sort) for value, sort in zip(attributes, sorts, strict=True))
        case ir.Go(stage, arguments):
            return all(
                fits(value, sort)
                for value, sort in zip(arguments, layout.parameters[stage].values(), strict=True)
            )
        case ir.ForEach():
            return all(_is_sure(done, layout) for done in statement.body)
        case (
            ir.Move()
            | ir.If()
            | ir.Branch()
            | ir.Let()
            | ir.Leave()
            | ir.BeginResolving()
            | ir.StepTo()
            | ir.GameOver()
        ):
            return True
        case _:
            assert_never(statement)
