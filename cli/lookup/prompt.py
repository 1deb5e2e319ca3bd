"""Prompt: questions asked one after the other in one situation, with the board in between."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from pathlib import Path

from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask, board
from ...checker.situations.question import read_question, spoken
from ...checker.situations.vocabulary import GameWords
from ...checker.types.scope import scope_of
from ...models.diagnostics import InputError
from ...models.load import load_rules, opened, rules_source
from ...models.storage.places import cache_folder
from ...reports.rulings.text import render_board, render_rulings
from ...reports.rulings.told import tell_ruling
from ..output.exits import Exit
from ..output.printing import print_found, say

_HELP = """\
A casts an instant        say what happens or what is so; it stays
may B respond?            ask, in what was said so far
board                     show the play so far
why                       tell the last answer in full
undo                      take back what was said last
save                      print the last question as a ruling, to keep in a file
new                       begin anew
quit"""
_COMMANDS = ("board", "help", "new", "quit", "save", "undo", "why")


def run_prompt(game: str, settings: Mapping[str, str], players: int | None) -> Exit:
    """Read statements and questions from standard input until it ends, and answer them."""
    prompt = _Prompt(game, settings, players)
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    if is_terminal:
        say(f"{prompt.program.title}. `help` lists what can be said, `quit` ends.")
    with _Editing(prompt.completions) if is_terminal else nullcontext():
        while True:
            try:
                line = input("> " if is_terminal else "")
            except EOFError:
                return Exit.OK
            if line.strip() in ("quit", "exit"):
                return Exit.OK
            prompt.take(line.strip())


class _Prompt:
    """A situation that grows line by line, and the last ruling in it."""

    def __init__(self, game: str, settings: Mapping[str, str], players: int | None) -> None:
        self.program = load_rules(game, settings)
        self.whole = opened(rules_source(game))
        self.scope = scope_of(self.program, players, None, {})
        self.said: list[str] = []
        self.last: Ruling | None = None

    @property
    def completions(self) -> list[str]:
        """What can be completed."""
        return sorted(
            {
                *_COMMANDS,
                *GameWords(self.program).all_words.values(),
                "passes",
                "priority",
                "respond",
                "everybody",
            }
        )

    def take(self, line: str) -> None:
        """Do what *line* says, or say why it cannot be done."""
        try:
            self._take(line)
        except InputError as error:
            first = error.diagnostics[0]
            say(f"{first.message}{f' ({first.hint})' if first.hint else ''}")

    def _take(self, line: str) -> None:
        match line:
            case "":
                return
            case "help":
                say(_HELP)
            case "board":
                print_found(render_board(board(self.program, self.said, self.scope, self.whole)))
            case "undo":
                say(f"taken back: {self.said.pop()}" if self.said else "Nothing was said.")
            case "new":
                self.said.clear()
            case "why" | "save" if self.last is None:
                say("Nothing was asked.")
            case "why":
                assert self.last is not None
                print_found(render_rulings(tell_ruling(self.last), "", full=True))
            case "save":
                assert self.last is not None
                ask_, answer = json.dumps(self.last.text), json.dumps(self.last.value)
                say(f'[[ruling]]\nask = {ask_}\nanswer = {answer}\nsource = ""')
            case _ if line.endswith("?"):
                self._answer_line(line)
            case _:
                statements = [*self.said, line.rstrip(".;")]
                told = board(self.program, statements, self.scope, self.whole)
                self.said = statements
                print_found(render_board(told, last=True))

    def _answer_line(self, line: str) -> None:
        asked = read_question(spoken(line)[0])
        if self.said:
            line = f"{'; '.join(self.said)}{';' if asked.statements else ':'} {line}"
        self.last = ask(self.program, line, self.scope, self.whole)
        print_found(render_rulings(tell_ruling(self.last), "", full=False, play=False))


class _Editing:
    """Editing of lines at a terminal: completion of *words*, and a history that is kept."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.history: Path = cache_folder() / "asked"

    def __enter__(self) -> None:
        with suppress(ImportError, OSError):
            import readline  # noqa: PLC0415 - not on every system

            readline.set_completer(self._complete)
            readline.parse_and_bind("tab: complete")
            if self.history.exists():
                readline.read_history_file(self.history)

    def __exit__(self, *_: object) -> None:
        with suppress(ImportError, OSError):
            import readline  # noqa: PLC0415 - not on every system

            self.history.parent.mkdir(parents=True, exist_ok=True)
            readline.set_history_length(500)
            readline.write_history_file(self.history)

    def _complete(self, begun: str, number: int) -> str | None:
        fits = [word for word in self.words if word.lower().startswith(begun.lower())]
        return fits[number] if number < len(fits) else None
