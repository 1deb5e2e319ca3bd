"""Proofs beside rules: checked anew before they are believed, by any author; and those that come
with the games are of their rules.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from stacklaw.checker.process.serving import Reply
from stacklaw.checker.prover.handler import do
from stacklaw.checker.prover.proof_file import (
    FIRST,
    MOST_BYTES,
    FailedAttempt,
    MalformedError,
    ProofEntry,
    ProofsBeside,
    entries_text,
    entry_of,
    proofs_beside,
    read_entries,
    read_failed,
    read_file,
)
from stacklaw.checker.prover.prover import IN_VAIN, NEEDED, SMALL, UNHOPED, ProofBudget, Prover
from stacklaw.checker.prover.request import ToRecheck, request_data
from stacklaw.checker.questions.questions import UNSHOWN
from stacklaw.checker.run.check import check
from stacklaw.checker.run.cuts import could_be_unshown
from stacklaw.checker.symbolic.certificate.smtlib import DIGEST, HeadingField, closed
from stacklaw.checker.types.budget import Meter
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome, Verdict
from stacklaw.models import ir
from stacklaw.models.load import game_names, load, load_game
from stacklaw.models.shipped import example_names, file_beside
from stacklaw.models.source import Source
from stacklaw.properties.load import catalogue_for, claims_of, property_named

from ..rulesets import ONE_PASS
from .test_prover import CLAIMS, GAME, LARGE, asked, children_that, worker

FINDS_NONE = worker("import stacklaw.checker.prover.handler as e; e.prove = None")
"""A worker that can check proofs and find none."""
DEAD = worker("raise SystemExit(1)")
NAMES = "lifo", "single_holder", "both"


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ProofEntry]:
    """The entries of three properties, proved once for all that is forged from them."""
    found = asked(Prover(LARGE, tmp_path_factory.mktemp("entries")), *NAMES)
    proofs = [verdict.proof for verdict in found if verdict.proof is not None]
    return {
        name: entry_of(proof.excerpt, proof.solvers, proof.spent)
        for name, proof in zip(NAMES, proofs, strict=True)
    }


def of(*found: ProofEntry, program: ir.Program = GAME) -> ProofsBeside:
    return ProofsBeside("one_pass.rules", Path("one_pass.proofs"), program, found)


NOTHING = of()
"""A file with nothing in it."""


def said_of(name: str, *found: ProofEntry, folder: Path) -> tuple[Verdict, str]:
    """Return the verdict on *name* where a process can only check what is *found* beside the rules,
    and the notes.
    """
    prover = Prover(LARGE, folder, command=FINDS_NONE, beside=of(*found))
    (verdict,) = asked(prover, name)
    return verdict, " ".join(verdict.notes)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_proved_elsewhere_is_proved_here_and_remembered(
    name: str, entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    found = read_entries(entries_text(entries.values()))
    assert {one.name: one.text for one in found} == {one.name: one.text for one in entries.values()}
    verdict, notes = said_of(name, *found, folder=tmp_path)
    assert (verdict.outcome, notes) == (
        Outcome.IMPOSSIBLE if name == "both" else Outcome.PROVED,
        "",
    )
    assert verdict.proof is not None
    assert entries[name].says(verdict.proof.excerpt)
    (again,) = asked(Prover(LARGE, tmp_path, command=DEAD, beside=of(*found)), name)
    assert again == verdict


def test_what_is_beside_the_rules_takes_nothing_from_the_effort(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    """Nor does it, once it is kept: a run does not depend on those before it."""
    for _ in range(2):
        found = asked(
            Prover(ProofBudget(SMALL.each, 1), tmp_path, beside=of(entries["lifo"])),
            "lifo",
            "single_holder",
            "both",
        )
        assert [one.outcome for one in found] == [
            Outcome.PROVED,
            Outcome.PROVED,
            Outcome.IMPOSSIBLE,
        ]
        assert found[2].proof is None


def test_of_a_reading_beside_the_first_nothing_is_checked(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    (found,) = asked(Prover(NEEDED, tmp_path, beside=of(*entries.values())), "lifo")
    assert found.outcome is Outcome.HOLDS


# ------------------------------------------------------------------ forged


def changed(entry: ProofEntry, old: str, new: str) -> ProofEntry:
    """Return *entry* with something else in it, and the digest that it should then have."""
    text = re.sub(old, new, entry.text.rpartition(DIGEST)[0])
    assert text != entry.text.rpartition(DIGEST)[0]
    return ProofEntry(closed(text), entry.line)


def weakened(entry: ProofEntry) -> ProofEntry:
    return changed(entry, r"(\|inv [^\n]*Bool\n)(?:  .*\n)+", r"\1  true)\n")


def swapped(entry: ProofEntry) -> ProofEntry:
    """Return *entry* as one for what there is no proof of, and never can be: `few` fails with more
    items.
    """
    asked_of = of().key(property_named(GAME, "few"))[1]
    return changed(
        changed(entry, r"; property: .*", "; property: few"), r"; asked: .*", f"; asked: {asked_of}"
    )


def test_a_weakened_invariant_proves_nothing(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    verdict, notes = said_of("lifo", weakened(entries["lifo"]), folder=tmp_path)
    assert verdict.proof is None
    assert "what one_pass.proofs has of lifo is no proof" in notes
    assert "`stacklaw prove one_pass.rules`" in notes


FORGED: dict[str, Callable[[ProofEntry], ProofEntry]] = {
    "of another property": swapped,
    "weakened as well": lambda entry: weakened(swapped(entry)),
    "false everywhere": lambda entry: changed(
        swapped(entry), r"(\|inv [^\n]*Bool\n)(?:  .*\n)+", r"\1  false)\n"
    ),
    "no invariant": lambda entry: changed(swapped(entry), r"\(define-fun[^;]*", ""),
    "no SMT-LIB": lambda entry: changed(swapped(entry), r"\(define-fun", "(define-fun ((("),
    "asks for more": lambda entry: changed(swapped(entry), r"\Z", "(assert false)\n"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_entry_is_not_believed(
    kind: str, entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    verdict, notes = said_of("few", FORGED[kind](entries["lifo"]), folder=tmp_path)
    assert (verdict.outcome, verdict.proof) == (Outcome.HOLDS, None)
    assert "what one_pass.proofs has of few is no proof" in notes


def test_a_forged_entry_does_not_hide_what_can_be_proved(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    (verdict,) = asked(Prover(LARGE, tmp_path, beside=of(weakened(entries["lifo"]))), "lifo")
    assert verdict.outcome is Outcome.PROVED


@pytest.mark.slow
def test_an_entry_that_takes_for_ever_is_given_up_with_all_others(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    hangs = (
        "import itertools, stacklaw.checker.prover.handler as e; e._MOST_SECONDS = 0; e.recheck = "
        "lambda *_: all(itertools.repeat(1))"
    )
    prover = Prover(LARGE, tmp_path, workers=1, command=worker(hangs), beside=of(*entries.values()))
    found = asked(prover, *NAMES)
    assert [one.proof is not None for one in found] == [True, True, True]
    assert "is no proof" in " ".join(found[0].notes)


# ------------------------------------------------------------------ stale


def other(*changes: tuple[str, str]) -> ir.Program:
    """Return the game after some *changes* of its text."""
    text = ONE_PASS + CLAIMS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return load(Source("one_pass.rules", text))


def notes_of(program: ir.Program, *found: ProofEntry) -> list[str]:
    asked_of = [typed.property for typed in claims_of(program)]
    return list(of(*found, program=program).notes(asked_of, ()))


def test_what_is_of_other_rules_is_not_used_and_said_once(entries: dict[str, ProofEntry]) -> None:
    edited = other(("    pass\n", "    pass\n    put spell on stack\n"))
    assert of(*entries.values(), program=edited).entry(property_named(edited, "lifo")) is None
    (note,) = notes_of(edited, *entries.values())
    assert note.startswith(
        "3 of the 3 proofs in one_pass.proofs are of other rules or properties than these, and not "
        "used; `stacklaw prove "
    )


def test_what_makes_no_difference_makes_nothing_stale(entries: dict[str, ProofEntry]) -> None:
    same = other(("cast a spell", "play a card"), ('game "One pass"', '# words\ngame "Two"'))
    assert notes_of(same, *entries.values()) == []
    assert of(*entries.values(), program=same).entry(property_named(same, "lifo")) is not None


def test_what_asks_something_else_now_is_not_used(entries: dict[str, ProofEntry]) -> None:
    edited = other(
        (
            "possible (p has priority and q has priority and p is not q)",
            "possible (p has priority and q has priority)",
        )
    )
    assert of(*entries.values(), program=edited).entry(property_named(edited, "both")) is None
    assert len(notes_of(edited, *entries.values())) == 1


def test_an_entry_of_another_reading_is_neither_used_nor_stale() -> None:
    text = ONE_PASS + CLAIMS
    begin = text.index("\nstage")
    text = f'{text[:begin]}\noption speed "how fast"\n  slow "slow"\n  fast "fast"\n{text[begin:]}'
    slow, fast = (
        load(Source("one_pass.rules", text), {"speed": speed}) for speed in ("slow", "fast")
    )
    question = property_named(slow, "lifo")
    rules, asks = of(program=slow).key(question)
    head = (
        f"; stacklaw certificate 2\n; property: lifo\n; rules: {rules}\n; settings: speed=slow\n; "
        f"asked: {asks}\n"
    )
    entry = ProofEntry(closed(head))
    assert of(entry, program=slow).entry(question) == entry
    assert of(entry, program=fast).entry(property_named(fast, "lifo")) is None
    assert notes_of(fast, entry) == []
    assert len(notes_of(GAME, entry)) == 1  # there is no such reading


def test_a_draft_tries_what_is_of_other_rules(entries: dict[str, ProofEntry]) -> None:
    edited = other(("    pass\n", "    pass\n    put spell on stack\n"))
    draft = replace(of(*entries.values(), program=edited), is_draft=True)
    assert draft.entry(property_named(edited, "lifo")) == entries["lifo"]
    assert list(draft.notes([property_named(edited, "lifo")], ())) == []


# ------------------------------------------------------------------ attempts that failed


UNITS = LARGE.each


def said_with_failed(
    folder: Path, *failed: FailedAttempt, found: ProofsBeside = NOTHING
) -> Verdict:
    """Return the verdict on lifo with what is *found* beside the rules, and what *failed*."""
    prover = Prover(LARGE, folder, beside=replace(found, failed=failed))
    return asked(prover, "lifo")[0]


def failure(name: str = "lifo", units: int = UNITS + 1) -> FailedAttempt:
    return of().failure(property_named(GAME, name), units)


def test_what_failed_is_not_tried_again(tmp_path: Path) -> None:
    verdict = said_with_failed(tmp_path, failure())
    assert (verdict.outcome, verdict.unproved) == (Outcome.HOLDS, IN_VAIN.format(f"{UNITS + 1:,}"))
    assert said_with_failed(tmp_path).outcome is Outcome.PROVED, "nothing of it is kept"


@pytest.mark.parametrize(
    "failed",
    [
        pytest.param(replace(failure(), prover="0/z3-4.8"), id="another prover"),
        pytest.param(replace(failure(), rules=f"sha256:{'0' * 64}"), id="other rules"),
        pytest.param(failure("single_holder"), id="another question"),
        pytest.param(failure(units=UNITS), id="no more was tried"),
    ],
)
def test_what_failed_of_something_else_is_tried(failed: FailedAttempt, tmp_path: Path) -> None:
    assert said_with_failed(tmp_path, failed).outcome is Outcome.PROVED


def test_other_lemmas_are_another_attempt() -> None:
    question, lemma = property_named(GAME, "lifo"), property_named(GAME, "single_holder")
    helped = replace(question, lemmas=(lemma,))
    assert of().failure(helped, UNITS) != of().failure(question, UNITS)
    assert of().key(helped) == of().key(question)


def test_what_failed_says_nothing_where_there_is_a_proof_or_the_file_is_written_anew(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    for number, found in enumerate((of(entries["lifo"]), replace(of(), is_draft=True))):
        verdict = said_with_failed(tmp_path / str(number), failure(), found=found)
        assert verdict.outcome is Outcome.PROVED


def test_what_failed_of_other_rules_says_nothing_of_guarded_ones(tmp_path: Path) -> None:
    """A table of what to do is proved as guards of the rules, and the file is of the rules without
    them.
    """
    prover = Prover(LARGE, tmp_path, beside=replace(of(), failed=(failure(),)))
    guarded = replace(GAME, title="guarded")
    (attempt,) = prover.attempt(guarded, [property_named(guarded, "lifo")], Meter())
    assert attempt.proof is not None


def test_what_failed_is_read_as_it_was_written(entries: dict[str, ProofEntry]) -> None:
    failed = sorted([failure(), failure("both")], key=lambda one: one.words)
    text = entries_text(entries.values(), failed)
    assert read_failed(text) == failed
    assert [entry.text for entry in read_entries(text)] == [one.text for one in entries.values()]
    assert read_failed(entries_text(entries.values())) == []
    with pytest.raises(MalformedError) as wrong:
        read_entries(text.replace("; no proof: sha256:", "; no proof: sha1:", 1))
    assert wrong.value.line == 3


# ------------------------------------------------------------------ what no play shows


def test_what_is_proved_of_what_no_play_shows_is_kept_beside_the_rules(tmp_path: Path) -> None:
    program = load_game("zx")
    found, lifo = proofs_beside("zx", program), property_named(program, "lifo")
    assert found is not None

    def verdict(beside: ProofsBeside | None, folder: str) -> Verdict:
        prover = Prover(SMALL, tmp_path / folder, command=FINDS_NONE, beside=beside)
        return check(program, [lifo], make_scope(program), prover=prover)[0]

    kept = verdict(found, "with")
    assert (kept.outcome, kept.notes) == (Outcome.VACUOUS, ())
    assert verdict(None, "without").outcome is Outcome.UNKNOWN
    assert UNSHOWN not in found.names


# ------------------------------------------------------------------ malformed


def test_nothing_is_looked_for_but_what_is_hoped_for(
    entries: dict[str, ProofEntry], tmp_path: Path
) -> None:
    beside = of(entries["lifo"], entries["both"])
    prover = Prover(LARGE, tmp_path, beside=beside, only=beside.names)
    found = asked(prover, "lifo", "single_holder", "both")
    assert [verdict.proof is not None for verdict in found] == [True, False, True]
    assert found[1].unproved == UNHOPED


def test_what_is_no_file_of_proofs_is_told_with_its_line(entries: dict[str, ProofEntry]) -> None:
    text = entries_text(entries.values())
    lines = text.splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if line.startswith(DIGEST)]
    wrong = {
        "": 1,
        "nothing\n": 1,
        FIRST: 2,
        text.replace("; entries: 3", "; entries: many"): 2,
        text.replace("; entries: 3", "; entries: 4"): len(lines) + 1,
        "".join(lines[: ends[1]]): ends[1] + 1,
        "".join(lines[: ends[1] - 1]): ends[0] + 2,
        text.replace("Bool", "Int", 1): 4,
        text.replace("\n\n", "\nmore\n", 1): 3,
        "".join((*lines[: ends[0] - 1], *lines[ends[0] :])): 4,
    }
    for said, line in wrong.items():
        with pytest.raises(MalformedError) as error:
            read_entries(said)
        assert error.value.line == line, said[:200]


def test_whatever_lies_there_ends_in_a_note(tmp_path: Path) -> None:
    rules, file = tmp_path / "game.rules", tmp_path / "game.proofs"
    assert proofs_beside(str(rules), GAME) is None
    bomb, text = (
        gzip.compress(b"\0" * (MOST_BYTES + 1)),
        gzip.compress(b"; stacklaw proofs 1\n; entries: 0\n"),
    )
    damaged = (bomb, text[:-4], text + b"more", text[:12] + b"\xff" + text[13:], b"\x1f\x8b")
    for content in (
        b"",
        b"\xff\xfe",
        b"; stacklaw proofs 1\n\xff",
        b"\0" * 100,
        b"(" * 100_000,
        *damaged,
    ):
        file.write_bytes(content)
        found = proofs_beside(f"{rules}@speed=fast", GAME)
        assert found is not None
        (note,) = found.notes([], ())
        assert note.startswith("no proof in game.proofs is used: line ")
        assert note.endswith(f"; `stacklaw prove {rules}` writes it anew")
    with file.open("wb") as stream:
        stream.truncate(MOST_BYTES + 1)
    found = proofs_beside(str(rules), GAME)
    assert found is not None
    assert "cannot be read" in found.wrong


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.proofs")
    found = proofs_beside(str(tmp_path / "game.rules"), GAME)
    assert found is not None
    assert "cannot be read" in found.wrong


def test_a_link_is_followed(entries: dict[str, ProofEntry], tmp_path: Path) -> None:
    """Some ways of installing make links of all files; nothing there is believed anyway."""
    (tmp_path / "elsewhere").write_text(entries_text(entries.values()), encoding="utf-8")
    (tmp_path / "game.proofs").symlink_to(tmp_path / "elsewhere")
    assert len(read_file(tmp_path / "game.proofs")) == len(entries)


# ------------------------------------------------------------------ what comes with the games


@pytest.mark.parametrize("game", game_names())
def test_the_proofs_of_the_games_are_of_their_rules(game: str) -> None:
    """If this fails, the rules or the engine's idea of them have changed: `stacklaw prove GAME`
    (seconds where the old proofs still do).
    """
    entries = read_file(file_beside(game, ".proofs"))
    assert entries
    assert {entry.key for entry in entries} <= set().union(*map(_keys, _readings(game)))
    assert all(entry.values[HeadingField.GAME].partition("@")[0] == game for entry in entries)


@pytest.mark.parametrize("name", example_names())
def test_the_proofs_of_the_examples_are_of_each_of_their_readings(name: str) -> None:
    """If this fails, the rules or the engine's idea of them have changed: `stacklaw prove NAME
    --all-readings`.
    """
    readings = _readings(name)
    entries = read_file(file_beside(name, ".proofs"))
    keys = {reading: _keys(reading) for reading in readings}
    assert {entry.key for entry in entries} <= set().union(*keys.values())
    assert all(any(entry.key in keys[reading] for entry in entries) for reading in readings)


def _readings(name: str) -> list[str]:
    options = load_game(name).options
    return [
        name,
        *(f"{name}@{option.name}={value}" for option in options for value, _ in option.values[1:]),
    ]


def _keys(target: str) -> set[tuple[str, str]]:
    """Return under which names proofs of all that is asked of *target* are kept."""
    program = load_game(target)
    questions = {typed.property for typed in claims_of(program)} | {
        property_named(program, one.name) for one in catalogue_for(program)
    }
    about = ProofsBeside(target, file_beside(target, ".proofs"), program)
    unshown = {one for question in questions for one in could_be_unshown(program, question)}
    return {about.key(question) for question in questions | unshown}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["stack", "zx"])
def test_the_proofs_of_the_games_prove(game: str, tmp_path: Path) -> None:
    """A sample: one of what must never be, one of what must eventually happen."""
    program = load_game(game)
    found = proofs_beside(game, program)
    assert found is not None
    prover = Prover(
        LARGE,
        tmp_path,
        command=worker(
            "import stacklaw.checker.prover.handler as e; e.prove = e.prove_progress = None"
        ),
        beside=found,
    )
    questions = [property_named(program, name) for name in ("single_holder", "stack_drains")]
    attempts = prover.attempt(program, questions, Meter())
    assert all(attempt.proof is not None for attempt in attempts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.parametrize("name", ["stack", pytest.param("mtg", marks=pytest.mark.long)])
def test_a_certificate_is_told_the_same_after_others(name: str) -> None:
    """So is one that proves something else, before and after those that prove what is asked."""
    program = load_game(name)
    questions = [one.property for one in claims_of(program)]
    beside = proofs_beside(name, program)
    assert beside is not None
    entries = {question: beside.entry(question) for question in questions}
    right = [(question, found.text) for question, found in entries.items() if found][:6]
    wrong = [(question, right[place - 1][1]) for place, (question, _) in enumerate(right)]
    whole = [
        request_data(ToRecheck(program, question, text, explain=True, whole=True))
        for question, text in (*right, *wrong)
    ]
    alone = [one_fork_each(request) for request in whole]
    order = list(range(len(whole)))
    Random(7).shuffle(order)
    with children_that(do) as children:
        assert {place: children.answer(whole[place], True) for place in order} == dict(
            enumerate(alone)
        )
    assert sum("again" in one for one in alone) > len(right) // 2


def one_fork_each(request: bytes) -> Reply:
    with children_that(do) as children:
        return children.answer(request, False)
