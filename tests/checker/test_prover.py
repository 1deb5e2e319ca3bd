"""What holds within a scope is tried for every size, within a budget, by processes that may die;
what came of it is kept.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from stacklaw.checker.process.serving import Reply, answered
from stacklaw.checker.prover.kept import Attempt
from stacklaw.checker.prover.prover import (
    ELSEWHERE,
    NEEDED,
    NOT_TRIED,
    OPEN,
    Attempts,
    ProofBudget,
    Prover,
)
from stacklaw.checker.prover.request import NODES
from stacklaw.checker.prover.worker import Children
from stacklaw.checker.prover.workers import COMMAND, Workers, replies
from stacklaw.checker.run.check import check
from stacklaw.checker.types.budget import INTERRUPTED, Budget, Meter, OnProgress, Progress, nobody
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.properties.load import catalogue_for, property_named

from ..rulesets import ONE_PASS

CLAIMS = """
claims
  holds       lifo
  holds       single_holder
  impossible  both "two players have priority at once"
    for some player p, player q: possible (p has priority and q has priority and p is not q)
  holds       response_window
  holds       silent "what is removed was put by the active player"
    for every item i: always (i is removed implies controller of i is active)
  holds       few "there are never many items"
    always size of stack < 3
"""
GAME = load(Source("one_pass.rules", ONE_PASS + CLAIMS))
LARGE = ProofBudget(60_000_000)


def asked(
    prover: Prover | None,
    *names: str,
    budget: Budget | None = None,
    on_progress: OnProgress = nobody,
) -> list[Verdict]:
    questions = [
        property_named(GAME, name)
        for name in names or ("lifo", "single_holder", "both", "response_window")
    ]
    return check(GAME, questions, make_scope(GAME), budget, on_progress, prover=prover)


def worker(code: str) -> tuple[str, ...]:
    """Return the command of a worker that first runs *code*, which finds modules where the worker
    does.
    """
    return (
        *COMMAND[:3],
        f"import json, sys; sys.path[:] = json.loads(sys.argv[1])\n{code}\n{COMMAND[3]}",
        *COMMAND[4:],
    )


@pytest.mark.slow
def test_what_holds_is_proved_and_what_does_not_is_not_tried(tmp_path: Path) -> None:
    found = asked(
        Prover(LARGE, tmp_path), "lifo", "single_holder", "both", "response_window", "silent"
    )
    outcomes = [verdict.outcome for verdict in found]
    assert outcomes == [
        Outcome.PROVED,
        Outcome.PROVED,
        Outcome.IMPOSSIBLE,
        Outcome.VIOLATED,
        Outcome.VACUOUS,
    ]
    for verdict in found[:3]:
        assert verdict.proof is not None
        assert verdict.engine == "symbolic"
        assert verdict.proof.certificate.startswith("; stacklaw certificate")
        assert verdict.proof.obligations == verdict.proof.certificate.count("(check-sat)") > 0
        assert verdict.proof.forgets
    for verdict in found[3:]:
        assert (verdict.proof, verdict.unproved) == (None, "")


def test_without_a_prover_nothing_is_proved() -> None:
    assert next((verdict.outcome, verdict.unproved) for verdict in asked(None)) == (
        Outcome.HOLDS,
        "",
    )


@pytest.mark.slow
def test_a_proof_is_not_sought_twice(tmp_path: Path) -> None:
    first = asked(Prover(LARGE, tmp_path))
    again = asked(Prover(LARGE, tmp_path, command=(sys.executable, "-c", "raise SystemExit(1)")))
    assert again == first
    elsewhere = asked(
        Prover(LARGE, tmp_path / "new", command=(sys.executable, "-c", "raise SystemExit(1)"))
    )
    assert [verdict.outcome for verdict in elsewhere[:2]] == [Outcome.HOLDS, Outcome.HOLDS]


@pytest.mark.slow
def test_a_kept_proof_that_was_changed_is_sought_again(tmp_path: Path) -> None:
    (first,) = asked(Prover(LARGE, tmp_path), "lifo")
    for file in tmp_path.iterdir():
        file.write_bytes(file.read_bytes()[:-1] + b"!")
    (again,) = asked(Prover(LARGE, tmp_path), "lifo")
    assert again == first


@pytest.mark.slow
def test_the_answer_does_not_depend_on_how_many_look_for_it(tmp_path: Path) -> None:
    one, two = (asked(Prover(LARGE, tmp_path / str(number), number)) for number in (1, 2))
    assert one == two


@pytest.mark.parametrize("workers", [1, 2])
def test_proofs_begin_while_the_search_goes_on(workers: int, tmp_path: Path) -> None:
    """By all processors but the one that searches."""
    answering = (
        "import sys\n"
        "while size := sys.stdin.buffer.read(8):\n"
        "    sys.stdin.buffer.read(int.from_bytes(size, 'big'))\n"
        f"    print({json.dumps(answered(NODES, Attempt(None, 'too hard', 1)))!r}, flush=True)\n"
    )
    prover = Prover(LARGE, tmp_path, workers, (sys.executable, "-c", answering))
    with closing(prover.begin_attempts(GAME, Meter())) as attempts:
        attempts.add(property_named(GAME, "lifo"))
        attempts.add(property_named(GAME, "single_holder"))
        until = monotonic() + 30
        while workers > 1 and len(attempts.new) < 2 and monotonic() < until:
            sleep(0.01)
            attempts.go_on()
        assert [attempt.reason for _, attempt in sorted(attempts.new.items())] == [
            "too hard"
        ] * 2 * (workers - 1)
        assert [attempt.reason for attempt in attempts.answers()] == ["too hard"] * 2


def test_proofs_go_on_whenever_a_search_tells_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone_on: list[bool] = []
    is_telling: list[bool] = []
    check_meter = Meter.check

    def check_each_time(meter: Meter, *told: Any) -> None:
        meter._told = 0.0  # or it tells ten times a second, which this search does not take
        is_telling.append(True)
        check_meter(meter, *told)
        is_telling.pop()

    monkeypatch.setattr(Meter, "check", check_each_time)
    monkeypatch.setattr(Attempts, "go_on", lambda _: gone_on.append(bool(is_telling)))
    asked(Prover(LARGE, tmp_path))
    assert any(gone_on)


@pytest.mark.slow
def test_a_budget_that_is_spent_leaves_the_rest_untried(tmp_path: Path) -> None:
    found = asked(Prover(ProofBudget(60_000_000, 1), tmp_path))[:3]
    (proved,) = (verdict for verdict in found if verdict.proof)
    assert {verdict.unproved for verdict in found if verdict is not proved} == {NOT_TRIED}
    assert len(list(tmp_path.iterdir())) == 1
    names = ("both", "response_window", "single_holder", "lifo")
    assert proved in asked(
        Prover(ProofBudget(60_000_000, 1), tmp_path / "new"), *names
    )  # in any order
    asked(Prover(LARGE, tmp_path))
    assert [
        verdict.outcome for verdict in asked(Prover(ProofBudget(60_000_000, 1), tmp_path))[:2]
    ] == [Outcome.PROVED, Outcome.PROVED]


_STATED = (
    "import sys, stacklaw.checker.prover.handler as e\n"
    "e._proof = lambda asked: e.Attempt(None, 'too hard', len(asked.question.text) * 1000)\n"
)
"""A worker for which each question costs what its length says."""


@pytest.mark.parametrize("most", [None, 900_000, 1])
def test_what_a_question_gets_does_not_depend_on_the_order_of_the_claims(
    most: int | None, tmp_path: Path
) -> None:
    """Nor on how many look for proofs, nor on which answers are kept."""
    questions = [
        property_named(GAME, name)
        for name in ("both", "silent", "few", *(one.name for one in catalogue_for(GAME)))
    ]
    questions = [question for question in questions if question.mode in ("always", "possible")]
    code = f"import sys, json; sys.path[:] = json.loads(sys.argv[1])\n{_STATED}"
    told = set()
    for number in range(20):
        Random(number).shuffle(questions)
        prover = Prover(
            ProofBudget(7_000, most), tmp_path / str(number % 7), 1 + number % 2, worker(code)
        )
        attempts = prover.attempt(GAME, questions, Meter())
        told.add(
            frozenset(
                (one.name, attempt.reason) for one, attempt in zip(questions, attempts, strict=True)
            )
        )
    (reasons,) = told
    tried = sum(reason == "too hard" for _, reason in reasons)
    assert tried == {None: len(questions), 1: 1}.get(most, tried)
    assert most is None or tried < len(questions)


@pytest.mark.slow
def test_what_a_question_gets_does_not_depend_on_the_others(tmp_path: Path) -> None:
    """Alone each gets what it gets among all, with nothing kept."""
    names = ("lifo", "single_holder", "both", "silent", "few")
    together = asked(Prover(folder=tmp_path / "all"), *names)
    assert any(verdict.proof for verdict in together)
    for name, verdict in zip(names, together, strict=True):
        (alone,) = asked(Prover(folder=tmp_path / name), name)
        assert (alone.outcome, alone.proof, alone.unproved) == (
            verdict.outcome,
            verdict.proof,
            verdict.unproved,
        )


def test_too_small_a_budget_leaves_what_the_search_found(tmp_path: Path) -> None:
    (found,) = asked(Prover(ProofBudget(1), tmp_path), "lifo")
    assert found.outcome == Outcome.HOLDS
    assert found.unproved
    assert not found.notes
    assert asked(Prover(ProofBudget(1), tmp_path, command=(sys.executable, "-c", "")), "lifo") == [
        found
    ]


def test_without_a_solver_the_search_stands_and_a_note_says_why(tmp_path: Path) -> None:
    found = asked(Prover(LARGE, tmp_path, command=worker("import sys; sys.modules['z3'] = None")))
    assert [verdict.outcome for verdict in found] == [
        Outcome.HOLDS,
        Outcome.HOLDS,
        Outcome.IMPOSSIBLE,
        Outcome.VIOLATED,
    ]
    (note,) = {note for verdict in found for note in verdict.notes}
    assert "there is no solver: Z3 is not installed" in note
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="each request has its own process where there are forks"
)
def test_a_proof_that_dies_is_told_and_the_others_are_found(tmp_path: Path) -> None:
    dying = (
        "import os, stacklaw.checker.prover.handler as e; real = e.do\n"
        "def do(request):\n"
        "    if e.read_request(request).question.name == 'single_holder': os.kill(os.getpid(), 9)\n"
        "    return real(request)\n"
        "e.do = do\n"
    )
    names = ("lifo", "both", "single_holder")
    code = f"import sys, json; sys.path[:] = json.loads(sys.argv[1])\n{dying}"
    found = asked(Prover(LARGE, tmp_path, command=worker(code)), *names)
    assert [verdict.outcome for verdict in found] == [
        Outcome.PROVED,
        Outcome.IMPOSSIBLE,
        Outcome.HOLDS,
    ]
    assert (
        found[2].unproved
        == f"the process that looked for a proof was ended by {signal.Signals.SIGKILL.name}"
    )
    assert any("single_holder" in note and "SIGKILL" in note for note in found[2].notes)
    assert len(list(tmp_path.iterdir())) == 2


@contextmanager
def children_that(do: Callable[[bytes], Reply]) -> Iterator[Children]:
    """Have children that *do* requests, and leave none."""
    children = Children(do)
    try:
        yield children
    finally:
        children.dismiss()


LEFT: list[bytes] = []
"""What a fork has from the requests before."""


def told_by_fork(request: bytes) -> Reply:
    """Tell which process does *request*, and that it is to be asked again if it says so."""
    if request == b"die":
        os.kill(os.getpid(), signal.SIGKILL)
    if request == b"large":
        LEFT.append(request)
    return {"answer": os.getpid()} | ({"again": True} if request == b"no" else {})


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_certificates_share_a_fork_until_one_is_rejected() -> None:
    with children_that(told_by_fork) as children:
        first, second, alone, third = (
            children.answer(b"yes", is_shared)["answer"] for is_shared in (True, True, False, True)
        )
        assert first == second == third
        assert alone not in (first, os.getpid())
        # A fork that has done others may reject one wrongly, or die of what they have left.
        rejected = children.answer(b"no", True)
        assert rejected["again"]
        after = children.answer(b"yes", True)["answer"]
        assert len({first, rejected["answer"], after}) == 3
        assert children.answer(b"die", True) == {"died": -signal.SIGKILL}
        assert children.answer(b"yes", True)["answer"] not in (first, after)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_that_dies_of_others_or_becomes_large_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So certificates that somebody forged leave nothing to those that come after them."""
    monkeypatch.setattr("stacklaw.checker.prover.worker.memory_in_use", lambda: 1000 * len(LEFT))
    with children_that(told_by_fork) as children:
        first = children.answer(b"yes", True)["answer"]
        os.kill(first, signal.SIGKILL)
        second = children.answer(b"large", True)["answer"]
        third = children.answer(b"yes", True)["answer"]
        assert len({first, second, third}) == 3
        assert children.answer(b"yes", True)["answer"] == third


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_that_dies_while_it_tells_has_told_nothing() -> None:
    def half(_: bytes) -> Reply:
        sys.stdout.write('{"answer"')
        sys.stdout.flush()
        os._exit(3)

    with children_that(half) as children:
        assert children.answer(b"x" * 1_000_000, True) == {"died": 3}


def test_a_worker_that_dies_is_replaced() -> None:
    fragile = (
        "import sys\n"
        "while line := sys.stdin.buffer.read(9):\n"
        "    if line[8:] == b'x': raise SystemExit(3)\n"
        "    sys.stdout.write('{\"fine\": 1}\\n'); sys.stdout.flush()\n"
    )
    said = dict(replies([b"x", b"y", b"z"], 1, lambda: None, (sys.executable, "-c", fragile)))
    assert said == {0: {"died": 3}, 1: {"fine": 1}, 2: {"fine": 1}}


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="each request has its own process where there are forks"
)
def test_a_worker_that_is_killed_is_missed_at_once_and_leaves_nobody_behind(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    endless = (
        "import sys, json; sys.path[:] = json.loads(sys.argv[1])\n"
        "import os, time, stacklaw.checker.prover.handler as e\n"
        "def do(_):\n"
        f"    with open({str(diary)!r}, 'w') as diary:\n"
        "        while True: print(os.getppid(), file=diary, flush=True); time.sleep(0.02)\n"
        "e.do = do\n"
    )

    def kill() -> None:
        if diary.exists() and (lines := diary.read_text().split()):
            with suppress(ProcessLookupError):
                os.kill(int(lines[0]), signal.SIGKILL)

    begun = monotonic()
    assert list(replies([b"x"], 1, kill, worker(endless))) == [(0, {"died": -signal.SIGKILL})]
    assert monotonic() - begun < 60
    sleep(0.3)
    size = diary.stat().st_size
    sleep(0.3)
    assert diary.stat().st_size == size


def test_nothing_more_is_tried_if_all_die(tmp_path: Path) -> None:
    found = asked(Prover(LARGE, tmp_path, 1, command=(sys.executable, "-c", "raise SystemExit(9)")))
    assert [verdict.outcome for verdict in found] == [
        Outcome.HOLDS,
        Outcome.HOLDS,
        Outcome.IMPOSSIBLE,
        Outcome.VIOLATED,
    ]
    (note,) = {note for verdict in found for note in verdict.notes}
    assert (
        note
        == "there is no proof of 3 questions for every size, for the process that looked for a "
        "proof ended with exit code 9; " + ("no other was tried, and what the search found stands")
    )


def test_ctrl_c_leaves_what_was_found(tmp_path: Path) -> None:
    def impatient(now: Progress) -> None:
        if now.what == "proving":
            assert now.parts is not None
            assert now.parts[1] == 3
            raise KeyboardInterrupt

    found = asked(
        Prover(LARGE, tmp_path, command=(sys.executable, "-c", "import time; time.sleep(60)")),
        on_progress=impatient,
    )
    assert [(verdict.outcome, verdict.unproved) for verdict in found[:2]] == [
        (Outcome.HOLDS, INTERRUPTED)
    ] * 2


def test_what_the_search_found_is_told_while_proofs_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stacklaw.checker.prover.prover._PATIENCE", 0.0)
    heard: list[list[Verdict]] = []
    opened: list[Sequence[str]] = []

    def impatient(now: Progress) -> None:
        if now.what == "proving":
            opened.append(now.open)
            if heard:
                raise KeyboardInterrupt

    sleeping = (sys.executable, "-c", "import time; time.sleep(60)")
    found = asked(
        Prover(LARGE, tmp_path, command=sleeping, hear=heard.append), on_progress=impatient
    )
    ((*tried, violated),) = heard
    assert [(verdict.outcome, verdict.unproved) for verdict in tried] == [
        (verdict.outcome, OPEN) for verdict in found[:3]
    ]
    assert violated == found[3]
    assert opened[-1] == ["lifo", "single_holder", "both"]


@pytest.mark.slow
def test_the_time_ends_proofs_too(tmp_path: Path) -> None:
    sleeping = Prover(
        LARGE, tmp_path, command=(sys.executable, "-c", "import time; time.sleep(60)")
    )
    found = asked(sleeping, "lifo", budget=Budget(seconds=3))
    assert (found[0].outcome, found[0].unproved) == (
        Outcome.HOLDS,
        "it was not tried: the time of 3 s was up",
    )


_ECHO = (
    "import sys, time\n"
    "while length := sys.stdin.buffer.read(8):\n"
    "    said = sys.stdin.buffer.read(int.from_bytes(length, 'big')).decode()\n"
    "    time.sleep(float(said))\n"
    "    print('{\"said\": ' + said + '}', flush=True)"
)


def test_workers_that_were_ended_hear_nothing_of_what_they_were_asked_before() -> None:
    """They stand for several runs: one may end while something is still tried for it."""
    with closing(Workers((sys.executable, "-c", _ECHO))) as workers:
        workers.give(0, b"60")
        workers.give(1, b"0")
        assert workers.reply(30) == (1, {"said": 0})
        workers.close()
        assert workers.busy == 0
        workers.give(7, b"0")
        assert workers.reply(30) == (7, {"said": 0})


_LATE = (
    "import json, signal, sys, time\n"
    "def say(what): print(json.dumps(what), flush=True)\n"
    "signal.signal(signal.SIGTERM, lambda *_: (say({'said': 'late'}), sys.exit()))\n"
    "say({'progress': 1})\n"
    "time.sleep(300)\n"
)
"""A worker that says what it has found when it is to end."""


def test_what_a_patient_worker_has_found_is_heard_before_an_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("stacklaw.checker.prover.workers._LAST_WORDS", 60)
    heard: list[tuple[int, Reply]] = []

    def tick() -> None:
        if heard:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - it comes in the middle
        for said in replies([b"0"], 1, tick, (sys.executable, "-c", _LATE), patience=60):
            heard.append(said)  # noqa: PERF402 - one by one, as they come
    assert heard == [(0, {"progress": 1}), (0, {"said": "late"})]


@pytest.mark.slow
def test_where_only_what_must_be_is_tried_nothing_else_is_looked_for(tmp_path: Path) -> None:
    """Not even among what is kept: a verdict does not depend on what somebody has asked before."""
    assert asked(Prover(LARGE, tmp_path), "lifo")[0].outcome == Outcome.PROVED
    found = asked(
        Prover(NEEDED, tmp_path, command=(sys.executable, "-c", "raise SystemExit(1)")), "lifo"
    )
    assert (found[0].outcome, found[0].unproved) == (Outcome.HOLDS, ELSEWHERE)
