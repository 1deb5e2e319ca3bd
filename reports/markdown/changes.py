"""What an edit changed for players, and the rulings that are not met, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...models.words import counted, join_words, shortened
from ..naming import shown_path
from ..rulings.changes import ChangeRow, ChangesSince, asked, changed_words, since_words, to_accept
from ..rulings.filed import RulingRow, asked_words, row_words, said_words
from ..rulings.text import ruling_page
from ..text.page import plain
from .inline import escaped, folded, table

_WIDTH, _MOST_LETTERS = 100, 300
_MOST_ROWS, _AT_ONCE = 50, 3
"""So many answers are told, and so many rulings before a reader unfolds the others."""


def changed_lines(changes: Mapping[str, ChangesSince]) -> Iterator[str]:
    """Yield the answers that changed in each ruleset, by its name, and what to write for those that
    nobody has accepted.
    """
    if not changes:
        return
    since = since_words(next(iter(changes.values())))
    yield from ("", f"### What changed for players {escaped(since)}")
    for name, one in changes.items():
        if one.rows or one.note:
            yield from ("", f"**{escaped(name)}**: {escaped(changed_words(one))}.")
        yield from _changed(one)
    same = [name for name, one in changes.items() if not one.rows and not one.note]
    if same:
        yield from ("", f"No answer changed in {escaped(join_words(same))}.")


def _changed(changes: ChangesSince) -> Iterator[str]:
    """Yield the answers that changed in one ruleset, and what accepts them."""
    rows = changes.rows[:_MOST_ROWS]
    yield from table(("question", "before", "now", "by"), map(_change_cells, rows))
    if changes.acceptable:
        title = f"Who accepts this says so in {shown_path(changes.file)}"
        yield from folded(title, to_accept(changes.acceptable[:_MOST_ROWS]), "toml")


def _change_cells(row: ChangeRow) -> tuple[str, ...]:
    where = f" (with {join_words(row.readings)})" if row.readings else ""
    accepted = f"accepted by {row.who}" if row.who else "NOT ACCEPTED"
    said = f"undecided: {row.reason}" if row.reason else accepted
    clauses = join_words(row.clauses)
    return f"{asked(row)}{where}", row.before, row.after, "; ".join(filter(None, (clauses, said)))


def ruling_lines(rulings: Sequence[RulingRow]) -> Iterator[str]:
    """Yield *rulings* of one file that are not met: the first as a table, and what the rules say to
    all of them, folded.
    """
    if not rulings:
        return
    statuses = [row.status for row in rulings]
    said = [
        f"{counted(statuses.count(status), 'ruling')} {words}"
        for status, words in (("not met", "NOT MET"), ("undecided", "undecided"))
        if status in statuses
    ]
    yield from ("", f"**{join_words(said)}** in {escaped(shown_path(rulings[0].file))}")
    rows = [
        (str(row.line), asked_words(row), shortened(row.answer, _MOST_LETTERS), row.found)
        for row in rulings[:_AT_ONCE]
    ]
    yield from table(("line", "question", "the file says", "the rules say"), rows)
    more = len(rulings) - _AT_ONCE
    title = "what the rules say, with the plays" + (f", and {more} more" if more > 0 else "")
    yield from folded(title, "\n\n".join(map(_told, rulings[:_MOST_ROWS])))


def _told(row: RulingRow) -> str:
    """Return what the file and the rules say to the question of *row*."""
    head = f"line {row.line}: {asked_words(row)}\nThe file says: {said_words(row)}."
    words = row_words(row)
    found = plain(ruling_page(row), _WIDTH).rstrip() if row.told else f"{words}."
    return f"{head}\n{found[:1].upper()}{found[1:]}"
