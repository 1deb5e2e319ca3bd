"""How many of the small faults of ``faults.toml`` the tests notice, each planted alone in a copy of
the checkout.

By hand, as it takes an hour of processor time; not in CI. Each fault is run against the tests that
are most likely to notice, up to the first that fails: with ``--depth 1`` the quick ones of them,
with 2 the slow ones too, with 3 all tests of its folder. A fault because of which tests cannot even
be collected does not count. What was found is added to a file, so that a run that was interrupted
goes on, and one that goes deeper asks only of what was not noticed; with ``--again`` the test that
noticed a fault in an earlier run comes first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {
    "checker/explicit": ["explicit", "checker"],
    "models/ir": ["explicit", "checker", "models"],
    "checker/slicing": ["explicit", "checker"],
    "checker/reference": ["checker", "explicit", "properties"],
    "checker/symbolic": ["symbolic", "cli/test_proofs.py"],
    "checker/watching": ["checker", "explicit", "symbolic"],
    "checker": ["checker", "cli", "properties"],
}
"""The tests of each folder, and of those in it that are not named; what the most exact name says is
taken.
"""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", re.MULTILINE)
_QUIET = ("-x", "-q", "-rfE", "--no-header", "--tb=no", "-p", "no:cacheprovider")
_NOT_COLLECTED = (2, 4)
"""Exit codes of pytest."""
NOT_COUNTED = ("has no place", "cannot be collected")


@dataclass(frozen=True)
class Fault:
    """In *file* the text *new* stands in the place of *old*, so that *what*. *equivalent* says why
    no test can notice it, and is empty if one can.

    Results are matched by *what* alone: a file may be moved between two runs that are compared.
    """

    file: str
    what: str
    old: str
    new: str
    first: tuple[str, ...]
    equivalent: str = ""

    @property
    def folder(self) -> str:
        """The folder whose tests it is run against."""
        return next(str(folder) for folder in Path(self.file).parents if str(folder) in FOLDERS)

    def planted(self, text: str) -> str | None:
        """Return *text* with the fault; None if it has no place for it, or several."""
        return text.replace(self.old, self.new) if text.count(self.old) == 1 else None


@dataclass(frozen=True)
class Result:
    """What came of a fault: the test it was *noticed* by, or how else it *ended*. Tests to *depth*
    took *seconds* processor seconds.
    """

    file: str
    what: str
    noticed: str
    ended: str
    seconds: float
    depth: int


def faults(root: Path) -> list[Fault]:
    """Return the faults to plant in the checkout at *root*."""
    known = tomllib.loads((root / "bench" / "faults.toml").read_text(encoding="utf-8"))["fault"]
    found = [Fault(**{**one, "first": tuple(one["first"])}) for one in known]
    twice = [what for what, times in Counter(fault.what for fault in found).items() if times > 1]
    if twice:
        raise ValueError(f"faults.toml says of several faults: {', '.join(twice)}")
    return found


def mixed(those: list[Fault]) -> list[Fault]:
    """Return *those*, each folder's in turn, so that the first of them are a fair sample."""
    places: Counter[str] = Counter()
    order = [(places.update((fault.folder,)) or places[fault.folder], fault) for fault in those]
    many = Counter(fault.folder for fault in those)
    return [fault for _, fault in sorted(order, key=lambda one: one[0] / many[one[1].folder])]


class Runner:
    """Runs tests on a copy of a checkout in *folder*."""

    def __init__(self, source: Path, folder: Path, python: str, limit: float) -> None:
        self.checkout, self.python, self.limit, self.number = folder / "stacklaw", python, limit, 0
        shutil.copytree(
            source,
            self.checkout,
            ignore=shutil.ignore_patterns(".git", "*.egg-info", "__pycache__", ".mypy_cache"),
        )
        own = {
            "PYTHONPATH": str(folder),
            "TMPDIR": str(folder / "tmp"),
            "XDG_CACHE_HOME": str(folder / "cache"),
        }
        (folder / "tmp").mkdir()
        self.environment = {**os.environ, **own}

    def run(self, fault: Fault, before: str, depths: range) -> Result:
        """Return what comes of *fault* at these *depths*; the test that noticed it *before* is run
        first.
        """
        file, begun = self.checkout / fault.file, _spent()
        text = file.read_text(encoding="utf-8")
        planted = fault.planted(text)
        if planted is None:
            return Result(fault.file, fault.what, "", "has no place", 0, 0)
        try:
            self._write(file, planted)
            noticed, ended = self._noticed(fault, before, depths)
        finally:
            self._write(file, text)
        return Result(
            fault.file, fault.what, noticed, ended, round(_spent() - begun, 1), depths[-1]
        )

    def _write(self, file: Path, text: str) -> None:
        """Write *text* with a time of its own: by time and size Python knows whether what it has
        compiled is of this text.
        """
        self.number += 1
        file.write_text(text, encoding="utf-8")
        os.utime(file, (self.number, self.number))

    def _noticed(self, fault: Fault, before: str, depths: range) -> tuple[str, str]:
        for tests in self._stages(fault, before, depths):
            command = [self.python, "-m", "pytest", *_QUIET, *tests]
            try:
                run = subprocess.run(
                    command,
                    cwd=self.checkout,
                    env=self.environment,
                    capture_output=True,
                    text=True,
                    timeout=self.limit,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return "", "came to no end"
            failed = _FAILED.search(run.stdout)
            if failed is not None:
                return failed[1], "noticed"
            if run.returncode in _NOT_COLLECTED and tests[0] != before:
                return "", "cannot be collected"
        return "", "not noticed"

    def _stages(self, fault: Fault, before: str, depths: range) -> Iterator[list[str]]:
        """Yield which tests to run, one process after the other."""
        if before and (self.checkout / before.partition("::")[0]).exists():
            yield [before, "-m", "not slow" if depths[-1] == 1 else "long or not long"]
        first = [
            str(Path("tests") / name)
            for name in fault.first
            if (self.checkout / "tests" / name).exists()
        ]
        rest = [
            *(str(Path("tests") / name) for name in FOLDERS[fault.folder]),
            *(f"--ignore={name}" for name in first),
        ]
        for depth in depths:
            if depth < 3 and first:
                yield [*first, "-m", ("not slow", "slow")[depth - 1]]
            elif depth == 3:
                yield [*rest, "-m", "not slow"]
                yield [*rest, "-m", "slow"]


def _spent() -> float:
    """Return the processor seconds of all processes that were run so far."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Plant the faults one after the other, and print which are noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "results",
        type=Path,
        help="the file that what is found is added to, outside of the checkout",
    )
    parser.add_argument(
        "--checkout", type=Path, default=ROOT, help="whose code and tests, if not these"
    )
    parser.add_argument("--only", default="", help="only faults whose file or description has this")
    parser.add_argument(
        "--again",
        type=Path,
        help="results of an earlier run: the test that noticed then comes first",
    )
    parser.add_argument("--depth", type=int, default=3, choices=(1, 2, 3))
    parser.add_argument("--nice", type=int, default=19)
    parser.add_argument(
        "--limit", type=float, default=1800, help="seconds by the clock for each run of pytest"
    )
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    os.nice(given.nice)
    known = {} if not given.results.exists() else _read(given.results)
    before = {} if given.again is None else _read(given.again)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(given.checkout.resolve(), Path(folder), given.python, given.limit)
        for fault in mixed(faults(ROOT)):
            key = fault.what
            done = (
                0
                if key not in known
                else known[key].depth
                if known[key].ended == "not noticed"
                else given.depth
            )
            if given.only not in f"{fault.file} {fault.what}" or done >= given.depth:
                continue
            earlier = before[key].noticed if key in before else ""
            known[key] = runner.run(fault, earlier, range(done + 1, given.depth + 1))
            with given.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(known[key])) + "\n")
            print(time.strftime("%H:%M:%S"), *asdict(known[key]).values(), sep="  ", flush=True)
    _print_share([(fault, known[fault.what]) for fault in faults(ROOT) if fault.what in known])


def _read(path: Path) -> dict[str, Result]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return {one.what: one for one in (Result(**json.loads(line)) for line in lines)}


def _print_share(found: list[tuple[Fault, Result]]) -> None:
    """Print how many are noticed, of those that somebody could notice, and which are not."""
    counted = [
        (fault, result)
        for fault, result in found
        if not fault.equivalent and result.ended not in NOT_COUNTED
    ]
    noticed = sum(result.ended in ("noticed", "came to no end") for _, result in counted)
    print(f"{noticed} of {len(counted)} faults are noticed")
    for fault, result in found:
        if result.ended != "noticed":
            print(
                f"  {fault.file}: {fault.what}: "
                f"{result.ended}{f' (equivalent: {fault.equivalent})' if fault.equivalent else ''}"
            )


if __name__ == "__main__":
    main()
