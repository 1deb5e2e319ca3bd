"""Why a play decides its question: the parts of the formula, what made the rules go on as they did,
and who had no window.

In: a `Play`. Out: rich renderables. Moves are named by their numbers, which the ruling above has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from ...models.words import counted, join_words
from ..plays.play import Barred, Denial, Finding, Ground, Play, Spared
from .page import columns

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_WHY = {
    "breaks": "Why it breaks",
    "expected": "Why it breaks",
    "shows": "Why this is a witness",
    "stops": "What holds",
}


def render_why(play: Play) -> Iterator[RenderableType]:
    """Yield why the last moment of *play* decides, nothing if it decides nothing."""
    if play.findings:
        yield from (Text(""), Text(f"{findings_title(play)}:", "bold"), _findings(play))
    if play.grounds:
        yield from (Text(""), Text("What led to it:", "bold"))
        yield from (_indented(_ground(ground)) for ground in play.grounds)
        yield from _spared([part for ground in play.grounds for part in ground.parts])
    for denial in play.denials:
        yield from (Text(""), *_denial(denial))


def findings_title(play: Play) -> str:
    """Return what the findings of *play* say, and of which moment."""
    when = f"at move {play.moments[-1].number}" if play.round is None else "round after round"
    return f"{_WHY[play.ending]}, {when}"


def findings_words(play: Play) -> Iterator[tuple[bool, str]]:
    """Yield the parts of the formula that decide, each with whether it holds."""
    for finding in play.findings:
        at = f" ({words})" if (words := _when(finding, play)) else ""
        yield finding.holds, f"{finding.text}{at}"


def _indented(text: str) -> Padding:
    return Padding(Text(text), (0, 0, 0, 2))


def _findings(play: Play) -> Table:
    """Return what the findings say as a table."""
    table = columns("")
    for holds, words in findings_words(play):
        table.add_row(Text("  yes" if holds else "  no", "green" if holds else "red"), Text(words))
    return table


def _when(finding: Finding, play: Play) -> str:
    """Return since which move something is so, or at or after which it was; empty if that is the
    last, or goes without saying.
    """
    if finding.since is None:
        return (
            ""
            if finding.moment is None
            else f"at move {finding.moment}"
            if finding.moment
            else "at the start"
        )
    if finding.is_over:
        return f"after move {finding.moment}" if finding.moment else "at the start"
    if finding.since == 0:
        return "" if finding.moment is None else "since the start"
    return "" if finding.since == play.moments[-1].number else f"since move {finding.since}"


def _why_ending(parts: Sequence[Finding]) -> str:
    """Return what made a condition so, as the end of a sentence."""
    said = [f"{part.text} since move {part.since}" for part in parts if part.since]
    return f": {', '.join(said)}" if said else ""


def _ground(ground: Ground) -> str:
    return f"{ground.clause} {ground.title} (move {ground.moment}), because {ground.condition}{_why_ending(ground.parts)}."


def _spared(parts: Sequence[Finding]) -> Iterator[RenderableType]:
    """Yield what has left some of *parts* as they are."""
    alike: dict[tuple[bool, tuple[Spared, ...]], dict[Finding, None]] = {}
    for part in parts:
        alike.setdefault((bool(part.passer), part.spared), {})[part] = None
    for (is_pass, spared), its in alike.items():
        many = len(its) > 1
        what = join_words(
            [
                f"{part.passer}'s pass (move {part.since})"
                if is_pass
                else f"{part.text} since move {part.since}"
                for part in its
            ]
        )
        what += f" still {'count' if many else 'counts'}" if is_pass else ""
        it = "them" if many else "it"
        for one in spared:
            though = (
                f", though {_clearing(one, 'clear' if is_pass else 'change')} {it}"
                if one.clear
                else ""
            )
            yield _indented(
                f"{what}: {one.clause} {one.title} (move {one.moment}), in between, leaves {it}{though}."
            )


def _clearing(spared: Spared, verb: str) -> str:
    """Return how many other acts do something, as a part of a sentence that ends with this
    *verb*.
    """
    if spared.clear == spared.others:
        return f"{'every' if spared.others > 1 else 'the only'} other action there {verb}s"
    return f"{spared.clear} of {counted(spared.others, 'other action')} there {verb}{'s' if spared.clear == 1 else ''}"


def _denial(denial: Denial) -> Iterator[RenderableType]:
    """Yield why a player had no window: who had priority instead, and which clause took it away."""
    about = f" for {denial.subject}" if denial.subject else ""
    yield Text(f"Why {denial.player} had no window{about}:", "bold")
    if not denial.windows:
        yield _indented(f"It all happens within move {denial.first}: there is no moment between.")
    else:
        holders = sorted({holder for window in denial.windows for holder in window.holders})
        who = (
            f"only {join_words(holders)} {'has' if len(holders) == 1 else 'have'} priority"
            if holders
            else "nobody has priority"
        )
        since = f"move {denial.first}" if denial.first else "the start"
        yield _indented(f"From {since} to move {denial.last + 1} {who}.")
    for barred in denial.barred:
        yield _indented(_barred(barred, denial.player))
    yield from _spared([part for barred in denial.barred for part in barred.parts])


def _barred(barred: Barred, player: str) -> str:
    clause = f"{barred.clause} {barred.title}".strip()
    because = join_words(barred.because)
    if barred.taken in (0, barred.moment):
        return f"{player} would have been next by {clause} (move {barred.moment}), but {because}{_why_ending(barred.parts)}."
    by = f"{barred.by} {barred.by_title}".strip()
    return (
        f"{player} would have been next after move {barred.moment} by {clause}. "
        f"But {by} (move {barred.taken}) applies instead, because {because}{_why_ending(barred.parts)}."
    )
