"""A worker that makes the page of a ruleset while somebody edits it: the board first, then the
verdicts, and the page with all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...checker.explicit.native.machine import sharing
from ...checker.process.serving import Reply, say, serve_until_ended
from ...checker.rulings.file import rulings_beside
from ...models.diagnostics import InputError
from ...models.read import sent
from ...models.shipped import game_source
from ...models.storage.keeping import sparing
from ...reports.telling.record import Record
from ..asking.reading import read_target
from ..asking.reading_worker import ReadingRequest, request_in
from ..judging import claim_words, filed_rows, row_of, ruling_words
from ..judging import start as come_last
from .making import make_page, served_by

MAKING = f"{__package__}.page_worker"
"""The module of such a worker."""


def _made(it: ReadingRequest) -> Reply:
    """Return the page that is asked for, and say before what there is of it."""
    with sparing(), sharing(), sent(it.texts):
        program, questions, _ = read_target(it.target, it.asked.settings)
        given = list[str]()

        def give_part(page: str) -> None:
            if not given:
                given.append(page)
                say({"progress": "the board", "page": page})
                come_last()

        def hear(record: Record) -> None:
            say({"progress": "verdicts", "outcomes": list(_outcomes(it.target, record))})

        last = list[str]()
        make_page(
            it.target,
            program,
            questions,
            it.asked,
            last.append,
            served_by(program),
            give_part,
            hear,
        )
        return {"page": last[0]}


def _outcomes(target: str, record: Record) -> Iterator[dict[str, Any]]:
    """Yield what each claim and ruling came to: beside which row of which file, in which words, in
    which colour, and where on the page.
    """
    source = game_source(target)
    for number, row in enumerate(record.rows):
        if row.expectation:
            file, place = source.files.place_of(row.line)[0], f"V{number}"
            tone = "said" if row.as_said else row.status
            told = {"words": claim_words(row), "tone": tone, "place": place}
            yield {"file": file, "row": row_of(source, row.line)[0], **told}
    rulings = rulings_beside(target)
    if rulings is None:
        return
    for line, ruling in filed_rows(rulings, record.rulings):
        if ruling is not None:
            told = {"words": ruling_words(ruling), "tone": ruling.status, "place": "ruling"}
            yield {"file": rulings.name, "row": row_of(rulings, line)[0], **told}


def _answered(request: bytes) -> Reply:
    try:
        return _made(request_in(request))
    except InputError as error:
        return {"failed": error.diagnostics[0].as_line}
    except Exception as error:
        # It is told where the page is shown: as a mistake of ours.
        return {"failed": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Make the pages that are asked for until the requests end."""
    serve_until_ended(_answered)


if __name__ == "__main__":
    main()
