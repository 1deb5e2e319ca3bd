"""The server as a process: how it begins and ends, and what an editor may do to it."""

from __future__ import annotations

import gc
import signal
import sys
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import pytest

from stacklaw.bench.editor import Client
from stacklaw.cli.lookup import lsp
from stacklaw.cli.main import run

from .test_features import CLAIMS, RULES

needs_pygls = pytest.mark.skipif(
    find_spec("pygls") is None, reason="pygls is not installed: pip install 'stacklaw[editor]'"
)


def test_without_pygls_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda _: None)
    assert run(["lsp"]) == 2
    said = capsys.readouterr()
    assert "The editor needs pygls: pip install 'stacklaw[editor]'" in said.err
    assert said.out == ""


@needs_pygls
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize(("sent", "code"), [(None, 0), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_it_ends_with_its_editor(sent: signal.Signals | None, code: int, tmp_path: Path) -> None:
    # A run in the background ignores Ctrl-C, and so would what it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        client = Client(tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    with client.server as server:
        assert server.stdin is not None
        if sent is None:
            server.stdin.close()
        else:
            server.send_signal(sent)
        assert server.wait(30) == code
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


@needs_pygls
def test_nothing_is_kept_of_what_an_editor_has_told() -> None:
    from stacklaw.cli.editor.server import make_server  # noqa: PLC0415 - it needs pygls

    def futures() -> int:
        gc.collect()
        return sum(isinstance(one, Future) for one in gc.get_objects())

    server, before = make_server(), futures()
    for _ in range(100):
        server.protocol._handle_notification("initialized", None)
    assert futures() == before


@needs_pygls
@pytest.mark.slow
def test_what_an_editor_may_do(tmp_path: Path) -> None:
    """A text of 5 MB, a file that is nowhere, one of another kind, a claim changed on disk."""
    (tmp_path / "mine.claims").write_text(CLAIMS, encoding="utf-8")
    with Client(tmp_path) as client:
        client.open("mine.rules", RULES)
        client.settle()
        assert client.diagnostics[client.uri("mine.rules")] == []
        client.change("mine.rules", {"text": RULES + "# more\n" * 750_000})
        client.wait()
        assert [one["code"] for one in client.diagnostics[client.uri("mine.rules")]] == ["R310"]
        client.change("mine.rules", {"text": RULES})
        client.settle()
        assert client.diagnostics[client.uri("mine.rules")] == []

        (tmp_path / "mine.claims").write_text(CLAIMS.replace("all_passed", "x"), encoding="utf-8")
        client.change("mine.rules", {"text": f"# a line\n{RULES}"})
        client.settle()
        (mistake,) = client.diagnostics[client.uri("mine.claims")]
        assert mistake["range"]["start"] == {"line": 6, "character": 14}

        client.open("notes.txt", "game over")
        client.open("only.claims", CLAIMS)
        for feature in ("documentSymbol", "foldingRange", "codeLens"):
            client.of(feature, "notes.txt")
            client.of(feature, "only.claims")
        assert client.at("hover", "only.claims", 1, 0) is None
        client.tell("textDocument/didClose", textDocument={"uri": client.uri("only.claims")})
        client.settle()
        assert client.diagnostics[client.uri("only.claims")] == []
    assert client.errors == ""
