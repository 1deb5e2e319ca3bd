"""A strategy as text: what a player does when, a line for each row.

In: a `StrategyTable`. Out: a table for people. Rows with the same conditions are told together.
"""

from __future__ import annotations

from itertools import groupby

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ...checker.types.strategy import StrategyTable, TableRow
from ...models.words import counted, join_words


def render_table(table: StrategyTable) -> Group:
    """Return what is done when, and how well that is known."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    ordered = sorted(table.rows, key=lambda row: (row.player, -len(row.when), row.when))
    for (player, when), rows in groupby(ordered, key=lambda row: (row.player, row.when)):
        condition = f"when {' and '.join(when)}" if when else "whenever it can be done"
        grid.add_row(
            Text(f"{player}, {condition}:"),
            Text(join_words([_done(row) for row in rows], "or"), "bold"),
        )
    came = "it is never brought about" if table.is_answer else "nothing breaks it"
    if not table.rows:
        lead = (
            "Nobody has to prevent it within the scope"
            if table.is_answer
            else "Nobody has to do anything for it"
        )
        whatever = "" if table.is_answer else ", whatever anybody does there"
        return Group(Text(f"{lead}: in {counted(table.positions, 'position')} {came}{whatever}."))
    more = ", but nothing for ever that is assumed to end" if table.is_answer else ""
    rest = f"Where several lines apply, any of them may be followed; where none does, anything may be done{more}."
    head = "How the others prevent it, within the scope:" if table.is_answer else "How:"
    smallest = " No smaller table of such lines does it." if table.is_smallest else ""
    played = f"It was played: in {counted(table.positions, 'position')} {came}.{smallest}"
    proved = (
        [Text("It is proved to do it for every number of players and every size of the zones.")]
        if table.is_proved
        else []
    )
    return Group(Text(head), grid, Text(rest), Text(played), *proved)


def _done(row: TableRow) -> str:
    """Return what is done."""
    if not row.clause:
        return f"let {row.player} act"
    if row.choice:
        return f"choose {row.choice} in {row.clause}"
    return f"{row.clause}, {row.title}" if row.title else row.clause
