"""Certifying: every question of a certificate is asked again, in a process of its own, without the
encoder.

A file that was cut short or changed is refused, with the obligation that fails or is missing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ....models.frozen import frozen
from ....models.words import shortened
from .smtlib import (
    DIGEST,
    HEADER,
    OBLIGATION,
    PATIENCE,
    HeadingField,
    UnreadableError,
    commands,
    expression_text,
    is_unchanged,
    refuse_others,
    values_in,
)

MOST_BYTES = 20_000_000
NONE = "it is no certificate of Stacklaw"
_BEFORE = ("set-logic", "declare-const", "define-fun")
"""The commands before the first question, in their order; of all but the first there may be any
number.
"""
_MOST_MEMORY = 4_000
"""How many megabytes the solver may take: the author of the file may be hostile."""
_CHECK = f"""
import sys
import z3
z3.set_param("memory_max_size", {_MOST_MEMORY})
try:
    sys.stdout.write(z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), sys.stdin.read()))
except z3.Z3Exception as error:
    sys.stdout.write(f"(error {{error}})")
"""
"""What the new process runs: a plain solver reads commands and says what it answers."""


@frozen
class Checked:
    """What came of a certificate: how many *obligations* are met, and what is *wrong*, if anything.

    *game* and *name* are those of the property that its heading names. Whether the heading is true
    is not checked.
    """

    game: str
    name: str
    obligations: int
    wrong: str

    @property
    def is_valid(self) -> bool:
        """Whether every obligation is met."""
        return not self.wrong


def certify(path: Path) -> Checked:
    """Return whether the certificate at *path* proves what it says."""
    text, wrong = read_certificate(path)
    return Checked("", "", 0, wrong) if wrong else check(text)


def read_certificate(path: Path) -> tuple[str, str]:
    """Return the text at *path*, or what is wrong with it."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_BYTES + 1)
    except UnicodeDecodeError:
        return "", f"{NONE}: it is no text"
    except OSError as error:
        return "", f"the file cannot be read: {error.strerror or error}"
    too_large = f"the file is larger than {MOST_BYTES:,} bytes"
    return ("", too_large) if len(text) > MOST_BYTES else (text, "")


def check(text: str, seconds: float = PATIENCE) -> Checked:
    """Return whether the certificate *text* proves what it says."""
    lines = text.splitlines()
    if not lines or lines[0] != HEADER:
        return Checked("", "", 0, _no_certificate(text))
    if DIGEST not in text:
        titles = [line.removeprefix(OBLIGATION) for line in lines if line.startswith(OBLIGATION)]
        return Checked(
            "", "", 0, f"it is cut short{f', in or after: {titles[-1]}' if titles else ''}"
        )
    said = values_in(text)
    game, name = said.get(HeadingField.GAME, ""), said.get(HeadingField.PROPERTY, "")
    try:
        questions = list(_questions(text))
    except UnreadableError as error:
        return Checked(game, name, 0, str(error))
    titles = [title for title, _ in questions[1:]]
    answers, trouble = _answers("".join(asked for _, asked in questions), seconds)
    met = 0
    for title, answer in zip(titles, answers, strict=False):
        if answer != "unsat":
            return Checked(
                game, name, met, f"the obligation fails: {title} (the solver says {answer})"
            )
        met += 1
    if trouble and met < len(titles):
        trouble += f"; the first obligation without an answer: {titles[met]}"
    return Checked(
        game,
        name,
        met,
        trouble or _incomplete(text, said.get(HeadingField.OBLIGATIONS, ""), titles, met),
    )


def _no_certificate(text: str) -> str:
    """Return why *text* is no certificate."""
    if text.startswith(HEADER[:-1]):
        return "it is a certificate of another version of Stacklaw: make it again"
    return NONE if text else f"{NONE}: it is empty"


def _incomplete(text: str, expected: str, titles: list[str], met: int) -> str:
    """Return what is missing in a certificate of whose questions *met* were answered as they should
    be; empty if nothing is.
    """
    if expected != str(len(titles)) or met != len(titles) or met == 0:
        last = f"; the last one is: {titles[-1]}" if titles else ""
        number = shortened(expected, 20) or "an unknown number of"
        return f"it has {met} of {number} obligations{last}"
    return (
        "" if is_unchanged(text) else "it was changed after it was written: the digest is another"
    )


def _questions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the title and the commands of each obligation of *text*, those that come before them
    first; raises `UnreadableError`.

    The commands are written anew as they were read: what a solver is asked is what was looked at,
    however it would have read the text.
    """
    before, *parts = f"\n{text}".split(f"\n{OBLIGATION}")
    yield "", _anew(before, _is_before)
    for part in parts:
        title, _, asked = part.partition("\n")
        yield title, _anew(asked, _is_question)


def _anew(text: str, is_good: Callable[[Sequence[str]], bool]) -> str:
    found = list(commands(text))
    refuse_others(found)
    if not is_good([expression_text(command[0]) for command in found]):
        raise UnreadableError("its questions are not those of its obligations, each by itself")
    return "".join(f"{expression_text(command)}\n" for command in found)


def _is_before(names: Sequence[str]) -> bool:
    places = [_BEFORE.index(name) if name in _BEFORE else -1 for name in names]
    return places.count(0) == 1 and places[0] == 0 and places == sorted(places)


def _is_question(names: Sequence[str]) -> bool:
    """Whether what is asserted for one obligation is asserted for no other, and it has one
    question.
    """
    begin, *asserted, ask, end = names if len(names) > 3 else [""] * 4
    return (begin, ask, end) == ("push", "check-sat", "pop") and {*asserted} == {"assert"}


def _answers(text: str, seconds: float) -> tuple[list[str], str]:
    """Return what a solver in a new process answers to each question of *text*, and what went
    wrong, if anything did.
    """
    command = [sys.executable, "-I", "-X", "utf8", "-c", _CHECK]
    try:
        run = subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return [], f"the solver has not answered within {seconds:g} seconds"
    answers = run.stdout.split("\n")
    errors = [line for line in answers if line.startswith("(error")]
    if run.returncode != 0:
        return [], f"the solver has crashed (exit {run.returncode})"
    trouble = f"the solver cannot read it: {_complaint(errors[0])}" if errors else ""
    return [line for line in answers if line in ("sat", "unsat", "unknown")], trouble


def _complaint(error: str) -> str:
    """Return what a solver complains of, without what it is wrapped in: ``(error "line 8 column 0:
    invalid command")``.
    """
    found = re.search(r'line \d+ column \d+: ([^"]+)', error)
    return found[1].replace("\\", "") if found else error
