"""The survivor: a process that outlives this one, however that ends, and takes away what it leaves
behind in a folder.

It waits at a pipe of which only its parent holds the other end. So it knows when that is gone,
killed or not. Then it ends all processes that use the folder, and removes that. It is run as a file
and imports nothing of ours.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

_BEGUN: list[object] = []
_ROUNDS, _WAIT = 20, 0.2
"""So often it looks whether processes are left: some may be about to begin."""


def guard(folder: Path) -> None:
    """Have what is in *folder*, and who uses it, be gone soon after this process."""
    began = subprocess.Popen(
        [sys.executable, "-I", __file__, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _BEGUN.append(began)  # with the other end of its pipe


def users_of(folder: str) -> list[int]:
    """Return the processes, but for this one, whose command line names *folder*, or that have a
    file open there.
    """
    return [
        int(one.name)
        for one in Path("/proc").glob("[0-9]*")
        if int(one.name) != os.getpid() and _uses(one, folder)
    ]


def _uses(process: Path, folder: str) -> bool:
    with suppress(OSError):
        if os.fsencode(folder) in (process / "cmdline").read_bytes():
            return True
        for one in (process / "fd").iterdir():
            with suppress(OSError):
                # Of what is removed, too, it says the name.
                if os.readlink(one).startswith(folder):  # noqa: PTH115
                    return True
    return False


def main(folder: str) -> None:
    """Wait until the other end of stdin is closed, then clear up."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    parent = os.getppid()  # it may still be about to end, in its own way
    sys.stdin.buffer.read()
    for _ in range(_ROUNDS):
        left = [one for one in users_of(folder) if one != parent]
        for one in left:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
        if not left and not Path(folder).exists():
            return
        time.sleep(_WAIT)


if __name__ == "__main__":
    main(sys.argv[1])
