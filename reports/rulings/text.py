"""Text of rulings: the answer first, then what decides it, and the play as lanes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...checker.rulings.answer import Ruling
from ...models.diagnostics import Diagnostic
from ...models.words import counted, join_words
from ..naming import player_name
from ..text.page import columns, grouped, indented
from .told import (
    AnswerTold,
    ChangedAnswer,
    ChangedTold,
    Lane,
    RulingTold,
    clause_words,
    tell_ruling,
)

_MOST_OPEN = 3


@grouped
def render_rulings(
    told: RulingTold, readings: str, *, full: bool, play: bool = True
) -> Iterator[RenderableType]:
    """Return *told* as a page, with the *play* that shows it; *readings* says in which of them the
    answer is the same.

    *full* tells all that is open.
    """
    for number, answer in enumerate(told.answers):
        if number:
            yield Text("")
        if len(told.answers) > 1:
            yield Text(f"{answer.question}?", "dim")
        yield from answer_lines(answer, told.players, full=full, play=play)
    yield Text(f"Within {told.scope}.  {readings}".rstrip(), "dim")


@grouped
def ruling_page(told: RulingTold, *, full: bool = False) -> Iterator[RenderableType]:
    """Return what the rules say to a filed ruling, each answer with its play, all that is open if
    *full*.
    """
    for answer in told.answers:
        yield from answer_lines(answer, told.players, full=full)


def head_words(answer: AnswerTold) -> str:
    """Return the answer in a line: its head in capitals, and what it depends on."""
    if answer.listed:
        return f"{counted(len(answer.listed), 'thing')}{answer.detail and f', {answer.detail}'}:"
    return f"{answer.head.upper()}{f'; {answer.detail}' if answer.detail else ''}."


def render_board(ruling: Ruling, *, last: bool = False) -> RenderableType:
    """Return the play of *ruling* as lanes, or only its *last* row."""
    told = tell_ruling(ruling)
    lanes = told.answers[0].lanes
    return _lanes(lanes[-1:] if last else lanes, told.players)


def render_side_by_side(
    question: str, told: Sequence[tuple[str, RulingTold | Diagnostic]]
) -> Group:
    """Return what several games answer to *question*, a game a line, with the clause that
    decides.
    """
    table = columns("bold", "bold")
    for game, one in told:
        if isinstance(one, Diagnostic):
            table.add_row(game, "-", Text(f"{one.message} {one.hint}".rstrip(), "dim"))
            continue
        for answer in one.answers:
            clauses = "; ".join(clause_words(clause) for clause in answer.clauses[:2])
            table.add_row(game, Text(head_words(answer)), Text(clauses, "dim"))
    return Group(Text(question, "dim"), table)


def answer_lines(
    answer: AnswerTold, players: int, *, full: bool, play: bool = True
) -> Iterator[RenderableType]:
    """Yield *answer*: its head, what decides it, the *play*, and what is open then."""
    yield Text(head_words(answer), "bold")
    for one in answer.listed:
        yield Text(f"  {one}")
    for clause in answer.clauses:
        yield Text(f"  {clause.id} ", "bold").append(clause.title, "not bold")
    for words in answer.because:
        yield Text(f"  because {words}")
    if play:
        yield _lanes(answer.lanes, players)
    if answer.open:
        shown = answer.open if full else answer.open[:_MOST_OPEN]
        more = len(answer.open) - len(shown)
        said = "; ".join(clause_words(clause) for clause in shown)
        yield Text(f"Open then: {said}{f'; {more} more (--full)' if more else ''}.")
    if answer.note:
        yield Text(f"Note: {answer.note}.", "dim")


def render_changed(changed: ChangedTold) -> Iterator[RenderableType]:
    """Yield what an edit changes for players: each question, with its answer before and now."""
    if changed.answers:
        yield Text("What players notice:", "bold")
    for alike in _alike(changed.answers):
        yield indented(Text(alike[0].question, "bold"))
        yield indented(Group(*answers_of(alike[0])), 4)
        for one in alike[1:]:
            asked = one.question.rpartition(": ")[2]
            yield indented(
                Text("and so  ", "dim")
                .append(asked, "not dim")
                .append(f" ({join_words(one.clauses)})"),
                4,
            )
    if changed.silent:
        yield Text(
            "Alone these change nothing that can be asked within the scope: "
            f"{join_words(changed.silent)}.",
            "dim",
        )
    if changed.untold:
        yield Text(
            f"For {counted(changed.untold, 'difference')} no question was found: see the plays.",
            "dim",
        )
    if changed.stopped:
        yield Text(f"Not all questions were looked for: {changed.stopped}.", "yellow")


def _alike(answers: Sequence[ChangedAnswer]) -> Iterator[list[ChangedAnswer]]:
    """Yield *answers*, those together that are of one situation and the same before, and after."""
    together: dict[tuple[str, ...], list[ChangedAnswer]] = {}
    for one in answers:
        said = (one.question.rpartition(": ")[0], one.before.in_line(), one.after.in_line())
        together.setdefault(said, []).append(one)
    yield from together.values()


def answers_of(one: ChangedAnswer) -> Iterator[RenderableType]:
    """Yield both answers to a question, and the clauses that changed them."""
    yield _by(one.before, "before", "red")
    yield _by(one.after, "now   ", "green")
    if one.clauses:
        yield Text(f"changed by {join_words(one.clauses)}", "dim")


def _by(answer: AnswerTold, when: str, style: str) -> Text:
    """Return an answer with the clause that decides it, as one line."""
    said = answer.in_line()
    by = f" ({clause_words(answer.clauses[0])})" if answer.clauses else ""
    return Text(f"{when}  ", "dim").append(said, f"not dim {style}").append(by, "dim")


def _lanes(lanes: tuple[Lane, ...], players: int) -> Table:
    """Return the play: a row for each decision, a column for each player, and what lies where."""
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold", ratio=1)
    for _ in range(players):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold", max_width=30)
    table.add_row("", "", *(Text(player_name(seat), "bold") for seat in range(players)), "")
    for lane in lanes:
        words = Text(lane.words, "dim italic" if lane.filled else "")
        if lane.clause:
            words.append(f" {lane.clause}", "dim not italic")
        if lane.filled:
            words.append(" (filled in)", "dim")
        if lane.then:
            words.append(f"; {', '.join(lane.then)}", "dim")
        marks = [
            Text("●", "bold")
            if seat in lane.holders
            else Text("·" if seat in lane.passed else "│", "dim")
            for seat in range(players)
        ]
        table.add_row(str(lane.number), words, *marks, Text("; ".join(lane.piles), "dim"))
    return table
