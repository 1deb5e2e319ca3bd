"""Measuring a command: the time of its process, its memory, and what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter


@dataclass(frozen=True)
class Measured:
    """One run: seconds of the whole process and of its processor time, the most memory it had, what
    it said, and its exit code.
    """

    seconds: float
    processor: float
    mebibytes: float
    text: str
    code: int = 0


def with_cache(folder: Path | str) -> dict[str, str]:
    """Return the environment in which compiled code and proofs are kept in *folder*, and Python
    keeps its own as it does for a person.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "STACKLAW_CACHE": str(folder)}


def measure(
    command: list[str],
    environment: Mapping[str, str] | None = None,
    *,
    folder: Path | None = None,
    codes: tuple[int, ...] | None = (0,),
) -> Measured:
    """Run *command* in *folder*; any exit code but those in *codes* ends the benchmark (None: none
    does).
    """
    began = perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=folder,
    )
    assert process.stdout is not None
    with process.stdout as output:
        text = output.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if codes is not None and process.returncode not in codes:
        sys.exit(f"{' '.join(command)} failed:\n{text}")
    return Measured(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text, process.returncode
    )
