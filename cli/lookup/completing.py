"""Completing: what the last word of a line at the prompt may become, by what can be said there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...checker.situations.question import EXAMPLES
from ...models import ir
from ...reports.naming import player_name
from ...reports.rulings.asking import offered

_DELIMITERS = " \t"
"""What stands between words; a name may have a hyphen, a slash or an apostrophe in it."""


def phrases_of(program: ir.Program, players: int) -> list[str]:
    """Return what can be said and asked of *players* at a prompt about *program*."""
    return list(dict.fromkeys(_phrases(program, players)))


def _phrases(program: ir.Program, players: int) -> Iterator[str]:
    parts = offered(program)
    names = [player_name(number) for number in range(players)]
    for name in names:
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
        self.phrases, self.words = list(phrases), list(words)
        self._found: list[str] = []

    def restart(self) -> None:
        """Let readline ask this; raises ImportError where there is none."""
        import readline  # noqa: PLC0415 - not on every system

        readline.set_completer_delims(_DELIMITERS)
        readline.set_completer(self._complete)
        is_edit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_edit else "tab: complete")

    def _complete(self, _begun: str, number: int) -> str | None:
        import readline  # noqa: PLC0415 - not on every system

        if not number:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            self._found = completions(line, self.phrases, self.words)
        return self._found[number] if number < len(self._found) else None
