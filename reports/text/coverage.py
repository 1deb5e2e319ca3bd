"""Coverage: which statements of a game's document its ruleset covers, and with what, as a table of
text.
"""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...models.words import counted
from ..telling.coverage import Coverage
from .page import columns, facts, title_line

_STYLES = {"rule": "cyan", "claim": "green", "option": "blue", "left out": "dim"}


def render_coverage(coverage: Coverage) -> Group:
    """Return the table as text: every statement, then what covers it."""
    table = columns("", "")
    for line in coverage.lines:
        table.add_row(
            Text(line.id, "bold" if line.covered else "bold red"), "", Text(line.statement)
        )
        for cover in line.covers:
            style = _STYLES[cover.kind] if cover.sound else "red"
            table.add_row(
                "",
                Text(cover.kind, style),
                Text(f"{cover.name}  {cover.words}".strip(), "" if cover.sound else "red"),
            )
        if not line.covered:
            why = "none of this covers it" if line.covers else "nothing in the ruleset covers it"
            why = (
                f"with more {'time or ' if coverage.unfinished else ''}room this may cover it"
                if line.open
                else why
            )
            table.add_row(
                "", Text("OPEN" if line.open else "MISSING", "bold red"), Text(why, "red")
            )
    scope = [facts([("scope", coverage.scope)])] if coverage.scope else []
    parts: list[RenderableType] = [
        title_line(coverage.name, coverage.title),
        *scope,
        Text(""),
        table,
        Text(""),
    ]
    if coverage.strangers:
        parts += [
            Text(f"Cited, but not in the inventory: {', '.join(coverage.strangers)}.", "yellow")
        ]
    parts += [Text(f"Not searched to the end: {words}.", "yellow") for words in coverage.unfinished]
    return Group(*parts, _summary(coverage))


def _summary(coverage: Coverage) -> Text:
    """Return how much is covered, in one line."""
    missing = [line.id for line in coverage.lines if not line.covered and not line.open]
    open_ = [line.id for line in coverage.lines if line.open]
    covered = len(coverage.lines) - len(missing) - len(open_)
    line = Text(f"{counted(len(coverage.lines), 'statement')}, {covered} covered")
    line.append(f"; not covered: {', '.join(missing)}" if missing else "", "bold red")
    line.append(f"; open within the scope: {', '.join(open_)}" if open_ else "", "yellow")
    return line.append(".")
