"""A difference of rulesets as text, and as one page: what is lost first, then what players notice,
then what else changed.

In: a `DifferenceRecord`. Out: a rich renderable; `page` prints it in colour or plainly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ...checker.types.scope import scope_words
from ...checker.types.verdict import Fate
from ...models.words import counted, join_words
from ..pictures.scene import environment
from ..rulings.text import render_changed
from ..telling.differences import DifferenceRecord, GuaranteeRow, Parting, SideRecord
from ..text.page import OUTCOME_STYLE, columns, facts, grouped, indented, plain
from ..text.ruling import render_ruling

_STYLES = {"removed": "red", "added": "green", "- ": "red", "+ ": "green"}
FATES: Mapping[Fate, tuple[str, str]] = {
    "lost": ("Lost: no longer so under the new rules", "bold red"),
    "vacuous": ("Empty now: their condition no longer arises", "bold yellow"),
    "unmet": ("Claimed by the new rules, and not met", "bold red"),
    "gone": ("Cannot be asked of the new rules", "bold yellow"),
    "undecided": ("Undecided", "bold yellow"),
    "gained": ("Gained: so under the new rules only", "bold green"),
}


@grouped
def render_difference(
    record: DifferenceRecord, *, full: bool = False, plays: bool = True
) -> Iterator[RenderableType]:
    """Return the whole record as text, the conclusion first; with the *plays*, every move of them
    if *full*.

    What no question tells is told by its plays in any case.
    """
    yield from (*_head(record), Text(""), *summary(record), Text(""))
    if noticed := list(render_changed(record.rulings)):
        yield from (*noticed, Text(""))
    for fate, (heading, style) in FATES.items():
        if rows := record.fated(fate):
            yield from (Text(f"{heading}:", style), _table(rows), Text(""))
    shows = plays or record.rulings.untold or not record.rulings.answers
    for parting in record.partings if shows else ():
        yield from (*_parting(parting, full=full), Text(""))
    for row in record.guarantees:
        if row.play is not None and plays:
            yield from (
                Text(f"How {row.name} is lost:", "bold"),
                indented(
                    Group(Text(row.formula, "italic"), Text(""), render_ruling(row.play, full=full))
                ),
                Text(""),
            )
    if record.changes or record.old.settings != record.new.settings:
        yield from (*_change_lines(record), Text(""))
    yield from [Text(note, "dim") for note in record.notes]
    if not plays and (record.partings or any(row.play for row in record.guarantees)):
        yield Text("The plays: --plays.", "dim")


def _head(record: DifferenceRecord) -> Iterator[RenderableType]:
    yield Text(record.old.name, "bold").append(" → ", "not bold").append(record.new.name)
    numbers = (
        f"{record.positions[0]:,} and {counted(record.positions[1], 'position')}, in "
        f"{counted(record.pairs, 'pair')}"
    )
    yield facts(
        [
            ("old", _side(record.old)),
            ("new", _side(record.new)),
            ("compared", numbers if record.pairs else ""),
        ]
    )


def _side(side: SideRecord) -> str:
    return f"{side.title or side.name} ({side.file}), {scope_words(side.players, side.sizes)}"


def _change_lines(record: DifferenceRecord) -> Iterator[RenderableType]:
    yield Text("What changed in the text:", "bold")
    old, new = dict(record.old.settings), dict(record.new.settings)
    for change in record.changes:
        words = {
            "renamed": f"{change.what} {change.was} is now {change.name}",
            "moved": f"clause {change.name} moved from {change.was}",
            "reworded": f"{change.what} {change.name}: only its words changed",
        }.get(change.how, f"{change.what} {change.name} {change.how}")
        line = change.new_line or change.old_line
        yield Text(f"  {words}", _STYLES.get(change.how, "")).append(
            f"  line {line}" if line else "", "dim"
        )
        if change.how in ("changed", "added", "removed") and change.what != "game":
            for text in change.lines:
                yield Text(f"    {text}", _STYLES.get(text[:2], "dim"))
    for name in old.keys() & new.keys():
        if old[name] != new[name]:
            yield Text(f"  option {name}: {old[name]} → {new[name]}")


def _parting(parting: Parting, *, full: bool) -> Iterator[RenderableType]:
    """Yield a play that tells the two apart: once if both make the same moves up to there, else on
    both sides.
    """
    other = "new" if parting.side == "old" else "old"
    yield Text(f"What the {parting.side} rules allow and the {other} ones do not:", "bold")
    told = parting if parting.is_told_by_one else parting.folded_alike
    yield indented(render_ruling(told.shown, full=full))
    if parting.is_told_by_one:
        yield indented(parting.otherwise)
    else:
        yield Text("")
        yield Text(f"  The same under the {other} rules, as far as it goes:", "bold")
        yield indented(render_ruling(told.beside, full=full))


def _table(rows: Sequence[GuaranteeRow]) -> RenderableType:
    table = columns("", "", "", "")
    for row in rows:
        reason = f"\n{row.reason}" if row.reason else ""
        verdicts = [
            Text(verdict or "-", OUTCOME_STYLE.get(verdict, "dim"))
            for verdict in (row.old, row.new)
        ]
        table.add_row(
            Text(row.expectation or "(not claimed)", "dim"),
            Text(row.name),
            *verdicts,
            Text(row.title).append(reason, "dim"),
        )
    return table


def summary(record: DifferenceRecord) -> Iterator[Text]:
    """Yield what to keep in mind: whether players notice, and what became of the guarantees."""
    words = {
        "same at every size": (
            "The same game, for every number of players and every zone size: the rules say the "
            "same.",
            "bold green",
        ),
        "same within the scope": (
            "The same game within the scope: no play tells them apart.",
            "bold green",
        ),
        "different": ("Not the same game: players notice.", "bold"),
        "undecided": (f"Undecided whether it is the same game: {record.reason}.", "bold yellow"),
    }
    yield Text(*words[record.sameness])
    said = [
        f"{len(rows)} {word}"
        + (
            f" ({join_words([row.name for row in rows])})"
            if fate != "kept" and len(rows) <= _FEW
            else ""
        )
        for fate, word in (
            ("kept", "kept"),
            ("lost", "lost"),
            ("vacuous", "empty"),
            ("unmet", "claimed now and not met"),
            ("gone", "gone"),
            ("gained", "gained"),
            ("undecided", "undecided"),
        )
        if (rows := [row for row in record.guarantees if row.fate == fate])
    ]
    if said:  # none is where neither side has what was asked
        yield Text("Guarantees: " + ", ".join(said) + ".")


_FEW = 3


_WIDTH = 78


def render_difference_html(record: DifferenceRecord) -> str:
    """Return the page of *record*; it needs no network, and is light or dark as the reader's system
    is.
    """
    alike = [parting.folded_alike for parting in record.partings]
    partings = [
        (parting, *(plain(render_ruling(play), _WIDTH) for play in (parting.old, parting.new)))
        for parting in alike
    ]
    fates = [(heading, record.fated(fate)) for fate, (heading, _) in FATES.items()]
    lost = [
        (row.name, plain(render_ruling(row.play), _WIDTH))
        for row in record.guarantees
        if row.play is not None
    ]
    template = environment().get_template("difference.html.jinja")
    said = [line.plain for line in summary(record)]
    return (
        template.render(record=record, partings=partings, fates=fates, lost=lost, summary=said)
        + "\n"
    )
