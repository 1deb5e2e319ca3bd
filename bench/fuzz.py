"""Give mutated inputs to the command line, and say which end in an internal error, in a signal, or
take too long.

usage: python -m bench.fuzz [--from N] [--inputs N] [--workers N] [--seconds S] [--keep DIR]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time
from typing import IO, Any

from .mutated import ROOT, Input, mutated

MOST_SECONDS = 2.0
"""So much processor time an input may take."""
_HANG = 60.0
"""A worker that says nothing for this many seconds hangs, on a machine that is busy with other
things, too.
"""
_FINE = (0, 1, 2, 3)
_ONE_PASS = "tests/examples/single_pass.rules"


def try_one(number: int, folder: Path) -> dict[str, Any]:
    """Run the command of the input of this *number* in *folder*; return its exit code, processor
    time, and last words.
    """
    from stacklaw.cli.main import run  # noqa: PLC0415 - only a worker needs it

    one = mutated(number)
    name = f"fuzzed{one.ending}"
    (folder / name).write_bytes(one.text)
    arguments = [name if part == "FILE" else part for part in one.command]
    said, told = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    began = process_time()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(told),
    ):
        try:
            code: int | str = int(run(arguments))
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"
    spent = process_time() - began
    told.flush()
    words = told.buffer.getvalue().decode("utf-8", "replace")
    return {
        "number": number,
        "code": code,
        "seconds": spent,
        "said": words[-300:],
        "command": arguments,
    }


def work() -> None:
    """Be a worker: for each number on stdin, a line of JSON on stdout."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / _ONE_PASS, Path(folder) / "one_pass.rules")
        (Path(folder) / "fuzzed.clauses").write_text("1\tOne.\n2\tTwo.\n", encoding="utf-8")
        try_one(1, Path(folder))  # what is imported and made once is not measured
        for line in sys.stdin:
            replies.write(json.dumps(try_one(int(line), Path(folder))) + "\n")
            replies.flush()


@dataclass
class _Worker:
    process: subprocess.Popen[str]
    number: int = -1
    since: float = 0.0

    @classmethod
    def new(cls, environment: dict[str, str]) -> _Worker:
        pipes: Any = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.DEVNULL,
            "text": True,
        }
        return cls(
            subprocess.Popen(
                [sys.executable, "-m", "bench.fuzz", "--worker"], **pipes, env=environment, cwd=ROOT
            )
        )

    def ask(self, number: int) -> None:
        self.number, self.since = number, monotonic()
        stdin: IO[str] = self.process.stdin  # type: ignore[assignment]
        stdin.write(f"{number}\n")
        stdin.flush()


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--from", type=int, default=0, dest="first", help="the number of the first input"
    )
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--seconds",
        type=float,
        default=MOST_SECONDS,
        help="the processor time that an input may take",
    )
    parser.add_argument("--keep", type=Path, help="where inputs that fail are written to")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        work()
        return
    codes, failures, slowest = run_all(
        range(asked.first, asked.first + asked.inputs), asked.workers, asked.seconds, asked.keep
    )
    print(
        "exit codes:",
        ", ".join(
            f"{code}: {count:,}"
            for code, count in sorted(codes.items(), key=lambda pair: str(pair[0]))
        ),
    )
    print(
        "most processor time:",
        ", ".join(f"{seconds:.2f} s ({number})" for seconds, number in slowest),
    )
    print(f"{sum(codes.values()):,} inputs, {len(failures)} failures")
    sys.exit(1 if failures else 0)


def run_all(
    numbers: range, workers: int, most: float, keep: Path | None
) -> tuple[Counter[object], list[int], list[tuple[float, int]]]:
    """Try the inputs of all *numbers*; return how many ended with which code, those that failed,
    and the slowest ones.
    """
    codes: Counter[object] = Counter()
    failures: list[int] = []
    times: list[tuple[float, int]] = []
    left = iter(numbers)
    with tempfile.TemporaryDirectory() as cache, selectors.DefaultSelector() as selector:
        environment = {**os.environ, "STACKLAW_CACHE": cache, "TMPDIR": cache}

        def begin(worker: _Worker | None = None) -> None:
            number = next(left, None)
            if number is None:
                if worker is not None:
                    selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
                    worker.process.stdin.close()  # type: ignore[union-attr]
                return
            if worker is None:
                worker = _Worker.new(environment)
                selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
            worker.ask(number)

        def take(worker: _Worker, reply: dict[str, Any]) -> None:
            codes[reply["code"]] += 1
            times.append((reply["seconds"], worker.number))
            if reply["code"] not in _FINE or reply["seconds"] > most:
                failures.append(worker.number)
                print(
                    f"{worker.number}: {reply['code']}, {reply['seconds']:.2f} s: "
                    f"{reply.get('command', '')} {reply.get('said', '')}",
                    flush=True,
                )
                if keep is not None:
                    _keep(mutated(worker.number), keep)
            if sum(codes.values()) % 1000 == 0:
                print(f"{sum(codes.values()):,} tried, {len(failures)} failures", flush=True)

        for _ in range(workers):
            begin()
        while selector.get_map():
            for key, _ in selector.select(1.0):
                worker: _Worker = key.data
                line = worker.process.stdout.readline()  # type: ignore[union-attr]
                if line:
                    take(worker, json.loads(line))
                    begin(worker)
                else:
                    selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
                    take(worker, {"code": f"died with {worker.process.wait()}", "seconds": 0.0})
                    begin()
            for key in list(selector.get_map().values()):
                if monotonic() - key.data.since > _HANG:
                    key.data.process.kill()
                    key.data.since = monotonic()
    return codes, failures, sorted(times, reverse=True)[:8]


def _keep(one: Input, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{one.number}{one.ending}").write_bytes(one.text)
    (folder / f"{one.number}.command").write_text(repr(one.command), encoding="utf-8")


if __name__ == "__main__":
    main()
