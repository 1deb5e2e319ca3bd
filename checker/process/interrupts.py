"""Interrupts: Ctrl-C and SIGTERM always end a command soon, and let it tell what was found; and a
process that another one has begun ends soon after that one.

Both raise KeyboardInterrupt in the main thread. If it is lost (Python swallows one that comes in a
callback) it is raised once more a second later; if that one is lost, too, the process ends as it
is. While something is told, or written down, a first signal waits until that is done. Nothing
happens here unless a command says `begin`: a library leaves signals to its user.

This is imported before anything else, so it imports little.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, process_time, sleep
from types import FrameType

AGAIN, LAST = 1.0, 1.7
"""After how many seconds KeyboardInterrupt is raised again, and after how many the process ends as
it is.
"""
_LOOK = 0.1
_OWN, _STILL, _MUCH = 0.005, 0.5, 1.2
"""How many seconds of processor time between two looks show that something is done. A process does
not heed a signal if it does nothing for `_STILL` seconds, or something else for `_MUCH` seconds of
processor time. A busy machine may take longer.
"""
_OURS = (signal.SIGINT, signal.SIGTERM)
_SHELL = 128
"""What a shell adds to the number of a signal that has ended a process."""


class Interrupts:
    """What has become of the signals of this process; *asked* is the first that came, 0 if none
    has.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.is_begun = self.is_over = self._can_bound = False
        self.holder: Callable[[int, FrameType | None], None] | None = None
        """Who takes a signal instead, as long as a search works."""
        self.at_end: list[Callable[[], None]] = []
        """What is done before the process ends, in any way."""
        self._undisturbed = 0
        self._is_owed = self._is_again = self._is_heeded = self._is_noted = False
        self.over = ""
        """Why what is `bounded` was ended, or last was; empty if it was not."""
        self._bounds = 0
        self._watched: Collection[int] = _OURS

    def begin(self, instead_of: Callable[[int, FrameType | None], None] | None = None) -> None:
        """Take the signals of this process from here on, those that are not ignored, *instead of*
        who has taken one before.
        """
        if self.is_begun or threading.current_thread() is not threading.main_thread():
            return
        ours = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
        taken = [
            number
            for number, usual in ours.items()
            if signal.getsignal(number) in (usual, instead_of or usual)
        ]
        for number in taken:
            signal.signal(number, self._note_signal)
        if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL:
            signal.signal(signal.SIGALRM, self._end_bounded)
            self._can_bound = True
        self.is_begun = True
        sys.unraisablehook = self._unraisable
        if taken and sys.platform != "win32":
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
            threading.Thread(
                target=self._watch, args=(reading,), name="interrupts", daemon=True
            ).start()

    def finish(self) -> None:
        """End what has been begun, and take no more signals: all is told."""
        self.is_over = True
        if self.is_begun:
            for number in _OURS:
                signal.signal(number, signal.SIG_IGN)
        self._clear()

    def check(self) -> None:
        """Raise KeyboardInterrupt if somebody has asked for the end: where one may have been
        swallowed.
        """
        if self.asked and not self.is_over:
            raise KeyboardInterrupt

    @contextmanager
    def undisturbed(self) -> Iterator[None]:
        """Let a first signal wait until this is done."""
        self._undisturbed += 1
        try:
            yield
        finally:
            self._undisturbed -= 1
        if self._is_owed and not self._undisturbed:
            self._is_owed = False
            raise KeyboardInterrupt

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let a first signal wait until this is done, and then say with *asked* that it came: what
        this has made is not lost.
        """
        self._undisturbed += 1
        try:
            yield
        finally:
            self._undisturbed -= 1
            if not self._undisturbed:
                self._is_heeded, self._is_owed = self._is_owed, False

    @contextmanager
    def raised(self) -> Iterator[None]:
        """Let Ctrl-C raise KeyboardInterrupt and do no more: who reads from a terminal takes it and
        goes on. Another signal that ends the process is `asked` all the same.
        """
        before = signal.getsignal(signal.SIGINT)
        if before != self._note_signal:
            yield
            return
        self._watched = (signal.SIGTERM,)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            self._watched = _OURS

    @contextmanager
    def bounded(self, why_over: Callable[[], str]) -> Iterator[None]:
        """End what is done here as Ctrl-C does, at any point, as soon as *why_over* says why: the
        search asks too seldom.

        Nothing is ended if somebody else takes the signals of this process.
        """
        self.over = ""
        if not self._can_bound:
            yield
            return
        done = threading.Event()
        self._bounds += 1
        threading.Thread(
            target=self._look_at_bounds, args=(why_over, done), name="bounds", daemon=True
        ).start()
        try:
            yield
        finally:
            self._bounds -= 1
            done.set()

    def _look_at_bounds(self, why_over: Callable[[], str], done: threading.Event) -> None:
        wait = _LOOK
        while not done.wait(wait) and not self.is_over:
            if why := why_over():
                self.over, wait = self.over or why, AGAIN
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)

    def _end_bounded(self, number: int, frame: FrameType | None) -> None:
        if not self._bounds or not self.over or self._undisturbed or self.is_over:
            return
        if self.holder is not None:
            self.holder(number, frame)
        else:
            raise KeyboardInterrupt

    # ------------------------------------------------------------------ when a signal comes

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        # The watcher may have seen it before, so *asked* does not say whether it is the first.
        is_first, is_again = not self._is_noted, self._is_again
        self._is_noted, self._is_again = True, False
        if self.is_over:
            return
        self.asked = self.asked or number
        if self._undisturbed and (is_first or is_again):
            self._is_owed = self._is_owed or is_first
        elif self.holder is not None:
            self.holder(number, frame)
        else:
            raise KeyboardInterrupt

    def _unraisable(self, what: sys.UnraisableHookArgs) -> None:
        """Say nothing of a KeyboardInterrupt that Python has swallowed in a callback: it is raised
        again.
        """
        if not ((self.asked or self.over) and issubclass(what.exc_type, KeyboardInterrupt)):
            sys.__unraisablehook__(what)

    def _watch(self, pipe: int) -> None:
        """Wait for a signal, also while the main thread is in code that is not Python's, and see
        that it is heeded.
        """
        while (came := os.read(pipe, 1)) and came[0] not in self._watched:
            pass
        if not came:
            return
        self.asked = self.asked or came[0]
        since = busy = monotonic()
        begun = spent = process_time()
        is_again = False
        while not self.is_over:
            sleep(_LOOK)
            now, before, spent = monotonic(), spent, process_time()
            if spent - before > _OWN:
                busy = now
            is_stuck = now - busy > _STILL or (spent - begun > _MUCH and not self._undisturbed)
            if now - since > LAST and is_stuck:
                self._end_process()
            elif now - since > AGAIN and not (is_again or self._is_heeded or self._undisturbed):
                is_again = self._is_again = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def _end_process(self) -> None:
        """End the process as it is."""
        self._clear()
        with suppress(OSError):
            os.write(2, b"interrupted\n")
        os._exit(_SHELL + self.asked)

    def _clear(self) -> None:
        for do in self.at_end:
            with suppress(Exception):
                do()


INTERRUPTS = Interrupts()
"""Those of this process."""


_LOOK_AT_PARENT = 0.5
"""How many seconds pass between two looks at the parent."""
_PATIENCE = 2.0
"""How many seconds a process has to tidy up when its parent has ended."""


def start() -> None:
    """Have this process, which leads a group of its own, end with that group when its parent has
    ended: its work is not needed any more. On a system without groups nothing is done.
    """
    if hasattr(os, "killpg"):
        threading.Thread(target=_watch, args=(os.getppid(),), name="orphans", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK_AT_PARENT)
    os.killpg(os.getpgrp(), signal.SIGTERM)
    sleep(_PATIENCE)
    os.killpg(os.getpgrp(), signal.SIGKILL)
