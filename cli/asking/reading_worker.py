"""A worker, a process that looks at readings of rulesets: what `readings` asks of it, and what it answers.

One request after the other comes in on stdin, each after its length in eight bytes, and a line of JSON for each goes out on stdout; before
it go lines that say how far the search is, if somebody watches it.
`checker.prover.workers` is the other end. The processes that it has look for proofs serve all that it is asked.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing, nullcontext
from typing import Any

from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.worker import LENGTH
from ...checker.prover.workers import COMMAND, Reply, Workers
from ...checker.types import scope, strategy, verdict
from ...checker.types.budget import Budget, Progress
from ...checker.types.tuning import Tuning
from ...models import diagnostics
from ...models.diagnostics import Diagnostic, InputError
from ...models.read import pass_on, piped
from ...models.source import Source
from ...models.storage.keeping import sparing
from ...models.trees import TREES, Trees
from ...reports.plays import play
from ...reports.telling import record, roots
from ...reports.telling.record import Record
from .ask import Asked, ask

READING = (*COMMAND[:-1], f"{__package__}.reading_worker")
"""What such a worker runs."""
_TREES = Trees([*TREES, diagnostics, scope, strategy, verdict, play, record, roots])


def told(target: str, asked: Asked, *, is_rare: bool = False, is_watched: bool = False) -> bytes:
    """Return as data that everything *asked* of the ruleset *target* is to be decided; of what *is_rare* little is kept.

    Of what *is_watched* it is said how far it is.
    """
    budget, tuning = asked.budget, asked.tuning
    said: dict[str, Any] = {name: getattr(asked, name) for name in _AS_THEY_ARE}
    said |= {"target": target, "is_rare": is_rare, "is_watched": is_watched, "sizes": dict(asked.sizes), "settings": dict(asked.settings)}
    content = piped(target.partition("@")[0])
    said["piped"] = None if content is None else content.decode("latin-1")
    said |= {"files": [(file.name, file.text) for file in asked.files], "budget": (budget.seconds, budget.mebibytes)}
    return json.dumps({**said, "tuning": (tuning.threads, tuning.slicing, tuning.symmetry)}).encode()


_AS_THEY_ARE = ("properties", "players", "stack", "engine", "prove", "certified", "beside", "only_wanting", "unread")


def _read(content: bytes) -> tuple[str, Asked, bool, bool]:
    said: dict[str, Any] = json.loads(content)
    target, text = said.pop("target"), said.pop("piped")
    if text is not None:
        pass_on(target.partition("@")[0], text.encode("latin-1"))
    is_rare, is_watched = bool(said.pop("is_rare")), bool(said.pop("is_watched"))
    files = tuple(Source(name, text) for name, text in said.pop("files"))
    budget, tuning = Budget(*said.pop("budget")), Tuning(*said.pop("tuning"))
    return target, Asked(budget, tuning, **{**said, "properties": tuple(said["properties"])}, files=files), is_rare, is_watched


def answer(reply: Reply) -> Record | tuple[Diagnostic, ...]:
    """Return what came of a request: a record, or what is wrong with the input; raise RuntimeError if there was a mistake of ours."""
    match reply:
        case {"record": str(content)}:
            found: Record = _TREES.read(content.encode(), Record)
            return found
        case {"wrong": str(content)}:
            wrong: tuple[Diagnostic, ...] = _TREES.read(content.encode(), tuple[Diagnostic, ...])
            return wrong
        case {"failed": str(why)}:
            raise RuntimeError(why)
        case _:
            raise RuntimeError(f"a process that looked at a reading ended with {reply.get('died')}")


def _reply(content: bytes, standing: Workers) -> Reply:
    try:
        target, asked, is_rare, is_watched = _read(content)
        with sparing() if is_rare else nullcontext():
            return {"record": _TREES.told(ask(target, asked, standing=standing, tell=_tell if is_watched else None)).decode()}
    except InputError as error:
        return {"wrong": _TREES.told(error.diagnostics).decode()}
    except Exception as error:
        # It is told where all that is asked ends: as a mistake of ours.
        return {"failed": f"{type(error).__name__}: {error}"}


def _tell(now: Progress) -> None:
    _say({"progress": {"what": now.what, "positions": now.positions, "layer": now.layer, "parts": now.parts}})


def _say(reply: Reply) -> None:
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Decide what is asked until there is nothing more to decide, or somebody ends this."""
    INTERRUPTS.begin()
    try:
        with closing(Workers()) as standing:
            while length := sys.stdin.buffer.read(LENGTH):
                _say(_reply(sys.stdin.buffer.read(int.from_bytes(length, "big")), standing))
                INTERRUPTS.check()
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # nobody waits for more
    finally:
        INTERRUPTS.finish()


if __name__ == "__main__":
    main()
