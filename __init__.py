"""Stacklaw proves what a game's priority and stack rules guarantee, and shows the play that breaks
them.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # not `signal`, which takes long to import
import sys

# Not that of `typing`, which takes long to import: a signal may come before anybody takes it.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from .checker.api import ask, check
    from .checker.conform.monitor import LogMonitor as Monitor

__version__ = "0.1.0"
__all__ = ["Monitor", "__version__", "ask", "check"]


def _is_command() -> bool:
    """Whether this process is the command, as ``stacklaw`` or as ``python -m stacklaw``."""
    begun, words = (*sys.argv, "")[0], sys.orig_argv
    if begun == "-m":
        return words[words.index("-m") + 1] == __name__ if "-m" in words else False
    return begun.replace("\\", "/").rpartition("/")[2] in (__name__, f"{__name__}.exe")


def _leave(number: int, _frame: object) -> None:
    """End as `__main__` does, before it is there to do so."""
    import os  # noqa: PLC0415 - Python has imported it long ago

    os.write(2, b"interrupted\n")
    os._exit(128 + number)


if _is_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(
        _signal.SIGINT, _leave
    )  # until `__main__` begins: nobody sees a traceback of half an import


def __getattr__(name: str) -> object:
    """Import the checker when it is first asked for: ``import stacklaw`` alone stays light."""
    if name == "check":
        from .checker.api import check  # noqa: PLC0415 - `import stacklaw` alone stays light

        return check
    if name == "ask":
        from .checker.api import ask  # noqa: PLC0415 - as above

        return ask
    if name == "Monitor":
        from .checker.conform.monitor import LogMonitor  # noqa: PLC0415 - as above

        return LogMonitor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
