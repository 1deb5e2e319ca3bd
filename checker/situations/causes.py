"""Causes: what the cards cause in a move, and in which ways; a ``maybe`` of theirs causes something
or not, of an ``either`` they have to take one way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...models import ir
from ...models.ir.parts import statements
from ..types.position import Move

Causes = list[tuple[str, tuple[int, ...]]]
"""What the cards cause in a move: each title, with the seats that are chosen for it."""


def by_cards(*blocks: ir.Block) -> Iterator[ir.Branch]:
    """Yield what the cards choose among in *blocks*."""
    for one in statements(*blocks):
        if isinstance(one, ir.Branch) and one.by == "cards":
            yield one


def ways_of_cards(program: ir.Program) -> Iterator[str]:
    """Yield the titles in *program* among which the cards choose where they have to choose one."""
    for one in by_cards(*(clause.body for _, clause in program.clauses)):
        if not is_maybe(one):
            yield from (title for title, _ in one.options if title)


def ways_inside(program: ir.Program) -> dict[str, list[str]]:
    """Return the titles of the ways of which the cards take one where they cause something, by
    what that is called: an ``either`` in a ``maybe`` says more about it.
    """
    found: dict[str, list[str]] = {}
    for one in by_cards(*(clause.body for _, clause in program.clauses)):
        if is_maybe(one):
            title, block = one.options[1]
            found.setdefault(title, []).extend(
                way
                for inner in block
                if isinstance(inner, ir.Branch) and inner.by == "cards" and not is_maybe(inner)
                for way, _ in inner.options
            )
    return {title: sorted(set(ways)) for title, ways in found.items() if ways}


def ways_of_luck(program: ir.Program) -> dict[str, list[str]]:
    """Return the titles of the ways that a clause of luck can go, by its id."""
    found = {
        clause.id: [
            title
            for one in statements(clause.body)
            if isinstance(one, ir.Branch) and one.by is None
            for title, _ in one.options
        ]
        for _, clause in program.clauses
        if clause.mode == "chance"
    }
    return {clause: ways for clause, ways in found.items() if ways}


def is_maybe(branch: ir.Branch) -> bool:
    """Whether *branch* is a ``maybe``: of its two options the first does nothing."""
    title, block = branch.options[0]
    return branch.by == "cards" and not block and (not title or title.startswith(ir.NOT))


def concerns(
    move: Move,
    cause: tuple[str, tuple[int, ...]],
    seats: tuple[int, ...],
    known: Move | None,
) -> bool:
    """Whether the *cause* in *move* is one of the players at *seats*: what they control is put
    there that is not put in the *known* one.
    """
    put = _controllers_put(move) - (Counter() if known is None else _controllers_put(known))
    return all(seat in cause[1] or put[seat] > 0 for seat in seats)


def without(whole: Causes, part: Causes) -> Causes:
    """Return *whole* without *part*."""
    rest = list(whole)
    for one in part:
        if one in rest:
            rest.remove(one)
    return rest


def by_players(move: Move) -> list[object]:
    """Return what is not chosen by the cards in *move*."""
    return [choice for choice in move.choices if choice.by != "cards"]


def chosen(move: Move) -> tuple[int, ...]:
    """Return the numbers that are chosen in *move*, seats among them."""
    return tuple(
        c.value
        for c in move.choices
        if isinstance(c.value, int) and not isinstance(c.value, bool) and c.what
    )


def _controllers_put(move: Move) -> Counter[int]:
    return Counter(
        event.item.controller
        for event in move.events
        if event.kind == "put" and event.item is not None
    )
