"""Small games by chance, and questions about what somebody can enforce in them.

A game is made of positions with moves, as an exploration leaves them; there is no ruleset behind
it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

from stacklaw.checker.reference.semantics.explore import Graph
from stacklaw.checker.reference.semantics.interpreter import Moves
from stacklaw.checker.types.position import OVER, Choice, Event, Move, Position
from stacklaw.models import ir
from stacklaw.properties import formula as f

CUT = -1
"""Where a move leads that the scope cuts."""


@dataclass
class Game:
    """*moves* of each position, with the position each leads to, or `CUT`; *modes* of the
    clauses.
    """

    players: int
    stages: list[str]
    moves: list[list[tuple[Move, int]]]
    modes: dict[str, str]

    def graph(self) -> Graph:
        """Return the game as an exploration leaves it."""
        positions = [Position(stage, (), (number,), ()) for number, stage in enumerate(self.stages)]
        beyond = Position("beyond", (), (), ())

        def allowed(position: Position) -> list[tuple[Move, Position]]:
            number = position.values[0]
            assert isinstance(number, int)
            return [
                (move, beyond if target == CUT else positions[target])
                for move, target in self.moves[number]
            ]

        def evaluate(*_: object) -> Callable[[Position, tuple[int]], bool]:
            """Return what stands for all that a table may ask of a position: at half of them each
            player is the one meant.
            """
            return lambda position, seats: position.values[0] % 2 == seats[0] % 2  # type: ignore[operator]

        interpreter: Any = SimpleNamespace(
            initial=lambda: positions[0],
            moves=lambda position: Moves(
                [(move, target) for move, target in allowed(position) if target is not beyond],
                sum(target is beyond for _, target in allowed(position)),
            ),
            program=SimpleNamespace(zones=(), sequences=(), variables=(), clauses=(), kinds=()),
            evaluate=evaluate,
            scope=SimpleNamespace(players=self.players),
            clauses={name: SimpleNamespace(mode=mode) for name, mode in self.modes.items()},
            expressions=SimpleNamespace(
                zone_numbers={}, players=self.players, constant=lambda value: value.value
            ),
            allowed=allowed,
        )
        graph = Graph(interpreter, positions, array("q", [0]))
        numbers: dict[Move, int] = {}
        for number, moves in enumerate(self.moves):
            for move, target in moves:
                if target == CUT:
                    graph.cut[number] = graph.cut.get(number, 0) + 1
                    continue
                graph.label.append(numbers.setdefault(move, len(numbers)))
                graph.target.append(target)
            graph.first_edge.append(len(graph.target))
        graph.moves = list(numbers)
        return graph


def random_game(luck: Random) -> Game:
    """Return a game of two or three players with up to four positions."""
    players, size = luck.choice([2, 2, 3]), luck.randint(1, 4)
    stages = [luck.choice(["x", "y", "y", OVER]) if number else "x" for number in range(size)]
    modes = {f"{mode}{number}": mode for mode in ("may", "must", "chance") for number in range(2)}
    moves: list[list[tuple[Move, int]]] = []
    for stage in stages:
        here: list[tuple[Move, int]] = []
        for owner in (
            luck.sample([*range(players), "rules", "cards"], luck.choice([0, 1, 1, 2, 2]))
            if stage != OVER
            else []
        ):
            mode = (
                {"rules": "must", "cards": "chance"}.get(owner, "may")
                if isinstance(owner, str)
                else "may"
            )
            for number in luck.sample(range(2), luck.choice([1, 1, 2])):
                events = (
                    (Event("passes", player=owner),)
                    if isinstance(owner, int) and luck.random() < 0.5
                    else ()
                )
                for choices in _choices(luck, players, luck.choice([0, 0, 1, 1, 2])):
                    target = CUT if luck.random() < 0.12 else luck.randrange(size)
                    here.append((Move(f"{mode}{number}", owner, choices, events), target))
        moves.append(here)
    return Game(players, stages, moves, modes)


def _choices(luck: Random, players: int, depth: int) -> Iterator[tuple[Choice, ...]]:
    """Yield ways to choose up to *depth* times, each candidate with a chooser: mostly the same
    one.
    """
    if depth == 0:
        yield ()
        return
    who = [*range(players), "rules", "cards"]
    chooser = luck.choice(who)
    for at in range(luck.choice([1, 2, 2])):
        by: Any = luck.choice(who) if luck.random() < 0.15 else chooser
        for rest in _choices(luck, players, luck.randint(0, depth - 1)):
            yield (Choice(by, "", f"option {at}", at), *rest)


def random_question(luck: Random, players: int) -> f.Property:
    """Return a property that asks what one player, or two, can enforce."""
    coalition = ("p",) if players == 2 or luck.random() < 0.6 else ("p", "q")
    spotlights = tuple(f.Spotlight("player", name) for name in coalition)
    kinds: list[Any] = [
        luck.choice(["always", "eventually", "leads to", "finitely"])
        for _ in range(luck.choice([1, 1, 2, 3]))
    ]
    kinds = ["leads to", "leads to"] if luck.random() < 0.2 else kinds
    goals = tuple(f.Goal(kind, _goal(luck, kind)) for kind in kinds)
    assuming: tuple[Any, ...] = tuple(who for who in ("others", "cards") if luck.random() < 0.35)
    enforced = f.Enforced(coalition, goals)
    return f.Property(
        "asked",
        "",
        "",
        "enforce",
        spotlights,
        f.And(()),
        None,
        "",
        assuming=assuming,
        enforced=enforced,
    )


def _goal(luck: Random, kind: str) -> f.Formula:
    if kind == "leads to":
        trigger, aim = (
            luck.choice([f.Not(f.GameIsOver()), _formula(luck, 1)]),
            _formula(luck, luck.randrange(2)),
        )
        return f.Since(f.Not(aim), f.And((trigger, f.Not(aim))))
    formula = _formula(luck, 2)
    return f.And((formula, _formula(luck, 1))) if kind == "always" else formula


def _formula(luck: Random, depth: int) -> f.Formula:
    if depth == 0 or luck.random() < 0.3:
        clause = f"{luck.choice(['may', 'must', 'chance'])}{luck.randrange(2)}"
        atoms: list[f.Formula] = [
            f.Uses(clause, None), f.Uses("may0", ir.Local("p")), f.PlayerEvent("acts", None),
            f.PlayerEvent("passes", ir.Local("p")), f.AtStage("y"), f.AtStage("x"), f.GameIsOver(),
        ]  # fmt: skip
        return luck.choice(atoms)
    one, other = _formula(luck, depth - 1), _formula(luck, depth - 1)
    compound: list[f.Formula] = [
        f.Not(one), f.And((one, other)), f.Or((one, other)), f.Once(one), f.Previously(one),
        f.Since(one, other),
    ]  # fmt: skip
    return luck.choice(compound)
