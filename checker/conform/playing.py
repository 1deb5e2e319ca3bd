"""Plays as logs: an engine of any ruleset, that plays at random and shows what it does."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ...models import ir
from ...models.diagnostics import wrong_input
from ...models.spelling import did_you_mean
from ..mutate.edits.edits import edits_of
from ..reference.semantics.interpreter import Interpreter
from ..situations.line import Referee
from ..types.position import Move, Position
from ..types.scope import Scope
from .events import LogEvent, made
from .showing import Showing


@dataclass(frozen=True)
class LogStyle:
    """How a play is shown: *hidden* are the events that no log of it has, *gaps* the share of
    events from which on a few are missing, *quiet* how likely nothing is caused where the cards
    might cause something.
    """

    hidden: frozenset[str] = frozenset()
    gaps: float = 0.0
    quiet: float = 0.0


_LONGEST_GAP = 12
_SHOWN = 3
"""How many edits of a clause does a hint name."""


def played_log(
    program: ir.Program, scope: Scope, seed: int, steps: int, style: LogStyle
) -> Iterator[LogEvent]:
    """Yield the log of a play of *steps* moves at random; the same *seed* gives the same log.

    Zones have the sizes of *scope* as long as that leaves a move.
    """
    chance = random.Random(seed)
    yield made("players", n=scope.players)
    missing = 0
    for event in _events(program, scope, chance, steps, style):
        if not missing and chance.random() < style.gaps:
            missing = chance.randint(1, _LONGEST_GAP)
            yield made("gap", n=missing)
        if missing:
            missing -= 1
        else:
            yield event


def _events(
    program: ir.Program, scope: Scope, chance: random.Random, steps: int, style: LogStyle
) -> Iterator[LogEvent]:
    referee = Referee(Interpreter(program, scope))
    showing = Showing(referee.interpreter, style.hidden)
    position = referee.interpreter.initial()
    for _ in range(steps):
        found = referee.within(position).moves or referee.moves(position)
        if not found:
            return
        move, position = _chosen(found, chance, referee, style.quiet)
        for event in showing.of(move, position):
            yield LogEvent(event.name, tuple(one for one in event.said if one[0] != "clause"))
        if referee.holders(position) and "look" not in style.hidden:
            yield showing.look(position)


def _chosen(
    found: list[tuple[Move, Position]], chance: random.Random, referee: Referee, quiet: float
) -> tuple[Move, Position]:
    """Return one of the moves *found*: first its clause, then the rest."""
    if chance.random() < quiet:
        found = [one for one in found if referee.is_quiet(one[0])] or found
    clause = chance.choice(list(dict.fromkeys(move.clause for move, _ in found)))
    return chance.choice([one for one in found if one[0].clause == clause])


def edited_as(program: ir.Program, said: str) -> ir.Program:
    """Return *program* with the edit that `mutate` calls *said*: its clause, a colon, its words."""
    edits = {f"{edit.clause}: {edit.words}": edit for edit in edits_of(program)}
    if said not in edits:
        clause = said.partition(":")[0].strip()
        of_it = [edit.words for edit in edits.values() if edit.clause == clause]
        some = f"edits of {clause}: {'; '.join(of_it[:_SHOWN])}" if of_it else "CLAUSE: EDIT"
        hint = did_you_mean(said, edits) or some
        raise wrong_input("L114", f"There is no edit `{said}`.", hint=hint)
    if edits[said].is_refused:
        raise wrong_input("L114", f"No ruleset could say `{said}`.")
    return edits[said].program


def unhidden(names: Collection[str]) -> frozenset[str]:
    """Return the *names*, those that stand in one text apart from each other."""
    return frozenset(name for said in names for name in said.split(",") if name)
