"""Edits told as questions: 60 of them, of the five games, each looked at as ``stacklaw diff`` does.

usage: python -m bench.edits RESULTS [--game NAME ...] [--whole] [--readme]

Of each: whether the difference is found, how many questions tell it and in how many lines each,
whether each names the clauses that changed, the processor time, and the options that the changed
clauses ask. With --whole the command itself is timed, too, which asks both sides what they
guarantee. What was found is added to the file RESULTS, an edit a line, so that a run that was
interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import process_time

from rich.console import Group

from stacklaw.checker.diff.changes import changed_clauses
from stacklaw.checker.diff.diff import scopes_of_both
from stacklaw.checker.diff.larger import difference_with_room
from stacklaw.checker.diff.same import renaming_of
from stacklaw.checker.rulings.ask import options_of
from stacklaw.checker.rulings.differing import changed_rulings
from stacklaw.checker.types.budget import Meter
from stacklaw.models.load import game_names, game_source, load, opened
from stacklaw.models.source import Source
from stacklaw.reports.rulings.text import render_changed
from stacklaw.reports.rulings.told import tell_changed
from stacklaw.reports.text.page import plain

from .markdown import say, table

FILE = Path(__file__).with_name("edits.toml")
MOST_LINES = 12
TOLD = {"zx": 85, "stack": 85}
"""How many of a hundred edits are to be told as a question; of other games 75."""
SECONDS = {"mtg": 30.0, "fow": 90.0}
"""So much processor time the command may take; nothing is asked of other games."""
_WIDTH = 100


@dataclass(frozen=True)
class Edit:
    """What is changed in *game*, under a *reading*: of each of *changes* the second text, at its
    first place after the first, becomes the third.
    """

    game: str
    what: str
    changes: list[list[str]]
    by: str = "hand"
    reading: str = ""

    def text(self) -> str:
        """Return the rules as edited; raises ValueError where a text has no place."""
        text = game_source(self.game).text
        for place, old, new in self.changes:
            before, there, rest = text.partition(place)
            at = (there + rest).find(old)
            if text.count(place) != 1 or at < 0:
                raise ValueError(f"{self.game}: {self.what}: there is no place for it: {place}")
            rest = there + rest
            text = before + rest[:at] + new + rest[at + len(old) :]
        return text


@dataclass(frozen=True)
class Result:
    """What came of an edit: whether it is *found* to be another game, only *by titles* if so; the
    *questions* that tell it, the most *lines* that one takes; how many are *bare* of a clause, and
    how many differences are *untold*. The *whole* command takes longer.
    """

    game: str
    what: str
    by: str
    reading: str
    found: bool
    by_titles: bool
    questions: tuple[str, ...]
    lines: int
    bare: int
    untold: int
    seconds: float
    options: tuple[str, ...]
    whole: float | None = None

    @property
    def is_told(self) -> bool:
        """Whether a question tells it, in as few lines as are asked for, with a clause."""
        return bool(self.questions) and self.lines <= MOST_LINES and not self.bare


def edits() -> list[Edit]:
    """Return the edits of the file."""
    return [Edit(**one) for one in tomllib.loads(FILE.read_text(encoding="utf-8"))["edit"]]


def measured(edit: Edit) -> Result:
    """Return what is found of *edit*, and told."""
    settings = dict(part.split("=") for part in edit.reading.split(",") if part)
    source, edited = game_source(edit.game), Source(f"{edit.game}.rules", edit.text())
    old, new = load(source, settings), load(edited, settings)
    renaming, meter, begun = renaming_of(old, new, {}), Meter(), process_time()
    scopes = scopes_of_both(old, new, renaming, None, None, {})
    found = difference_with_room(old, new, scopes, renaming, meter)
    changed = changed_rulings(found, meter)
    seconds = process_time() - begun
    page = plain(Group(*render_changed(tell_changed(changed))), _WIDTH)
    questions = list(_questions(page))
    clauses = changed_clauses(old, new)
    options = options_of(opened(source), clauses) | options_of(opened(edited), clauses)
    return Result(
        edit.game, edit.what, edit.by, edit.reading, bool(found.shown), found.by_titles,
        tuple(" ".join(lines) for lines in questions), max(map(len, questions), default=0),
        sum(not by for _, by in changed.questions), len(changed.untold), round(seconds, 1),
        tuple(sorted(options)),
    )  # fmt: skip


def whole_seconds(edit: Edit) -> float:
    """Return the processor time of the command, for *edit*."""
    game = f"{edit.game}@{edit.reading}" if edit.reading else edit.game
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{edit.game}.rules"
        file.write_text(edit.text(), encoding="utf-8")
        edited = f"{file}@{edit.reading}" if edit.reading else str(file)
        before = _spent()
        command = [sys.executable, "-m", "stacklaw", "diff", game, edited]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise RuntimeError(f"{edit.game}: {edit.what}: {done.stderr}")
    return round(_spent() - before, 1)


def _spent() -> float:
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _questions(page: str) -> Iterator[list[str]]:
    """Yield the lines of each question on the *page* of what players notice."""
    lines = [line for line in page.splitlines() if line.startswith("  ")]
    # A question may fold; what follows it stands further in.
    begins = [
        at
        for at, line in enumerate(lines)
        if line[2] != " " and (at == 0 or lines[at - 1][2] == " ")
    ]
    for begin, end in pairwise([*begins, len(lines)]):
        yield [line.strip() for line in lines[begin:end]]


def summary(results: Sequence[Result]) -> str:
    """Return the table of the readme: a line for each game."""
    head = ["game", "edits", "found", f"told, ≤ {MOST_LINES} lines, with the clause", "asked for"]
    head += ["lines, most", "seconds to find and tell, middle", "most", "whole command, most"]
    head += ["asked for", "edits of clauses that ask options"]
    lines = []
    for game in dict.fromkeys(one.game for one in results):
        of = [one for one in results if one.game == game]
        told, share = sum(one.is_told for one in of), TOLD.get(game, 75)
        whole = [one.whole for one in of if one.whole is not None]
        timed = f"{max(whole):.1f} (of {len(whole)})" if whole else ""
        is_told, limit = 100 * told >= share * len(of), SECONDS.get(game)
        in_time = f"{limit:.0f} s: {_met(max(whole) <= limit)}" if limit and whole else ""
        lines.append(
            [
                game, str(len(of)), str(sum(one.found for one in of)), str(told),
                f"{share} %: {_met(is_told)}", str(max(one.lines for one in of)),
                f"{median(one.seconds for one in of):.1f}", f"{max(one.seconds for one in of):.1f}",
                timed, in_time, str(sum(bool(one.options) for one in of)),
            ]
        )  # fmt: skip
    return table(head, lines)


def _met(is_met: bool) -> str:
    return "met" if is_met else "NOT met"


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("--game", nargs="*", choices=game_names(), default=game_names())
    parser.add_argument("--whole", action="store_true", help="time the command, too")
    parser.add_argument("--readme", action="store_true")
    given = parser.parse_args()
    results = dict(_read(given.results))
    for edit in edits():
        known = results.get((edit.game, edit.what))
        if edit.game not in given.game or (known and (known.whole is not None or not given.whole)):
            continue
        found = known or measured(edit)
        if given.whole:
            found = replace(found, whole=whole_seconds(edit))
        results[edit.game, edit.what] = found
        with given.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(found), ensure_ascii=False) + "\n")
        told = "; ".join(found.questions) or ("untold" if found.found else "the same")
        seconds = (
            f"{found.seconds:5.1f} s" if found.whole is None else f"{found.whole:5.1f} s whole"
        )
        print(f"{edit.game:6s} {seconds}  {edit.what}: {told}", flush=True)
    order = [(edit.game, edit.what) for edit in edits()]
    say("edits", summary([results[one] for one in order if one in results]), readme=given.readme)


def _read(file: Path) -> Iterator[tuple[tuple[str, str], Result]]:
    """Yield what *file* has of each edit."""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        one = Result(**json.loads(line))
        yield (one.game, one.what), one


if __name__ == "__main__":
    main()
