"""A second solver: a certificate is shown to cvc5, where that is installed, in a process of its own
with limits on what it may take.

cvc5 has nothing in common with Z3. What it refutes is no proof, whatever Z3 says; where it gives
up, that says nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from .smtlib import OBLIGATION

CVC5 = "cvc5"
UNITS = 1_000_000
"""How much it may do for one question, in units of its own; the hardest of the five games takes a
tenth of that.
"""
_SECONDS = 120
"""Only a guard against a solver that hangs: the units end long before."""
_MEGABYTES = 4_000
_ASK = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
units, seconds, megabytes = map(int, sys.argv[2:])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
except (ImportError, ValueError, OSError):
    pass
import cvc5
solver = cvc5.Solver()
solver.setOption("incremental", "true")
solver.setOption("rlimit-per", str(units))
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "certificate")
while not (command := parser.nextCommand()).isNull():
    sys.stdout.write(str(command.invoke(solver, symbols)))
    sys.stdout.flush()
"""
"""What the new process runs: the answers go to stdout as they come, so that those given before its
end are known.
"""


@dataclass(frozen=True)
class Opinion:
    """What the second solver says of a certificate: it *agrees*, or *refuted* is the obligation
    that it finds broken; else it gave up.
    """

    agrees: bool
    refuted: str = ""


def is_there() -> bool:
    """Whether there is a second solver."""
    return find_spec(CVC5) is not None


def opinion(certificate: str, units: int = UNITS, seconds: float = _SECONDS) -> Opinion | None:
    """Return what cvc5 says of *certificate*, with *units* units for each question; None if it is
    not installed.
    """
    if not is_there():
        return None
    titles = [
        line.removeprefix(OBLIGATION)
        for line in certificate.splitlines()
        if line.startswith(OBLIGATION)
    ]
    command = [
        sys.executable,
        "-I",
        "-c",
        _ASK,
        json.dumps(sys.path),
        str(units),
        str(int(seconds)),
        str(_MEGABYTES),
    ]
    try:
        run = subprocess.run(
            command, input=certificate, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Opinion(agrees=False)
    answers = run.stdout.split()
    refuted = next(
        (title for title, answer in zip(titles, answers, strict=False) if answer == "sat"), ""
    )
    return Opinion(run.returncode == 0 and answers == ["unsat"] * len(titles), refuted)
