"""``stacklaw explain``: what a code, a verdict, a property or a word of the glossary means."""

from __future__ import annotations

import re
from pathlib import Path

import click
from rich.text import Text

from ...models.diagnostics import codes, wrong_input
from ...models.words import did_you_mean
from ...properties.load import catalogue
from ...reports.text.listing import render_code, render_entry
from ..output.printing import print_found


@click.command("explain")
@click.argument("word", metavar="WORD")
def explain_command(word: str) -> None:
    """Explain an error code (R201), a verdict (VACUOUS), a property of the catalogue
    (response_window) or a word (livelock).
    """
    entries, words, meanings = {entry.name: entry for entry in catalogue()}, glossary(), verdicts()
    upper = word.upper()
    if upper in codes():
        print_found(render_code(upper, codes()[upper]))
    elif upper in meanings:
        print_found(Text(f"{upper}: {meanings[upper]}"))
    elif word in entries:
        print_found(render_entry(entries[word]))
    elif word.lower() in words:
        said = f"{word.lower()}: {words[word.lower()]}"
        print_found(Text(f"{said}\ndocs/glossary.md has more words."))
    else:
        is_clause = word[:1].isdigit() or any(sign in word for sign in "-./")
        hint = "" if is_clause else did_you_mean(word, [*entries, *codes(), *meanings, *words])
        hint = hint or (
            "it may be a clause, which stands in its ruleset"
            if is_clause
            else "`stacklaw properties` lists the properties"
        )
        raise wrong_input(
            "L103",
            f"There is no code, verdict, property or word of the glossary called `{word}`.",
            hint=hint,
        )


def glossary() -> dict[str, str]:
    """Return what each word of the glossary means, as sentences; words that share a line each have
    it.
    """
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", _page("glossary"), re.MULTILINE)
    meant = {
        word: meaning for words, meaning in rows for word in re.split(r", | \(|\)", words) if word
    }
    del meant["word"]  # the heads of the columns
    return meant


def verdicts() -> dict[str, str]:
    """Return what each verdict means, and what it comes with, as sentences."""
    rows = re.findall(r"^\| ([A-Z]+) \| ([^|]+) \| ([^|]+) \|$", _page("verdicts"), re.MULTILINE)
    return {
        verdict: f"{meaning} It comes with {_without_links(rest)}."
        for verdict, meaning, rest in rows
    }


def _page(name: str) -> str:
    return (Path(__file__).parents[2] / "docs" / f"{name}.md").read_text(encoding="utf-8")


def _without_links(text: str) -> str:
    return re.sub(r"\[(.*?)\]\(.*?\)", r"\1", re.sub(r" \(\[.*?\]\(.*?\)\)", "", text))
