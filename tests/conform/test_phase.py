"""phase.rs, a living engine: its recorded games against Magic's rules, and itself where it is
installed.
"""

from __future__ import annotations

import json
import lzma
import random
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import stacklaw
from stacklaw.bench.phase.driving import dumps_of
from stacklaw.bench.phase.engine import CARDS, cards_in, new_game
from stacklaw.bench.phase.recorder import ASKED, recorded
from stacklaw.checker.conform.events import Dictionary, event_of
from stacklaw.checker.conform.logs import (
    Conformed,
    LogQuestion,
    behaves_as_if,
    conformed,
    read_waivers,
    waived_by,
)
from stacklaw.checker.conform.maps import mapped, read_map
from stacklaw.checker.conform.monitor import DeviationClass, ProgramMonitor
from stacklaw.checker.conform.proposing import proposed_map
from stacklaw.checker.conform.showing import edited_as
from stacklaw.checker.types.budget import Budget, Meter
from stacklaw.models import ir
from stacklaw.models.load import load_rules
from stacklaw.models.read import read_source
from stacklaw.models.source import Source

HERE = Path(__file__).parent / "phase"
ROOT = Path(__file__).parents[2]
GAMES = sorted(HERE.glob("*.xz"))
WITH_MANA = HERE / "rare" / "3_923.jsonl.xz"
WITH_MORE = HERE / "rare" / "2_7008.jsonl.xz"
MAGIC = load_rules(
    "mtg", {"length": "full", "flash": "yes", "split_second": "yes", "instructed": "casts"}
)
HIDDEN = ("trigger", "sba")
PHASE = read_map(read_source(str(ROOT / "models" / "maps" / "phase.toml")))
AFTER_A_RESOLUTION: DeviationClass = ("608.2", "priority", "priority")  # 117.3b
AFTER_A_CAST: DeviationClass = ("117.1a/a", "priority", "priority")  # 117.3c
BEFORE = {AFTER_A_RESOLUTION: ("choice", "another"), AFTER_A_CAST: ("act", "another")}
NO_ATTACKERS: DeviationClass = ("117.2c/a", "step", "priority")
FIRST_DRAW: DeviationClass = ("117.2c/b", "step", "step")
AFTER_MANA: DeviationClass = ("117.1d", "priority", "priority")  # 117.3c
SECOND_CLEANUP: DeviationClass = ("514.3a", "turn", "step")


def dumps_in(game: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(game, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def log_of_dumps(game: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    return recorded(islice(dumps_in(game), most), players=int(game.name[0]))


def judged(
    game: Path, most: int | None = None, program: ir.Program = MAGIC
) -> tuple[ProgramMonitor, Counter[DeviationClass]]:
    monitor = ProgramMonitor(program, None, HIDDEN)
    events = [event_of(one) for one in log_of_dumps(game, most)]
    found = [one for event in events for one in monitor.step_event(event)] + monitor.finish()
    assert {one.kind for one in found} <= {"deviation"}
    assert program is not MAGIC or all(
        BEFORE[one.of_class] in one.shown for one in found if one.of_class in BEFORE
    )
    assert monitor.tally.blind == 0
    assert monitor.tally.explained + len(found) == monitor.tally.windows
    return monitor, Counter(one.of_class for one in found)


@pytest.mark.parametrize("game", GAMES[::6], ids=lambda game: game.name)
def test_a_game_deviates_only_as_is_known(game: Path) -> None:
    _, found = judged(game, 300)
    assert set(found) <= {AFTER_A_RESOLUTION, AFTER_A_CAST, NO_ATTACKERS, FIRST_DRAW}


@pytest.mark.slow
def test_all_games_deviate_only_as_is_known() -> None:
    events, windows, found = 0, 0, Counter[DeviationClass]()
    for game in GAMES:
        monitor, more = judged(game)
        events, windows = events + monitor.tally.events, windows + monitor.tally.windows
        found += more
    assert (events, windows) == (77_214, 22_381)
    assert found == {AFTER_A_RESOLUTION: 137, AFTER_A_CAST: 6, NO_ATTACKERS: 418, FIRST_DRAW: 6}


def test_what_is_announced_is_no_choice_and_who_copies_a_spell_is_told_to() -> None:
    """A player who crews activates an ability, too. With rules that tell no player to cast a spell,
    no play explains the copy, and a spell that is cast as another resolves.
    """
    dumps = [*dumps_in(WITH_MORE)]
    assert "ModeChoice" in {dump["answers"] for dump in dumps}
    assert "KeywordAction" in {one["kind"] for dump in dumps for one in dump["stack"]}
    assert "SpellCopied" in {one["type"] for dump in dumps for one in dump["events"]}
    _, found = judged(WITH_MORE)
    assert found == {AFTER_A_RESOLUTION: 5, NO_ATTACKERS: 16, FIRST_DRAW: 1}
    without = load_rules("mtg", {"length": "full", "flash": "yes", "split_second": "yes"})
    _, more = judged(WITH_MORE, program=without)
    assert more - found == {("608.2", "act", "resolve"): 2}


def conformed_in(
    folder: Path, game: Path, most: int | None = None
) -> tuple[Conformed, LogQuestion]:
    log = folder / "phase.log"
    log.write_text("\n".join(map(json.dumps, log_of_dumps(game, most))), encoding="utf-8")
    asked = LogQuestion(
        None, frozenset(HIDDEN), waivers=read_waivers(read_source(str(HERE / "meant.toml")))
    )
    return conformed(MAGIC, log, asked), asked


@pytest.mark.slow
@pytest.mark.parametrize("edit", ["", "117.1d: passed stays as it is"])
def test_mana_between_two_passes_is_no_action(edit: str) -> None:
    """117.4: with one edit it is none in the rules either, and what follows in the same window is
    seen (508.2). Who has passed is asked again only where an ability that triggered on the mana
    is on the stack, and then 117.3c is broken before.
    """
    program = edited_as(MAGIC, edit) if edit else MAGIC
    _, found = judged(WITH_MANA, program=program)
    of_mana = {("117.3d/c", "resolve", "priority"): 6, ("117.3d/c", "step", "priority"): 6}
    assert found == {
        AFTER_A_RESOLUTION: 5,
        AFTER_MANA: 1,
        ("117.3d/c", "priority", "priority"): 1,
        SECOND_CLEANUP: 2,
        NO_ATTACKERS: 21 if edit else 20,
        **({} if edit else of_mana),
    }


def test_each_violation_is_named_at_its_first_event(tmp_path: Path) -> None:
    """And what the log has only before deviations of its class: a choice of another player."""
    found, asked = conformed_in(tmp_path, HERE / "2_2.jsonl.xz")
    first = {one.of_class: one for one in reversed(found.found) if one.waiver < 0}
    assert {of: (one.number, one.turn) for of, one in first.items()} == {
        AFTER_A_RESOLUTION: (82, 2),
        AFTER_A_CAST: (2315, 27),
    }
    assert {of: found.apart(of) for of in BEFORE} == BEFORE
    assert found.deviations == 15
    assert all(waived_by(asked.waivers, one) >= 0 for one in found.found if one.waiver >= 0)


@pytest.mark.slow
def test_the_edits_that_explain_117_3c_are_named(tmp_path: Path) -> None:
    """No nonactive player casts another instant in this game: an edit of casting does it, too."""
    found, asked = conformed_in(tmp_path, HERE / "2_2.jsonl.xz")
    found.classes = Counter({AFTER_A_CAST: found.classes[AFTER_A_CAST]})
    assert behaves_as_if(MAGIC, [found], asked, Meter(Budget())) == {
        AFTER_A_CAST: "It behaves as if the rules had one of these edits: "
        "117.1a/a: go check(active), not (holder); or 117.5/triggers: go check(active), not (next)."
    }


@pytest.mark.slow
def test_117_3c_is_broken_as_by_one_slip() -> None:
    """By which all six are right, and one cast more is wrong: there the engine goes another way,
    since the mana for it makes an ability trigger, too. To give the active player priority after
    each instant explains much less: others cast many on which nothing triggers.
    """
    known = Counter({AFTER_A_RESOLUTION: 137, NO_ATTACKERS: 418, FIRST_DRAW: 6})
    more = [
        sum((judged(game, program=edited_as(MAGIC, edit))[1] for game in GAMES), Counter()) - known
        for edit in (
            "117.5/triggers: go check(active), not (next)",
            "117.1a/a: go check(active), not (holder)",
        )
    ]
    assert more[0] == {("117.3d/c", "look", ""): 1}
    assert more[1].total() > 15


def dump(answers: str, action: str, *events: Any, prompt: str = "Priority") -> dict[str, Any]:
    lying = [{"id": 9, "controller": 0, "kind": "KeywordAction"}]
    return {
        "actor": 0, "answers": answers, "action": {"type": action}, "phase": "Upkeep", "active": 0,
        "events": [{"type": name, "data": data} for name, data in events],
        "prompt": {"type": prompt, "player": 0}, "stack": lying,
    }  # fmt: skip


MANA = ("AbilityActivated", {"kind": "Mana", "player_id": 0})


@pytest.mark.parametrize(
    ("dumps", "shown"),
    [
        (
            [dump("ManaPayment", "PassPriority", ("SpellCast", {"object_id": 1, "controller": 0}))],
            [{"event": "act", "by": 0}],
        ),
        ([dump("ManaPayment", "ActivateAbility", MANA, prompt="ManaPayment")], []),
        (
            [dump("Priority", "ActivateAbility", MANA)],
            [{"event": "act", "by": 0, "clause": "117.1d"}],
        ),
        (
            [
                dump("Priority", "CastSpell", prompt="ManaPayment"),
                dump("ManaPayment", "CancelCast"),
            ],
            [],
        ),
        (
            [dump("CrewVehicle", "CrewVehicle", ("StackPushed", {"object_id": 9}))],
            [{"event": "act", "by": 0, "kind": "ability"}],
        ),
        (
            [dump("Priority", "ActivateNinjutsu", MANA, ("NinjutsuActivated", {"player_id": 0}))],
            [{"event": "act", "by": 0, "kind": "ability"}],
        ),
        (
            [dump("Priority", "Foretell", MANA, ("Foretold", {"player_id": 0}))],
            [{"event": "act", "by": 0, "clause": "117.1c/a"}],
        ),
    ],
)
def test_what_is_announced_and_paid_for_is_one_act(
    dumps: list[dict[str, Any]], shown: list[dict[str, Any]], tmp_path: Path
) -> None:
    dumps = [*dumps, dump("Priority", "PassPriority")]
    log = [*recorded(dumps, 2)]
    others = [one for one in log if one["event"] not in ("players", "priority", "look")]
    assert others == [*shown, {"event": "pass", "by": 0}]
    raw = tmp_path / "raw.jsonl"
    raw.write_text("\n".join(map(json.dumps, dumps)), encoding="utf-8")
    assert [event for _, event in mapped(PHASE, raw)] == [event_of(one) for one in log[1:]]


@pytest.mark.parametrize("game", [*GAMES, WITH_MANA, WITH_MORE], ids=lambda game: game.name)
def test_the_map_says_what_the_recorder_says(game: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.jsonl"
    raw.write_bytes(lzma.decompress(game.read_bytes()))
    assert PHASE.hidden == set(HIDDEN)
    assert [event for _, event in mapped(PHASE, raw)] == [
        event_of(one) for one in islice(log_of_dumps(game), 1, None)
    ]


def test_the_map_has_the_prompts_of_the_recorder() -> None:
    text = (ROOT / "models" / "maps" / "phase.toml").read_text(encoding="utf-8")
    (choices,) = (one for one in tomllib.loads(text)["line"] if "answers" in one.get("unless", {}))
    assert choices["unless"]["answers"] == [*ASKED]


def test_a_map_is_proposed(tmp_path: Path) -> None:
    """Its steps, turns and priorities are those of the map, and all its events are events."""
    raw = tmp_path / "raw.jsonl"
    raw.write_bytes(lzma.decompress(GAMES[0].read_bytes()))
    proposed = read_map(Source("map", proposed_map(MAGIC, raw)))
    assert {word for word, step in PHASE.names.items() if proposed.names[word] != step} == {
        "CombatDamageAgain"
    }
    found = Counter(event for _, event in mapped(proposed, raw))
    right = Counter(event for _, event in mapped(PHASE, raw) if event.name in ("turn", "priority"))
    assert right
    assert not right - found
    names = Dictionary(MAGIC, 2)
    for event in found:
        names.check(event)


def test_a_monitor_reads_by_a_map() -> None:
    text = (ROOT / "models" / "maps" / "phase.toml").read_text(encoding="utf-8")
    set_ = {"length": "full", "flash": "yes", "split_second": "yes"}
    monitor = stacklaw.Monitor("mtg", players=2, set=set_, map=text)
    found = [one for dump in islice(dumps_in(GAMES[0]), 300) for one in monitor.step(dump)]
    _, known = judged(GAMES[0], 300)
    assert Counter(one.of_class for one in found + monitor.finish()) == known


# ------------------------------------------------------------------ itself


def test_it_plays_what_is_recorded() -> None:
    pytest.importorskip("phase", reason="phase-python is not installed")
    game = new_game(cards_in(CARDS), 3, 12)
    played = [*dumps_of(game, random.Random(12), 0.6, 200)]
    assert played == [*islice(dumps_in(HERE / "3_12.jsonl.xz"), 200)]


def test_the_page_shows_what_it_does() -> None:
    pytest.importorskip("phase", reason="phase-python is not installed")
    page = (ROOT / "docs" / "findings-phase.md").read_text(encoding="utf-8")
    script, shown = re.findall(r"```(?:python|text)\n(.*?)```", page, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == shown
