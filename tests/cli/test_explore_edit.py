"""The files of a ruleset, edited in a browser: who may, what is told, what is written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import click
import pytest

from stacklaw.cli.asking.ask import asked_by
from stacklaw.cli.exploring.search import PageSearch
from stacklaw.cli.exploring.server import MOST_TEXT, PageServer, own_port
from stacklaw.cli.judging import mistakes_of
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit

from ..page.served import RULES, asking, editing, headers
from ..page.shown import OPTIONS
from .test_explore import send_no_requests, status

RULINGS = """[[ruling]]
ask = "A casts a spell: who has priority?"
answer = "B"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.fixture
def server(file: Path) -> Iterator[PageServer]:
    with editing(file) as one:
        yield one


def said(server: PageServer, path: str, expected: int = 200, **body: Any) -> Any:
    """Return what *server* answers to *body* at *path*."""
    with asking(server.address, path, json.dumps(body)) as response:
        content = response.read().decode()
        assert response.status == expected, content
        return json.loads(content) if expected == 200 else content


def texts(file: Path, rules: str = RULES, claims: str = "", rulings: str = "") -> dict[str, str]:
    names = (str(file.with_suffix(one)) for one in (".rules", ".claims", ".rulings"))
    return dict(zip(names, (rules, claims, rulings), strict=True))


def lines(server: PageServer, **body: Any) -> list[dict[str, Any]]:
    """Return what becomes of the board of the texts in *body*."""
    with asking(server.address, "/board", json.dumps(body)) as response:
        return [line for one in response if (line := json.loads(one))]


@pytest.mark.parametrize("path", ["/files", "/disk", "/check", "/save", "/board"])
@pytest.mark.parametrize(
    ("code", "query", "changed"),
    [
        (403, "", {}),
        (403, "?TOKENx", {}),
        (403, "?TOKEN", {"Origin": None}),
        (403, "?TOKEN", {"Origin": "https://evil.example"}),
        (403, "?TOKEN", {"Sec_Fetch_Site": "cross-site"}),
        (403, "?TOKEN", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe"}),
        (403, "?TOKEN", {"Host": "evil.example"}),
        (415, "?TOKEN", {"Content_Type": "text/plain"}),
        (413, "?TOKEN", {"Content_Length": str(MOST_TEXT + 1)}),
    ],
)
def test_nobody_else_reads_or_writes(
    path: str, code: int, query: str, changed: dict[str, str | None], server: PageServer
) -> None:
    assert status(server, "POST", f"{path}{query}", **changed) == code


def test_what_is_not_there_is_not_asked_for(server: PageServer) -> None:
    for path in ("/ask", "/ruling", "/stop", "/1/", "/1/ask", "/../mine.rules", "/1/check"):
        assert status(server, "POST", f"{path}?TOKEN") == 404
    assert status(server, "GET", "/save?TOKEN") == 405


def test_what_is_no_request_hurts_nobody_who_edits(
    server: PageServer, capfd: pytest.CaptureFixture[str]
) -> None:
    send_no_requests(server)
    assert capfd.readouterr() == ("", "")


def test_the_files_are_told_as_they_are(file: Path, server: PageServer) -> None:
    file.with_suffix(".rulings").write_bytes(b"\xff")
    rules, claims, rulings = said(server, "/files")
    assert (rules["name"], rules["text"], rules["wrong"]) == (str(file), RULES, "")
    assert (claims["text"], claims["digest"], claims["wrong"]) == ("", "", "")
    assert "UTF-8" in rulings["wrong"]
    assert said(server, "/disk") == {one["name"]: one["digest"] for one in (rules, claims, rulings)}


@pytest.mark.parametrize(
    ("rules", "claims"),
    [
        (RULES, ""),
        (RULES.replace("go resolve", "go resolv"), ""),
        (RULES.replace("is 2", "is two"), ""),
        (RULES, "claims\n  holds nothing.such\n"),
        (RULES.replace("is 2", "is \u2028 two"), ""),
        ("", ""),
    ],
)
def test_mistakes_are_those_of_the_editor(
    rules: str, claims: str, file: Path, server: PageServer
) -> None:
    told = said(server, "/check", texts=texts(file, rules, claims), whole=True)["mistakes"]
    file.write_text(rules, encoding="utf-8")
    if claims:
        file.with_suffix(".claims").write_text(claims, encoding="utf-8")
    found = mistakes_of(str(file), at_once=False)
    assert [(one["file"], one["code"], one["message"]) for one in told] == [
        (one.file or str(file), one.code, one.message) for one in found
    ]
    for one, mistake in zip(told, found, strict=True):
        row = (rules if one["file"] == str(file) else claims).split("\n")[one["row"]]
        if mistake.source is not None and mistake.span is not None:
            span = mistake.span
            word = mistake.source.line(span.line)[span.column - 1 : span.end - 1]
            assert row[one["start"] : one["end"]] == word


def test_what_is_too_large_is_told(file: Path, server: PageServer) -> None:
    (one,) = said(server, "/check", texts=texts(file, "x" * 300_000))["mistakes"]
    assert (one["code"], one["file"]) == ("R310", str(file))
    digest = said(server, "/disk")[str(file)]
    why = said(server, "/save", 422, file=str(file), text="x" * 300_000, digest=digest)
    assert "250 kB" in why
    assert file.read_text(encoding="utf-8") == RULES


def test_a_file_is_written_as_an_editor_would(file: Path, server: PageServer) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    file.chmod(0o640)
    digest = said(server, "/disk")[str(file)]
    after = said(server, "/save", file=str(file), text="one\ntwo\n", digest=digest)
    assert file.read_bytes() == b"\xef\xbb\xbfone\r\ntwo\r\n"
    assert after["digest"] == said(server, "/disk")[str(file)]
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o640
    claims = str(file.with_suffix(".claims"))
    said(server, "/save", file=claims, text="claims\n", digest="")
    assert Path(claims).read_text(encoding="utf-8") == "claims\n"
    assert {one.name for one in file.parent.iterdir()} == {"mine.rules", "mine.claims"}


def test_nothing_is_written_over_a_change_made_elsewhere(file: Path, server: PageServer) -> None:
    digest = said(server, "/disk")[str(file)]
    for there in ("another\n", None):
        file.unlink() if there is None else file.write_text(there, encoding="utf-8")
        why = said(server, "/save", 409, file=str(file), text="mine\n", digest=digest)
        assert "changed meanwhile" in why
        assert (file.read_text(encoding="utf-8") if file.exists() else None) == there


@pytest.mark.parametrize("name", ["/etc/hostname", "mine.rules", "other.rules", "../mine.rules", 3])
def test_no_other_file_is_written(name: object, file: Path, server: PageServer) -> None:
    other = file.with_name("other.rules")
    other.write_text("mine\n", encoding="utf-8")
    said(server, "/save", 400, file=name, text="x", digest="")
    assert other.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.skipif(os.name != "posix", reason="links are those of POSIX")
def test_a_link_is_not_followed(file: Path, server: PageServer) -> None:
    other = file.with_name("other.txt")
    other.write_text("mine\n", encoding="utf-8")
    claims = file.with_suffix(".claims")
    claims.symlink_to(other)
    digest = said(server, "/disk")[str(claims)]
    assert "symbolic link" in said(server, "/save", 422, file=str(claims), text="x", digest=digest)
    assert other.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"texts": {}}', '{"texts": {"a": 1}}', b"\xff"])
@pytest.mark.parametrize("path", ["/check", "/board", "/save"])
def test_what_is_no_text_is_told_so(path: str, body: str | bytes, server: PageServer) -> None:
    with asking(server.address, path, body) as response:
        assert response.status == 400


def test_the_board_is_of_the_texts_as_they_stand(file: Path, server: PageServer) -> None:
    rules = RULES.replace("is 2", "is 1").replace('"cast a spell"', '"cast a song"')
    first, *found, last = lines(server, texts=texts(file, rules, "", RULINGS))
    assert file.read_text(encoding="utf-8") == RULES
    board, whole = (page(server, f"/{number}/") for number in (first["page"], last["page"]))
    assert "cast a song" in board
    assert "its verdicts are searched for now" in board
    assert "its verdicts are searched for now" not in whole
    told = {(one["file"], one["row"]): one for one in found[-1]["outcomes"]}
    row = next(at for at, line in enumerate(rules.splitlines()) if "two.spells" in line)
    assert told[str(file), row]["words"] == "POSSIBLE in 1 move"
    (ruling,) = (one for name, one in told.items() if name[0].endswith(".rulings"))
    assert ruling["words"].startswith("NOT MET: the rules say A")
    path = f"/{last['page']}/ruling"
    with asking(
        server.address, path, json.dumps({"ask": "A casts a song: who has priority?"})
    ) as one:
        assert json.loads(one.read())["answers"][0]["head"] == "A"


def page(server: PageServer, path: str) -> str:
    """Return the page at *path*, which this server alone may show in a frame."""
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=10)) as connection:
        connection.request("GET", f"{path}?{server.query}", headers=headers(server.address))
        response = connection.getresponse()
        assert response.getheader("Content-Security-Policy") == "frame-ancestors 'self'"
        return response.read().decode()


def test_what_cannot_be_read_has_no_board(file: Path, server: PageServer) -> None:
    (only,) = lines(server, texts=texts(file, RULES.replace("go resolve", "go resolv")))
    assert "did you mean `resolve`?" in only["failed"]


def test_old_pages_go(file: Path, server: PageServer) -> None:
    searches = [PageSearch(str(file), RULES, asked_by(OPTIONS)) for _ in range(20)]
    for number, search in enumerate(searches, 1):
        assert server.add("a page", search) == str(number)
    assert [*server.pages] == ["", *map(str, range(13, 21))]
    assert [search.take_search() for search in searches] == [False] * 12 + [True] * 8


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("mtg", "is not a file of your own"),
        ("mine", "did you mean `mine.rules`?"),
        ("./mine.claims", "is not a file of your own"),
        ("none.rules", "cannot be read"),
    ],
)
def test_only_rules_of_ones_own_are_edited(
    game: str,
    why: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(file.parent)
    file.with_suffix(".claims").write_text("claims\n", encoding="utf-8")
    assert run(["explore", game, "--edit"]) == Exit.WRONG_INPUT
    assert why in click.unstyle(capsys.readouterr().err)


def test_a_file_has_a_port_of_its_own(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(_: PageServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PageServer, "serve_forever", end)
    ports = []
    for _ in range(2):
        assert run(["explore", str(file), "--edit"]) == Exit.INTERRUPTED
        ports.append(int(capsys.readouterr().out.split("/?")[0].rpartition(":")[2]))
    assert ports == [own_port(file)] * 2
