"""`new` writes a game that is whole, and keeps what its first lines promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from stacklaw.cli.main import run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_a_first_game_is_all_met(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "duel"]) == 0
    said = (
        "duel.rules is written. Try next: stacklaw check duel.rules\n"
        "or, in your browser: stacklaw explore duel.rules --edit --open\n"
    )
    assert capsys.readouterr().out == said
    text = Path("duel.rules").read_text(encoding="utf-8")
    assert 'game "Duel"' in text
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 40
    assert run(["format", "--check", "duel.rules"]) == 0
    assert run(["check", "duel.rules"]) == 0
    assert "3 claims: all met." in capsys.readouterr().out


@pytest.mark.slow
def test_the_first_edit_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    run(["new", "duel.rules"])
    head, cast, rest = Path("duel.rules").read_text(encoding="utf-8").partition("may 1.1")
    promise = "let 1.1 end with `go decide(after holder)`, and hold_priority is broken"
    assert promise in head
    rest = rest.replace("go decide(holder)", "go decide(after holder)", 1)
    Path("duel.rules").write_text(head + cast + rest, encoding="utf-8")
    assert run(["check", "duel.rules"]) == 1
    assert "NOT MET  possible  hold_priority" in capsys.readouterr().out


def test_nothing_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("duel.rules").write_text("mine", encoding="utf-8")
    assert run(["new", "duel"]) == 2
    assert "duel.rules is there already." in capsys.readouterr().err
    assert Path("duel.rules").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("name", "title"),
    [('say "hi"', "Say hi"), ("my_first_game", "My first game"), ("{0}", "{0}"), ("a\nb", "A b")],
)
def test_any_name_is_a_title(name: str, title: str) -> None:
    assert run(["new", name]) == 0
    (file,) = Path().glob("*.rules")
    assert f'game "{title}"' in file.read_text(encoding="utf-8")
    assert run(["show", str(file)]) == 0


def test_a_folder_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "nowhere/duel"]) == 2
    assert "nowhere" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", ".rules"])
def test_a_game_has_a_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", name]) == 2
    assert "the game needs a name" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
