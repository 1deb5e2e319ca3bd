"""Hints about questions and command lines: put in mechanically, what was wrong is gone;
`tests/test_hints.py` has those about texts.

Asked is each example of docs/errors.md of a code of questions or of the command line, in a folder
in which it is what the page says.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import codes

from ..diff.test_command import ONE, TRIGGERS
from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]
pytestmark = pytest.mark.slow
FORM = re.compile(r"[A-Z]{2}")
SEAT = "state\n  seat : 1 to number of players - 2 = 1\n\nstage"
TODO = '  must 9 "trade"\n    todo\n\nclaims'
THREE = TRIGGERS.format("\n    ".join(["put trigger by active on waiting"] * 3))
NARROW = ONE.format("bolt", "pile", "last in first out").replace(
    "stage s", 'option cards "cards" from 1 to 500 default 1\n\nstage s'
)
FILES: dict[str, dict[str, str]] = {
    "C105": {"mygame.rules": RULES.replace("stage", SEAT, 1)},
    "C113": {
        "old.rules": ONE.format("bolt", "pile", "last in first out"),
        "new.rules": ONE.format("card", "pile", "last in first out"),
    },
    "C115": {"mygame.rules": RULES.replace("claims", TODO, 1)},
    "C119": {"another.rules": ONE.format("bolt", "pile", "last in first out")},
    "C120": {"mygame.rules": THREE},
    "C205": {"mygame.rulings": '[[ruling]]\nquestion = "may A act?"\nanswer = "yes"\n'},
    "L101": {"docs/page.md": ""},
    "L108": {"mygame.rules": NARROW},
    "L109": {"mine.props": ""},
    "L110": {"mine.props": 'property over "it ends"\n  possible game is over\n'},
    "L115": {"meant.toml": codes()["L115"].bad, "a.log": codes()["L113"].mended},
    "L116": {"engine.toml": codes()["L116"].bad, "a.log": codes()["L113"].mended},
}
"""What there is in the folder besides ``mygame.rules``, or in the place of it, where an example of
a code is asked.
"""
LINES = {
    "C105": "stacklaw check mygame.rules",
    "C205": "stacklaw check mygame.rules",
    "L115": "stacklaw conform mtg a.log --waivers meant.toml",
    "L116": "stacklaw conform mtg a.log --map engine.toml",
}
"""What is asked where the example is a line of a text."""
ELSEWHERE = {
    "C112": "on another machine, tests/explicit/test_whose_checkpoints.py",
    "C116": "where Ray is missing, tests/explicit/test_cluster_refused.py",
    "C117": "where Ray is there, tests/explicit/test_ray.py",
    "L113": "in a log, tests/conform/test_command.py",
    "L107": "where Z3 is missing, tests/cli/test_proofs.py",
}
"""Codes whose examples take another machine, other libraries or another file than a ruleset."""
Words = list[str]


def _with_last(words: Words, code: str) -> Words:
    return [*words[:-1], code]


def _before(words: Words, command: str) -> Words:
    """Run another *command* first."""
    return [*_command(words, command), ";", *words]


def _command(_: Words, code: str) -> Words:
    return shlex.split(code)[1:]


def _without(words: Words, option: str) -> Words:
    place = words.index(option)
    return words[:place] + words[place + 2 :]


def _value(words: Words, option: str, value: str) -> Words:
    place = words.index(option)
    return [*words[: place + 1], value, *words[place + 2 :]]


def _folder(words: Words, option: str) -> Words:
    return [*words, option, "searches"]


def _options(words: Words, options: str) -> Words:
    return (
        _value(words, *options.split())
        if options.split(maxsplit=1)[0] in words
        else [*words, *options.split()]
    )


def _question(words: Words, question: str) -> Words:
    return [*words[:-1], f"{words[-1].rstrip('.')}: {question}"]


def _zone(words: Words, zone: str) -> Words:
    return [*words[:-1], f"{zone}={words[-1].partition('=')[2]}"]


RULES_OF_HINTS: dict[str, Callable[..., Words]] = {
    r"did you mean `([^`]+)`\?": _with_last,
    r"`([^`]+)` writes one$": _before,
    r".*`(stacklaw \w+ \w[^`]*)`": _command,
    r"leave (--\w+) out": _without,
    r"(--\w+) (\w+) has": _value,
    r"say which with (--\w+)$": _folder,
    r"ask with (--\w+ \w+=\d+)": _options,
    r"end with a question: `([^`]+)`": _question,
    r"its zones: (\w+)": _zone,
}
"""What is to be done with a command line, word by word, for a hint that begins so."""
_SHOWS = re.compile(r"(?<![\w`-])--\w|`(?:stacklaw|--)")


def applied(words: Words, hint: str) -> Words | None:
    """Return *words* as *hint* has them; None if it is in words."""
    for rule, apply in RULES_OF_HINTS.items():
        if found := re.match(rule, hint):
            return apply(words, *found.groups())
    return None


def hint_of(code: str, said: str) -> str:
    """Return the hint that stands below *code* in what was *said*."""
    found = re.search(
        rf"(?:error|warning) {code}: [^\n]*(?:\n(?!  +hint:| *\n)[^\n]*)*\n +hint: "
        r"((?:[^\n]+\n?(?!\n))+)",
        said,
    )
    return " ".join(found.group(1).split()) if found else ""


def asked(code: str) -> Words:
    """Return the words of the example of *code*, after ``stacklaw``."""
    return shlex.split(LINES.get(code) or codes()[code].bad.partition(" … ")[0])[1:]


CODES = [code for code in codes() if code[0] in "CL" and code not in ELSEWHERE]


@pytest.mark.parametrize("code", CODES)
def test_a_hint_does_what_it_says_or_is_in_words(code: str, stacklaw: Stacklaw) -> None:
    for name, text in {"mygame.rules": RULES, **FILES.get(code, {})}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    words = asked(code)
    end, out, err = stacklaw(*words)
    assert code in out + err, out + err
    assert end == Exit.WRONG_INPUT or code == "C120"
    hint = hint_of(code, out + err)
    mended = applied(words, hint)
    if mended is None:
        assert not _SHOWS.search(hint) or FORM.search(hint), (
            f"{hint}: neither to be put in nor in words"
        )
        return
    while ";" in mended:
        place = mended.index(";")
        assert stacklaw(*mended[:place])[0] == Exit.OK
        mended = mended[place + 1 :]
    _, out, err = stacklaw(*mended, *(["--time", "1"] if mended[0] in ("check", "diff") else []))
    assert not re.search(r"^error|warning C", err, re.MULTILINE), err
    assert code not in out + err
