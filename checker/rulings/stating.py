"""Stating: a play as the statements of a situation, one for each decision, and its steps."""

from __future__ import annotations

from collections.abc import Iterator

from ...models.words import player_name
from ..situations.conjugated import does
from ..situations.line import Referee
from ..types.position import Move, Position
from ..types.trace import Trace


def statements_of(referee: Referee, trace: Trace) -> list[tuple[str, ...]]:
    """Return for each move of *trace* the statements that make it: none where the rules go on by
    themselves.
    """
    return [tuple(_stated(referee, step.move)) for step in trace.steps]


def statements_with_steps(referee: Referee, trace: Trace) -> list[str]:
    """Return the statements that make *trace*, each step in which one is made said before, and the
    last step.
    """
    found, said = list[str](), ""
    groups = [*statements_of(referee, trace), ()]
    for position, statements in zip(trace.positions, groups, strict=True):
        step = _step_of(referee, position) if statements or position is trace.positions[-1] else ""
        if step not in ("", said):
            found.append(step)
        said = step or said
        found += statements
    return found


def _step_of(referee: Referee, position: Position) -> str:
    """Return in which step *position* is: ``in the main phase``; empty if that takes more words."""
    for number, name in reversed(referee.named_steps(position)):
        sequence = referee.program.sequences[number]
        title = next(step.title or step.name for step in sequence.steps if step.name == name)
        active = int(str(position.values[0]))
        whose = f"{player_name(active)}'s" if active else "the"
        return "" if "," in title else f"in {whose} {title.removeprefix('the ')}"
    return ""


def _stated(referee: Referee, move: Move) -> Iterator[str]:
    title = referee.interpreter.clauses[move.clause].title
    mode = referee.mode(move)
    if isinstance(move.owner, int) and referee.is_pass(move):
        yield f"{player_name(move.owner)} passes"
    elif isinstance(move.owner, int) and mode == "may":
        yield does(move.owner, title, *_chosen(move, move.owner))
    elif mode == "chance":
        yield f"{title}{_for([choice.value for choice in move.choices if choice.what])}"
    else:
        for choice in move.choices:
            if isinstance(choice.by, int) and not choice.what and choice.value:
                yield does(choice.by, str(choice.value))
    for cause, seats in referee.caused(move):
        yield f"{cause}{_for(seats)}"


def _chosen(move: Move, owner: int) -> list[str]:
    """Return what *owner* chooses in *move*, as far as words can say it."""
    found = []
    for choice in move.choices:
        if choice.by != owner:
            continue
        if not choice.what and choice.value:
            found.append(str(choice.value))
        elif isinstance(choice.value, int) and not isinstance(choice.value, bool):
            found.append(player_name(choice.value))
    return found


def _for(seats: object) -> str:
    """Return whose something is, as the end of a statement."""
    assert isinstance(seats, list | tuple)
    named = [
        player_name(seat) for seat in seats if isinstance(seat, int) and not isinstance(seat, bool)
    ]
    return "".join(f" for {name}" for name in named)
