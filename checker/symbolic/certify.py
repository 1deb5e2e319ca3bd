"""Checking a certificate: every question of the file is asked again, in a process of its own, without the encoder.

A file that was cut short or changed is refused, with the obligation that fails or is missing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .smtlib import DIGEST, HEADER, OBLIGATION, Key, digest, values_in

MOST_BYTES = 50_000_000
NONE = "it is no certificate of Stacklaw"
_COMMANDS = {"set-logic", "declare-const", "define-fun", "push", "assert", "check-sat", "pop"}
"""What a certificate asks a solver to do; no other command is run, ``echo "unsat"`` least of all."""
_SHAPE = re.compile("set-logic( declare-const)*( define-fun)*( ; push 1( assert)+ check-sat pop 1)*")
"""In which order: what is asserted for one obligation is asserted for no other, and every question is that of an obligation."""
_TOKEN = re.compile(r";[^\n]*|\|[^|]*\||\"[^\"]*\"|[()]|[^\s()|\";]+")
_CHECK = """
import sys
import z3
try:
    sys.stdout.write(z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), sys.stdin.read()))
except z3.Z3Exception as error:
    sys.stdout.write(f"(error {error})")
"""
"""What the new process runs: a plain solver reads the file's commands and says what it answers."""


@dataclass(frozen=True)
class Checked:
    """What came of a certificate: how many *obligations* are met, and what is *wrong*, if anything.

    *game* and *name* are those of the property that its heading names, *when* is what that says of the values of options that were left
    open. Nobody has seen whether the heading is true.
    """

    game: str
    name: str
    obligations: int
    wrong: str = ""
    when: str = ""

    @property
    def is_valid(self) -> bool:
        """Whether every obligation is met."""
        return not self.wrong


def certify(path: Path, seconds: float = 300) -> Checked:
    """Return whether the certificate at *path* proves what it says; *seconds* is only a guard against a solver that hangs."""
    text, wrong = read_certificate(path)
    return Checked("", "", 0, wrong) if wrong else check(text, seconds)


def read_certificate(path: Path) -> tuple[str, str]:
    """Return the text at *path*, or what is wrong with it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return "", f"the file is larger than {MOST_BYTES:,} bytes"
        return path.read_text(encoding="utf-8"), ""
    except UnicodeDecodeError:
        return "", f"{NONE}: it is no text"
    except OSError as error:
        return "", f"the file cannot be read: {error.strerror or error}"


def check(text: str, seconds: float = 300) -> Checked:
    """Return whether the certificate *text* proves what it says."""
    lines = text.splitlines()
    if not lines or lines[0] != HEADER:
        return Checked("", "", 0, _no_certificate(text))
    if DIGEST not in text:
        titles = [line.removeprefix(OBLIGATION) for line in lines if line.startswith(OBLIGATION)]
        return Checked("", "", 0, f"it is cut short{f', in or after: {titles[-1]}' if titles else ''}")
    said = values_in(text)
    game, name = said.get(Key.GAME, ""), said.get(Key.PROPERTY, "")
    titles = [line.removeprefix(OBLIGATION) for line in lines if line.startswith(OBLIGATION)]
    commands = list(_commands(text))
    if strange := {command.partition(" ")[0] for command in commands} - {*_COMMANDS, ";"}:
        return Checked(game, name, 0, f"it asks for more than its obligations: {', '.join(sorted(strange))}")
    if not _SHAPE.fullmatch(" ".join(commands)) or commands.count(";") != len(titles):
        return Checked(game, name, 0, "its questions are not those of its obligations, each by itself")
    answers, trouble = _answers(text, seconds)
    met = 0
    for title, answer in zip(titles, answers, strict=False):
        if answer != "unsat":
            return Checked(game, name, met, f"the obligation fails: {title} (the solver says {answer})")
        met += 1
    if trouble and met < len(titles):
        trouble += f"; the first obligation without an answer: {titles[met]}"
    return Checked(game, name, met, trouble or _incomplete(text, said.get(Key.OBLIGATIONS, ""), titles, met), said.get(Key.WHEN, ""))


def _no_certificate(text: str) -> str:
    """Return why *text* is no certificate."""
    if text.startswith(HEADER[:-1]):
        return "it is a certificate of another version of Stacklaw: make it again"
    return NONE if text else f"{NONE}: it is empty"


def _incomplete(text: str, expected: str, titles: list[str], met: int) -> str:
    """Return what is missing in a certificate of whose questions *met* were answered as they should be; empty if nothing is."""
    if not expected.isdigit() or int(expected) != len(titles) or met != len(titles) or met == 0:
        last = f"; the last one is: {titles[-1]}" if titles else ""
        return f"it has {met} of {expected or 'an unknown number of'} obligations{last}"
    body, _, said = text.rpartition(DIGEST)
    return "" if said == f"{digest(body)}\n" else "it was changed after it was written: the digest is another"


def _commands(text: str) -> Iterator[str]:
    """Yield what each command of *text* is called, with its number if it has one; an obligation's title is a semicolon."""
    depth, command = 0, ""
    for token in _TOKEN.findall(text):
        if token.startswith(";"):
            if token.startswith(OBLIGATION):
                yield ";"
            continue
        if depth <= 0 and token != "(":
            yield token
        elif depth == 1 and (not command or (token.isdigit() and not command.startswith("define-fun"))):
            command = f"{command} {token}".lstrip()
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0 and command:
            yield command
            command = ""


def _answers(text: str, seconds: float) -> tuple[list[str], str]:
    """Return what a solver in a new process answers to each question of *text*, and what went wrong, if anything did."""
    try:
        run = subprocess.run([sys.executable, "-I", "-c", _CHECK], input=text, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return [], f"the solver has not answered within {seconds:g} seconds"
    answers = run.stdout.split("\n")
    errors = [line for line in answers if line.startswith("(error")]
    if run.returncode != 0:
        return [], f"the solver has crashed (exit {run.returncode})"
    trouble = f"the solver cannot read it: {_complaint(errors[0])}" if errors else ""
    return [line for line in answers if line in ("sat", "unsat", "unknown")], trouble


def _complaint(error: str) -> str:
    """Return what a solver complains of, without what it is wrapped in: ``(error "line 8 column 0: invalid command")``."""
    found = re.search(r'line \d+ column \d+: [^"]+', error)
    return found[0].replace("\\", "") if found else error
