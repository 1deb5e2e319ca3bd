"""The server of a page: on this machine only, for a browser that has its address.

What is refused, and why, is in docs/security.md. No request names a file, and nothing of a request
is told to anybody but its sender.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from socketserver import TCPServer
from threading import Lock, Thread, Timer
from typing import Any

from ...models.diagnostics import InputError
from ...models.frozen import frozen
from ...models.words import clean
from ..asking.ask import Asked
from .editing import EDITED, EDITED_BOARD, ChangedError, EditedPages
from .search import CHANGED, PageSearch, WrongQuestionError, read_question, read_words, ruling_of


def end_with_stdin() -> None:
    """End this process, as SIGTERM ends it, once the process at the other end of stdin is gone."""
    Thread(target=_watch, name="stdin", daemon=True).start()


def _watch() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


LOOPBACK = "127.0.0.1"
MOST_BYTES = 4096
"""So large is a question at most."""
MOST_TEXT = 2_000_000
"""So large is what says the texts of files at most."""
_PAGES = 8
"""How many pages of texts that are edited are served, those that were made last."""
_METHODS = {"/": "GET", "/ask": "POST", "/ruling": "POST", "/stop": "POST"}
_LOCAL = re.compile(r"(127\.0\.0\.1|localhost)(:[0-9]{1,5})?")
_OF_PAGE = re.compile(r"/([0-9]{1,9})(/[a-z]*)")
_SECONDS = 10
"""So long a request may take to arrive."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
NOBODY, ITSELF, VS_CODE = "'none'", "'self'", "'self' vscode-webview: vscode-file:"
"""Who may show a page in a frame of its own."""
_PLAIN, _LINES, _JSON, _PAGE = (
    f"{kind}; charset=utf-8"
    for kind in ("text/plain", "application/x-ndjson", "application/json", "text/html")
)


def own_port(file: Path) -> int:
    """Return the port at which *file* is edited: always the same, for what a browser keeps is of
    one port.
    """
    digest = sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).digest()
    return 20_000 + int.from_bytes(digest[:4], "big") % 10_000


@frozen
class GivenPage:
    """A page that is served, and the *search* that it may ask."""

    content: bytes
    search: PageSearch | None


class PageServer(ThreadingHTTPServer):
    """Serves a page on a *port* of this machine, any free one if that is 0, and lets it ask
    *search*; or it serves the *editing* of a ruleset, and the pages of its texts. *framed* says who
    may show it in a frame. Raises OSError.

    The port is taken at once; requests are answered from `serve_forever` on.
    """

    daemon_threads = True
    request_queue_size = (
        256  # clients that may come at once; others are not refused but have to try again
    )
    allow_reuse_address = sys.platform != "win32"  # there it would let others take the port

    def __init__(
        self,
        port: int,
        search: PageSearch | None,
        editing: EditedPages | None = None,
        framed: str = NOBODY,
    ) -> None:
        self.search, self.editing, self.framed = search, editing, framed
        self.methods = (
            _METHODS if editing is None else {"/": "GET", **dict.fromkeys(EDITED, "POST")}
        )
        """How each path is asked for."""
        self.query = f"token={token_urlsafe(24)}"
        self.pages: dict[str, GivenPage] = {}
        """What is served, by its number; that of no number comes first."""
        self.numbers = count(1)
        self.ruling = Lock()  # one question is answered at a time
        super().__init__((LOOPBACK, port), _Handler)

    def server_bind(self) -> None:
        """Take the port, without looking up the name of this machine, which can take long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    @property
    def hosts(self) -> tuple[str, ...]:
        """By which names this server is asked."""
        return tuple(f"{name}:{self.server_address[1]}" for name in (LOOPBACK, "localhost"))

    @property
    def address(self) -> str:
        """Where the page is, with the token."""
        return f"http://{self.hosts[0]}/?{self.query}"

    def give(self, page: str) -> None:
        """Serve *page*."""
        self.pages[""] = GivenPage(page.encode("utf-8", "replace"), self.search)

    def add(self, page: str, search: PageSearch) -> str:
        """Serve *page*, too, which asks *search*; return its number. The oldest but a few go."""
        number = str(next(self.numbers))
        self.pages[number] = GivenPage(page.encode("utf-8", "replace"), search)
        for old in [*self.pages][1:-_PAGES]:
            if (gone := self.pages.pop(old).search) is not None:
                gone.end()
        return number

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that was closed or took too long; a mistake of ours is told
        as one, without ending the server.
        """
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@frozen
class _RefusedError(Exception):
    status: HTTPStatus
    why: str


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = _SECONDS
    path = ""  # of what is no request

    def setup(self) -> None:
        """Begin with a connection; one that sends a byte now and then is heard no longer than any
        other.
        """
        super().setup()
        self.late = Timer(_SECONDS, self._hear_no_more)
        self.late.daemon = True
        self.late.start()

    def finish(self) -> None:
        self.late.cancel()
        super().finish()

    def _hear_no_more(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def version_string(self) -> str:
        return "stacklaw"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - so it is called there
        """Log nothing."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request, or has another method; *message* may quote it, and is left
        out.
        """
        del message, explain
        status = (
            HTTPStatus.METHOD_NOT_ALLOWED
            if code == HTTPStatus.NOT_IMPLEMENTED
            else HTTPStatus(code)
        )
        self._say(status, _PLAIN, f"{status.phrase}.\n".encode())

    def do_GET(self) -> None:
        """Answer, or refuse."""
        try:
            page, path = self._allowed()
            if self.command == "GET":
                self._say(HTTPStatus.OK, _PAGE, page.content)
                return
            body = self._body(MOST_BYTES if page.search else MOST_TEXT)
            self.late.cancel()
            if page.search is None:
                self._edit(path, body)
            elif path == "/ask":
                self._answer_question(page.search, body)
            elif path == "/ruling":
                self._rule(page.search, body)
            else:
                page.search.stop()
                self._say(HTTPStatus.NO_CONTENT, _PLAIN, b"")
        except WrongQuestionError as wrong:
            self._say(HTTPStatus.BAD_REQUEST, _PLAIN, f"{clean(str(wrong))}\n".encode())
        except _RefusedError as refused:
            self._say(refused.status, _PLAIN, f"{clean(refused.why)}\n".encode())

    do_POST = do_GET  # noqa: N815 - so it is called there

    # ------------------------------------------------------------------ who may ask

    def _allowed(self) -> tuple[GivenPage, str]:
        """Return the page that is asked for, or asks, and the path within it; raise `_RefusedError`
        if it is not there, or not for this client.
        """
        host = self._only("Host")
        # A VS Code in a browser hands on what it is asked at a port of its own.
        of_editor = self.server.framed == VS_CODE and _LOCAL.fullmatch(host)
        if host not in self.server.hosts and not of_editor:
            raise _RefusedError(
                HTTPStatus.FORBIDDEN, f"This is served at {self.server.hosts[0]} only."
            )
        is_framed = self.server.framed == VS_CODE and self._only("Sec-Fetch-Dest") == "iframe"
        if not is_framed and self._only("Sec-Fetch-Site") not in ("", "none", "same-origin"):
            raise _RefusedError(
                HTTPStatus.FORBIDDEN,
                "Another site leads here, which it may not: open the address by itself.",
            )
        whole, _, query = self.path.partition("?")
        of_page = _OF_PAGE.fullmatch(whole)
        number, path = of_page.groups() if of_page else ("", whole)
        method = (_METHODS if number else self.server.methods).get(path)
        page = self.server.pages.get(number)
        if method is None or page is None:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "There is nothing here.")
        if self.command != method:
            raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, f"This takes {method} only.")
        if not compare_digest(query.encode("utf-8", "replace"), self.server.query.encode()):
            raise _RefusedError(
                HTTPStatus.FORBIDDEN,
                "The token is missing or wrong: open the address that `stacklaw explore` has "
                "printed.",
            )
        if method == "POST" and self._only("Origin") != f"http://{host}":
            raise _RefusedError(
                HTTPStatus.FORBIDDEN, "Another page asks for this, which it may not."
            )
        return page, path

    def _only(self, name: str) -> str:
        """Return what the header *name* says, empty if there is none; raise `_RefusedError` if
        there are several.
        """
        found = self.headers.get_all(name, [])
        if len(found) > 1:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, f"The request has {name} more than once.")
        return found[0] if found else ""

    def _body(self, most: int) -> bytes:
        if self._only("Content-Type") != "application/json":
            raise _RefusedError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A question is application/json."
            )
        length = self._only("Content-Length")
        if not (length.isascii() and length.isdigit()) or self._only("Transfer-Encoding"):
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "A question says how long it is.")
        if len(length) > len(str(most)) or int(length) > most:
            raise _RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A question has {most} bytes at most."
            )
        return self.rfile.read(int(length))

    # ------------------------------------------------------------------ what is answered

    def _answer_question(self, search: PageSearch, body: bytes) -> None:
        if not search.take_search():
            raise _RefusedError(
                HTTPStatus.CONFLICT,
                "Something is searched for already, in another window perhaps: stop it first.",
            )
        try:
            with closing(search.run(self._question(search, body))) as lines:
                self._say_lines(lines)
        finally:
            search.leave()

    def _rule(self, search: PageSearch, body: bytes) -> None:
        self._need_current(search)
        words = read_words(body)
        with self.server.ruling, search.in_sight():
            found = ruling_of(words, search.target, search.asked)
        self._say_data(found)

    def _need_current(self, search: PageSearch) -> None:
        """Raise `_RefusedError` if the ruleset of *search* is another by now."""
        if search.is_changed:
            raise _RefusedError(HTTPStatus.CONFLICT, CHANGED)

    def _question(self, search: PageSearch, body: bytes) -> Asked:
        self._need_current(search)
        try:
            with search.in_sight():
                return read_question(body, search.target, search.asked)
        except InputError as error:
            raise _RefusedError(
                HTTPStatus.BAD_REQUEST, "; ".join(one.message for one in error.diagnostics)
            ) from None

    def _edit(self, path: str, body: bytes) -> None:
        editing = self.server.editing
        assert editing is not None
        if path == EDITED_BOARD:
            with closing(editing.pages(body, self.server.add)) as lines:
                self._say_lines(lines)
            return
        try:
            self._say_data(editing.answer(path, body))
        except ChangedError:
            why = "The file was changed meanwhile, so nothing is written."
            raise _RefusedError(HTTPStatus.CONFLICT, why) from None
        except InputError as error:
            why = error.diagnostics[0].as_line
            raise _RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, why) from None

    def _say_lines(self, lines: Iterator[dict[str, Any]]) -> None:
        """Say each of *lines* as it comes."""
        self._head(HTTPStatus.OK, _LINES, {})
        for line in lines:
            self.wfile.write(json.dumps(line).encode() + b"\n")

    def _say_data(self, data: object) -> None:
        self._say(HTTPStatus.OK, _JSON, json.dumps(data).encode())

    def _say(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        allow = {"Allow": "GET, POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else {}
        self._head(status, kind, {"Content-Length": str(len(content)), **allow})
        if self.command != "HEAD":
            self.wfile.write(content)

    def _head(self, status: HTTPStatus, kind: str, more: Mapping[str, str]) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {"Content-Type": kind, **_HEADERS, **self._frames(), **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def _frames(self) -> dict[str, str]:
        """Return the headers that say who may show this in a frame."""
        of_page = _OF_PAGE.match(self.path) if self.server.editing is not None else None
        framed = ITSELF if of_page else self.server.framed
        older = {NOBODY: "DENY", ITSELF: "SAMEORIGIN"}.get(framed)
        headers = {"Content-Security-Policy": f"frame-ancestors {framed}"}
        return headers if older is None else {**headers, "X-Frame-Options": older}
