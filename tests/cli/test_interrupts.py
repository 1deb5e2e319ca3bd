"""Ctrl-C and SIGTERM: at any moment, the command ends soon, tells what was found, and leaves no
process behind.

How soon is measured here only against what took much longer: a busy machine takes its time.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stacklaw.checker.process.interrupts import Interrupts
from stacklaw.checker.prover.proof_file import proofs_beside
from stacklaw.checker.reference.engine import Reference
from stacklaw.checker.types.budget import INTERRUPTED, Budget, BudgetSpentError, Meter, Tuning
from stacklaw.checker.types.scope import scope_of
from stacklaw.checker.types.verdict import Outcome
from stacklaw.cli.asking import ask as asking
from stacklaw.cli.output.exits import Exit
from stacklaw.models.load import load, load_game
from stacklaw.models.shipped import game_source
from stacklaw.properties.load import property_named
from stacklaw.reports.telling.record import make_record

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="signals and /proc are those of Linux"
)
SOON = 30
"""This many seconds are soon on a machine that is busy with other tests; before, these took more
than a minute, or did not end at all.
"""


def begun(*arguments: str, cache: Path | None = None) -> subprocess.Popen[str]:
    """Begin a command, in a session of its own, that does not ignore Ctrl-C as what runs in the
    background does.

    What others have kept makes it begin sooner; with a *cache* of its own it does all work itself.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "stacklaw", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ if cache is None else {**os.environ, "STACKLAW_CACHE": str(cache)},
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def below(process: int) -> list[int]:
    """Return the processes that *process* has begun, and those that these have."""
    try:
        children = [
            int(child)
            for child in Path(f"/proc/{process}/task/{process}/children")
            .read_text(encoding="ascii")
            .split()
        ]
    except OSError:
        return []
    return [one for child in children for one in (child, *below(child))]


def is_alive(process: int) -> bool:
    try:
        return (
            Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            not in "ZX"
        )
    except OSError:
        return False


def takes_signals(process: int) -> bool:
    """Whether a process has come to our first line, from which on signals are taken."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False


def waits_for_signals(running: subprocess.Popen[str]) -> bool:
    """Wait until *running* has come there; return False if it ended before."""
    while not takes_signals(running.pid):
        if running.poll() is not None:
            return False
        time.sleep(0.001)
    return True


LONG = ["--players", "4", "--stack", "6"]
COMMANDS = {
    "search": ["check", "stack", *LONG, "--engine", "explicit"],
    "reference": ["check", "stack", *LONG, "--engine", "reference"],
    "proof": ["check", "fow", "--prove", "-p", "FOW-38", "-p", "FOW-8.2d", "--players", "2"],
    "coverage": ["coverage", "mtg", "--players", "4"],
    "compare": ["compare", "--players", "4"],
    "json": ["check", "stack", *LONG, "--format", "json"],
    "readings": ["check", "stack", *LONG, "--all-readings"],
}


@pytest.mark.parametrize(
    ("name", "seconds", "number"),
    [
        ("search", 0.0, signal.SIGINT),
        ("search", 0.1, signal.SIGTERM),
        ("search", 0.3, signal.SIGINT),
        ("search", 0.6, signal.SIGTERM),
        ("reference", 1, signal.SIGINT),
        ("proof", 2, signal.SIGINT),
        ("proof", 2, signal.SIGTERM),
        ("coverage", 1, signal.SIGTERM),
        ("json", 1, signal.SIGTERM),
        ("readings", 3, signal.SIGINT),
        ("readings", 3, signal.SIGTERM),
    ],
)
@pytest.mark.slow
def test_a_signal_ends_a_command(
    name: str, seconds: float, number: signal.Signals, tmp_path: Path
) -> None:
    """Each command by one signal; both reach the same handler, and what it started where it started
    most.
    """
    with begun(*COMMANDS[name], cache=tmp_path if name == "proof" else None) as running:
        assert waits_for_signals(running)
        time.sleep(seconds)
        children = below(running.pid)
        if running.poll() is not None:
            pytest.skip("the command was done before")
        sent = time.monotonic()
        running.send_signal(number)
        out, err = running.communicate()
        assert time.monotonic() - sent < SOON
    assert running.returncode == (
        Exit.INTERRUPTED if number == signal.SIGINT else Exit.TERMINATED
    ), err
    assert "Traceback" not in err
    assert "interrupted" in out + err
    time.sleep(0.2)
    assert not [child for child in children if is_alive(child)]
    if name == "json" and out:
        assert json.loads(out)["exit_code"] == running.returncode


@pytest.mark.slow
def test_prove_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    rules, proofs = tmp_path / "fow.rules", tmp_path / "fow.proofs"
    rules.write_text(game_source("fow").text, encoding="utf-8")
    with begun(
        "prove", str(rules), "-p", "lifo", "-p", "FOW-38", cache=tmp_path / "cache"
    ) as running:
        while len(below(running.pid)) < 1 and running.poll() is None:
            time.sleep(0.01)
        time.sleep(2)
        children = below(running.pid)
        if running.poll() is not None:
            pytest.skip("the command was done before")
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=4 * SOON)
    assert running.returncode == Exit.INTERRUPTED, err
    assert "Traceback" not in err
    assert "interrupted" in out + err
    time.sleep(0.2)
    assert not [child for child in children if is_alive(child)]
    assert {path.name for path in tmp_path.iterdir()} <= {"fow.rules", "fow.proofs", "cache"}
    if proofs.exists():
        found = proofs_beside(str(rules), load(game_source("fow"), {}))
        assert found is not None
        assert not found.wrong


@pytest.mark.slow
def test_prove_ends_while_it_searches(tmp_path: Path) -> None:
    rules = tmp_path / "stack.rules"
    rules.write_text(
        re.sub(r"(?m)^scope .*$", "scope players 4, stack 6", game_source("stack").text),
        encoding="utf-8",
    )
    with begun("prove", str(rules), cache=tmp_path / "cache") as running:
        assert waits_for_signals(running)
        time.sleep(2)
        assert running.poll() is None
        sent = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
        assert time.monotonic() - sent < SOON
    assert running.returncode == Exit.INTERRUPTED, err
    assert err.strip() == "interrupted"
    assert not (tmp_path / "stack.proofs").exists()


def test_a_signal_while_modules_are_imported_ends_the_command() -> None:
    for wait in (0.0, 0.05):
        # One that takes long: what is soon done may end before anybody looks.
        with begun(*COMMANDS["search"]) as running:
            assert waits_for_signals(running)
            time.sleep(wait)
            running.send_signal(signal.SIGINT)
            _, err = running.communicate()
        assert running.returncode == Exit.INTERRUPTED, err
        assert err.strip() == "interrupted"


@pytest.mark.parametrize(
    ("called", "ends", "says"),
    [("/usr/bin/stacklaw", Exit.INTERRUPTED, "interrupted\n"), ("other", 7, "")],
)
def test_a_signal_before_the_first_import_ends_a_command_and_only_that(
    called: str, ends: int, says: str
) -> None:
    """A library leaves signals to the program that uses it."""
    lines = [
        f"import sys; sys.argv[0] = {called!r}",
        "import stacklaw, os",
        "try:",
        "    os.kill(os.getpid(), 2)",
    ]
    lines += ["    import time; time.sleep(9)", "except KeyboardInterrupt:", "    sys.exit(7)"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        ended = subprocess.run(
            [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert (ended.returncode, ended.stderr) == (ends, says)


def test_a_signal_that_does_not_wake_the_main_thread_ends_a_prompt() -> None:
    """As one does that comes right before the prompt waits for a key."""
    code = """
import ctypes, signal, sys
from stacklaw.checker.process.interrupts import INTERRUPTS
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
INTERRUPTS.begin()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
try:
    with INTERRUPTS.raised():
        print("waits", flush=True)
        ctypes.CDLL(None).poll(None, 0, 60_000)
except KeyboardInterrupt:
    INTERRUPTS.finish()
    sys.exit(INTERRUPTS.asked)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == b"waits\n"
        time.sleep(0.3)
        waiting.terminate()
        try:
            assert waiting.wait(SOON) == signal.SIGTERM
        finally:
            waiting.kill()


def test_what_waits_is_raised_when_what_is_told_is_told() -> None:
    interrupts = Interrupts()
    told: list[str] = []

    def tell() -> None:
        with interrupts.undisturbed():
            with interrupts.undisturbed():
                interrupts._note_signal(signal.SIGTERM, None)
            told.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        tell()
    assert told == ["all of it"]
    assert interrupts.asked == signal.SIGTERM
    with pytest.raises(KeyboardInterrupt):
        interrupts.check()


def test_a_signal_while_something_is_told_does_not_lose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """All verdicts were there, and a Ctrl-C before they were printed left the word
    `interrupted`.
    """
    interrupts = Interrupts()
    monkeypatch.setattr(asking, "INTERRUPTS", interrupts)

    def signalled(*arguments: Any, **rest: Any) -> Any:
        interrupts._note_signal(signal.SIGINT, None)
        return make_record(*arguments, **rest)

    monkeypatch.setattr(asking, "make_record", signalled)
    record = asking.ask("zx", asking.Asked(Budget(), Tuning(), ("response_window",), unread=True))
    assert record.interrupted
    assert record.rows[0].outcome in ("HOLDS", "PROVED", "VIOLATED")
    assert asking.exit_of(record) in (Exit.INTERRUPTED, Exit.TERMINATED)


def test_nothing_is_said_of_an_interrupt_that_python_swallows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "__unraisablehook__", told.append)
    interrupts = Interrupts()
    swallowed, another = (
        SimpleNamespace(exc_type=KeyboardInterrupt),
        SimpleNamespace(exc_type=ValueError),
    )
    for what in (swallowed, another):
        interrupts._unraisable(what)
    interrupts.asked = signal.SIGTERM
    for what in (swallowed, another):
        interrupts._unraisable(what)
    assert told == [swallowed, another, another]


def test_a_first_one_waits_though_the_watcher_has_seen_it_before() -> None:
    interrupts = Interrupts()
    with interrupts.kept():
        interrupts.asked = signal.SIGINT
        interrupts._note_signal(signal.SIGINT, None)
    assert interrupts._is_heeded


def test_a_second_one_does_not_wait() -> None:
    interrupts = Interrupts()

    def tell() -> None:
        with interrupts.undisturbed():
            interrupts._note_signal(signal.SIGINT, None)
            interrupts._note_signal(signal.SIGINT, None)
            pytest.fail("the second one waits")

    with pytest.raises(KeyboardInterrupt):
        tell()


def test_whoever_holds_signals_gets_them() -> None:
    interrupts = Interrupts()
    held: list[int] = []
    interrupts.holder = lambda number, _: held.append(number)
    interrupts._note_signal(signal.SIGINT, None)
    assert held == [signal.SIGINT]
    interrupts.finish()
    interrupts._note_signal(signal.SIGINT, None)
    assert held == [signal.SIGINT]


def test_a_hurried_search_has_a_moment_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exploration that was interrupted left as much to decide as it had found, and that took as
    long as it liked.
    """
    now = 0.0
    monkeypatch.setattr("stacklaw.checker.types.budget.monotonic", lambda: now)
    meter = Meter()
    meter.hurry()
    meter.count(0, 1)
    now = 1.0
    assert meter.is_up
    with pytest.raises(BudgetSpentError, match=INTERRUPTED):
        meter.count(0, 1)
    program = load_game("mtg")
    asked = [property_named(program, name) for name in ("lifo", "response_window")]
    assert [
        found.outcome
        for found, _ in Reference().decide(program, asked, scope_of(program, 2, 2, {}), meter)
    ] == [Outcome.UNKNOWN] * 2
