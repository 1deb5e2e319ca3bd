"""``python -m stacklaw`` and the command ``stacklaw``: from here on Ctrl-C and SIGTERM end it as
the manual says.

Nothing that takes long is imported before that, and a signal that comes while modules are imported
ends the command, too.
"""

from __future__ import annotations

import os
import sys

from . import _leave as _leave_at_once

_INTERRUPTED, _TERMINATED = 130, 143


def main() -> None:
    """Run the command line of this process, and exit."""
    try:
        code = _run()
    except KeyboardInterrupt:
        code = _ended(_INTERRUPTED)
    if code in (_INTERRUPTED, _TERMINATED):
        _leave(code)
    sys.exit(code)


def _run() -> int:
    _open_streams()
    from .checker.process.interrupts import INTERRUPTS  # noqa: PLC0415 - a signal while it is imported ends the command as any other

    try:
        with INTERRUPTS.undisturbed():
            INTERRUPTS.begin(instead_of=_leave_at_once)
            from .checker.process.collector import look_seldom  # noqa: PLC0415 - as above

            look_seldom()
            from .cli.main import run  # noqa: PLC0415 - as above

        return run()
    except Exception:
        # What is told in `run` never comes here; but a module of which a signal has left only a
        # half may fail in any way.
        if not INTERRUPTS.asked:
            raise
    except KeyboardInterrupt:
        pass
    finally:
        INTERRUPTS.finish()
    return _ended(128 + INTERRUPTS.asked if INTERRUPTS.asked else _INTERRUPTED)


def _leave(code: int) -> None:
    """End at once: to tidy up after a large search takes longer than somebody who has asked for the
    end wants to wait.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    os._exit(code)


def _ended(code: int) -> int:
    """Say that somebody has ended this; return the *code*."""
    import contextlib  # noqa: PLC0415 - not before a signal is taken

    with contextlib.suppress(OSError):
        os.write(2, b"interrupted\n")
    return code


def _open_streams() -> None:
    """Let what is closed of stdin, stdout and stderr lead nowhere: the next file that is opened
    must not take its place.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 - of a number there is no path


if __name__ == "__main__":
    main()
