"""Loops: what is found in small rulesets, and in random ones against an enumeration of all sets of
clauses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from stacklaw.checker.loops.loops import FoundLoops, Loop, WayOut, find_loops
from stacklaw.checker.loops.progress import TIMES
from stacklaw.checker.reference.lasso import acts
from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.budget import Budget
from stacklaw.checker.types.position import OVER, Move, Position
from stacklaw.checker.types.scope import make_scope
from stacklaw.models import ir
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source

from ..luck import tries
from ..strategies_ir import programs

HEAD = """\
game "A test"
players 2
scope players 2, stack 2
start decide(active)
turn
  main "main"
items
  spell  "spell"
zones
  stack  last in first out
state
  level : 0 to 9  "the level"
"""
DECIDE = "stage decide(holder: player)\n  priority holder\n"
END = '  may end "end the turn"\n    advance\n    go decide(active)\n'


def loops_in(stages: str, **sizes: int) -> FoundLoops:
    program = load(Source("test.rules", HEAD + stages))
    return find_loops(program, make_scope(program, None, sizes))


def only(found: FoundLoops) -> Loop:
    assert len(found.loops) == 1, found.loops
    return found.loops[0]


def test_a_loop_that_nobody_can_leave_is_forced() -> None:
    loop = only(
        loops_in(
            DECIDE
            + '  may 1 "act"\n    go one\n'
            + END
            + 'stage one\n  must 2 "on"\n    go two\nstage two\n  must 3 "back"\n    go one\n'
        )
    )
    assert (loop.kind, loop.clauses, loop.leaving) == ("forced", ("2", "3"), ())
    assert (len(loop.trace.steps), loop.trace.loop) == (3, 1)


def test_a_player_who_can_end_the_turn_can_leave() -> None:
    loop = only(loops_in(DECIDE + '  may 1 "act"\n    go decide(after holder)\n' + END))
    assert (loop.kind, loop.clauses) == ("optional", ("1",))
    assert set(loop.leaving) == {WayOut(0, "end"), WayOut(1, "end")}


def test_who_can_only_go_round_in_another_way_cannot_leave() -> None:
    found = loops_in(
        DECIDE
        + '  may 1 "act"\n    go decide(holder)\n  may 2 "act otherwise"\n    go decide(after '
        "holder)\n"
    )
    assert [(loop.kind, loop.clauses, loop.leaving) for loop in found.loops] == [
        ("forced", ("1",), ()),
        ("forced", ("2",), ()),
    ]


def test_what_the_cards_keep_up_ends_when_they_do_nothing() -> None:
    both = (
        '  must 2 "on"\n    maybe "it goes on"\n      go one\n    advance\n    go decide(active)\n'
    )
    loop = only(loops_in(DECIDE + '  may 1 "act"\n    go one\n' + END + "stage one\n" + both))
    assert (loop.kind, loop.clauses, loop.by_cards) == ("cards", ("2",), ("2",))
    assert loop.leaving == (WayOut("cards", "2"),)


def test_rules_that_are_not_finished_have_loops_that_nobody_knows() -> None:
    with pytest.raises(InputError, match="C115"):
        loops_in(DECIDE + '  may 1 "act"\n    todo\n' + END)


def test_a_loop_has_no_end_of_a_turn_in_it() -> None:
    assert loops_in(DECIDE + END).loops == ()


def test_a_move_beyond_the_scope_may_be_a_way_out() -> None:
    acts_ = (
        '  may 1 "act"\n    go decide(after holder)\n  may 2 "cast"\n    put spell on stack\n    '
        "put spell on stack\n    go ended\n"
    )
    ended = 'stage ended\n  must 3 "it is over"\n    when level is not 0\n    game over\n'
    ended += '  must 4 "back"\n    when level is 0\n    go decide(active)\n'
    loop = next(
        loop for loop in loops_in(DECIDE + acts_ + ended, stack=1).loops if loop.clauses == ("1",)
    )
    assert loop.kind == "optional"
    assert set(loop.leaving) == {WayOut(0, "2", beyond=True), WayOut(1, "2", beyond=True)}


def test_what_only_grows_is_progress_and_no_loop() -> None:
    loop = only(
        loops_in(
            DECIDE
            + '  may 1 "cast"\n    put spell on stack\n    level += 2\n    go decide(holder)\n'
            + END
        )
    )
    assert (loop.kind, loop.clauses, dict(loop.more)) == (
        "progress",
        ("1",),
        {"stack": 1, "the level": 2},
    )
    assert (loop.trace.growth, len(loop.trace.steps)) == (0, 1)


@pytest.mark.parametrize(("most", "number"), [(3 * TIMES + 3, 1), (3 * TIMES + 2, 0)])
def test_progress_can_be_made_again(most: int, number: int) -> None:
    """A number that has no room for two rounds more is none that a turn could go on with."""
    stages = DECIDE + '  may 1 "count"\n    level += 3\n    go decide(holder)\n' + END
    program = load(Source("test.rules", HEAD.replace("0 to 9", f"0 to {most}") + stages))
    assert len(find_loops(program, make_scope(program)).loops) == number


def test_what_was_not_looked_at_is_bounded() -> None:
    program = load(
        Source("test.rules", HEAD + DECIDE + '  may 1 "act"\n    go decide(after holder)\n' + END)
    )
    found = find_loops(program, make_scope(program), Budget(positions=1))
    assert "bound of 1 positions" in found.stopped
    assert found.growth_stopped
    assert not loops_in(DECIDE + END).stopped


# ------------------------------------------------------------------ by hand


@dataclass
class Plain:
    """A graph made by nothing but the interpreter: for each position what its moves use, where they
    lead, and whether the turn ends.
    """

    interpreter: Interpreter
    moves: dict[Position, list[tuple[Move, frozenset[str], Position, bool]]]

    @classmethod
    def of(cls, interpreter: Interpreter, most: int) -> Plain | None:
        moves: dict[Position, list[tuple[Move, frozenset[str], Position, bool]]] = {}
        todo = [interpreter.initial()]
        while todo:
            position = todo.pop()
            if position in moves:
                continue
            if len(moves) >= most:
                return None
            moves[position] = []
            for move, target in interpreter.moves(position).moves:
                used = frozenset(
                    {move.clause, *({"the cards"} if acts("cards", move, interpreter) else ())}
                )
                ends = any(
                    event.kind == "sequence ends" and event.sequence == ir.TURN
                    for event in move.events
                )
                moves[position].append((move, used, target, ends))
                todo.append(target)
        return cls(interpreter, moves)

    def reach(self, position: Position, within: frozenset[str] | None) -> set[Position]:
        """Return what one or more moves lead to that end no turn and use what is *within* (with
        None, the cards nothing).
        """
        found, todo = set[Position](), [position]
        while todo:
            for _, used, target, ends in self.moves[todo.pop()]:
                if (
                    not ends
                    and target not in found
                    and (used <= within if within is not None else "the cards" not in used)
                ):
                    found.add(target)
                    todo.append(target)
        return found

    def has_loop(self, within: frozenset[str]) -> bool:
        return any(position in self.reach(position, within) for position in self.moves)

    def minimal(self) -> set[frozenset[str]]:
        members = sorted(
            {member for moves in self.moves.values() for _, used, _, _ in moves for member in used}
        )
        found: list[frozenset[str]] = []
        for size in range(1, len(members) + 1):
            for chosen in map(frozenset, combinations(members, size)):
                if not any(one <= chosen for one in found) and self.has_loop(chosen):
                    found.append(chosen)
        return set(found)

    def is_forced(self, within: frozenset[str]) -> bool:
        """Whether there is a loop that players leave only to places where no turn ends: by the
        definition, position by position.
        """
        rounds = {
            p: {q for q in self.reach(p, within) if p in self.reach(q, within)}
            for p in self.moves
            if p in self.reach(p, within)
        }
        return any(
            all(self.stays(position, here, within) for position in here) for here in rounds.values()
        )

    def stays(self, position: Position, here: set[Position], within: frozenset[str]) -> bool:
        for _, used, target, ends in self.moves[position]:
            if (
                "the cards" not in used
                and not (used <= within and not ends and target in here)
                and (ends or self.can_end(target))
            ):
                return False
        return not self.is_cut(position)

    def can_end(self, position: Position) -> bool:
        return any(self.ends_here(one) for one in {position, *self.reach(position, None)})

    def ends_here(self, position: Position) -> bool:
        moves = self.moves[position]
        return (
            position.stage == OVER
            or not moves
            or any(ends and "the cards" not in used for _, used, _, ends in moves)
            or self.is_cut(position)
        )

    def is_cut(self, position: Position) -> bool:
        inside = {(move, target) for move, _, target, _ in self.moves[position]}
        allowed = self.interpreter.allowed(position)
        return any(
            (move, target) not in inside and not acts("cards", move, self.interpreter)
            for move, target in allowed
        )


def agrees(program: ir.Program, most: int) -> None:
    interpreter = Interpreter(
        program, make_scope(program, 2, {zone.name: 1 for zone in program.zones})
    )
    plain = Plain.of(interpreter, most)
    if (
        plain is None
        or len({used for moves in plain.moves.values() for _, used, _, _ in moves}) > 9
    ):
        event("too large")
        return
    found = find_loops(program, interpreter.scope)
    assert not found.stopped
    loops = [loop for loop in found.loops if loop.kind != "progress"]
    sets = [frozenset({*loop.clauses, *({"the cards"} if loop.by_cards else ())}) for loop in loops]
    expected = plain.minimal()
    assert Counter(sets) == Counter(expected)
    for loop, used in zip(loops, sets, strict=True):
        event(loop.kind)
        assert (loop.kind == "cards") == ("the cards" in used)
        assert loop.kind == "cards" or (loop.kind == "forced") == plain.is_forced(used)
    event("progress" if len(loops) < len(found.loops) else "no progress")


@st.composite
def small_games(draw: st.DrawFn) -> ir.Program:
    """Draw a ruleset of few stages whose clauses lead anywhere, some by luck, some at the end of a
    turn.
    """
    stages = draw(st.integers(1, 4))
    number = iter(range(100))

    def clause(stage: int, onward: bool) -> str:
        modes = ["must", "chance", "may"] if stage == 0 else ["must", "must", "chance"]
        lines = [f"  {draw(st.sampled_from(modes))} c{next(number)}"]
        guard = draw(
            st.sampled_from(
                ["", "", "stack is empty", "stack is not empty", "level is 0", "level is not 0"]
            )
        )
        lines += [f"    when {guard}"] if guard else []
        does = draw(
            st.sampled_from(
                [
                    "",
                    "",
                    "",
                    "advance",
                    "put spell by active on stack",
                    "require stack is not empty\n    remove top of stack",
                    "level += 1",
                    "level := 0",
                ]
            )
        )
        lines += [f"    {does}"] if does else []
        ends = [f"go {'decide(active)' if n == 0 else f's{n}'}" for n in range(stages)] + [
            "game over"
        ]
        first, other = (
            ends[stage + 1] if onward else draw(st.sampled_from(ends[:-1])),
            draw(st.sampled_from(ends)),
        )
        if draw(st.booleans()):
            return "\n".join([*lines, '    maybe "it happens"', f"      {first}", f"    {other}"])
        return "\n".join([*lines, f"    {first}"])

    text = ""
    for stage in range(stages):
        head = DECIDE if stage == 0 else f"stage s{stage}\n"
        others = [clause(stage, onward=False) for _ in range(draw(st.integers(0, 2)))]
        text += head + "\n".join([*others, clause(stage, onward=stage + 1 < stages)]) + "\n"
    return load(Source("random.rules", HEAD.replace("0 to 9", "0 to 2") + text))


@given(st.data())
@tries(150)
def test_the_smallest_sets_of_random_rulesets_are_those_of_an_enumeration(
    data: st.DataObject,
) -> None:
    agrees(data.draw(small_games()), 40)


@given(st.data())
@tries(60)
def test_so_they_are_in_random_programs(data: st.DataObject) -> None:
    agrees(data.draw(programs()), 60)
