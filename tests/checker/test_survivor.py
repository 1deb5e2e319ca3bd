"""What a process leaves behind in its folder is gone soon after it, also where it was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is that of Linux")
PARENT = """
import subprocess, sys, time
from pathlib import Path
from stacklaw.checker.process.survivor import guard
folder = Path(sys.argv[1])
guard(folder)
sleeps = [sys.executable, "-c", "import time; time.sleep(600)"]
named = subprocess.Popen([*sleeps, str(folder / "session")], start_new_session=True)
with open(folder / "log", "w") as log:  # one that calls itself something else
    writes = subprocess.Popen(sleeps, stdout=log, start_new_session=True)
print(named.pid, writes.pid, flush=True)
time.sleep(600)
"""


def is_there(process: int) -> bool:
    try:
        return (
            Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            not in "ZX"
        )
    except OSError:
        return False


def test_nothing_is_left_of_a_process_that_was_killed(tmp_path: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    for one in (folder, other):
        one.mkdir()
        (one / "socket").write_text("", encoding="utf-8")
    beside = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", str(other)])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        helpers = [int(one) for one in parent.stdout.readline().split()]
        assert all(map(is_there, helpers))
        os.kill(parent.pid, signal.SIGKILL)
    until = time.monotonic() + 60
    while (any(map(is_there, helpers)) or folder.exists()) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_there, helpers))
    assert not folder.exists()
    assert is_there(beside.pid)
    assert other.exists()
    beside.kill()
    beside.wait()
