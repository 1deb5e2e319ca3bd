"""What stands above claims and rulings, and what looks at them in the background."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.bench.editor import Client
from stacklaw.checker.types.budget import Budget, Tuning
from stacklaw.cli.asking import reading_worker
from stacklaw.cli.asking.ask import Asked, unanswered
from stacklaw.cli.editor.server import EditorServer
from stacklaw.cli.editor.texts import uri_of
from stacklaw.cli.judging import Background

from ..cli.test_explore import descendants
from ..cli.test_interrupts import is_alive
from .test_features import RULES

CLAIMS = """\
claims
  possible  hold_priority
  holds never.two "never two spells"
    never size of stack is 2
  fails nobody "nothing happens"
    never someone passes

claims when extra is yes
  holds never.two "never two spells, as the option says"
    never size of stack is 2
"""
OPTION = """
option extra "something more"
  no   "no"
  yes  "yes"
"""
RULINGS = """\
[[ruling]]
ask = "A casts a spell: may B respond?"
answer = "yes, in every play"

[[ruling]]
ask = "A casts a spell: who has priority?"
answer = "B"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    for suffix, text in ((".rules", RULES + OPTION), (".claims", CLAIMS), (".rulings", RULINGS)):
        (tmp_path / f"mine{suffix}").write_text(text, encoding="utf-8")
    return tmp_path


class Replies:
    """Workers that have said these, one after the other."""

    def __init__(self, *said: dict[str, object]) -> None:
        self.said = iter(said)

    def give(self, number: int, request: bytes) -> None:
        pass

    def reply(self, _: float) -> tuple[int, dict[str, object]] | None:
        said = next(self.said, None)
        return None if said is None else (0, said)


def test_what_is_found_before_the_end_is_heard(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = str(folder / "mine.rules")
    said = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=said))
    reading_worker._tell_found(unanswered(target, Asked(Budget(1), Tuning()), "nobody looked"))
    part = json.loads(said.getvalue())
    background = Background()
    monkeypatch.setattr(background, "_workers", Replies({"progress": {"what": "search"}}, part))
    background.examine(target)
    assert background.hear()
    assert not background.is_stale(target)
    assert background.target == target


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    with Client(folder) as editor:
        for suffix in (".rules", ".claims", ".rulings"):
            editor.open(f"mine{suffix}")
        yield editor
    assert editor.errors == ""


def told(client: Client, file: str) -> list[str]:
    return [one["command"]["title"] for one in client.of("codeLens", file)]


def looked(client: Client) -> None:
    """Wait until the background has said all that it finds."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        client.settle(1)
        if not any(
            "looked at yet" in one or "before" in one for one in told(client, "mine.claims")
        ):
            return
    raise AssertionError("nobody has looked at the claims")


@pytest.mark.slow
def test_claims_and_rulings_are_looked_at(client: Client) -> None:
    assert {*told(client, "mine.claims")} == {"not looked at yet"}
    looked(client)
    assert any(one.get("method") == "workspace/codeLens/refresh" for one in client.others)
    first, show, second, show_2, third, show_3, other = told(client, "mine.claims")
    assert other == "of another reading, not looked at"
    assert first.startswith("POSSIBLE in ")
    assert second.startswith("NOT MET: VIOLATED in 2 moves")
    assert third == "VIOLATED in 1 move, as the author says"
    assert {show, show_2, show_3} == {"show the play"}
    same, differs, link = told(client, "mine.rulings")
    assert same == "the rules say the same"
    assert differs == "NOT MET: the rules say A"
    assert link == "show the play"

    client.change("mine.claims", {"text": CLAIMS.replace("is 2", "is 1")})
    assert told(client, "mine.claims")[0] == f"{first}, before the last edits"
    looked(client)
    assert told(client, "mine.claims")[2] == "NOT MET: VIOLATED in 1 move"
    show_it = client.of("codeLens", "mine.claims")[1]["command"]
    client.ask(
        "workspace/executeCommand", command=show_it["command"], arguments=show_it["arguments"]
    )
    client.settle()
    said = [one["params"] for one in client.others if "params" in one]
    assert "save them first" in said[-1]["message"]
    client.change("mine.claims", {"text": CLAIMS})


@pytest.mark.long
def test_a_play_is_shown_on_its_board(client: Client) -> None:
    looked(client)
    lens = next(
        one
        for one in client.of("codeLens", "mine.claims")
        if one["command"]["title"] == "show the play"
    )["command"]
    client.ask("workspace/executeCommand", command=lens["command"], arguments=lens["arguments"])
    until = time.monotonic() + 300
    while not (shown := [o for o in client.others if o.get("method") == "window/showDocument"]):
        assert time.monotonic() < until
        client.settle(1)
    address, _, place = shown[0]["params"]["uri"].partition("#")
    with urlopen(address, timeout=20) as page:
        assert f'id="{place.removeprefix("show-")}"' in page.read().decode()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only there it is seen what a process began")
def test_a_board_goes_with_the_server_that_is_killed(folder: Path) -> None:
    with Client(folder) as editor:
        editor.open("mine.claims")
        looked(editor)
        show = next(
            one["command"]
            for one in editor.of("codeLens", "mine.claims")
            if one["command"]["title"] == "show the play"
        )
        editor.ask("workspace/executeCommand", command=show["command"], arguments=show["arguments"])
        until = time.monotonic() + 300
        while not any(one.get("method") == "window/showDocument" for one in editor.others):
            assert time.monotonic() < until
            editor.settle(1)
        begun = descendants(editor.server.pid)
        assert begun
        editor.server.kill()
        until = time.monotonic() + 20
        while any(map(is_alive, begun)):
            assert time.monotonic() < until
            time.sleep(0.1)


@pytest.mark.slow
def test_nothing_is_kept_of_what_is_closed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an editor that is open for a day fills the memory."""
    server = EditorServer()
    path = folder / "mine.rules"
    uri = uri_of(str(path))
    server.texts.hold(str(path), path.read_text(encoding="utf-8"))
    server.background.examine(str(path))
    until = time.monotonic() + 300
    while not server.background.found:
        assert time.monotonic() < until
        server.background.hear()
        time.sleep(0.05)
    server.told[str(path)] = server.hasty = {str(path)}
    server.changes[uri] = []
    monkeypatch.setattr(server, "text_document_publish_diagnostics", lambda _: None)
    server.closed(uri)
    kept = server.background.found, server.told, server.hasty, server.changes, server.later
    assert not any(kept)
    assert server.texts.are_open(str(path)) == []
    assert server.background.target == ""
    server.leave()


def looks(background: Background) -> None:
    """Wait until *background* looks at nothing any more."""
    until = time.monotonic() + 300
    while background.target:
        assert time.monotonic() < until
        background.hear()
        time.sleep(0.05)


@pytest.mark.slow
def test_what_was_told_at_another_time_is_told_at_once_and_looked_at_again(folder: Path) -> None:
    target = str(folder / "mine.rules")
    first, second, third = Background(), Background(), Background()
    assert not first.examine(target)
    looks(first)
    assert second.examine(target)
    assert second.found[target].record == first.found[target].record
    assert second.target == target
    second.stop()  # as the next key, or the next file that is opened, does
    assert not second.examine(target)
    looks(second)
    assert not second.found[target].is_kept
    claims = folder / "mine.claims"
    claims.write_text(claims.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    assert not third.examine(target)
    assert third.found == {}
    third.close()


def test_no_part_is_told_in_the_place_of_what_was_told_at_another_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, said = str(folder / "mine.rules"), io.BytesIO()
    record = unanswered(target, Asked(Budget(1), Tuning()), "nobody looked")
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=said))
    reading_worker._tell_found(record)
    part = json.loads(said.getvalue())
    whole = {name: value for name, value in part.items() if name != "progress"}
    first, second = Background(), Background()
    monkeypatch.setattr(first, "_workers", Replies(whole))
    monkeypatch.setattr(second, "_workers", Replies(part, whole))
    first.examine(target)
    assert first.hear()
    assert second.examine(target)
    heard = second.replies()
    monkeypatch.setattr(second, "replies", lambda: [next(heard)])
    assert not second.hear()
    assert second.found[target].is_kept
    assert second.hear()
    assert not second.found[target].is_kept


def test_the_next_key_ends_what_is_looked_at(folder: Path) -> None:
    background = Background()
    background.examine(str(folder / "mine.rules"))
    (worker,) = background._workers._all
    assert worker.process.poll() is None
    background.stop()
    assert worker.process.poll() is not None
    assert not background.hear()
    assert background.found == {}


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no order of processes")
def test_it_leaves_the_processor_to_whoever_types(folder: Path) -> None:
    background = Background()
    background.examine(str(folder / "mine.rules"))
    try:
        (worker,) = background._workers._all
        until = time.monotonic() + 60
        while os.getpriority(os.PRIO_PROCESS, worker.process.pid) < 19:
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        background.close()
