"""A page that is served: who is answered and who is refused, what is decided for it, and how a
search ends.
"""

from __future__ import annotations

import itertools
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import click
import pytest

from stacklaw.checker.rulings.ask import ask as ask_program
from stacklaw.checker.types.scope import make_scope
from stacklaw.cli.asking.ask import ask, asked_by
from stacklaw.cli.asking.reading import read_target
from stacklaw.cli.commands import explore
from stacklaw.cli.exploring.search import ruling_answers
from stacklaw.cli.exploring.server import MOST_BYTES, VS_CODE, PageServer
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit

from ..page.served import CROWDED, LONG, RULES, answered, asking, headers, serving
from ..page.shown import OPTIONS, SMALL
from .test_interrupts import SOON, begun, is_alive


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("explore") / "small.rules"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    file = tmp_path / "crowded.rules"
    file.write_text(CROWDED, encoding="utf-8")
    return file


@pytest.fixture
def busy(crowded: Path) -> Iterator[PageServer]:
    """Serve a game about which much can be asked."""
    with serving(crowded) as one:
        yield one


@pytest.fixture(scope="module")
def server(rules: Path) -> Iterator[PageServer]:
    with serving(rules) as one:
        yield one


def status(server: PageServer, method: str, path: str, **changed: str | None) -> int:
    """Return how *server* answers a request of its page of which something is *changed*; None
    leaves a header out.
    """
    sent = {
        **headers(server.address),
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=10)) as connection:
        connection.putrequest(method, path.replace("TOKEN", server.query), skip_host=True)
        for name, value in {"Content-Length": "0", **sent}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        content = response.read().decode()
        assert response.getheader("Access-Control-Allow-Origin") is None
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("Cache-Control") == "no-store"
        assert ("the page" in content) == (response.status == 200)
        assert server.query not in content
        return response.status


def test_two_hundred_clients_may_come_at_once(rules: Path) -> None:
    """None is refused, or has to try again, before the first answer."""
    with serving(rules) as server, ExitStack() as clients:
        server.shutdown()
        came = [
            clients.enter_context(
                socket.create_connection(("127.0.0.1", server.server_port), timeout=SOON)
            )
            for _ in range(200)
        ]
        thread = Thread(target=server.serve_forever)
        thread.start()
        for client in came:
            client.sendall(
                f"GET /?{server.query} HTTP/1.1\r\nHost: {server.hosts[0]}\r\n\r\n".encode()
            )
        assert all(client.recv(15) == b"HTTP/1.0 200 OK" for client in came)
    thread.join()


def test_the_page_is_given_to_who_has_the_address(server: PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert status(server, "GET", "/?TOKEN") == 200
    assert (
        status(
            server,
            "GET",
            "/?TOKEN",
            Host=f"localhost:{server.server_port}",
            Sec_Fetch_Site="none",
            Origin=None,
        )
        == 200
    )


@pytest.mark.parametrize(
    ("code", "method", "path", "changed"),
    [
        (403, "GET", "/", {}),
        (403, "GET", "/?token=", {}),
        (403, "GET", "/?TOKENx", {}),
        (403, "GET", "/?TOKEN&TOKEN", {}),
        (403, "GET", "/?TOKEN", {"Host": "evil.example"}),
        (403, "GET", "/?TOKEN", {"Host": "127.0.0.1"}),
        (403, "GET", "/?TOKEN", {"Host": "127.0.0.1:1"}),
        (403, "GET", "/?TOKEN", {"Host": None}),
        (403, "GET", "/?TOKEN", {"Sec_Fetch_Site": "cross-site"}),
        (403, "GET", "/?TOKEN", {"Sec_Fetch_Site": "same-site"}),
        (404, "GET", "/etc/passwd?TOKEN", {}),
        (404, "GET", "/../small.rules?TOKEN", {}),
        (404, "GET", "/%2e%2e/?TOKEN", {}),
        (404, "GET", "http://127.0.0.1/?TOKEN", {}),
        (404, "GET", "http://[/?TOKEN", {}),
        (404, "POST", "/page?TOKEN", {}),
        (405, "POST", "/?TOKEN", {}),
        (405, "GET", "/ask?TOKEN", {}),
        (405, "HEAD", "/?TOKEN", {}),
        (405, "OPTIONS", "/ask?TOKEN", {}),
        (405, "DELETE", "/stop?TOKEN", {}),
        (405, "BREW", "/?TOKEN", {}),
        (403, "POST", "/ask", {}),
        (403, "POST", "/stop", {}),
        (403, "POST", "/ruling", {}),
        (403, "POST", "/ruling?TOKEN", {"Origin": None}),
        (405, "GET", "/ruling?TOKEN", {}),
        (403, "POST", "/ask?TOKEN", {"Origin": None}),
        (403, "POST", "/ask?TOKEN", {"Origin": "null"}),
        (403, "POST", "/ask?TOKEN", {"Origin": "https://evil.example"}),
        (403, "POST", "/stop?TOKEN", {"Origin": "http://127.0.0.1:1"}),
        (403, "POST", "/ask?TOKEN", {"Sec_Fetch_Site": "cross-site"}),
        (403, "POST", "/ask?TOKEN", {"Host": "rebound.example:80", "Origin": "http://rebound.example:80"}),
        (415, "POST", "/ask?TOKEN", {"Content_Type": "text/plain"}),
        (415, "POST", "/ask?TOKEN", {"Content_Type": None}),
        (411, "POST", "/ask?TOKEN", {"Content_Length": None}),
        (411, "POST", "/ask?TOKEN", {"Content_Length": "-1"}),
        (411, "POST", "/ask?TOKEN", {"Content_Length": "²"}),
        (411, "POST", "/ask?TOKEN", {"Transfer_Encoding": "chunked"}),
        (413, "POST", "/ask?TOKEN", {"Content_Length": str(MOST_BYTES + 1)}),
        (413, "POST", "/ask?TOKEN", {"Content_Length": "9" * 5000}),
    ],
)  # fmt: skip
def test_everybody_else_is_refused(
    code: int, method: str, path: str, changed: dict[str, str | None], server: PageServer
) -> None:
    assert status(server, method, path, **changed) == code


def test_a_question_in_words_is_answered_as_the_command_answers_it(
    server: PageServer, rules: Path
) -> None:
    text = "A casts a spell; A passes: may B respond?"
    with asking(server.address, "/ruling", json.dumps({"ask": text})) as response:
        assert response.status == 200
        told = json.loads(response.read())
    program, _, _ = read_target(str(rules), {}, (), (), with_claims=True)
    assert told == json.loads(
        json.dumps(ruling_answers(ask_program(program, text, make_scope(program))))
    )
    assert told["answers"][0]["head"] == "yes, now"
    with asking(
        server.address, "/ruling", json.dumps({"ask": "A sings: may B respond?"})
    ) as response:
        assert json.loads(response.read())["refused"].startswith(
            "Nothing in this game is called `sings`."
        )
    for body in (
        "",
        "[]",
        '{"ask": 1}',
        '{"ask": "a", "ask": "b"}',
        '{"ask": "a", "players": 2}',
        b"\xff",
    ):
        with asking(server.address, "/ruling", body) as response:
            assert response.status == 400
            assert "has the form" in response.read().decode()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 4000, "not JSON"),
        (b"\xff\xfe\xff", "not JSON"),
        ("9" * 4096, "has the form"),
        ('{"players": 3, "players": 2}', "twice"),
        ('{"sizes": {"stack": 3, "stack": 2}}', "twice"),
        ("null", "has the form"),
        ("[]", "has the form"),
        ('{"sizes": [3]}', "has the form"),
        ('{"sizes": {}, "engine": "none"}', "has the form"),
        ('{"settings": "magic"}', "has the form"),
        ('{"settings": {"magic": 1}}', "is a text"),
        ('{"settings": {"magic": "perhaps"}}', "one of yes, no"),
        ('{"settings": {"constructor": "yes"}}', "no option called"),
        ('{"players": null, "sizes": {}}', "whole numbers"),
        ('{"players": true}', "whole numbers"),
        ('{"players": NaN}', "whole numbers"),
        ('{"sizes": {"stack": 3.0}}', "whole numbers"),
        ('{"sizes": {"stack": "3"}}', "whole numbers"),
        ('{"sizes": {"stack": 0}}', "at least 1 item"),
        ('{"sizes": {"stack": 65}}', "64 items"),
        ('{"sizes": {"stack": ' + "9" * 4000 + "}}", "64 items"),
        ('{"sizes": {"__proto__": 3}}', "no zone __proto__"),
        ('{"sizes": {"\\ud800\\u202e": 3}}', "no zone \ufffd\ufffd"),
        ('{"settings": {"magic": "\\ud800"}}', "one of yes, no"),
        ('{"players": 1}', "is played by 2 or more"),
        ('{"players": 17}', "16 players"),
    ],
)  # fmt: skip
def test_what_is_no_question_is_told_so(body: str | bytes, said: str, server: PageServer) -> None:
    with asking(server.address, "/ask", body) as response:
        assert response.status == 400
        content = response.read().decode()
    assert said in content
    assert "Traceback" not in content


def test_what_is_no_request_hurts_nobody(
    server: PageServer, capfd: pytest.CaptureFixture[str]
) -> None:
    send_no_requests(server)
    assert capfd.readouterr() == ("", "")


def send_no_requests(server: PageServer) -> None:
    """Send *server* what is no request, and a request."""
    port = server.server_port
    requests = [
        b"\r\n",
        b"\x00\xff\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ]
    requests += [
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\n\r\n",
    ]
    for request in requests:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):  # it was refused before it was read
                assert b" 200 " not in connection.recv(100)
    assert status(server, "GET", "/?TOKEN") == 200


def test_a_request_has_to_arrive_in_its_time(
    server: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only its next byte."""
    monkeypatch.setattr("stacklaw.cli.exploring.server._SECONDS", 0.5)
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=0.05) as connection:
        for letter in itertools.cycle(b"GET /"):
            assert time.monotonic() - begun < SOON
            with suppress(TimeoutError):
                connection.sendall(bytes([letter]))
                if b" 200 " not in connection.recv(100):
                    break


@pytest.mark.parametrize(
    "question",
    [
        {"sizes": {"stack": 7}},
        {"players": 3, "sizes": {"stack": 2}},
        {"settings": {"magic": "no"}},
        {},
    ],
    ids=str,
)
def test_it_answers_what_check_finds(
    question: dict[str, object], server: PageServer, rules: Path
) -> None:
    found = answered(server.address, **question)
    record = ask(str(rules), asked_by({**OPTIONS, **question}))
    assert [(one["name"], one["outcome"]) for one in found["answers"]] == [
        (row.name, row.outcome) for row in record.rows
    ]
    assert [bool(one["cards"]) for one in found["answers"]] == [
        row.play is not None for row in record.rows
    ]
    assert (found["players"], found["sizes"]) == (
        record.players,
        [size for _, size in record.sizes],
    )
    outcomes = {one["name"]: one["outcome"] for one in found["answers"]}
    assert outcomes["two.spells"] == ("IMPOSSIBLE" if "settings" in question else "POSSIBLE")
    assert (outcomes["six.spells"] == "VIOLATED") == (question == {"sizes": {"stack": 7}})


def test_a_search_that_is_stopped_says_how_far_it_came(busy: PageServer) -> None:
    with asking(busy.address, "/ask", LONG) as response:
        while (
            "progress" not in (line := json.loads(response.readline()))
            or line["progress"]["positions"] < 1000
        ):
            assert "answers" not in line
        with asking(busy.address, "/ask", "{}") as second:
            assert second.status == 409
        with asking(busy.address, "/stop", "") as stopped:
            assert stopped.status == 204
        last = json.loads(list(response)[-1])
    outcomes = {one["outcome"] for one in last["answers"]}
    assert outcomes & {"BOUNDED", "UNKNOWN"}
    assert "HOLDS" not in outcomes


def test_a_page_that_is_closed_ends_its_search(busy: PageServer) -> None:
    with asking(busy.address, "/ask", LONG) as response:
        response.readline()
    end = time.monotonic() + SOON
    assert busy.search is not None
    while not busy.search.take_search():
        assert time.monotonic() < end
        time.sleep(0.1)
    busy.search.leave()


def test_an_edited_ruleset_is_not_asked(tmp_path: Path) -> None:
    file = tmp_path / "small.rules"
    file.write_text(SMALL, encoding="utf-8")
    with serving(file) as server:
        for text in (SMALL.replace("is 2", "is 1"), None):
            if text is None:
                file.unlink()
            else:
                file.write_text(text, encoding="utf-8")
            with asking(server.address, "/ask", "{}") as response:
                assert response.status == 409
                assert "has changed" in response.read().decode()


def test_a_port_that_is_taken_is_told(
    server: PageServer, rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explore", str(rules), "--port", str(server.server_port)]) == Exit.WRONG_INPUT
    assert f"{server.server_port} cannot be had" in click.unstyle(capsys.readouterr().err)


@pytest.mark.parametrize("is_ended", [False, True])
def test_the_address_is_printed_and_opened(
    is_ended: bool, rules: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(_: PageServer) -> None:
        raise KeyboardInterrupt

    opened: list[str] = []
    monkeypatch.setattr(explore, "make_page", lambda *_: is_ended)
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(PageServer, "serve_forever", end)
    assert run(["explore", str(rules), "--open"]) == Exit.INTERRUPTED
    out, err = capsys.readouterr()
    assert out.splitlines()[:1] == opened == ([] if is_ended else [out.splitlines()[0]])
    assert err == "interrupted\n"
    assert is_ended or re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", opened[0])


def descendants(process: int) -> list[int]:
    """Return what any thread of *process* has begun, and those that these have."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, thread.read_text(encoding="ascii").split()):
            found += [child, *descendants(child)]
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc are those of Linux")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, Exit.TERMINATED)]
)
@pytest.mark.long
def test_a_signal_ends_the_server_and_its_search(
    number: signal.Signals, code: Exit, crowded: Path
) -> None:
    with begun("explore", str(crowded)) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        with asking(address, "/ask", LONG) as response:
            while "progress" not in json.loads(response.readline()):
                pass
            children = descendants(running.pid)
            sent = time.monotonic()
            running.send_signal(number)
            out, err = running.communicate()
        assert time.monotonic() - sent < SOON
    assert running.returncode == code
    assert "Traceback" not in err
    assert "interrupted" in out + err
    time.sleep(0.2)
    assert children
    assert not [child for child in children if is_alive(child)]


def test_an_editor_may_show_its_board(server: PageServer, rules: Path) -> None:
    """In a frame; another site may not, and asks nothing."""
    asked = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe"}
    with serving(rules, framed=VS_CODE) as beside:
        assert status(beside, "GET", "/?TOKEN", **asked) == 200
        assert status(beside, "GET", "/?token=", **asked) == 403
        assert status(beside, "GET", "/?TOKEN", Sec_Fetch_Site="cross-site") == 403
        assert status(beside, "POST", "/ask?TOKEN", **asked, Origin="https://evil.example") == 403
        assert framing(beside) == {"frame-ancestors 'self' vscode-webview: vscode-file:": None}
        assert status(beside, "GET", "/?TOKEN", Host="127.0.0.1:8080") == 200
        assert status(beside, "GET", "/?TOKEN", Host="127.0.0.1.evil.example:80") == 403
    assert status(server, "GET", "/?TOKEN", Host="127.0.0.1:8080") == 403
    assert status(server, "GET", "/?TOKEN", **asked) == 403
    assert framing(server) == {"frame-ancestors 'none'": "DENY"}


def framing(server: PageServer) -> dict[str | None, str | None]:
    """Return what *server* says of who may frame its page, in the header of today and the one
    before.
    """
    with closing(HTTPConnection("127.0.0.1", server.server_port, timeout=10)) as connection:
        connection.request("GET", f"/?{server.query}")
        answer = connection.getresponse()
        return {answer.getheader("Content-Security-Policy"): answer.getheader("X-Frame-Options")}


@pytest.mark.skipif(sys.platform != "linux", reason="signals are those of Linux")
@pytest.mark.slow
def test_a_board_ends_with_its_editor(rules: Path) -> None:
    command = [sys.executable, "-m", "stacklaw", "explore", str(rules), "--beside-editor"]
    for is_served in (True, False):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as board:
            assert board.stdout is not None
            assert board.stdin is not None
            if is_served:
                assert board.stdout.readline().startswith(b"http://127.0.0.1:")
            board.stdin.close()
            assert board.wait(2 * SOON) == Exit.TERMINATED


def test_two_pages_are_served_at_once(server: PageServer) -> None:
    """One that says nothing keeps no other waiting."""
    found: list[int] = []
    with socket.create_connection(("127.0.0.1", server.server_port)):
        thread = Thread(target=lambda: found.append(status(server, "GET", "/?TOKEN")))
        thread.start()
        thread.join(10)
    assert found == [200]
