"""The command as a process: what it imports, pipes that break, signals, terminals."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from stacklaw.cli.output.exits import Exit


def process(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]


def test_help_imports_nothing_heavy() -> None:
    heavy = ("rich", "networkx", "lark", "numpy", "jinja2", "z3")
    script = (
        f"import sys, stacklaw.cli.main as m; m.run(['--help']); print([name for name in {heavy} "
        "if name in sys.modules])"
    )
    done = subprocess.run(process("-c", script), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_check_imports_nothing_that_it_does_not_need() -> None:
    """Networkx is for pictures, loops and strategies, and takes as long to import as a small
    search.
    """
    script = (
        "import sys, stacklaw.cli.main as m; m.run(['check', 'zx', '-p', 'turn_ends', '-p', "
        "'lifo', '--engine', 'explicit']);print([name for name in sys.modules if name in "
        "('networkx', 'jinja2', 'numpy') or name.startswith('stacklaw.checker.strategies')])"
    )
    done = subprocess.run(process("-c", script), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_a_broken_pipe_is_quiet() -> None:
    with subprocess.Popen(
        process("-m", "stacklaw", "show", "mtg"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == Exit.BROKEN_PIPE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_ends_with_130() -> None:
    long = process(
        "-m", "stacklaw", "check", "stack", "--players", "4", "--stack", "6", "--time", "100"
    )
    # A run in the background ignores Ctrl-C, and so would what it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        started = subprocess.Popen(long, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with started as running:
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == Exit.INTERRUPTED, err
    assert "interrupted" in out + err
    assert "Traceback" not in err


def test_no_color_is_honoured() -> None:
    pty = pytest.importorskip("pty")
    seen = {}
    for variables in ({}, {"NO_COLOR": "1"}):
        parent, child = pty.openpty()
        environment = {**os.environ, **variables, "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None) if not variables else None
        subprocess.run(
            process("-m", "stacklaw", "explain", "response_window"),
            stdout=child,
            env=environment,
            check=True,
        )
        os.close(child)
        seen[bool(variables)] = os.read(parent, 65536)
        os.close(parent)
    assert b"\x1b[" in seen[False]
    assert not re.search(rb"\x1b\[[0-9;]*3[0-9]", seen[True])


@pytest.mark.slow
def test_a_terminal_that_knows_only_ascii_is_no_mistake() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        process("-m", "stacklaw", "show", "mtg"), capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
