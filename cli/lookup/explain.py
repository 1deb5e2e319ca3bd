"""``stacklaw explain``: what a code, a verdict, a property or a word of the glossary means."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...models.codes import codes
from ...models.diagnostics import Diagnostic, InputError
from ...models.spelling import did_you_mean
from ...properties.load import catalogue
from ...reports.text.listing import render_code, render_entry
from ...reports.text.verdicts import MEANINGS
from ..output.printing import print_found, say


@click.command("explain")
@click.argument("word", metavar="WORD")
def command(word: str) -> None:
    """Explain an error code (R201), a verdict (VACUOUS), a property of the catalogue (response_window) or a word (livelock)."""
    entries, words = {entry.name: entry for entry in catalogue()}, glossary()
    upper = word.upper()
    if upper in codes():
        print_found(render_code(upper, codes()[upper]))
    elif upper in MEANINGS:
        say(f"{upper}: {MEANINGS[upper]}")
    elif word in entries:
        print_found(render_entry(entries[word]))
    elif word.lower() in words:
        say(f"{word.lower()}: {words[word.lower()]}")
        say("docs/glossary.md has more words.")
    else:
        is_clause = word[:1].isdigit() or any(sign in word for sign in "-./")
        hint = "" if is_clause else did_you_mean(word, [*entries, *codes(), *MEANINGS, *words])
        hint = hint or ("it may be a clause, which stands in its ruleset" if is_clause else "`stacklaw properties` lists the properties")
        raise InputError([Diagnostic("L103", f"There is no code, verdict, property or word of the glossary called `{word}`.", hint=hint)])


_PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def glossary() -> dict[str, str]:
    """Return what each word of the glossary means, as sentences; words that share a line each have it."""
    rows = _ROW.findall(_PAGE.read_text(encoding="utf-8"))
    meant = {word: meaning for words, meaning in rows for word in re.split(r", | \(|\)", words) if word}
    del meant["word"]  # the heads of the columns
    return meant
