"""What is emitted is kept, and made again where what is kept is not to be trusted."""

from __future__ import annotations

import marshal
from hashlib import sha256
from pathlib import Path

import pytest

from stacklaw.checker.explicit.decide import Abstractions
from stacklaw.checker.explicit.emit import emit as texts
from stacklaw.checker.explicit.emit.emit import Texts
from stacklaw.checker.explicit.emit.groups import Group, one_by_one
from stacklaw.checker.explicit.search import interpreted
from stacklaw.checker.questions.questions import Query, all_queries
from stacklaw.checker.types.budget import Tuning
from stacklaw.checker.types.scope import Scope, scope_of
from stacklaw.models.load import load_game
from stacklaw.models.storage.keeping import keep, packed
from stacklaw.models.trees import Trees
from stacklaw.properties.load import property_named

GAME = load_game("zx")
SCOPE = scope_of(GAME, None, None, {})


def group(name: str = "lifo", tuning: Tuning | None = None) -> Group:
    """Return the group of the first formula of a property, in the way it is looked for first."""
    wanted: Query = next(iter(all_queries(GAME, property_named(GAME, name))))
    alone = one_by_one([wanted])
    return Group(
        alone.batches,
        alone.asked,
        Abstractions(GAME, SCOPE, tuning or Tuning()).for_query(wanted)[0],
    )


@pytest.mark.parametrize("telling", [False, True])
def test_a_text_is_emitted_once(
    telling: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Texts(GAME, SCOPE, tmp_path).emitted(group(), telling=telling)
    monkeypatch.delattr(texts, "emit_watched")
    again = Texts(GAME, SCOPE, tmp_path).emitted(group(), telling=telling)
    assert [
        (
            one.text,
            one.most_moves,
            one.width,
            one.is_turned,
            one.goes_round,
            one.layout.words,
            one.layout.slice,
        )
        for one in (first, again)
    ] == [
        (
            first.text,
            first.most_moves,
            first.width,
            first.is_turned,
            first.goes_round,
            first.layout.words,
            first.layout.slice,
        )
    ] * 2


def test_what_differs_is_kept_apart(tmp_path: Path) -> None:
    kept = Texts(GAME, SCOPE, tmp_path)
    asked = [group(), group("own_window"), group(tuning=Tuning(slicing=False))]
    found = {kept.emitted(one).text for one in asked} | {kept.emitted(asked[0], telling=True).text}
    larger = Scope(SCOPE.players, tuple((name, size + 1) for name, size in SCOPE.sizes))
    found.add(Texts(GAME, larger, tmp_path).emitted(asked[0]).text)
    assert len(found) == len(list(tmp_path.glob("*.text"))) == 5


def test_a_damaged_text_is_emitted_again(tmp_path: Path) -> None:
    first = Texts(GAME, SCOPE, tmp_path).emitted(group()).text
    [file] = tmp_path.glob("*.text")
    content = file.read_bytes()
    file.write_bytes(content[:-1] + b"?")
    assert Texts(GAME, SCOPE, tmp_path).emitted(group()).text == first
    assert file.read_bytes() == content


def test_a_text_that_was_planted_is_never_run(tmp_path: Path) -> None:
    """It becomes code, so a digest that anybody can make is not enough."""
    first = Texts(GAME, SCOPE, tmp_path).emitted(group())
    [file] = tmp_path.glob("*.text")
    planted = packed(
        Trees(()).as_bytes(("def successors():\n    harm()", 1, 1, 0, False, False, False))
    )
    for begins in (b"", bytes(32), b"s" * 32):
        file.write_bytes(begins + sha256(file.name.encode() + planted).digest() + planted)
        assert Texts(GAME, SCOPE, tmp_path).emitted(group()).text == first.text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no zlib",
        packed(b""),
        packed(b"[]"),
        packed(b'[[],[],["text",1,1,0,false,false]]'),
        packed(b'[[],[],["text",1,1,0,0,0,0]]'),
        packed(b"[" * 100_000),
    ],
)
def test_what_is_signed_and_is_no_text_is_emitted_again(tmp_path: Path, content: bytes) -> None:
    first = Texts(GAME, SCOPE, tmp_path).emitted(group())
    [file] = tmp_path.glob("*.text")
    assert keep(file, content, "texts") == ""
    assert Texts(GAME, SCOPE, tmp_path).emitted(group()).text == first.text


TEXT = (
    "def start():\n    return helped()\n\n\ndef successors():\n    return 2\n\n\ndef helped():\n  "
    "  return 1\n"
)


def test_functions_are_compiled_once_and_when_they_are_called(tmp_path: Path) -> None:
    functions = interpreted._Functions(TEXT, tmp_path)
    before = functions.names["helped"]
    assert functions.names["start"]() == functions.names["start"]() == 1
    assert functions.names["helped"] is not before
    assert interpreted._defined(TEXT) is interpreted._defined(TEXT)


def test_what_was_compiled_is_kept_for_the_next_run(tmp_path: Path) -> None:
    functions = interpreted._Functions(TEXT, tmp_path)
    assert functions.names["start"]() == 1
    functions.keep()
    again = interpreted._Functions(TEXT, tmp_path)
    assert sorted(again.codes) == ["helped", "start", "successors"]
    assert again.names["start"]() == 1
    assert again.is_kept


@pytest.mark.parametrize(
    "harmless", [b"", b"no code", marshal.dumps([]), marshal.dumps({"start": "no code"})]
)
def test_code_that_was_planted_or_is_none_is_compiled_again(
    tmp_path: Path, harmless: bytes
) -> None:
    functions = interpreted._Functions(TEXT, tmp_path)
    functions.keep()
    planted = marshal.dumps(
        {"start": compile("def start():\n    return 'harm'\n", "<planted>", "exec")}
    )
    digest = sha256(functions.file.name.encode() + planted).digest()
    for begins in (b"", bytes(32), b"s" * 32):
        functions.file.write_bytes(begins + digest + planted)
        assert interpreted._Functions(TEXT, tmp_path).names["start"]() == 1
    assert keep(functions.file, harmless, "code") == ""
    assert interpreted._Functions(TEXT, tmp_path).names["start"]() == 1
