"""A worker, a process that looks at readings of rulesets: what `readings` asks of it, and what it
answers.

If somebody watches a search, it is told how far that is, too. The processes that it has look for
proofs serve all that it is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from typing import TypeAlias

from ...checker.explicit.native.machine import sharing
from ...checker.process.serving import Reply, answer_in, answered, say, serve_until_ended
from ...checker.prover.proof_file import MalformedError, read_text
from ...checker.prover.workers import Workers
from ...checker.rulings.file import rulings_beside
from ...checker.types import budget, position, scope, verdict
from ...checker.types.budget import Progress, Tuning
from ...models import diagnostics
from ...models.diagnostics import Diagnostic, InputError
from ...models.frozen import frozen
from ...models.read import sent
from ...models.shipped import file_beside, game_source, is_shipped
from ...models.source import CLAIMS
from ...models.storage.keeping import sparing
from ...models.trees import TREES, Trees
from ...reports.plays import play
from ...reports.rulings import changes
from ...reports.rulings import filed as filed_rows
from ...reports.rulings import told as told_rulings
from ...reports.telling import record, roots
from ...reports.telling.record import Record
from . import ask as asking
from .ask import Asked, ask, unanswered

PARTS = 4
"""In how many parts somebody who waits is told of proofs."""
READING = f"{__package__}.reading_worker"
"""The module of such a worker."""
SentTexts: TypeAlias = Mapping[str, str | None]
"""What files say, by their names; None where there is no such file."""
RecordOrWrong: TypeAlias = Record | tuple[Diagnostic, ...]
"""What came of a request, or what is wrong with the input."""


@frozen
class ReadingRequest:
    """What is asked of a ruleset, and what its files say."""

    target: str
    asked: Asked
    texts: SentTexts
    is_rare: bool
    is_watched: bool


_TREES = Trees(
    [
        *TREES,
        diagnostics,
        scope,
        position,
        verdict,
        play,
        record,
        roots,
        changes,
        filed_rows,
        told_rulings,
        budget,
        asking,
        sys.modules[__name__],
    ]
)


def reading_request(
    target: str,
    asked: Asked,
    texts: SentTexts,
    *,
    is_rare: bool = False,
    is_watched: bool = False,
) -> bytes:
    """Return as data that everything *asked* of the ruleset *target* is to be decided; of what
    *is_rare* little is kept.

    Its files say these *texts*. Of what *is_watched* it is said how far it is, and what is found
    before all proofs are.
    """
    how = asked.tuning
    its = replace(asked, tuning=Tuning(how.threads, how.slicing, how.symmetry))
    return _TREES.as_bytes(ReadingRequest(target, its, texts, is_rare, is_watched))


def request_in(content: bytes) -> ReadingRequest:
    """Return the request that *content* says; raises ValueError."""
    found: ReadingRequest = _TREES.from_bytes(content, ReadingRequest)
    return found


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
    with suppress(OSError, MalformedError):  # the reader of the proofs says what is wrong
        texts[str(proofs)] = read_text(proofs) if proofs.exists() else None
    rulings = rulings_beside(target)
    texts[str(file_beside(target, ".rulings"))] = None if rulings is None else rulings.text
    return texts


def answer(reply: Reply) -> RecordOrWrong:
    """Return what came of a request; raise RuntimeError if there was a mistake of ours."""
    found: RecordOrWrong | None = answer_in(_TREES, reply, RecordOrWrong)
    if found is None:
        died = f"a process that looked at a reading ended with {reply.get('died')}"
        raise RuntimeError(reply.get("failed", died))
    return found


def record_of(reply: Reply, target: str, asked: Asked) -> RecordOrWrong:
    """Return what came of what was *asked* of *target*, as `answer` does. If the process died of
    it, all is undecided, with that as the reason.
    """
    if "died" not in reply:
        return answer(reply)
    try:
        return unanswered(
            target,
            asked,
            f"the process that looked at it ended ({reply['died']})",
        )
    except InputError as error:
        return error.diagnostics


def _reply(content: bytes, standing: Workers) -> Reply:
    try:
        it = request_in(content)
        with (
            sparing() if it.is_rare else nullcontext(),
            sharing() if it.is_rare else nullcontext(),
            sent(it.texts),
        ):
            found = ask(
                it.target,
                it.asked,
                standing=standing,
                tell=_tell if it.is_watched else None,
                hear=_tell_found if it.is_watched else None,
                parts=PARTS,
            )
            return answered(_TREES, found)
    except InputError as error:
        return answered(_TREES, error.diagnostics)
    except Exception as error:
        # It is told where all that is asked ends: as a mistake of ours.
        return {"failed": f"{type(error).__name__}: {error}"}


def _tell_found(found: Record) -> None:
    """Say what is *found* while proofs are still looked for."""
    say({"progress": {"what": "proving"}, **answered(_TREES, found)})


def _tell(now: Progress) -> None:
    where = {name: getattr(now, name) for name in ("what", "positions", "layer", "parts")}
    say({"progress": where})


def main() -> None:
    """Decide what is asked until there is nothing more to decide, or somebody ends this."""
    with closing(Workers()) as standing:
        serve_until_ended(lambda request: _reply(request, standing))


if __name__ == "__main__":
    main()
