"""The oracle of small games: a second way to say who wins them.

It shares nothing with `checker.strategies` but the positions: it looks back over whole plays bit by
bit, tries every strategy of the others (of a Rabin condition, which theirs is, one without memory
is enough: Emerson, "Automata, tableaux and temporal logics", 1985), and asks of each whether the
coalition has a play that reaches its objective.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import networkx as nx

from stacklaw.checker.types.position import OVER, Move
from stacklaw.properties import formula as f

from .chance_games import CUT, Game

MOST_STRATEGIES = 600


def can_enforce(
    game: Game, question: f.Property, seats: tuple[int, ...], *, beyond: bool, hope: bool = False
) -> bool | None:
    """Whether the players on *seats* can, where it is won, or not, that the others go *beyond* the
    scope; None if that takes too long.

    With *hope* it is won, too, that they go there themselves, and where somebody may do other than
    act only beyond the scope.
    """
    oracle = _Oracle(game, question, seats, beyond=beyond, hope=hope)
    if oracle.strategies() > MOST_STRATEGIES:
        return None
    return all(oracle.has_a_play(strategy) for strategy in oracle.all_strategies())


def can_reach(
    game: Game, question: f.Property, seats: tuple[int, ...], allowed: list[list[Move]]
) -> bool:
    """Whether some play of *allowed* moves reaches the objective of the players on *seats*, and
    keeps what is assumed.
    """
    return _Oracle(game, question, seats, beyond=True, allowed=allowed).has_a_play(
        {}, assumed=False
    )


def can_answer(
    game: Game, question: f.Property, seats: tuple[int, ...], allowed: list[list[Move]]
) -> bool | None:
    """Whether the others can keep the players on *seats* from it who make *allowed* moves only;
    None if that takes too long to see.
    """
    oracle = _Oracle(game, question, seats, beyond=True, allowed=allowed)
    return (
        None
        if oracle.strategies() > MOST_STRATEGIES
        else not all(map(oracle.has_a_play, oracle.all_strategies()))
    )


_State = tuple[Any, ...]


@dataclass
class _Oracle:
    """States are ``(position, truths of the moment before)`` and, in the middle of a move, what was
    decided since.

    Edges go from state to state with the marks of the moment: ``a`` for somebody assumed to end who
    acts, ``b`` for what is to end, ``c0``… for what has to come again, ``broken``.
    """

    game: Game
    question: f.Property
    seats: tuple[int, ...]
    beyond: bool
    hope: bool = False
    allowed: list[list[Move]] | None = None
    edges: dict[_State, list[tuple[_State, frozenset[str]]]] = field(default_factory=dict)
    ours: set[_State] = field(default_factory=set)

    def __init__(
        self,
        game: Game,
        question: f.Property,
        seats: tuple[int, ...],
        *,
        beyond: bool,
        hope: bool = False,
        allowed: list[list[Move]] | None = None,
    ) -> None:
        self.game, self.question, self.seats, self.beyond, self.hope, self.allowed = (
            game,
            question,
            seats,
            beyond,
            hope,
            allowed,
        )
        assert question.enforced is not None
        self.goals, self.edges, self.ours = question.enforced.goals, {}, set()
        names = [spotlight.name for spotlight in question.spotlights]
        self.who = dict(zip(names, seats, strict=True))
        self.coalition = {self.who[name] for name in question.enforced.coalition}
        self.dead = set() if hope else self._dead()
        first = self._truths((), None, 0)
        self.start = (
            0,
            first,
            "broken" in self._marks(first, None, frozenset()),
            self._done(first, ()),
        )
        self._build()

    # ------------------------------------------------- formulas, over the truths of all their parts

    def _parts(self) -> list[f.Formula]:
        found: list[f.Formula] = []

        def add(formula: f.Formula) -> None:
            for operand in _operands(formula):
                add(operand)
            if not any(formula is other for other in found):
                found.append(formula)

        for goal in self.goals:
            add(goal.formula)
        return found

    def _truths(
        self, before: tuple[bool, ...], move: Move | None, position: int
    ) -> tuple[bool, ...]:
        parts, now = self._parts(), list[bool]()
        was = before or (False,) * len(parts)
        places = {id(part): number for number, part in enumerate(parts)}
        for number, part in enumerate(parts):
            under = [now[places[id(operand)]] for operand in _operands(part)]
            earlier = [was[places[id(operand)]] for operand in _operands(part)]
            now.append(self._truth(part, under, earlier, was[number], move, position))
        return tuple(now)

    def _truth(
        self,
        part: f.Formula,
        under: list[bool],
        earlier: list[bool],
        was: bool,
        move: Move | None,
        position: int,
    ) -> bool:
        match part:
            case f.Not():
                return not under[0]
            case f.And():
                return all(under)
            case f.Or():
                return any(under)
            case f.Once():
                return under[0] or was
            case f.Previously():
                return earlier[0]
            case f.Since():
                return under[1] or (under[0] and was)
            case f.AtStage(stage):
                return self.game.stages[position] == stage
            case f.GameIsOver():
                return self.game.stages[position] == OVER
            case f.Uses(clause, player):
                return (
                    move is not None
                    and move.clause == clause
                    and (player is None or move.owner == self.who["p"])
                )
            case f.PlayerEvent("passes"):
                return move is not None and any(
                    event.player == self.who["p"] for event in move.events
                )
            case f.PlayerEvent():
                return move is not None and self._acts(move)
            case _:
                raise AssertionError(part)

    def _acts(self, move: Move) -> bool:
        return self.game.modes[move.clause] == "may" and not move.events

    def _marks(
        self, truths: tuple[bool, ...], move: Move | None, done: frozenset[int], before: int = 0
    ) -> frozenset[str]:
        parts, marks = self._parts(), set[str]()
        for number, goal in enumerate(self.goals):
            true = truths[next(place for place, part in enumerate(parts) if part is goal.formula)]
            if goal.kind == "always" and true:
                marks.add("broken")
            if goal.kind == "finitely" and true:
                marks.add("b")
            if (goal.kind == "leads to" and not true) or (
                goal.kind == "eventually" and number in done
            ):
                marks.add(f"c{number}")
        if move is not None:
            moves = [one for one, target in self.game.moves[before] if target != CUT]
            others = (
                self._acts(move)
                and move.owner not in self.coalition
                and not all(map(self._acts, moves))
            )
            cards = self._of_cards(move) and not all(map(self._of_cards, moves))
            if ("others" in self.question.assuming and others) or (
                "cards" in self.question.assuming and cards
            ):
                marks.add("a")
        return frozenset(marks)

    def _of_cards(self, move: Move) -> bool:
        return self.game.modes[move.clause] == "chance" or any(
            one.by == "cards" and one.at > 0 for one in move.choices
        )

    def _done(self, truths: tuple[bool, ...], before: Any) -> frozenset[int]:
        parts = self._parts()
        true = {
            number
            for number, goal in enumerate(self.goals)
            if goal.kind == "eventually"
            and truths[next(place for place, part in enumerate(parts) if part is goal.formula)]
        }
        return frozenset(before) | true

    # -------------------------------------------------------------- who decides what

    def _dead(self) -> set[int]:
        dead: set[int] = set()
        while True:
            more = {
                number
                for number, moves in enumerate(self.game.moves)
                if moves
                and number not in dead
                and self._is_cut(("owner",), [(m, CUT if t in dead else t) for m, t in moves])
            }
            if not more:
                return dead
            dead |= more

    def _stages_of_a_move(
        self, prefix: tuple[Any, ...], moves: list[tuple[Move, int]]
    ) -> tuple[bool, dict[Any, list[tuple[Move, int]]]]:
        """Return whether the coalition decides after *prefix*, and what can be decided."""
        groups: dict[Any, list[tuple[Move, int]]] = {}
        depth = len(prefix)
        for move, target in moves:
            key = (
                move.owner if depth == 1 else move.clause if depth == 2 else move.choices[depth - 3]
            )
            groups.setdefault(key, []).append((move, target))
        if depth == 1:
            return False, groups
        if depth == 2:
            return moves[0][0].owner in self.coalition, groups
        choosers = {choice.by for choice in groups}
        return len(choosers) == 1 and next(iter(choosers)) in self.coalition, groups

    def _is_leaf(self, prefix: tuple[Any, ...], moves: list[tuple[Move, int]]) -> bool:
        return len(moves) == 1 and len(prefix) == 3 + len(moves[0][0].choices)

    def _is_cut(self, prefix: tuple[Any, ...], moves: list[tuple[Move, int]]) -> bool:
        """Whether what is decided after *prefix* is not there: it goes beyond the scope, or might
        in a move of the coalition.
        """
        if self._is_leaf(prefix, moves):
            return moves[0][1] == CUT
        is_ours, groups = self._stages_of_a_move(prefix, moves)
        cut = [self._is_cut((*prefix, key), group) for key, group in groups.items()]
        may_not = len(prefix) > 1 and moves[0][0].owner in self.coalition and not is_ours
        return any(cut) if may_not else all(cut)

    def _build(self) -> None:
        waiting: list[tuple[_State, tuple[Any, ...], list[tuple[Move, int]]]] = []
        moves = self._moves(0)
        waiting.append((self.start, ("owner",), moves))
        while waiting:
            state, prefix, moves = waiting.pop()
            if state in self.edges:
                continue
            self.edges[state] = []
            if self.hope and prefix == ("owner",) and self._is_won_in_hope(moves):
                self.edges[state].append((("won",), frozenset()))
                continue
            if not moves or (
                prefix == ("owner",) and not self.hope and self._is_cut(prefix, moves)
            ):
                self.edges[state].append(self._at_the_end(state, cut=bool(moves)))
                continue
            is_ours, groups = self._stages_of_a_move(prefix, moves)
            if is_ours:
                self.ours.add(state)
            for key, group in groups.items():
                after = (*prefix, key)
                if self.hope and self._is_leaf(after, group) and group[0][1] == CUT:
                    self.edges[state].append((("won",), frozenset()))
                elif not self.hope and self._is_cut(after, group):
                    if not is_ours:
                        self.edges[state].append(
                            (("won",) if self.beyond else ("lost",), frozenset())
                        )
                elif self._is_leaf(after, group):
                    self._move(state, *group[0], waiting)
                else:
                    inner = (*state[:4], after)
                    self.edges[state].append((inner, frozenset()))
                    waiting.append((inner, after, group))

    def _is_won_in_hope(self, moves: list[tuple[Move, int]]) -> bool:
        """Whether some of *moves* are cut, and all others are acts of players, or all of cards."""
        inside = [move for move, target in moves if target != CUT]
        return len(inside) < len(moves) and (
            all(map(self._acts, inside)) or all(map(self._of_cards, inside))
        )

    def _moves(self, position: int) -> list[tuple[Move, int]]:
        moves = [
            (move, CUT if target in self.dead else target)
            for move, target in self.game.moves[position]
        ]
        return (
            moves
            if self.allowed is None
            else [(move, target) for move, target in moves if move in self.allowed[position]]
        )

    def _move(self, state: _State, move: Move, target: int, waiting: list[Any]) -> None:
        _, truths, broken, done = state[:4]
        after = self._truths(truths, move, target)
        now_done = self._done(after, done)
        marks = self._marks(after, move, now_done, state[0])
        then = (target, after, broken or "broken" in marks, now_done)
        self.edges[state].append((then, marks))
        if then not in self.edges:
            waiting.append((then, ("owner",), self._moves(target)))

    def _at_the_end(self, state: _State, *, cut: bool) -> tuple[_State, frozenset[str]]:
        position, truths, broken, done = state[:4]
        marks = self._marks(truths, None, done)
        wanted = {
            f"c{number}"
            for number, goal in enumerate(self.goals)
            if goal.kind in ("eventually", "leads to")
        }
        over = self.game.stages[position] == OVER
        all_done = all(
            goal.kind == "eventually" and number in done for number, goal in enumerate(self.goals)
        )
        won = not cut and not broken and wanted <= marks and over
        return (("won",) if won or all_done else ("lost",)), frozenset()

    # -------------------------------------------------------------- strategies of the others

    def _theirs(self) -> list[_State]:
        return [
            state
            for state, edges in self.edges.items()
            if state not in self.ours and len(edges) > 1
        ]

    def strategies(self) -> int:
        """Return how many strategies the others have."""
        number = 1
        for state in self._theirs():
            number = min(number * len(self.edges[state]), MOST_STRATEGIES + 1)
        return number

    def all_strategies(self) -> Iterator[dict[_State, int]]:
        """Yield the strategies of the others: which edge of each of their states."""
        theirs = self._theirs()
        for choice in product(*(range(len(self.edges[state])) for state in theirs)):
            yield dict(zip(theirs, choice, strict=True))

    def has_a_play(self, strategy: dict[_State, int], *, assumed: bool = True) -> bool:
        """Whether the coalition has a play against *strategy* that reaches its objective, be it by
        what is *assumed* not to be.
        """
        graph: nx.MultiDiGraph[_State] = nx.MultiDiGraph()
        waiting, seen = [self.start], {self.start}
        while waiting:
            state = waiting.pop()
            graph.add_node(state)
            edges = self.edges.get(state, [])
            for target, marks in [edges[strategy[state]]] if state in strategy else edges:
                graph.add_edge(state, target, marks=marks)
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        if ("won",) in graph or self._is_won_already(graph):
            return True
        if assumed and any("a" in marks for marks in _inside(graph)):
            return True
        calm: nx.MultiDiGraph[_State] = nx.MultiDiGraph()
        calm.add_edges_from(
            (one, other, {"marks": data["marks"]})
            for one, other, data in graph.edges(data=True)
            if not data["marks"] & {"a", "b"}
            and not (len(one) > 3 and one[2])
            and not (len(other) > 3 and other[2])
        )
        wanted = {
            f"c{number}"
            for number, goal in enumerate(self.goals)
            if goal.kind in ("eventually", "leads to")
        }
        for component in nx.strongly_connected_components(calm):
            inside = [
                data["marks"]
                for one, other, data in calm.edges(data=True)
                if one in component and other in component
            ]
            if inside and wanted <= frozenset().union(*inside):
                return True
        return False

    def _is_won_already(self, graph: nx.MultiDiGraph[_State]) -> bool:
        """Whether all is done already: every goal is to be met some day, and each has been."""
        if any(goal.kind != "eventually" for goal in self.goals):
            return False
        return any(len(state) > 3 and len(state[3]) == len(self.goals) for state in graph)


def _inside(graph: nx.MultiDiGraph[_State]) -> Iterator[frozenset[str]]:
    """Yield the marks of the edges that can be gone again and again."""
    for component in nx.strongly_connected_components(graph):
        for one, other, data in graph.edges(data=True):
            if one in component and other in component:
                yield data["marks"]


def _operands(formula: f.Formula) -> tuple[f.Formula, ...]:
    match formula:
        case f.Not(operand) | f.Once(operand) | f.Previously(operand):
            return (operand,)
        case f.And(parts) | f.Or(parts):
            return parts
        case f.Since(left, right):
            return (left, right)
        case _:
            return ()
