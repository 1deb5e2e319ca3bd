"""docs/properties.md has every property of the catalogue, with its text as the files have it.

``pytest tests/properties/test_docs.py --record`` writes the page's catalogue anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill

from stacklaw.models.printing.format import format_text
from stacklaw.models.source import Source
from stacklaw.properties.load import CatalogueEntry, catalogue

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "properties.md"
FILES = sorted((ROOT / "properties" / "catalogue").glob("*.props"))
BEGIN = "<!-- catalogue: written by pytest tests/properties/test_docs.py --record -->\n"
END = "<!-- end of the catalogue -->"
MARKS = re.compile(f"(?<={BEGIN}).*(?={END})", re.DOTALL)
FAMILIES = {
    "windows": "Who gets a chance to act, and when",
    "order": "What resolves, and in which order",
    "steps": "What must be over before anybody has priority, or a step ends",
    "structure": "Whether the rulebook itself is sound",
    "future": "What must eventually happen",
    "strategies": "What a player can enforce",
}
BY_NAME = (
    "It takes a game between players to answer these, so they are asked by name: `stacklaw check "
    "mtg --property stall`."
)


def laid_out() -> dict[str, list[str]]:
    """Return the lines of every written property below its heading, by name, without ``why``."""
    found = {}
    for path in FILES:
        for block in path.read_text(encoding="utf-8").split("\nproperty ")[1:]:
            head, *lines = block.splitlines()
            found[head.split()[0]] = [
                line[2:]
                for line in lines
                if line.startswith("  ") and not line.startswith("  why ")
            ]
    return found


def section(entry: CatalogueEntry, lines: list[str]) -> str:
    title = f"{entry.title[0].upper()}{entry.title[1:]}"
    said = fill(f"{title}: {entry.why}.", 100, break_on_hyphens=False)
    return "\n".join([f"#### `{entry.name}`", "", said, "", "```", *lines, "```", ""])


def written() -> str:
    """Return the catalogue as the page should have it."""
    texts, parts = laid_out(), [""]
    for family, title in FAMILIES.items():
        parts += [f"### {title}", ""]
        entries = [entry for entry in catalogue() if entry.family == family]
        if all(entry.is_strategy for entry in entries):
            parts += [fill(BY_NAME, 100), ""]
        parts += [section(entry, texts.get(entry.name, [entry.text])) for entry in entries]
    return "\n".join(parts) + "\n"


def test_the_page_has_the_catalogue(record: bool) -> None:
    page = PAGE.read_text(encoding="utf-8")
    if record:
        PAGE.write_text(MARKS.sub(lambda _: written(), page), encoding="utf-8")
        return
    found = MARKS.search(page)
    assert found is not None
    assert found.group() == written()


def test_every_family_has_a_title() -> None:
    assert {entry.family for entry in catalogue()} == set(FAMILIES)


def test_the_files_are_as_the_formatter_writes_them() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert format_text(Source(path.name, text)) == text, path.name
