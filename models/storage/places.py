"""Places of this user's files: what may be lost, and what may not.

Nobody knows where without a home folder; `NOWHERE` stands for that, and nothing can be opened or
made in it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

NOWHERE = Path(os.devnull)
"""The folder of a user without one."""


def cache_folder() -> Path:
    """Return where files lie that only save time: ``STACKLAW_CACHE``, or the folder the system has
    for such things.
    """
    if said := os.environ.get("STACKLAW_CACHE"):
        return Path(said)
    if sys.platform == "win32":
        return _under("LOCALAPPDATA", "AppData", "Local", "stacklaw", "cache")
    if sys.platform == "darwin":
        return _under("", "Library", "Caches", "stacklaw")
    return _under("XDG_CACHE_HOME", ".cache", "stacklaw")


def state_folder() -> Path:
    """Return where files lie that belong to this user on this machine, the key
    (`models.storage.key`) among them.
    """
    if sys.platform == "win32":
        return _under("LOCALAPPDATA", "AppData", "Local", "stacklaw", "state")
    if sys.platform == "darwin":
        return _under("", "Library", "Application Support", "stacklaw")
    return _under("XDG_STATE_HOME", ".local", "state", "stacklaw")


def _under(variable: str, *names: str) -> Path:
    """Return the folder *names* of the home folder; a *variable* that says an absolute path stands
    for all before "stacklaw".
    """
    said = os.environ.get(variable, "")
    ours = names[names.index("stacklaw") :]
    if Path(said).is_absolute():  # a relative one is to be ignored, says the XDG specification
        return Path(said, *ours)
    try:
        home = Path.home()
    except (RuntimeError, KeyError):  # no HOME, and nobody by this number in the list of users
        return NOWHERE
    return home.joinpath(*names) if home.is_absolute() else NOWHERE
