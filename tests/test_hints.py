"""Every hint that shows code compiles: put in mechanically, the mistake is gone and there is no new
one.

A hint begins with what is to be done with the code that it shows (`RULES`); any other is in words.
In words code only stands for a form, whose parts are in capitals, or names what the language or the
text has. Tried are the hints of all bad cases and of the mistaken examples of docs/errors.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from stacklaw.cli.editor.actions import RULES, mended
from stacklaw.models.diagnostics import Diagnostic, InputError
from stacklaw.models.load import load
from stacklaw.models.read import read_source
from stacklaw.models.source import Source
from stacklaw.properties.lint import lint
from stacklaw.properties.load import claims_of

from .properties.games import program
from .properties.test_codes import EXPECTATION
from .properties.test_lints import ruleset
from .rulesets import codes_of, properties_in

CASES = sorted((Path(__file__).parent / "cases").glob("*/bad/*.rules"))


def found_in(text: str, name: str) -> list[Diagnostic]:
    """Return the mistakes in *text*, which is a ruleset or a file of properties; the warnings about
    it if its *name* is that of one.
    """
    try:
        if name.endswith(".props"):
            properties_in(Source(name, text), program())
        else:
            claims_of(load(Source(name, text)))
            return list(lint(Source(name, text))) if re.match(r"W\d", name) else []
    except InputError as error:
        return list(error.diagnostics)
    return []


def _texts() -> Iterator[tuple[str, str]]:
    """Yield what every bad case says, and each example of the page about a property or a warning,
    with the name of a file for it.
    """
    for case in CASES:
        with suppress(InputError):  # some are no text at all
            yield f"{case.stem}.rules", read_source(case).text
    for code, entry in codes_of("P").items():
        if EXPECTATION.match(entry.bad):
            claims = "".join(f"  {line}\n" for line in entry.bad.splitlines())
            yield f"{code}.rules", f"{program().source.text}\nclaims\n{claims}"
        elif entry.bad.startswith("property "):
            yield f"{code}.props", entry.bad
        else:
            yield (
                f"{code}.props",
                'property it "it"\n' + "".join(f"  {line}\n" for line in entry.bad.splitlines()),
            )

    for code, entry in codes_of("W").items():
        yield f"{code}.rules", ruleset(entry.bad)


TEXTS = dict(_texts())
HINTS = [
    (name, number) for name, text in TEXTS.items() for number, _ in enumerate(found_in(text, name))
]


def _id(hint: tuple[str, int]) -> str:
    return f"{hint[0]}-{hint[1]}"


@pytest.mark.parametrize("hint", HINTS, ids=map(_id, HINTS))
def test_a_hint_compiles_or_is_in_words(hint: tuple[str, int]) -> None:
    name, number = hint
    before = found_in(TEXTS[name], name)
    mistake = before[number]
    new = mended(mistake, TEXTS[name])
    if new is None:
        assert "…" not in mistake.hint
        shows = re.match("|".join(RULES), mistake.hint)
        assert shows is None or mistake.code in IN_WORDS, (
            f"{mistake.hint}: neither to be put in nor in words"
        )
        return
    after = [(one.code, one.message) for one in found_in(new, name)]
    known = [(one.code, one.message) for one in before]
    assert after.count((mistake.code, mistake.message)) < known.count(
        (mistake.code, mistake.message)
    ), new
    assert [one for one in after if one not in known] == [], new


IN_WORDS = {"R010"}
"""Codes whose hints name a line with a form in it, for what there is to name is not yet there."""


def test_many_hints_are_put_in() -> None:
    texts = [(TEXTS[name], found_in(TEXTS[name], name)[number]) for name, number in HINTS]
    assert sum(mended(mistake, text) is not None for text, mistake in texts) > len(texts) // 5
