"""``stacklaw ask GAME`` at a terminal: words are completed, lines are kept for the next time, and
Ctrl-C takes back a line.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from stacklaw.checker.situations.question import read_question, spoken
from stacklaw.cli.lookup.prompt import completions, phrases_of
from stacklaw.cli.output.exits import Exit
from stacklaw.models.load import load_game
from stacklaw.models.shipped import example_names, game_names

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
pytest.importorskip("readline")
_LONG = 60.0
COMMAND = [sys.executable, "-m", "stacklaw", "ask", "mtg"]
CTRL_C, CTRL_D, TAB, UP = "\x03", "\x04", "\t", "\x1b[A"


class Terminal:
    """A prompt at a terminal of *columns* columns; what it has *shown*, and how much of that is
    *read*.
    """

    def __init__(self, folder: Path, columns: int) -> None:
        self.parent, self.child = pty.openpty()
        termios.tcsetwinsize(self.child, (24, columns))
        terminal = {
            "TERM": "xterm",
            "NO_COLOR": "1",
            "XDG_CACHE_HOME": str(folder),
            "TERMINAL": os.ttyname(self.child),
        }
        known = {
            name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")
        }
        # Who begins a session has the first terminal that it opens send it Ctrl-C; a run in the
        # background ignores that, and so would what it starts.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self.process = subprocess.Popen(
                ["sh", "-c", 'exec "$@" < "$TERMINAL" > "$TERMINAL" 2>&1', "sh", *COMMAND],
                env={**known, **terminal},
                start_new_session=True,
            )
        finally:
            signal.signal(signal.SIGINT, before)
        self.shown, self.read = "", 0

    def until(self, words: str) -> str:
        """Return what is shown from here on until *words* are, without the signs of a terminal."""
        begun, end = self.read, monotonic() + _LONG
        while (found := self.shown.find(words, begun)) < 0:
            assert select.select([self.parent], [], [], max(0.0, end - monotonic()))[0], self.shown
            came = os.read(self.parent, 65536).decode("utf-8", "replace")
            self.shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\x07]", "", came)
        self.read = found + len(words)
        return self.shown[begun : self.read]

    def type(self, keys: str) -> None:
        os.write(self.parent, keys.encode())

    def ends(self) -> int:
        """Return how the process has ended, once it has."""
        try:
            while os.read(self.parent, 65536):
                pass
        except OSError:  # so Linux says that the last writer is gone
            pass
        return self.process.wait(timeout=_LONG)


@contextmanager
def at_terminal(folder: Path, columns: int = 80) -> Iterator[Terminal]:
    opened = Terminal(folder, columns)
    try:
        opened.until("> ")
        os.close(opened.child)
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.parent)


@pytest.mark.parametrize("columns", [80, 40])
def test_a_line_is_completed_and_kept_for_the_next_time(tmp_path: Path, columns: int) -> None:
    with at_terminal(tmp_path, columns) as terminal:
        terminal.type(f"A casts an{TAB}")
        terminal.until("A casts an instant spell")
        terminal.type("\n")
        shown = terminal.until("\n> ")
        assert "stack: A's" in shown
        assert max(map(len, shown.splitlines())) <= columns
        terminal.type(f"may B res{TAB}")
        terminal.until("may B respond?")
        terminal.type("\n")
        terminal.until("YES, IN EVERY PLAY WITHIN THE SCOPE.")
        terminal.until("> ")
        terminal.type(CTRL_D)
        assert terminal.ends() == Exit.OK
    with at_terminal(tmp_path, columns) as terminal:
        terminal.type(UP + UP)
        terminal.until("A casts an instant spell")
        terminal.type("\n")
        terminal.until("stack: A's")
        terminal.until("> ")
        terminal.type("quit\n")
        assert terminal.ends() == Exit.OK


def test_ctrl_c_takes_back_a_line_and_what_was_said_stays(tmp_path: Path) -> None:
    with at_terminal(tmp_path) as terminal:
        terminal.type("A casts an instant\n")
        terminal.until("\n> ")
        terminal.type("B hu")
        terminal.until("B hu")
        sleep(1)  # readline heeds Ctrl-C at once only while it waits for a key
        terminal.type(CTRL_C)
        terminal.until("> ")
        # What ends the process if a signal is not heeded waits for less than two seconds.
        with pytest.raises(subprocess.TimeoutExpired):
            terminal.process.wait(timeout=2.5)
        terminal.type("who has priority\n")
        assert "A." in terminal.until("Within 2 players")
        terminal.until("> ")
        terminal.type("undo\n")
        terminal.until("taken back: A casts an instant")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.ends() == Exit.TERMINATED


@pytest.mark.parametrize("name", [*game_names(), *example_names()])
def test_what_is_offered_is_understood(name: str) -> None:
    program = load_game(name)
    offered = phrases_of(program, program.players[0])
    assert len(offered) == len(set(offered)) > 20
    for one in offered:
        if one.endswith("?"):
            assert read_question(spoken(one)[0]).questions, one


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("bo", ["board"]),
        ("A c", ["casts a spell"]),
        ("a casts a s", ["spell"]),
        ("A casts a spell; A p", ["passes"]),
        ("A passes: may B r", ["respond?"]),
        ("what about the sp", ["spell"]),
        ("what about ", []),
        ("x", []),
    ],
)
def test_what_a_line_may_become(line: str, found: list[str]) -> None:
    phrases = ["board", "A casts a spell", "A passes", "may B respond?"]
    assert completions(line, phrases, ["spell", "stack"]) == found
