"""Whose checkpoints are believed: those that are signed with the key in use, and no others."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from stacklaw.checker.explicit.native import journal
from stacklaw.checker.explicit.search.search import search
from stacklaw.checker.types import budget
from stacklaw.checker.types.budget import Budget, Meter, Tuning
from stacklaw.models.diagnostics import InputError
from stacklaw.models.storage.key import NoKeyError, SigningKey, own_key

from .test_journal import ended_at, everything_is_written, resumed, same, uninterrupted
from .test_threads import EVERY_BIT, game, watching

pytest.importorskip("llvmlite")

__all__ = ["everything_is_written"]


def forged(text: str, *, begins: str = "") -> str:
    return f"{sha256(text.encode()).hexdigest()}{begins}\n{text}\n"


@pytest.mark.parametrize(
    "begins",
    ["", " 0123456789abcdef " + "0" * 64, " {name} " + "0" * 64, " {name} nothing", " {name}"],
)
def test_a_forged_result_is_never_believed(tmp_path: Path, begins: str) -> None:
    """Somebody who can write in the folder says that a search found nothing, with a digest that is
    right.
    """
    ended_at(5_000, tmp_path)
    resumed(tmp_path)
    (done,) = tmp_path.glob("*.done.json")
    content = json.loads(done.read_text().splitlines()[1])
    assert content["hits"]
    text = json.dumps({**content, "hits": {}, "plays": {}}, sort_keys=True)
    done.write_text(forged(text, begins=begins.format(name=own_key().name)))
    with pytest.raises(InputError, match="cannot be believed"):
        resumed(tmp_path)
    budget = Tuning(checkpoints=tmp_path)  # without --resume nothing is read
    assert same(
        search(watching(game()), Meter(), 10, watch=EVERY_BIT, tuning=budget), uninterrupted()
    )


def test_one_result_in_the_place_of_another_is_not_believed(tmp_path: Path) -> None:
    ended_at(5_000, tmp_path)
    resumed(tmp_path)
    (done,) = tmp_path.glob("*.done.json")
    done.rename(tmp_path / ("0" * 40 + ".done.json"))
    with pytest.raises(InputError, match="C112"):
        resumed(tmp_path)


def test_a_checkpoint_goes_to_another_machine_with_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, folder = tmp_path / "shared.key", tmp_path / "searches"
    first = Tuning(checkpoints=folder, key=key)
    assert key.stat().st_mode & 0o777 == 0o600
    with monkeypatch.context() as patch:
        patch.setattr(journal, "INTERVAL", 0)
        search(watching(game()), Meter(Budget(positions=5_000)), 10, watch=EVERY_BIT, tuning=first)
    assert list(folder.iterdir())
    with pytest.raises(InputError, match="C112"):
        resumed(folder)
    monkeypatch.setattr(budget, "own_key", lambda: SigningKey(b"another machine".ljust(32)))
    result = search(
        watching(game()),
        Meter(),
        10,
        watch=EVERY_BIT,
        tuning=Tuning(checkpoints=folder, resume=True, key=key),
    )
    assert "went on from the checkpoint" in result.note
    assert same(result, uninterrupted())


def test_keys_for_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, key = tmp_path / "searches", tmp_path / "key"
    with pytest.raises(InputError, match="C108"):
        Tuning(key=key)
    with pytest.raises(InputError, match=r"C111.*No such file"):
        Tuning(checkpoints=folder, resume=True, key=key)
    with pytest.raises(InputError, match="lies in the folder of checkpoints"):
        Tuning(checkpoints=folder, key=folder / "key")
    key.write_bytes(b"x" * 40)
    key.chmod(0o644)
    with pytest.raises(InputError, match="others can read it"):
        Tuning(checkpoints=folder, key=key)

    def none() -> SigningKey:
        raise NoKeyError("there is no home folder")

    monkeypatch.setattr(budget, "own_key", none)
    with pytest.raises(InputError, match=r"C111.*no home folder"):
        Tuning(checkpoints=folder)
    key.chmod(0o600)
    assert Tuning(checkpoints=folder, key=key).signs is not None
