"""Prompt: questions asked one after the other in one situation, with the board in between; and what
the last word of a line may become.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from ...checker.process.interrupts import INTERRUPTS
from ...checker.rulings.answer import Ruling
from ...checker.rulings.ask import ask, board
from ...checker.situations.question import ASKING, EXAMPLES, read_question, spoken
from ...checker.situations.vocabulary import GameWords
from ...checker.types.scope import Scope
from ...models import ir
from ...models.diagnostics import InputError
from ...models.storage.opening import cache_folder
from ...reports.naming import player_name
from ...reports.rulings.asking import offered
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
_ASKED = re.compile(rf"(?:^|: *)(?:{ASKING})\b[^:;]*$", re.IGNORECASE)
"""A question is one without its sign, too."""
_COMMANDS = ("board", "help", "new", "quit", "save", "undo", "why")


def run_prompt(program: ir.Program, whole: ir.Program, scope: Scope) -> Exit:
    """Read statements and questions about *program*, a reading of the *whole*, from standard input
    until it ends, and answer them. Ctrl-C at a terminal takes back a line, or stops an answer.
    """
    prompt = _Prompt(program, whole, scope)
    if sys.stdin is None or not sys.stdin.isatty():
        while prompt.reads(""):
            pass
        return Exit.OK
    say(f"{prompt.program.title}. `help` lists what can be said, `quit` or Ctrl-D ends.")
    phrases = [*_COMMANDS, *phrases_of(program, scope.players)]
    with _edited(Completer(phrases, GameWords(program).all_words.values())), INTERRUPTS.raised():
        is_open = True
        while is_open:
            try:
                is_open = prompt.reads("> ")
            except KeyboardInterrupt:
                if INTERRUPTS.asked or INTERRUPTS.over:  # somebody wants the process to end
                    raise
                say()
    return Exit.OK


class _Prompt:
    """A situation that grows line by line, and the last ruling in it."""

    def __init__(self, program: ir.Program, whole: ir.Program, scope: Scope) -> None:
        self.program, self.whole, self.scope = program, whole, scope
        self.said: list[str] = []
        self.last: Ruling | None = None

    def reads(self, sign: str) -> bool:
        """Do what the next line says, for which *sign* stands; return whether another may come."""
        try:
            line = input(sign).strip()
        except EOFError:
            if sign:
                say()
            return False
        if line in ("quit", "exit"):
            return False
        self.take(line)
        return True

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
            case _ if line.endswith("?") or _ASKED.search(line):
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


@contextmanager
def _edited(completer: Completer) -> Iterator[None]:
    """Have lines edited at a terminal: with what a *completer* offers, and a history that is
    kept.
    """
    history = cache_folder() / "asked"
    with suppress(ImportError, OSError):
        import readline  # noqa: PLC0415 - not on every system

        readline.set_completer_delims(_DELIMITERS)
        readline.set_completer(completer.complete)
        is_edit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_edit else "tab: complete")
        if history.exists():
            readline.read_history_file(history)
    try:
        yield
    finally:
        with suppress(ImportError, OSError):
            import readline  # noqa: PLC0415 - as above

            history.parent.mkdir(parents=True, exist_ok=True)
            readline.set_history_length(500)
            readline.write_history_file(history)


# ------------------------------------------------------------------ completion


_DELIMITERS = " \t"
"""What stands between words; a name may have a hyphen, a slash or an apostrophe in it."""


def phrases_of(program: ir.Program, players: int) -> list[str]:
    """Return what can be said and asked of *players* at a prompt about *program*."""
    return list(dict.fromkeys(_phrases(program, players)))


def _phrases(program: ir.Program, players: int) -> Iterator[str]:
    parts = offered(program)
    for name in map(player_name, range(players)):
        yield f"{name} passes"
        yield f"{name} has priority"
        yield f"may {name} respond?"
        for did, do in parts["acts"]:
            yield from (
                f"{name} {did}",
                f"may {name} {do}?",
                f"may {name} {do} before it resolves?",
            )
    yield "everybody passes"
    yield from (f"in the {step}" for step in parts["steps"])
    yield from parts["causes"]
    yield from EXAMPLES


def completions(line: str, phrases: Iterable[str], words: Iterable[str]) -> list[str]:
    """Return what the last word of *line* may become with what follows it: by *phrases* that begin
    as the line does since its last stop, else by *words*.
    """
    begun = re.split(r"[;:,] *", line)[-1]
    head, last = begun[: begun.rfind(" ") + 1], begun[begun.rfind(" ") + 1 :]
    fitting = [one[len(head) :] for one in phrases if one.lower().startswith(begun.lower())]
    return fitting or [one for one in words if last and one.lower().startswith(last.lower())]


class Completer:
    """Completes lines at a terminal by *phrases* and *words*, as readline asks for it."""

    def __init__(self, phrases: Iterable[str], words: Iterable[str]) -> None:
        self.phrases, self.words = list(phrases), sorted(words)
        self._found: list[str] = []

    def complete(self, _begun: str, number: int) -> str | None:
        """Return what readline is to offer in the place of that *number*; None if there is no
        more.
        """
        import readline  # noqa: PLC0415 - as above

        if not number:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._found = completions(line, self.phrases, self.words)
        return self._found[number] if number < len(self._found) else None
