"""Maps of foreign logs: what they say, and what is told of those that say nothing or too much."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest

from stacklaw.checker.conform.events import EventError, LogEvent, made
from stacklaw.checker.conform.maps import LogMap, MapReading, mapped, read_map
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import InputError
from stacklaw.models.source import Source

PASS = '[[line]]\nwhen = { what = "pass" }\nsay = { event = "pass", by = "@who" }\n'
HOSTILE_MAPS = [
    "",
    "[[line]",
    "line = 1",
    "line = [1]",
    "say = 1",
    "[[line]]",
    "[[line]]\nsay = 1",
    "[[line]]\nsay = []\neach = 3",
    '[[line]]\nsay = { event = "passes" }',
    '[[line]]\nsay = { event = "@what" }',
    '[[line]]\nsay = { event = "pass", by = 99 }',
    '[[line]]\nsay = { event = "pass", whom = "@a" }',
    '[[line]]\nsays = { event = "pass" }',
    '[[line]]\nwhen = { a = { b = { c = 1 } } }\nsay = { event = "pass" }',
    PASS + '[[item]]\nis = 3',
    PASS + '[[item]]\nkind = "spell"',
    "names = 3\n" + PASS,
    "names = { a = 3 }\n" + PASS,
    'order = ["no such event"]\n' + PASS,
    'hide = ["look"]\n' + PASS,
    "seats = 1\n" + PASS,
    "mixed = 1\n" + PASS,
    "a" * 100_000,
    "a." * 100_000 + "b = 1",
    '[[line]]\nsay = { event = "pass", by = 1979-05-27 }',
    f"seats = [0x{'f' * 20_000}]\n" + PASS,
    f'[[line]]\nsay = {{ event = "pass", by = "@a[id={"9" * 5_000}]" }}',
    f'[[line]]\nsay = {{ event = "pass", by = "@{"a" * 100_000}[" }}',
    "x = " + "[" * 5_000,
]  # fmt: skip


def map_of(text: str) -> LogMap:
    return read_map(Source("engine.toml", text))


def events(text: str, *lines: object) -> list[LogEvent]:
    reading = MapReading(map_of(text))
    return [event for line in lines for event in reading.events(line)]


@pytest.mark.parametrize("text", HOSTILE_MAPS, ids=[text[:40] for text in HOSTILE_MAPS])
def test_what_is_no_map_is_told(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log = tmp_path / "engine.toml", tmp_path / "a.log"
    file.write_text(text, encoding="utf-8")
    log.write_text('{"what": "pass", "who": "A"}\n', encoding="utf-8")
    assert run(["conform", "mtg", str(log), "--map", str(file)]) == Exit.WRONG_INPUT
    said = capsys.readouterr().err
    assert "error L116" in said
    assert "engine.toml" in said
    assert len(said) < 2_000


LIES = [
    ('{"what": "pass", "who": "Z9"}', "is no player"),
    ('{"what": "pass", "who": {"seat": 1}}', "is no player"),
    ('{"what": "pass", "who": ["A", "B"]}', "is no player"),
    ('{"what": "pass", "who": "C"}', "There is no player C"),
    ('{"what": "pass", "what": "pass"}', "says a field twice"),
    ('{"what": "pass"', "it is no JSON"),
    ("[" * 100_000, "nested too deeply"),
    ('"' + "x" * (1 << 21) + '"', "more than 1,048,576 bytes"),
]


@pytest.mark.parametrize(("line", "wrong"), LIES, ids=[wrong for _, wrong in LIES])
def test_a_line_that_does_not_fit_the_map_is_told_with_its_place(
    line: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log = tmp_path / "engine.toml", tmp_path / "a.log"
    file.write_text(PASS, encoding="utf-8")
    log.write_text('{"what": "other"}\n' + line + "\n", encoding="utf-8")
    assert run(["conform", "mtg", str(log), "--map", str(file)]) == Exit.WRONG_INPUT
    said = capsys.readouterr().err
    assert "a.log:2:1: error L113" in said
    assert wrong in " ".join(said.split())
    assert "internal error" not in said


def test_a_line_of_any_depth_is_refused_with_its_place(tmp_path: Path) -> None:
    """What is just not too deep to be read may be too deep to be compared, or shown."""
    log, maps = tmp_path / "a.log", [PASS, "seats = [1]\n" + PASS]
    maps += [PASS.replace('"@who"', '"@who[id=what]"')]
    for depth in range(100, 1_000, 3):
        deep = f"{'[' * depth}{']' * depth}"
        log.write_text(f'{{"what": ["pass", {deep}], "who": [{{"id": {deep}}}]}}', encoding="utf-8")
        for by in map(map_of, maps):
            with suppress(InputError):
                list(mapped(by, log))


def test_a_thing_is_found_in_long_lists_at_once() -> None:
    by = PASS.replace('"@who"', '"@who[id=ids].seat"')
    who = [{"id": number, "seat": "A"} for number in range(-50_000, 1)]
    line = {"what": "pass", "who": who, "ids": [*range(50_000)]}
    begun = process_time()
    (event,) = events(by, line)
    assert process_time() - begun < 5
    assert event.get("by") == 0


def test_no_more_is_kept_of_a_thing_than_can_be_said() -> None:
    by = '[[keep]]\nof = "things"\nby = "id"\n' + PASS
    lines = [{"things": [{"id": 1, f"field {number}": number}]} for number in range(2_000)]
    with pytest.raises(EventError, match="more than 1,000 fields"):
        events(by, *lines)


def test_a_map_of_another_log_is_told(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text('{"type": "pass"}\n' * 5, encoding="utf-8")
    with pytest.raises(InputError, match=r"no line of .* is an event"):
        list(mapped(map_of(PASS), log))


def test_paths() -> None:
    """Of a thing, of the whole line, through lists, and of what another path names."""
    text = """
        seats = [3, 5]
        [names]
        Instant = "instant"
        [[item]]
        when = { types = "Instant" }
        is = "instant"
        [[item]]
        is = "sorcery"
        [[line]]
        each = "made.events"
        when = { type = ["Cast", "Copy"], "^on" = true }
        unless = { "^made.events.type" = "Undo" }
        say = { event = "act", by = "@^who", kind = "@^pile[id=of]" }
        [[line]]
        say = { event = "look", holder = "@who", stack = "@pile" }
    """
    cast = {"type": "Cast", "of": 8}
    pile = [
        {"id": 7, "types": [], "controller": 3},
        {"id": 8, "types": ["Instant"], "controller": 5},
    ]
    line = {"on": True, "who": 5, "pile": pile, "made": [{"events": [cast, {"type": "Draw"}]}]}
    look = made("look", stack=((0, "sorcery"), (1, "instant")), holder=1)
    assert events(text, line) == [made("act", by=1, kind="instant"), look]
    undone = {**line, "made": {"events": [cast, {"type": "Undo"}]}}
    assert events(text, undone) == [look]
    assert events(text, {**line, "on": False}, {}, [], 3, None)[1:] == [made("look")] * 3


def test_what_comes_together_is_put_in_order(tmp_path: Path) -> None:
    """And never is more held back than has a bound."""
    text = 'mixed = true\norder = ["choice", "resolve"]\n' + "".join(
        f'[[line]]\nwhen = {{ a = "{name}" }}\nsay = {{ event = "{name}" }}\n'
        for name in ("resolve", "choice", "pass")
    )
    log = tmp_path / "a.log"
    said = ["resolve", "choice", "pass", "resolve"]
    log.write_text("noise\n".join(json.dumps({"a": one}) + "\n" for one in said), encoding="utf-8")
    found = [(line, event.name) for line, event in mapped(map_of(text), log)]
    assert found == [(3, "choice"), (1, "resolve"), (5, "pass"), (7, "resolve")]
    log.write_text('{"a": "resolve"}\n' * 1_000, encoding="utf-8")
    first = next(iter(mapped(map_of(text), log)))
    assert first[0] == 1
    assert len([*mapped(map_of(text), log)]) == 1_000


HOSTILE_LOGS = [
    b"",
    b"\n\n",
    b"\xff\xfe\x00",
    b"noise\n[]\n3\n",
    b"[" * 100_000,
    b"x" * (1 << 21),
    b'{"a": ' * 50_000,
]


@pytest.mark.parametrize("text", HOSTILE_LOGS, ids=range(len(HOSTILE_LOGS)))
def test_of_what_is_no_log_no_map_is_proposed(
    text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(text)
    assert run(["conform", "mtg", str(log), "--init-map"]) == Exit.WRONG_INPUT
    assert "error L116" in capsys.readouterr().err


def test_a_proposal_is_a_map_whatever_the_log_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    odd = {
        "type": 'Cast "\n]] = \u2028 \ud800 \U0001f600',
        "a.b": {"type": "turn start\\"},
        "seat": 1,
        "phase": "x\x7f\n",
    }
    deep: dict[str, object] = {"type": "pass"}
    for _ in range(200):
        deep = {"in": deep, "list": [{"type": "phase"}]}
    log.write_text(f"noise\n{json.dumps(odd)}\n{json.dumps(deep)}\n", encoding="utf-8")
    assert run(["conform", "mtg", str(log), "--init-map"]) == Exit.OK
    by = map_of(capsys.readouterr().out)
    assert by.is_mixed
    assert [event.name for _, event in mapped(by, log)]


def test_a_map_is_soon_proposed_for_a_log_of_many_things(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each has another name, another player, and another step; or all are in one."""
    log = tmp_path / "a.log"
    things = [
        {"type": f"cast {number}", "player": number, "phase": f"main {number}"}
        for number in range(10_000)
    ]
    one = {str(number): {"type": f"cast {number}", "who": 1} for number in range(10_000)}
    log.write_text(f"{json.dumps({'list': things})}\n{json.dumps(one)}\n", encoding="utf-8")
    begun = process_time()
    assert run(["conform", "mtg", str(log), "--init-map"]) == Exit.OK
    assert process_time() - begun < 8
    assert len(map_of(capsys.readouterr().out).lines) == 60


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        (["bob", "alice"], 'seats = ["bob", "alice"]  # in turn order?'),
        ([2, 1], "seats = [2, 1]  # in turn order?"),
        ([1, 0], ""),
        (["B", "A"], ""),
    ],
)
def test_what_a_log_calls_its_players_is_proposed(
    names: list[str | int], seats: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    lines = [{"type": "Pass", "by": {"player": one}} for one in names]
    log.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    assert run(["conform", "mtg", str(log)]) == Exit.WRONG_INPUT
    assert "`--init-map` proposes one" in capsys.readouterr().err
    assert run(["conform", "mtg", str(log), "--init-map"]) == Exit.OK
    said = capsys.readouterr().out
    assert [one for one in said.splitlines() if "seats" in one] == [seats] * bool(seats)
    assert [event.get("by") for _, event in mapped(map_of(said), log)]


def test_a_log_that_has_nothing_to_judge_is_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    log.write_text("", encoding="utf-8")
    assert run(["conform", "mtg", str(log)]) == Exit.UNDECIDED
    assert "0 deviations, nothing to judge." in capsys.readouterr().out
