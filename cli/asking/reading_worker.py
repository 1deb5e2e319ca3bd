"""A worker, a process that looks at readings of rulesets: what `readings` asks of it, and what it
answers.

One request after the other comes in on stdin, each after its length in eight bytes, and a line of
JSON for each goes out on stdout; before it go lines that say how far the search is, if somebody
watches it. `checker.prover.workers` is the other end. The processes that it has look for proofs
serve all that it is asked.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import astuple, dataclass
from typing import Any, TypeAlias

from ...checker.explicit.native.machine import sharing
from ...checker.process.interrupts import INTERRUPTS
from ...checker.prover.proof_file import MalformedError, read_text
from ...checker.prover.worker import LENGTH
from ...checker.prover.workers import Reply, Workers
from ...checker.rulings.file import rulings_beside
from ...checker.types import scope, strategy, verdict
from ...checker.types.budget import Budget, Progress
from ...checker.types.tuning import Tuning
from ...models import diagnostics
from ...models.diagnostics import Diagnostic, InputError
from ...models.read import sent
from ...models.shipped import file_beside, game_source, is_shipped
from ...models.source import CLAIMS, Source
from ...models.storage.keeping import sparing
from ...models.trees import TREES, Trees
from ...reports.plays import play
from ...reports.rulings import changes
from ...reports.rulings import filed as filed_rows
from ...reports.rulings import told as told_rulings
from ...reports.telling import record, roots
from ...reports.telling.record import Record
from .ask import Asked, ask, unanswered

PARTS = 4
"""In so many parts somebody who waits is told of proofs."""
READING = f"{__package__}.reading_worker"
"""The module of such a worker."""
SentTexts: TypeAlias = Mapping[str, str | None]
"""What files say, by their names; None where there is no such file."""
_TREES = Trees(
    [
        *TREES,
        diagnostics,
        scope,
        strategy,
        verdict,
        play,
        record,
        roots,
        changes,
        filed_rows,
        told_rulings,
    ]
)


def reading_request(
    target: str,
    asked: Asked,
    texts: SentTexts | None = None,
    *,
    is_rare: bool = False,
    is_watched: bool = False,
    with_claims: bool = True,
) -> bytes:
    """Return as data that everything *asked* of the ruleset *target* is to be decided; of what
    *is_rare* little is kept.

    Its *texts* are looked for where it is decided if nobody sends them. Of what *is_watched* it is
    said how far it is, and what is found before all proofs are.
    """
    budget, tuning = asked.budget, asked.tuning
    said: dict[str, Any] = {name: getattr(asked, name) for name in _AS_THEY_ARE}
    said |= {
        "target": target,
        "texts": dict(texts or {}),
        "is_rare": is_rare,
        "is_watched": is_watched,
        "with_claims": with_claims,
    }
    said |= {"sizes": dict(asked.sizes), "settings": dict(asked.settings)}
    said |= {"files": [(file.name, file.text) for file in asked.files], "budget": astuple(budget)}
    return json.dumps(
        {**said, "tuning": (tuning.threads, tuning.slicing, tuning.symmetry)}
    ).encode()


@dataclass(frozen=True)
class _Request:
    target: str
    asked: Asked
    texts: SentTexts
    is_rare: bool
    is_watched: bool
    with_claims: bool


_AS_THEY_ARE = (
    "properties",
    "players",
    "stack",
    "engine",
    "prove",
    "certified",
    "beside",
    "only_wanting",
    "unread",
)


def texts_of(target: str) -> SentTexts:
    """Return what the files say that decide about the ruleset *target*, by their names: none if it
    comes with stacklaw.

    Raises InputError if there is no such ruleset.
    """
    if is_shipped(target):
        return {}
    source, proofs = game_source(target), file_beside(target, ".proofs")
    texts: dict[str, str | None] = {
        str(file_beside(target, CLAIMS)): None,
        **{part.name: part.text for part in source.parts()},
    }
    with suppress(OSError, MalformedError):  # then whoever looks for it says what is wrong with it
        texts[str(proofs)] = read_text(proofs) if proofs.exists() else None
    rulings = rulings_beside(target)
    texts[str(file_beside(target, ".rulings"))] = None if rulings is None else rulings.text
    return texts


def _read_request(content: bytes) -> _Request:
    said: dict[str, Any] = json.loads(content)
    rest = {
        name: said.pop(name) for name in ("target", "texts", "is_rare", "is_watched", "with_claims")
    }
    files = tuple(Source(name, text) for name, text in said.pop("files"))
    budget, tuning = Budget(*said.pop("budget")), Tuning(*said.pop("tuning"))
    return _Request(
        asked=Asked(
            budget, tuning, **{**said, "properties": tuple(said["properties"])}, files=files
        ),
        **rest,
    )


def answer(reply: Reply) -> Record | tuple[Diagnostic, ...]:
    """Return what came of a request: a record, or what is wrong with the input; raise RuntimeError
    if there was a mistake of ours.
    """
    match reply:
        case {"record": str(content)}:
            found: Record = _TREES.from_bytes(content.encode(), Record)
            return found
        case {"wrong": str(content)}:
            wrong: tuple[Diagnostic, ...] = _TREES.from_bytes(
                content.encode(), tuple[Diagnostic, ...]
            )
            return wrong
        case {"failed": str(why)}:
            raise RuntimeError(why)
        case _:
            raise RuntimeError(f"a process that looked at a reading ended with {reply.get('died')}")


def record_of(
    reply: Reply, target: str, asked: Asked, *, with_claims: bool = True
) -> Record | tuple[Diagnostic, ...]:
    """Return what came of what was *asked* of *target*, as `answer` does; a process that died of it
    says why nobody knows.
    """
    if "died" not in reply:
        return answer(reply)
    try:
        return unanswered(
            target,
            asked,
            f"the process that looked at it ended ({reply['died']})",
            with_claims=with_claims,
        )
    except InputError as error:
        return error.diagnostics


def _reply(content: bytes, standing: Workers) -> Reply:
    try:
        it = _read_request(content)
        with (
            sparing() if it.is_rare else nullcontext(),
            sharing() if it.is_rare else nullcontext(),
            sent(it.texts),
        ):
            found = ask(
                it.target,
                it.asked,
                with_claims=it.with_claims,
                standing=standing,
                tell=_tell if it.is_watched else None,
                hear=_tell_found if it.is_watched else None,
                parts=PARTS,
            )
            return _recorded(found)
    except InputError as error:
        return {"wrong": _TREES.as_bytes(error.diagnostics).decode()}
    except Exception as error:
        # It is told where all that is asked ends: as a mistake of ours.
        return {"failed": f"{type(error).__name__}: {error}"}


def _recorded(found: Record) -> Reply:
    return {"record": _TREES.as_bytes(found).decode()}


def _tell_found(found: Record) -> None:
    """Say what is *found* while proofs are still looked for."""
    _say({"progress": {"what": "proving"}, **_recorded(found)})


def _tell(now: Progress) -> None:
    _say(
        {
            "progress": {
                "what": now.what,
                "positions": now.positions,
                "layer": now.layer,
                "parts": now.parts,
            }
        }
    )


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
