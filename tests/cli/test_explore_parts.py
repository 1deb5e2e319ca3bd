"""What a page that is served hears while proofs are still looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from stacklaw.checker.process.serving import answered
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.cli.asking.reading_worker import _TREES
from stacklaw.cli.exploring import search
from stacklaw.cli.exploring.search import PageSearch

from ..page.shown import OPTIONS, SMALL

if TYPE_CHECKING:
    import pytest


class Replies:
    """Workers that say what they are told to say."""

    given: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, *_: object) -> None:
        self.left = list(self.given)

    def give(self, *_: object) -> None:
        pass

    def reply(self, _: float) -> tuple[int, dict[str, Any]]:
        return 0, self.left.pop(0)

    def close(self) -> None:
        pass


def test_what_is_found_is_told_while_proofs_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL, encoding="utf-8")
    asked = asked_by(OPTIONS)
    record = answered(_TREES, ask(str(file), asked))
    monkeypatch.setattr(Replies, "given", [{"progress": {"what": "proving"}, **record}, record])
    monkeypatch.setattr(search, "Workers", Replies)
    first, last = PageSearch(str(file), SMALL, asked).run(asked)
    assert first.keys() == {"seconds", "found"}
    assert first["found"]["answers"] == last["answers"]
    assert last["answers"]
