"""The server of a page: on this machine only, for a browser that has its address and is on no other
page.

What is refused, and why, is in docs/security.md. No request names a file, and nothing of a request
is told to anybody but its sender.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from socketserver import TCPServer
from threading import Lock, Timer
from typing import Any

from ...models.cleaning import clean
from ...models.diagnostics import InputError
from ..asking.ask import Asked
from .question import WrongQuestionError, read_question, read_words
from .ruling import ruling_of
from .search import CHANGED, PageSearch

LOOPBACK = "127.0.0.1"
MOST_BYTES = 4096
"""So large is the body of a request at most."""
_METHODS = {"/": "GET", "/ask": "POST", "/ruling": "POST", "/stop": "POST"}
_SECONDS = 10
"""So long a request may take to arrive."""
_HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_PLAIN, _LINES, _JSON, _PAGE = (
    f"{kind}; charset=utf-8"
    for kind in ("text/plain", "application/x-ndjson", "application/json", "text/html")
)


class PageServer(ThreadingHTTPServer):
    """Serves a page on a *port* of this machine, any free one if that is 0, and lets it ask
    *search*. Raises OSError.

    The port is taken at once; nobody is answered before `serve_forever`.
    """

    daemon_threads = True
    request_queue_size = (
        256  # so many clients may come at once; others are not refused but have to try again
    )
    allow_reuse_address = sys.platform != "win32"  # there it would let others take the port

    def __init__(self, port: int, search: PageSearch) -> None:
        self.search, self.query, self.page = search, f"token={token_urlsafe(24)}", b""
        self.ruling = Lock()  # one question is answered at a time
        super().__init__((LOOPBACK, port), _Handler)

    def server_bind(self) -> None:
        """Take the port; nobody is asked what this machine is called, which can take long."""
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
        self.page = page.encode("utf-8", "replace")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that was closed or took too long; a mistake of ours is told
        as one, without ending the server.
        """
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


@dataclass(frozen=True)
class _RefusedError(Exception):
    status: HTTPStatus
    why: str


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    timeout = _SECONDS

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
            path = self._allowed()
            if self.command == "GET":
                self._say(HTTPStatus.OK, _PAGE, self.server.page)
                return
            body = self._body()
            self.late.cancel()
            if path == "/ask":
                self._answer_question(body)
            elif path == "/ruling":
                self._rule(body)
            else:
                self.server.search.stop()
                self._say(HTTPStatus.NO_CONTENT, _PLAIN, b"")
        except _RefusedError as refused:
            self._say(refused.status, _PLAIN, f"{clean(refused.why)}\n".encode())

    do_POST = do_GET  # noqa: N815 - so it is called there

    # ------------------------------------------------------------------ who may ask

    def _allowed(self) -> str:
        """Return the path that is asked for; raise `_RefusedError` if it is not there, or not for
        whoever asks.
        """
        host = self._only("Host")
        if host not in self.server.hosts:
            raise _RefusedError(
                HTTPStatus.FORBIDDEN, f"This is served at {self.server.hosts[0]} only."
            )
        if self._only("Sec-Fetch-Site") not in ("", "none", "same-origin"):
            raise _RefusedError(
                HTTPStatus.FORBIDDEN,
                "Another site leads here, which it may not: open the address by itself.",
            )
        path, _, query = self.path.partition("?")
        method = _METHODS.get(path)
        if method is None:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "There is nothing here.")
        if self.command != method:
            raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, f"This takes {method} only.")
        if not compare_digest(query.encode("utf-8", "replace"), self.server.query.encode()):
            raise _RefusedError(
                HTTPStatus.FORBIDDEN,
                "The token is missing or wrong: open the address that `stacklaw explore` has printed.",
            )
        if method == "POST" and self._only("Origin") != f"http://{host}":
            raise _RefusedError(
                HTTPStatus.FORBIDDEN, "Another page asks for this, which it may not."
            )
        return path

    def _only(self, name: str) -> str:
        """Return what the header *name* says, empty if there is none; raise `_RefusedError` if
        there are several.
        """
        found = self.headers.get_all(name, [])
        if len(found) > 1:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, f"The request has {name} more than once.")
        return found[0] if found else ""

    def _body(self) -> bytes:
        if self._only("Content-Type") != "application/json":
            raise _RefusedError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A question is application/json."
            )
        length = self._only("Content-Length")
        if not (length.isascii() and length.isdigit()) or self._only("Transfer-Encoding"):
            raise _RefusedError(HTTPStatus.LENGTH_REQUIRED, "A question says how long it is.")
        if len(length) > len(str(MOST_BYTES)) or int(length) > MOST_BYTES:
            raise _RefusedError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A question has {MOST_BYTES} bytes at most."
            )
        return self.rfile.read(int(length))

    # ------------------------------------------------------------------ what is answered

    def _answer_question(self, body: bytes) -> None:
        search = self.server.search
        if not search.take_search():
            raise _RefusedError(
                HTTPStatus.CONFLICT,
                "Something is searched for already, in another window perhaps: stop it first.",
            )
        try:
            with closing(search.run(self._question(body))) as lines:
                self._head(HTTPStatus.OK, _LINES, {})
                for line in lines:
                    self.wfile.write(json.dumps(line).encode() + b"\n")
        finally:
            search.leave()

    def _rule(self, body: bytes) -> None:
        search = self._current()
        try:
            words = read_words(body)
        except WrongQuestionError as wrong:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, str(wrong)) from None
        with self.server.ruling:
            found = ruling_of(words, search.target, search.asked)
        self._say(HTTPStatus.OK, _JSON, json.dumps(found).encode())

    def _current(self) -> PageSearch:
        """Return who decides; raise `_RefusedError` if the ruleset is another by now."""
        search = self.server.search
        if search.is_changed:
            raise _RefusedError(HTTPStatus.CONFLICT, CHANGED)
        return search

    def _question(self, body: bytes) -> Asked:
        search = self._current()
        try:
            return read_question(body, search.target, search.asked)
        except WrongQuestionError as wrong:
            raise _RefusedError(HTTPStatus.BAD_REQUEST, str(wrong)) from None
        except InputError as error:
            raise _RefusedError(
                HTTPStatus.BAD_REQUEST, "; ".join(one.message for one in error.diagnostics)
            ) from None

    def _say(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        allow = {"Allow": "GET, POST"} if status == HTTPStatus.METHOD_NOT_ALLOWED else {}
        self._head(status, kind, {"Content-Length": str(len(content)), **allow})
        if self.command != "HEAD":
            self.wfile.write(content)

    def _head(self, status: HTTPStatus, kind: str, more: Mapping[str, str]) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {"Content-Type": kind, **_HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()
