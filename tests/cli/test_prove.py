"""`stacklaw prove` as a shell sees it: what it writes beside the rules, what `check` makes of that,
and how `--check` ends.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from stacklaw.checker.prover.proof_file import read_file, read_text
from stacklaw.cli.output.exits import Exit

from .test_commands import RULES, Stacklaw, stacklaw

__all__ = ["stacklaw"]
OPTION = 'option speed "how fast"\n  slow "slow"\n  fast "fast"\n'


@pytest.fixture
def proofs(stacklaw: Stacklaw, tmp_path: Path) -> Path:
    """Write the proofs of two properties beside the rules, and return the file."""
    code, out, err = stacklaw("prove", "met.rules", "-p", "lifo", "-p", "single_holder")
    assert (code, out, err) == (0, "met.proofs: 2 proofs, 2 of them new\n", "")
    return tmp_path / "met.proofs"


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a machine that has seen nothing."""
    monkeypatch.setenv("STACKLAW_CACHE", str(tmp_path / "elsewhere"))
    return


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_what_is_proved_is_written_once(stacklaw: Stacklaw, proofs: Path) -> None:
    before = proofs.read_bytes()
    assert stacklaw("prove", "met.rules", "-p", "lifo") == (
        0,
        "met.proofs: 2 proofs; nothing is to be written\n",
        "",
    )
    assert proofs.read_bytes() == before
    assert stacklaw("prove", "--check", "met.rules") == (
        0,
        "met.proofs: 2 proofs, each valid\n",
        "",
    )


def test_what_is_in_the_file_is_proved_elsewhere(
    stacklaw: Stacklaw, proofs: Path, nothing_kept: None
) -> None:
    for _ in range(2):
        code, out, err = stacklaw("check", "met.rules", "-p", "lifo")
        assert (code, err) == (0, "")
        assert "PROVED" in out


def test_an_edit_makes_proofs_stale_and_the_next_run_makes_them_fresh(
    stacklaw: Stacklaw, proofs: Path, tmp_path: Path
) -> None:
    edit(tmp_path / "met.rules", "    pass\n", "    pass\n    put spell on stack\n")
    code, out, err = stacklaw("check", "met.rules", "-p", "lifo")
    assert code == 0
    said = (
        "note: 2 of the 2 proofs in met.proofs are of other rules or properties than these, and "
        "not used;"
    )
    assert " ".join(err.split()) == f"{said} `stacklaw prove met.rules` writes it anew."
    code, out, _ = stacklaw("prove", "--check", "met.rules")
    assert code == Exit.NOT_MET
    assert out.splitlines()[0].endswith("lifo: it is of other rules than these")
    assert out.splitlines()[-1] == "met.proofs: 2 of 2 proofs prove nothing of these rules"
    assert stacklaw("prove", "met.rules", "-p", "lifo", "-p", "single_holder")[0] == 0
    assert stacklaw("prove", "--check", "met.rules")[0] == 0


def test_of_a_property_that_is_gone_the_proof_goes(
    stacklaw: Stacklaw, proofs: Path, tmp_path: Path
) -> None:
    asked = (
        "for some player p, player q: possible (p has priority and q has priority and p is not q)"
    )
    claim = f'  impossible mine "two players have priority"\n    {asked}\n'
    (tmp_path / "met.rules").write_text(RULES + claim, encoding="utf-8")
    assert (
        stacklaw("prove", "met.rules", "-p", "mine")[1] == "met.proofs: 3 proofs, 1 of them new\n"
    )
    (tmp_path / "met.rules").write_text(RULES, encoding="utf-8")
    assert stacklaw("prove", "met.rules", "-p", "lifo")[1] == "met.proofs: 2 proofs\n"


@pytest.mark.slow
def test_each_reading_has_its_proofs(stacklaw: Stacklaw, tmp_path: Path) -> None:
    begin = RULES.index("\nstage")
    (tmp_path / "met.rules").write_text(
        f"{RULES[:begin]}\n{OPTION}{RULES[begin:]}", encoding="utf-8"
    )
    edit(
        tmp_path / "met.rules",
        "    put spell on stack\n",
        "    put spell on stack\n    if speed is fast\n      put spell on stack\n",
    )
    assert (
        stacklaw("prove", "met.rules@speed=fast", "-p", "lifo")[1]
        == "met.proofs: 1 proof, 1 of them new\n"
    )
    assert (
        stacklaw("prove", "met.rules", "-p", "lifo", "--all-readings")[1]
        == "met.proofs: 2 proofs, 1 of them new\n"
    )
    assert [one.settings for one in read_file(tmp_path / "met.proofs")] == [
        "speed=slow",
        "speed=fast",
    ]
    assert stacklaw("prove", "--check", "met.rules")[1] == "met.proofs: 2 proofs, each valid\n"
    edit(tmp_path / "met.rules", '  fast "fast"\n', '  fast "fast"\n  fastest "fastest"\n')
    assert stacklaw("prove", "--check", "met.rules")[0] == Exit.NOT_MET


def test_what_is_no_file_of_proofs_is_told_with_its_place(stacklaw: Stacklaw, proofs: Path) -> None:
    packed = proofs.read_bytes()
    whole = stacklaw("prove", "--print", "met.rules")[1]
    assert gzip.decompress(packed).decode() == whole
    proofs.write_bytes(packed[:-20])
    assert "line 1, it is not packed whole" in " ".join(
        stacklaw("check", "met.rules", "-p", "lifo")[2].split()
    )
    proofs.write_text(whole[:-200], encoding="utf-8")
    code, out, err = stacklaw("check", "met.rules", "-p", "lifo")
    assert (code, "PROVED" in out) == (0, True)
    assert err.startswith("note: No proof in met.proofs is used: line ")
    assert "this entry has no end" in " ".join(err.split())
    code, _, err = stacklaw("prove", "--check", "met.rules")
    assert code == Exit.WRONG_INPUT
    assert "L112" in err
    assert "this entry has no end" in " ".join(err.split())
    assert stacklaw("prove", "met.rules", "-p", "lifo", "-p", "single_holder")[0] == 0
    assert read_text(proofs) == whole


def test_certify_takes_the_file_beside_the_rules(stacklaw: Stacklaw, proofs: Path) -> None:
    assert stacklaw("certify", "met.proofs")[:2] == (
        0,
        "met.proofs: valid: 2 proofs of the rules beside it\n",
    )
    edit(
        proofs.with_suffix(".rules"),
        "    put spell on stack\n",
        "    put spell on stack\n    put spell on stack\n",
    )
    code, out, _ = stacklaw("certify", "met.proofs")
    assert (code, "REJECTED: lifo: it is of other rules than these; 1 more" in out) == (
        Exit.NOT_MET,
        True,
    )


def test_without_a_file_there_is_nothing_to_check(stacklaw: Stacklaw) -> None:
    code, _, err = stacklaw("prove", "--check", "met.rules")
    assert code == Exit.WRONG_INPUT
    assert "`met.proofs` cannot be read: No such file or directory." in " ".join(err.split())
    assert stacklaw("prove", "--check", "met.rules", "-p", "lifo")[0] == Exit.WRONG_INPUT
    assert stacklaw("prove", "nosuchgame")[0] == Exit.WRONG_INPUT


def test_if_the_time_is_up_what_was_there_stays(
    stacklaw: Stacklaw, proofs: Path, nothing_kept: None
) -> None:
    before = proofs.read_bytes()
    code, _, _ = stacklaw("prove", "met.rules", "--time", "0.000001")
    assert code == Exit.UNDECIDED
    assert proofs.read_bytes() == before
