"""A page that is served, by a thread of this process, and what it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

from stacklaw.cli.asking.ask import asked_by
from stacklaw.cli.exploring.editing import EditedPages, Editing
from stacklaw.cli.exploring.search import PageSearch
from stacklaw.cli.exploring.server import NOBODY, PageServer
from stacklaw.models.shipped import game_source
from stacklaw.reports.page.editor import render_editor

from .shown import OPTIONS, SMALL

OPTION = """option magic "whether spells can be cast"
  yes "they can"
  no  "they cannot"
"""
RULES = (
    SMALL.replace("items\n", f"{OPTION}items\n", 1).replace(
        '"cast a spell"\n', '"cast a spell"\n    when magic is yes\n'
    )
    + '  fails six.spells "six spells never wait"\n    never size of stack is 6\n'
)
"""More than the board of its page has room for, and an option."""
CROWDED = RULES.replace(
    "claims\n",
    """claims
  holds long.wait "nobody waits while all others do"
    never ((every p in everyone satisfies some i in stack where controller of i is p) and size of stack is 40)
""",
)
LONG = json.dumps({"players": 3, "sizes": {"stack": 17}})
"""What no machine decides of these rules while a test runs: who controls each of 17 items
matters.
"""


@contextmanager
def serving(
    rules: Path | str, page: str = "the page", framed: str = NOBODY
) -> Iterator[PageServer]:
    """Serve *page*, which is about *rules*."""
    search = PageSearch(str(rules), game_source(str(rules)).text, asked_by(OPTIONS))
    with PageServer(0, search, framed=framed) as server:
        server.give(page)
        yield from _served(server, search.stop_all)


@contextmanager
def editing(rules: Path | str, port: int = 0) -> Iterator[PageServer]:
    """Serve *rules* to be edited, at that *port*."""
    pages = EditedPages(Editing(str(rules), asked_by(OPTIONS)))
    with PageServer(port, None, pages) as server:
        server.give(render_editor(pages.editing.names, "stacklaw explore mine.rules --edit"))
        yield from _served(server, pages.end)


def _served(server: PageServer, end: Callable[[], None]) -> Iterator[PageServer]:
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        end()
        thread.join()


def headers(address: str) -> dict[str, str]:
    """Return what a browser says of a question that the page at *address* asks."""
    host = address.split("/")[2]
    return {
        "Host": host,
        "Origin": f"http://{host}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
    }


@contextmanager
def asking(
    address: str, path: str, body: str | bytes, more: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """Give the answer to what is posted to *path* of the page at *address*."""
    with closing(HTTPConnection(address.split("/")[2], timeout=60)) as connection:
        connection.request(
            "POST",
            f"{path}?{address.partition('?')[2]}",
            body,
            {**headers(address), **(more or {})},
        )
        with connection.getresponse() as response:
            yield response


def answered(address: str, **question: Any) -> dict[str, Any]:
    """Return what comes of a *question*."""
    with asking(address, "/ask", json.dumps(question)) as response:
        assert response.status == 200
        *before, last = [json.loads(line) for line in response]
        assert not [line for line in before if "seconds" not in line]
        found: dict[str, Any] = last
        return found
