"""The parser's tables: kept ones read as new ones do, and what cannot be trusted is made again."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import lark
import pytest

from stacklaw.models.diagnostics import Report
from stacklaw.models.load import game_names, game_source
from stacklaw.models.parsing import scan
from stacklaw.models.parsing.outline import LogicalLine, Place, outline
from stacklaw.models.source import Source
from stacklaw.models.storage.keeping import keep, packed

CASES = sorted((Path(__file__).parents[1] / "cases").rglob("*.rules"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each grammar that lark is asked to make tables for."""
    calls: list[str] = []
    real = lark.Lark.__init__

    def make(self: lark.Lark, *arguments: Any, **named: Any) -> None:
        calls.append("made")
        real(self, *arguments, **named)

    monkeypatch.setattr(lark.Lark, "__init__", make)
    return calls


def lines(source: Source) -> list[LogicalLine]:
    found: list[LogicalLine] = []
    below = list(outline(source, Report(source)).lines)
    while below:
        found.append(line := below.pop())
        below += line.children
    return found


def told(
    source: Source, grammar: lark.Lark, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[object, ...]]:
    """Return what *grammar* makes of each line: the tree with its places, or where it ends and what
    it would have accepted there.
    """
    monkeypatch.setattr(scan, "grammar", lambda: grammar)
    read = [scan.scan(line) for line in lines(source) if line.place.value]
    return [
        (r.tree, [t.meta.column for t in r.tree.iter_subtrees() if not t.meta.empty])
        if r.tree
        else (r.accepts(),)
        for r in read
    ]


@pytest.mark.slow
def test_kept_tables_read_as_new_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    scan.grammar.cache_clear()
    shipped = scan.grammar()
    scan.grammar.cache_clear()
    calls = made(monkeypatch)
    monkeypatch.setattr(scan, "TABLES", Path("nowhere"))
    new = scan.grammar()
    scan.grammar.cache_clear()
    kept = scan.grammar()
    scan.grammar.cache_clear()
    assert calls == ["made"]
    texts = [path.read_bytes().decode("utf-8", "replace") for path in CASES]
    sources = [game_source(name) for name in game_names()] + [
        Source("case.rules", text) for text in texts if "\0" not in text
    ]
    for source in sources:
        as_new = told(source, new, monkeypatch)
        assert told(source, kept, monkeypatch) == as_new, source.text
        assert told(source, shipped, monkeypatch) == as_new, source.text


def test_the_tables_that_come_with_the_grammar_are_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """If this fails, the grammar has changed: `python editors/write_grammar.py`."""
    if not scan.TABLES.read_bytes().startswith(f"lark {lark.__version__} ".encode()):
        pytest.skip("they are of another version of lark")
    calls = made(monkeypatch)
    scan.grammar.cache_clear()
    scan.grammar()
    scan.grammar.cache_clear()
    assert calls == []


@pytest.mark.parametrize("change", ["another grammar", "another version", "cut short", "no tables"])
def test_tables_that_come_with_another_grammar_or_are_damaged_are_made(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, _, content = scan.TABLES.read_bytes().partition(b"\n")
    files = {
        "another grammar": head[:-1] + b"x\n" + content,
        "another version": head.replace(b"lark ", b"lark 0", 1) + b"\n" + content,
        "cut short": head + b"\n" + content[:-9],
        "no tables": head + b"\n" + packed(b"[]"),
    }
    monkeypatch.setattr(scan, "TABLES", tmp_path / "tables")
    scan.TABLES.write_bytes(files[change])
    calls = made(monkeypatch)
    scan.grammar.cache_clear()
    assert scan.start_of(Place.ITEMS)
    scan.grammar.cache_clear()
    assert calls == ["made"]


def first(grammar: lark.Lark) -> Collection[str]:
    return scan.choices(grammar.parse_interactive(""))


GRAMMAR = 'start: "a" NAME\nNAME: /[b-z]+/\n'


@pytest.mark.parametrize("damage", [b"", b"{}", b"\0" * 400])
def test_what_is_damaged_is_made_again(
    folder: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = made(monkeypatch)
    scan.read_grammar(GRAMMAR, ["start"])
    (file,) = folder.iterdir()
    file.write_bytes(damage)
    assert "A" in first(scan.read_grammar(GRAMMAR, ["start"]))
    scan.read_grammar(GRAMMAR, ["start"])
    assert calls == ["made"] * 2


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"data": {}, "memo": {}}', b"[" * 100_000]
)
def test_what_is_signed_and_is_no_table_is_made_again(folder: Path, content: bytes) -> None:
    scan.read_grammar(GRAMMAR, ["start"])
    (file,) = folder.iterdir()
    assert keep(file, content, "tables") == ""
    assert "A" in first(scan.read_grammar(GRAMMAR, ["start"]))


def test_what_others_can_write_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = made(monkeypatch)
    scan.read_grammar(GRAMMAR, ["start"])
    folder.chmod(0o777)
    scan.read_grammar(GRAMMAR, ["start"])
    assert calls == ["made"] * 2


def test_another_grammar_has_other_tables(folder: Path) -> None:
    scan.read_grammar(GRAMMAR, ["start"])
    scan.read_grammar(GRAMMAR.replace("b", "c"), ["start"])
    assert len(list(folder.iterdir())) == 2


def test_a_folder_that_cannot_be_made_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "file" / "cache"))
    assert "A" in first(scan.read_grammar(GRAMMAR, ["start"]))
