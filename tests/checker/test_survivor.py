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
helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", str(folder / "session")], start_new_session=True)
print(helper.pid, flush=True)
time.sleep(600)
"""


def is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_nothing_is_left_of_a_process_that_was_killed(tmp_path: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    for one in (folder, other):
        one.mkdir()
        (one / "socket").write_text("", encoding="utf-8")
    beside = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", str(other)])
    with subprocess.Popen([sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        helper = int(parent.stdout.readline())
        assert is_there(helper)
        os.kill(parent.pid, signal.SIGKILL)
    until = time.monotonic() + 60
    while (is_there(helper) or folder.exists()) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_there(helper)
    assert not folder.exists()
    assert is_there(beside.pid)
    assert other.exists()
    beside.kill()
    beside.wait()
