"""Lists: the games, the catalogue, one property; a document's coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...models import ir
from ...models.diagnostics import Code
from ...models.words import counted
from ...properties.load import CatalogueEntry
from ..telling.coverage import Coverage
from .page import columns, facts, grouped, indented, title_line

_STYLES = {"rule": "cyan", "claim": "green", "option": "blue", "left out": "dim"}


@grouped
def render_coverage(coverage: Coverage) -> Iterator[RenderableType]:
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
    yield title_line(coverage.name, coverage.title)
    if coverage.scope:
        yield facts([("scope", coverage.scope)])
    yield from (Text(""), table, Text(""))
    if coverage.strangers:
        yield Text(f"Cited, but not in the inventory: {', '.join(coverage.strangers)}.", "yellow")
    yield from [
        Text(f"Not searched to the end: {words}.", "yellow") for words in coverage.unfinished
    ]
    yield _summary(coverage)


def _summary(coverage: Coverage) -> Text:
    """Return how much is covered, in one line."""
    missing = [line.id for line in coverage.lines if not line.covered and not line.open]
    open_ = [line.id for line in coverage.lines if line.open]
    covered = len(coverage.lines) - len(missing) - len(open_)
    line = Text(f"{counted(len(coverage.lines), 'statement')}, {covered} covered")
    line.append(f"; not covered: {', '.join(missing)}" if missing else "", "bold red")
    line.append(f"; open within the scope: {', '.join(open_)}" if open_ else "", "yellow")
    return line.append(".")


def render_games(games: Sequence[ir.Program], examples: Sequence[ir.Program]) -> Group:
    """Return a line for each of the games, with how many options it has, and the examples below
    them.
    """
    table = columns("bold")
    for program in games:
        table.add_row(program.name, _in_short(program))
    table.add_row("", Text("Examples, which retell the core of a well-known game:", "dim"))
    for program in examples:
        table.add_row(program.name, _in_short(program))
    return Group(table, Text(""), Text("stacklaw games GAME tells the options of one.", "dim"))


def _in_short(program: ir.Program) -> Text:
    options = counted(len(program.options), "option") if program.options else "no options"
    return Text(program.title).append(f"  {options}", "dim")


@grouped
def render_options(programs: Sequence[ir.Program]) -> Iterator[RenderableType]:
    """Return *programs* with their documents and their options, the default of each option
    first.
    """
    for number, program in enumerate(programs):
        if number:
            yield Text("")
        yield title_line(program.name, program.title)
        lines: list[RenderableType] = [Text(program.document, "dim")] if program.document else []
        if program.options:
            lines.append(option_table(program.options))
        yield indented(Group(*lines))


def option_table(options: Sequence[ir.Option]) -> Table:
    """Return the options with their values."""
    table = columns("")
    for option in options:
        table.add_row(Text(option.name, "cyan"), Text(option.title))
        if option.numbers is not None:
            table.add_row(
                "",
                Text(
                    f"{option.numbers[0]} to {option.numbers[1]} (default {option.default})", "dim"
                ),
            )
        for value, title in option.values:
            default = " (default)" if value == option.default else ""
            table.add_row(
                "", Text(f"{value}{default}", "bold").append(f"  {title}", "not bold dim")
            )
    return table


@grouped
def render_catalogue(entries: Sequence[CatalogueEntry]) -> Iterator[RenderableType]:
    """Return the catalogue, one line a property."""
    width = max((len(entry.name) for entry in entries), default=0)
    for family in dict.fromkeys(entry.family for entry in entries):
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, min_width=width)
        table.add_column(overflow="fold")
        for entry in entries:
            if entry.family == family:
                by_name = " (asked by name: `check GAME -p NAME`)" if entry.is_strategy else ""
                table.add_row(Text(f"  {entry.name}"), Text(entry.title).append(by_name, "dim"))
        yield from (Text(family, "bold"), table, Text(""))
    yield Text("`stacklaw explain NAME` says more of one.", "dim")


@grouped
def render_entry(entry: CatalogueEntry) -> Iterator[RenderableType]:
    """Return one property in full."""
    yield from (Text(entry.name, "bold").append(f": {entry.title}", "not bold"), Text(""))
    yield indented(Text(entry.text, "italic"))
    if entry.about:
        yield indented(Text(f"about {entry.about}", "italic"))
    if entry.why:
        yield from (Text(""), Text(f"Why it matters: {entry.why}.".replace("..", ".")))
    if entry.is_strategy:
        yield from (
            Text(""),
            Text(
                "It takes a game to answer, so it is only asked by name: `stacklaw check GAME -p "
                f"{entry.name}`."
            ),
        )


@grouped
def render_code(name: str, code: Code) -> Iterator[RenderableType]:
    """Return what an error code means, with an example and the same one mended."""
    yield from (
        Text(name, "bold").append(f": {code.title}", "not bold"),
        Text(""),
        Text(code.explanation),
    )
    for heading, example in (("This is wrong:", code.bad), ("This is right:", code.mended)):
        if example:
            yield from (Text(""), Text(heading, "bold"), indented(example.strip("\n")))
