"""Tables of Markdown, and their places in the readme."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

README = Path(__file__).with_name("README.md")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of *rows* under a *head*."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def put(name: str, text: str, readme: Path = README) -> None:
    """Write *text* into *readme*, in the place of what stands there between the marks of *name*."""
    written = readme.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, found, rest = written.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{readme.name} has no place for {name}")
    readme.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")


def say(name: str, text: str, *, readme: bool) -> None:
    """Print *text*, and write it into the readme, too, if *readme* says so."""
    print(f"\n{text}\n", flush=True)
    if readme:
        put(name, text)
