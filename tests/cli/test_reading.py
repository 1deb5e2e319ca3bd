"""What was read of a ruleset is kept, until the text, what is asked or the code that reads is
another.
"""

from __future__ import annotations

import pickle
from hashlib import sha256
from pathlib import Path

import pytest

from stacklaw.cli.asking import questions, reading
from stacklaw.models.diagnostics import InputError
from stacklaw.models.storage.keeping import keep, packed

from ..rulesets import ONE_PASS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def asked(target: str = "zx", *names: str, with_claims: bool = True) -> object:
    program, found, warnings = reading.read_target(target, {}, names, with_claims=with_claims)
    return (
        program,
        [(question, question.lemmas, claim, named) for question, claim, named in found],
        warnings,
    )


def test_what_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked()
    parsed = questions.parsed("zx", {}, (), with_claims=True)
    monkeypatch.delattr(questions, "parsed")
    assert asked() == first
    assert reading.read_target("zx", {}, (), with_claims=True) == parsed
    assert asked("zx") == first
    for other in (("zx", "lifo"), ("stack",)):
        with pytest.raises(AttributeError):
            asked(*other)
    with pytest.raises(AttributeError):
        asked(with_claims=False)
    monkeypatch.setattr(reading, "code_digest", lambda *_: "other code")
    with pytest.raises(AttributeError):
        asked()


def test_another_text_of_the_same_name_is_read(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "game.rules"
    found = []
    for text in (ONE_PASS, ONE_PASS.replace("stack", "pile"), ONE_PASS):
        file.write_text(text, encoding="utf-8")
        found.append(asked(str(file), with_claims=False))
    assert found[0] == found[2] != found[1]
    assert len(list(folder.glob("*.rules"))) == 2


def test_what_is_damaged_is_read_anew(folder: Path) -> None:
    first = asked()
    [file] = folder.glob("*.rules")
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert asked() == first


def test_what_cannot_be_read_is_not_kept(tmp_path: Path, folder: Path) -> None:
    file = tmp_path / "game.rules"
    file.write_text("nothing", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(InputError):
            asked(str(file))
    assert not list(folder.glob("*.rules"))


class Harm:
    """Makes a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (self.file,)


def test_a_pickle_that_was_planted_is_never_read(tmp_path: Path, folder: Path) -> None:
    """It arrives with an archive, with our own ownership and a digest that is right. Unpickling it
    does what it says.
    """
    first, harmed = asked(), tmp_path / "harmed"
    [file] = folder.glob("*.rules")
    for plain in (pickle.dumps(Harm(harmed)), b"[[],[],[]]", b"not even JSON"):
        content = packed(plain)
        for begins in (b"", bytes(32), b"s" * 32):
            file.write_bytes(begins + sha256(file.name.encode() + content).digest() + content)
            assert asked() == first
            assert not harmed.exists()


@pytest.mark.parametrize(
    "content", [b"", b"[", b"[[],[],[]]", b"[[],[],[1,[]]]", b"{}", b"\xff", b"[" * 100_000]
)
def test_what_is_signed_and_is_no_ruleset_is_made_again(folder: Path, content: bytes) -> None:
    first = asked()
    [file] = folder.glob("*.rules")
    for one in (content, packed(content)):
        keep(file, one, "rules")
        assert asked() == first
