"""Pauses: while a search works Ctrl-C waits until it can end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ...process.interrupts import INTERRUPTS


class Held:
    """A Ctrl-C that waits to be taken; the second one waits no more, and then what the search knows
    may be half done (*forced*).
    """

    def __init__(self) -> None:
        self.asked = self.forced = False

    def raise_if_asked(self) -> None:
        """Raise KeyboardInterrupt if somebody has asked for it."""
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt

    def note_signal(self, _signal: int, _frame: FrameType | None) -> None:
        """Note a Ctrl-C."""
        if self.asked:
            self.forced = True
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def interrupts_held() -> Iterator[Held]:
    """Let Ctrl-C wait to be taken, where it can be: in the main thread, and if nobody else does
    something of their own with it.
    """
    held = Held()
    if INTERRUPTS.is_begun:
        before, INTERRUPTS.holder = INTERRUPTS.holder, held.note_signal
        try:
            yield held
        finally:
            INTERRUPTS.holder = before
        return
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield held
        return
    signal.signal(signal.SIGINT, held.note_signal)
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
