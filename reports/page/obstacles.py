"""Obstacles: what can keep a clause from being used, in the author's words, and what each rests on,
as plain data for the scripts.

They come in the order in which `use_parts` and `stops_in` have them, as the records do that the
compiled rules write. A text is a list of strings and of names, each in a list of its own, that
stand for players whom only a position knows. What an obstacle rests on are names as ``partsOf`` of
positions.js gives them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ...models import ir
from ...models.binding.typed import negated
from ...models.ir.analysis import Stopping, effect_of, is_moving, stops_in, use_parts
from ...models.ir.parts import asked_by, expressions, locals_in, statements, things_named
from ..plays.wording import PlayWords, comes_first

_HOLE = "\0"
"""Stands on both sides of a name that a position fills in; no text of a ruleset has it."""
_DECIDES = ir.Require | ir.Choose | ir.If | ir.Branch
"""What decides how a clause goes on."""


def obstacles_of(program: ir.Program, options: Collection[str] = ()) -> list[tuple[str, Any]]:
    """Return for each stage of *program* what its priority rests on, None if nobody has it there,
    and the obstacles of its clauses.

    Of a part that reads nothing but *options* it is said that it is of the reading.
    """
    words = PlayWords(program)
    return [
        (
            stage.name,
            {
                "priority": None if stage.priority is None else _reads(stage, [stage.priority]),
                "clauses": [
                    (clause.id, _Obstacles(words, stage, clause, options).as_data())
                    for clause in stage.clauses
                ],
            },
        )
        for stage in program.stages
    ]


class _Obstacles:
    """Those of one *clause* of a *stage*."""

    def __init__(
        self, words: PlayWords, stage: ir.Stage, clause: ir.Clause, options: Collection[str]
    ) -> None:
        self.words, self.stage, self.clause, self.options = words, stage, clause, options
        players = [
            parameter.name
            for parameter in stage.parameters
            if isinstance(parameter.type, ir.PlayerType)
        ]
        self.steps = {sequence.name: sequence.variable for sequence in words.program.sequences}
        owner = [] if clause.owner.variable is None else [clause.owner.variable]
        self.names = {name: f"{_HOLE}{name}{_HOLE}" for name in (*players, *owner)}

    def as_data(self) -> dict[str, Any]:
        """Return whether who has priority may use the clause, what any player is called in it,
        and its obstacles.
        """
        return {
            "isHolders": self.clause.mode == "may"
            and self.stage.priority is not None
            and self.clause.owner.player == self.stage.priority,
            "any": self.clause.owner.variable,
            "parts": [self._part_data(part, above) for part, above in use_parts(self.clause)],
            "stops": [self._stop(stop) for stop in stops_in(self.clause.body)],
        }

    def _part_data(self, part: ir.Expr, above: str) -> dict[str, Any]:
        rest = self._rest(part)
        says = comes_first(above) if above else self.words.condition(rest, self.names, held=False)
        return {
            "says": _with_holes(says),
            "reads": _reads(self.stage, [rest]),
            "isOfReading": self._is_of_reading(rest),
        }

    def _is_of_reading(self, part: ir.Expr) -> bool:
        """Whether *part* depends on options, and on nothing else."""
        moving = [one for one in expressions(part) if is_moving(one)]
        return bool(moving) and all(
            isinstance(one, ir.Variable) and one.name in self.options for one in moving
        )

    def _rest(self, part: ir.Expr) -> ir.Expr:
        """Return what is left of *part*, where it is false, without what the reading says: nothing
        else of an ``or`` can change.
        """
        match part:
            case ir.Any(parts) if rest := [one for one in parts if not self._is_of_reading(one)]:
                return rest[0] if len(rest) == 1 else ir.Any(tuple(rest))
            case ir.Not(ir.All(parts)) if rest := [
                one for one in parts if not self._is_of_reading(one)
            ]:
                return negated(rest[0] if len(rest) == 1 else ir.All(tuple(rest)))
        return part

    def _stop(self, stop: Stopping) -> dict[str, Any]:
        """Return an obstacle that is met on the way.

        It rests on what it reads, on what decides how the clause comes to it, and where the clause
        changes any of that before, on what the change rests on.
        """
        whole = list(statements(self.clause.body))
        inside = {id(one) for one in statements((stop,))}
        kept = [one for one in whole if id(one) in inside]
        before = whole[: next(number for number, one in enumerate(whole) if one is stop)]
        for one in reversed(before):
            asked = [expr for other in kept for expr in asked_by(other)]
            if isinstance(one, _DECIDES) or self._changes(one) & {
                *self._read_by(kept),
                *locals_in(expressions(*asked)),
            }:
                kept.append(one)
        return {
            "says": _with_holes(self.words.stopped(stop, self.names)),
            "reads": self._read_by(kept),
        }

    def _read_by(self, kept: Sequence[ir.Statement]) -> list[str]:
        """Return the names of what the statements *kept* read of a position."""
        effects = [effect_of(one) for one in kept]
        sequences = {
            f"variable {self.steps[one.advances]}" for one in effects if one.advances is not None
        }
        zones = {one.among for one in effects if one.among is not None}
        return sorted(
            {
                *_reads(self.stage, [expr for one in kept for expr in asked_by(one)], zones),
                *sequences,
            }
        )

    def _changes(self, statement: ir.Statement) -> set[str]:
        """Return the names of what *statement* changes, and the name that it gives to something."""
        effect, zones = effect_of(statement), set[str]()
        if isinstance(effect.item, ir.Local):
            zones = {zone.name for zone in self.words.program.zones}
        elif effect.item is not None:
            zones = {effect.item.zone}
        if effect.joins is not None:
            zones.add(effect.joins)
        sequence = statement.sequence if isinstance(statement, ir.StepTo) else effect.advances
        variables = {
            effect.changes,
            self.steps.get(sequence or ""),
            ir.ACTIVE if effect.advances == ir.TURN else None,
        }
        changed = {f"{kind} {zone}" for kind in ("zone", "size", "empty") for zone in zones}
        return (
            changed
            | {f"variable {name}" for name in variables if name}
            | ({effect.names} if effect.names else set())
        )


def _with_holes(says: str) -> list[str | list[str]]:
    """Return *says* with its names apart."""
    return [[part] if number % 2 else part for number, part in enumerate(re.split(_HOLE, says))]


def _reads(stage: ir.Stage, asked: Iterable[ir.Expr], zones: Iterable[str] = ()) -> list[str]:
    """Return the names of what *asked*, and whoever looks at *zones*, reads of a position at
    *stage*.
    """
    each = [part for expr in asked for part in expressions(expr)]
    arguments = locals_in(each) & {parameter.name for parameter in stage.parameters}
    looked_at = things_named(
        "zone", [part for part in each if not isinstance(part, ir.IsEmpty | ir.Size)]
    ) | frozenset(zones)
    read = {
        "variable": things_named("variable", each),
        "zone": looked_at,
        "empty": {part.zone for part in each if isinstance(part, ir.IsEmpty)},
        "size": {part.zone for part in each if isinstance(part, ir.Size)},
        "argument": arguments,
    }
    return [f"{kind} {name}" for kind, names in read.items() for name in sorted(names)]
