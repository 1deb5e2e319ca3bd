"""A scripted editor: it starts the server and speaks with it as an editor does."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import Any

CAN = {
    "workspace": {"codeLens": {"refreshSupport": True}},
    "window": {"showDocument": {"support": True}},
}

_AT_ONCE = 0.3


class Client:
    """An editor with files open in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = subprocess.Popen(
            [sys.executable, "-m", "stacklaw", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.heard: Queue[dict[str, Any]] = Queue()
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.others: list[dict[str, Any]] = []
        self.number = 0
        self.is_ending = False
        """Whether the server has been asked to end: it does not hear answers any more."""
        self.versions: dict[str, int] = {}
        Thread(target=self._hear, daemon=True).start()
        self.capabilities = self.ask(
            "initialize", processId=None, rootUri=folder.as_uri(), capabilities=CAN
        )["capabilities"]
        self.tell("initialized")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        if self.server.poll() is None:
            self.settle(0.1)
            self.is_ending = True
            self.ask("shutdown")
            self.tell("exit")
        self.errors = self.server.communicate(timeout=20)[1].decode()

    # ------------------------------------------------------------------ messages

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request, and return its result."""
        said = self.request(method, **params)
        assert "error" not in said, said["error"]
        return said["result"]

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, and return the answer, which may be an error."""
        self.number += 1
        self._send({"id": self.number, "method": method, **({"params": params} if params else {})})
        while (said := self._next(60)).get("id") != self.number or "method" in said:
            self._take(said)
        return said

    def wait(self, seconds: float = 20) -> None:
        """Take what the server tells until it has told something of a file."""
        while True:
            said = self._next(seconds)
            self._take(said)
            if said.get("method") == "textDocument/publishDiagnostics":
                return

    def settle(self, seconds: float = 1.0) -> None:
        """Take what the server tells until it is still for so long, and answers at once."""
        while True:
            with suppress(Empty):
                while True:
                    self._take(self._next(seconds))
            began = monotonic()
            self.of("foldingRange", "none.rulings")
            if monotonic() - began < _AT_ONCE and self.heard.empty():
                return

    def _send(self, said: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **said}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def _hear(self) -> None:
        out = self.server.stdout
        assert out is not None
        while head := out.readline():
            length = (
                int(head.partition(b":")[2]) if head.lower().startswith(b"content-length") else 0
            )
            while out.readline().strip():
                pass
            self.heard.put(json.loads(out.read(length)))

    def _next(self, seconds: float) -> dict[str, Any]:
        return self.heard.get(timeout=seconds)

    def _take(self, said: dict[str, Any]) -> None:
        if said.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[said["params"]["uri"]] = said["params"]["diagnostics"]
            return
        self.others.append(said)
        if "id" in said and "method" in said and not self.is_ending:
            is_shown = said["method"] == "window/showDocument"
            self._send({"id": said["id"], "result": {"success": True} if is_shown else None})

    # ------------------------------------------------------------------ files

    def uri(self, name: str) -> str:
        """Return the address of a file of the folder."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        """Open the file called *name*, with another *text* than it has if one is given."""
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        self.versions[name] = 1
        self.tell(
            "textDocument/didOpen",
            textDocument={
                "uri": self.uri(name),
                "languageId": "stacklaw",
                "version": 1,
                "text": text,
            },
        )

    def change(self, name: str, *changes: dict[str, Any]) -> None:
        """Tell the *changes* of an open file."""
        self.versions[name] += 1
        self.tell(
            "textDocument/didChange",
            textDocument={"uri": self.uri(name), "version": self.versions[name]},
            contentChanges=list(changes),
        )

    def at(self, feature: str, name: str, line: int, character: int, **more: Any) -> Any:
        """Ask a *feature* of the place *line* (from 1) and *character* of a file."""
        return self.ask(
            f"textDocument/{feature}",
            textDocument={"uri": self.uri(name)},
            position={"line": line - 1, "character": character},
            **more,
        )

    def of(self, feature: str, name: str, **more: Any) -> Any:
        """Ask a *feature* of a whole file."""
        return self.ask(f"textDocument/{feature}", textDocument={"uri": self.uri(name)}, **more)
