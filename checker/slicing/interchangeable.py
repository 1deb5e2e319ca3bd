"""Interchangeable items: choices that make no difference, because nothing tells the items apart
that may be chosen.

In comes a choice among items of which nothing is kept, and what follows it; out goes whether to
take any one of them is enough. It is not if the move goes on to name an item in another way while
the chosen one still counts: the end of a zone, or an item that was chosen before, may be the chosen
one or another. Of an item chosen later that need not be asked here: that choice is not one of
these, as the item chosen first is still named after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...models import ir
from ...models.ir.analysis import effect_of
from ...models.ir.parts import blocks_of, statements
from ...models.node import node


@node
class AnyOn(ir.ItemsOn):
    """One of the items on a zone, no matter which: the domain of a choice that is made once and not
    for each of them.
    """


def any_does(variable: str, after: ir.Block, later: ir.Block) -> bool:
    """Whether it does not matter which item *variable* is, of items that look alike, chosen just
    before *after*, which is before *later*.

    Nothing of *later* sees *variable*.
    """
    if any(_chosen_items(later)) or any(name != variable for name in _chosen_items(after)):
        return False
    uses = [
        number for number, statement in enumerate(after) if variable in _chosen_items((statement,))
    ]
    return not any(
        done.is_taken and isinstance(done.item, ir.EndOf)
        for done in map(effect_of, statements(after[: max(uses, default=-1) + 1]))
    )


def _chosen_items(block: ir.Block) -> Iterator[str]:
    """Yield the names of items chosen before *block* with which it does something."""
    for number, statement in enumerate(block):
        done = effect_of(statement)
        if done.among is not None:
            yield from (name for name in _chosen_items(block[number + 1 :]) if name != done.names)
            return
        if isinstance(done.item, ir.Local):
            yield done.item.name  # asking is not doing: of items that look alike every answer is the same
        for inner in blocks_of(statement):
            yield from _chosen_items(inner)
