"""Plays in the Informal Trace Format: every value is one of the format, every state is the position
that the rules come to.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stacklaw.checker.reference.semantics.interpreter import Interpreter
from stacklaw.checker.types.position import Trace, TraceStep
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.main import run
from stacklaw.models.load import load_game
from stacklaw.reports.itf import FORMAT, render_itf
from stacklaw.reports.naming import player_name, seats_of
from stacklaw.reports.plays.explain import retell

from ..mutate.test_command import RULES
from . import plays


def mistakes(value: Any, place: str) -> list[str]:
    """Return what is no value of the format, as its document tells it, in *value*."""
    match value:
        case bool() | str():
            return []
        case list():
            return [m for at, part in enumerate(value) for m in mistakes(part, f"{place}[{at}]")]
        case {"#bigint": str(digits), **rest} if not rest:
            return [] if digits.lstrip("-").isdecimal() else [f"{place}: {digits}"]
        case {"#set": list(members), **rest} | {"#tup": list(members), **rest} if not rest:
            return mistakes(members, place)
        case {"#map": list(pairs), **rest} if not rest:
            return [
                m
                for pair in pairs
                for m in (mistakes(pair, place) if len(pair) == 2 else [f"{place}: {pair}"])
            ]
        case dict():
            named = [f"{place}.{name}" for name in value if name.startswith("#")]
            return named + [
                m for name, part in value.items() for m in mistakes(part, f"{place}.{name}")
            ]
        case _:
            return [f"{place}: {value!r}"]


def checked(document: dict[str, Any]) -> dict[str, Any]:
    """Return *document* if it is one of the format."""
    assert document.keys() <= {"#meta", "params", "vars", "states", "loop"}
    assert document["#meta"]["format"] == "ITF"
    assert document["#meta"]["format-description"] == FORMAT
    assert len(set(document["vars"])) == len(document["vars"])
    for number, state in enumerate(document["states"]):
        assert state["#meta"] == {"index": number}
        assert [name for name in state if name != "#meta"] == document["vars"]
        assert not mistakes(
            {name: part for name, part in state.items() if name != "#meta"}, f"states[{number}]"
        )
    assert document.get("loop", 0) < len(document["states"])
    return document


@pytest.mark.parametrize(
    "value",
    [3, None, 1.5, {"#bigint": "x"}, {"#set": ["A"], "b": True}, {"#map": [["A"]]}, {"#other": []}],
)
def test_what_is_no_value_of_the_format_is_seen(value: Any) -> None:
    assert mistakes({"of": [value]}, "$")


@pytest.mark.parametrize("game", ["mtg", "fow", "zx", "stack", "fftcg"])
def test_states_are_the_positions_of_the_rules(game: str) -> None:
    program = load_game(game, {})
    scope = make_scope(program)
    interpreter = Interpreter(program, scope)
    position, steps = interpreter.initial(), list[TraceStep]()
    first = position
    for number in range(25):
        moves = interpreter.moves(position).moves
        if not moves:
            break
        move, position = moves[number * 7 % len(moves)]
        steps.append(TraceStep(move, position))
    document = checked(
        json.loads(render_itf(retell(program, scope, Trace(first, tuple(steps))), "a play"))
    )
    assert len(document["states"]) == len(steps) + 1
    for state, told in zip(
        document["states"], [first, *(step.position for step in steps)], strict=True
    ):
        assert state["stage"] == told.stage
        assert state["priority"]["#set"] == [
            player_name(seat) for seat in sorted(interpreter.priority(told))
        ]
        for zone, items in zip(program.zones, told.zones, strict=True):
            assert [(item["kind"], item["controller"]) for item in state[zone.name]] == [
                (i.kind, player_name(i.controller)) for i in items
            ]
        for declared, value in zip(program.variables, told.values, strict=True):
            shown = state[declared.name]
            if isinstance(shown, dict) and "#set" in shown:
                assert isinstance(value, int)
                assert shown["#set"] == [player_name(seat) for seat in seats_of(value)]
            elif isinstance(shown, bool) or isinstance(value, str):
                assert shown == value
    assert [state["move"] for state in document["states"][1:]] == [
        step.move.clause for step in steps
    ]


def test_a_play_that_goes_round_goes_on_where_it_was() -> None:
    """The last state is one that there was before, but for the move that led to it; after it comes
    what came then.
    """
    play = plays.goes_round().rows[0].play
    assert play is not None
    document = checked(json.loads(render_itf(play, "a loop")))
    last, same = (
        {n: v for n, v in state.items() if n not in ("#meta", "move", "mover")}
        for state in (
            document["states"][-1],
            document["states"][document["loop"] - 1],
        )
    )
    assert last == same


def test_the_files_that_a_check_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.rules").write_text(RULES, encoding="utf-8")
    asked = ["check", "small.rules", "--engine", "reference", "--itf"]
    assert run([*asked, "plays.itf.json", "-p", "resolves", "-p", "own_window"]) == 1
    written = sorted(path.name for path in tmp_path.glob("*.itf.json"))
    assert written == ["plays.small.own_window.itf.json", "plays.small.resolves.itf.json"]
    for name in written:
        checked(json.loads(Path(name).read_text(encoding="utf-8")))
    assert run([*asked, "one.itf.json", "-p", "resolves"]) == 0
    assert Path("one.itf.json").read_text(encoding="utf-8") == Path(written[1]).read_text(
        encoding="utf-8"
    )
    assert run([*asked, "nowhere/plays.itf.json", "-p", "resolves"]) == 2
    assert "nowhere" in capfd.readouterr().err
