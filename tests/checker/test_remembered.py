"""What searches found is kept under all that it depends on, believed if this user's key has signed
it, and its plays are made again.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.replay import replay
from stacklaw.checker.run.check import check
from stacklaw.checker.run.engines import Remembering, engine_named, remembering
from stacklaw.checker.types import engine
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.checker.types.engine import Decision, Engine
from stacklaw.checker.types.scope import Scope, make_scope
from stacklaw.checker.types.verdict import Counts, Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.load import load, load_game
from stacklaw.models.source import Source
from stacklaw.models.storage.keeping import keep, kept, packed, unpacked
from stacklaw.models.storage.key import SIGNED
from stacklaw.properties.formula import Property
from stacklaw.properties.load import catalogue_for, property_named

from ..rulesets import ONE_PASS

GAME = load(Source("one_pass.rules", ONE_PASS))
NAMES = tuple(entry.name for entry in catalogue_for(GAME))
SCOPE = make_scope(GAME)


@dataclass
class Counting:
    """The explicit engine, which counts how many questions come to it."""

    engine: Engine = field(default_factory=lambda: engine_named("explicit"))
    asked: int = 0
    name: str = "explicit"
    slices: bool = True

    def decide(
        self, program: ir.Program, properties: Sequence[Property], scope: Scope, meter: Meter
    ) -> Iterator[tuple[Decision, Counts]]:
        for answer in self.engine.decide(program, properties, scope, meter):
            self.asked += 1
            yield answer


def found_by(
    folder: Path,
    *names: str,
    game: ir.Program = GAME,
    scope: Scope = SCOPE,
    tuning: Tuning | None = None,
    **of: Any,
) -> tuple[list[Verdict], int]:
    """Return the verdicts on what is asked, and about how many questions the engine was asked."""
    counting = Counting(engine_named("explicit", tuning))
    engine = Remembering(counting, tuning or Tuning(), folder)
    return check(
        game,
        [property_named(game, name) for name in names or NAMES],
        scope,
        Budget(**of),
        engine=engine,
    ), counting.asked


def test_what_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    first, asked = found_by(tmp_path)
    assert asked >= len(NAMES)
    assert {verdict.outcome for verdict in first} >= {
        Outcome.HOLDS,
        Outcome.VIOLATED,
        Outcome.POSSIBLE,
    }
    assert any(verdict.trace is not None and verdict.trace.spotlights for verdict in first)
    assert any(verdict.trace is not None and verdict.trace.loop is not None for verdict in first)
    assert found_by(tmp_path) == (first, 0)
    assert check(GAME, [property_named(GAME, name) for name in NAMES], SCOPE) == first


OTHERS: dict[str, Callable[[Path], tuple[list[Verdict], int]]] = {
    "a question less": lambda folder: found_by(folder, "lifo"),
    "another order": lambda folder: found_by(folder, "response_window", "lifo"),
    "another scope": lambda folder: found_by(
        folder, "lifo", "response_window", scope=make_scope(GAME, 3)
    ),
    "no slices": lambda folder: found_by(
        folder, "lifo", "response_window", tuning=Tuning(slicing=False)
    ),
    "no symmetry": lambda folder: found_by(
        folder, "lifo", "response_window", tuning=Tuning(symmetry=False)
    ),
    "other rules": lambda folder: found_by(
        folder,
        "lifo",
        "response_window",
        game=load(
            Source(
                "one_pass.rules",
                ONE_PASS.replace("    pass\n", "    pass\n    put spell on stack\n"),
            )
        ),
    ),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_depends_on_something_else_is_looked_for(other: str, tmp_path: Path) -> None:
    found_by(tmp_path, "lifo", "response_window")
    assert OTHERS[other](tmp_path)[1] > 0


def test_titles_and_threads_make_no_difference(tmp_path: Path) -> None:
    found_by(tmp_path, "lifo", "response_window")
    same = load(Source("one_pass.rules", ONE_PASS.replace('game "One pass"', 'game "Another"')))
    assert (
        found_by(tmp_path, "lifo", "response_window", game=same, tuning=Tuning(threads=2))[1] == 0
    )


# ------------------------------------------------------------------ forged


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.found"))


def test_what_nobody_has_signed_is_not_believed(tmp_path: Path) -> None:
    first, _ = found_by(tmp_path, "lifo", "response_window")
    (file,) = files(tmp_path)
    file.write_bytes(bytes(SIGNED) + file.read_bytes()[SIGNED:])
    again, asked = found_by(tmp_path, "lifo", "response_window")
    assert (again, asked) == (first, 2)


def test_what_is_signed_of_something_else_is_not_believed(tmp_path: Path) -> None:
    """A file that is kept for one question is none for another, under any name."""
    found_by(tmp_path, "response_window")
    (one,) = files(tmp_path)
    said = one.read_bytes()
    one.unlink()
    found_by(tmp_path, "single_holder")
    (other,) = files(tmp_path)
    other.write_bytes(said)
    verdicts, asked = found_by(tmp_path, "single_holder")
    assert (verdicts[0].outcome, asked) == (Outcome.HOLDS, 1)


def test_what_is_signed_and_is_no_decision_is_not_read(tmp_path: Path) -> None:
    first, _ = found_by(tmp_path, "response_window")
    (file,) = files(tmp_path)
    whole = kept(file)
    assert whole is not None
    content = json.loads(unpacked(whole))
    assert first[0].outcome is Outcome.VIOLATED

    def other(kind: str, name: str, value: object) -> Any:
        """Return what is kept with another *value* of that field of a node."""
        types, nodes, said = copy.deepcopy(content)
        number = next(at for at, type_ in enumerate(types) if type_.endswith(f":{kind}"))
        (node,) = [node for node in nodes if node[0] == number]
        fields = getattr(replay if kind == "EncodedTrace" else engine, kind).__dataclass_fields__
        node[1 + [*fields].index(name)] = value
        return [types, nodes, said]

    types, nodes, (said,) = content
    roots: list[Any] = [
        *(None, [], {}, 7, [[]], [{}]),
        [said, said],
        [[said[0], 9, *said[2:]]],
        [[*said[:2], 5, *said[3:]]],
        [[*said[:3], said[2]]],
    ]
    odd: list[Any] = [
        *(None, [], {}, 7, [[]], [{}]),
        *([types, nodes, root] for root in roots),
        other("Decision", "outcome", "TRUE"),
        *(
            other("EncodedTrace", name, value)
            for name, value in (
                ("numbers", [99]),
                ("numbers", [-1]),
                ("numbers", 5),
                ("spotlights", [["p", [99, 0]]]),
                ("loop", "1"),
            )
        ),
    ]
    for one in odd:
        assert keep(file, packed(json.dumps(one).encode()), "decisions") == ""
        assert found_by(tmp_path, "response_window") == (first, 1), one


# ------------------------------------------------------------------ what is not kept


def test_what_a_budget_had_a_say_in_is_not_kept(tmp_path: Path) -> None:
    game = load_game("mtg")
    for _ in range(2):
        (verdict,), asked = found_by(
            tmp_path, "step_waits_for_stack", game=game, scope=make_scope(game), seconds=1e-6
        )
        assert (verdict.outcome, asked) == (Outcome.UNKNOWN, 1)
    assert files(tmp_path) == []


def test_what_a_bound_of_positions_cut_is_kept_for_that_bound(tmp_path: Path) -> None:
    game = load_game("stack")
    cases = ((200, None, 1), (200, None, 0), (300, None, 1), (400, 1e-6, 1))
    for positions, seconds, asked in cases:
        (verdict,), new = found_by(
            tmp_path, "full_round", game=game, scope=make_scope(game),
            positions=positions, seconds=seconds,
        )  # fmt: skip
        assert (verdict.outcome is Outcome.BOUNDED) == (seconds is None)
        assert bool(new) == bool(asked)
    assert len(files(tmp_path)) == 2


def test_what_is_complete_is_kept_whatever_the_budget(tmp_path: Path) -> None:
    first, _ = found_by(tmp_path, "lifo", "response_window", seconds=1_000)
    assert found_by(tmp_path, "lifo", "response_window") == (first, 0)
    assert found_by(tmp_path, "lifo", "response_window", seconds=1e-6)[1] == 0


def test_the_reference_and_checkpoints_remember_nothing(tmp_path: Path) -> None:
    assert not isinstance(remembering("reference", Tuning()), Remembering)
    assert not isinstance(remembering("all", Tuning(checkpoints=tmp_path)), Remembering)
    assert isinstance(remembering("all", Tuning()), Remembering)
