"""The modules of a page are compiled once, and kept as compiled code is."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from stacklaw.checker.explicit.native import webassembly
from stacklaw.checker.explicit.native.assembly import assemble
from stacklaw.checker.explicit.native.machine import BEST, FAIR
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.exploring import making
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.reports.telling.record import make_record

from .shown import SMALL

SOURCE = "def twice(a):\n    return a + a\n\n\ndef thrice(a):\n    return a + a + a\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the sources that are compiled from now on."""
    sources = list[str]()

    def counted(source: str, exported: Collection[str], *, hints: bool) -> str:
        sources.append(source)
        return assemble(source, exported, hints=hints)

    monkeypatch.setattr(webassembly, "assemble", counted)
    return sources


def test_a_module_is_compiled_once(compiled: list[str]) -> None:
    first = webassembly.web_module(SOURCE, ("twice",))
    assert webassembly.web_module(SOURCE, ("twice",)) == first
    assert compiled == [SOURCE]


def test_what_differs_is_compiled_by_itself(compiled: list[str]) -> None:
    asked = [
        (SOURCE, ("twice",), BEST),
        (SOURCE, ("thrice",), BEST),
        (SOURCE, ("twice",), FAIR),
        (f"{SOURCE}\n", ("twice",), BEST),
    ]
    for source, exported, level in asked * 2:
        webassembly.web_module(source, exported, level)
    assert compiled == [source for source, _, _ in asked]


def test_a_game_whose_compilation_is_interrupted_has_a_page_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    program = load(Source("small.rules", SMALL))
    monkeypatch.setattr(making, "drafted", interrupt)
    monkeypatch.setattr(
        making, "ask", lambda *_, **__: make_record(program, make_scope(program), ())
    )
    (tmp_path / "small.rules").write_text(SMALL, encoding="utf-8")
    path = tmp_path / "small.html"
    assert run(["page", str(tmp_path / "small.rules"), "-o", str(path)]) == Exit.INTERRUPTED
    assert "Before the board was compiled it was interrupted." in path.read_text(encoding="utf-8")


def test_a_damaged_module_is_made_again(cache: Path, compiled: list[str]) -> None:
    made = webassembly.web_module(SOURCE, ("twice",))
    (file,) = cache.iterdir()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert webassembly.web_module(SOURCE, ("twice",)) == made
    assert len(compiled) == 2
