"""Ways that the cards have to take: what an ``either`` of theirs is called, beside what a ``maybe``
of theirs may cause or not.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir
from ...models.ir.parts import statements


def ways_of_cards(program: ir.Program) -> Iterator[str]:
    """Yield the titles in *program* among which the cards choose where they have to choose one."""
    for _, clause in program.clauses:
        for one in statements(clause.body):
            if isinstance(one, ir.Branch) and one.by == "cards" and not is_maybe(one):
                yield from (title for title, _ in one.options if title)


def ways_inside(program: ir.Program) -> dict[str, list[str]]:
    """Return the titles of the ways of which the cards take one where they cause something, by
    what that is called: an ``either`` in a ``maybe`` says more about it.
    """
    found: dict[str, list[str]] = {}
    for _, clause in program.clauses:
        for one in statements(clause.body):
            if isinstance(one, ir.Branch) and is_maybe(one):
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
