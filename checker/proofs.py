"""Proofs that are kept: in the user's cache folder, under names made of all that they depend on (`models.keeping`).

A proof depends on the rules, the property and the engine that found it, and so does the answer that there is none, for which the
effort counts too. Neither is looked for twice.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..models import ir
from ..models.keeping import keep, kept, name_of
from ..models.places import cache_folder
from ..properties import formula as f
from ..properties.formula import Property
from .verdict import Proved

FORMAT = "3"
_FOLDER = Path(__file__).parent / "symbolic"


@dataclass(frozen=True)
class Attempt:
    """What came of looking for a proof: the *proof*, or the *reason* why there is none; *spent* is what it cost, in units of effort."""

    proof: Proved | None
    reason: str = ""
    spent: int = 0


class Proofs:
    """The proofs of one *program* that are kept in a *folder*; *note* is what went wrong with keeping them."""

    def __init__(self, program: ir.Program, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()
        self.note = ""
        rules = replace(program, title="", document="", claims=(), left_out=(), scope=(), terms=())
        self._depends = name_of(FORMAT, _engine(), repr(rules))

    def of(self, question: Property, effort: int) -> Attempt | None:
        """Return what came of trying to prove *question* with *effort*, or of a proof that was found with any; None if nobody tried."""
        return self._read(question, None) or self._read(question, effort)

    def add(self, question: Property, effort: int, attempt: Attempt) -> None:
        """Keep *attempt* for the next time."""
        file = self._file(question, None if attempt.proof is not None else effort)
        content = zlib.compress(json.dumps(asdict(attempt)).encode())
        self.note = keep(file, content, "proofs") or self.note

    def of_cases(self, question: Property, what: str) -> dict[str, Any] | None:
        """Return what came of asking for which cases of open options *question* is proved, as plain data; *what* says which and how."""
        content = kept(self._named(question, what))
        return None if content is None else json.loads(zlib.decompress(content))

    def add_cases(self, question: Property, what: str, said: dict[str, Any]) -> None:
        """Keep what came of it for the next time."""
        self.note = keep(self._named(question, what), zlib.compress(json.dumps(said).encode()), "proofs") or self.note

    def _file(self, question: Property, effort: int | None) -> Path:
        return self._named(question, "proof" if effort is None else f"no proof with {effort}")

    def _named(self, question: Property, what: str) -> Path:
        return self.folder / f"{name_of(self._depends, what, repr(question))}.proof"

    def _read(self, question: Property, effort: int | None) -> Attempt | None:
        content = kept(self._file(question, effort))
        if content is None:
            return None
        said = json.loads(zlib.decompress(content))
        return Attempt(proved(said["proof"]) if said["proof"] else None, said["reason"], said["spent"])


def proved(said: dict[str, Any]) -> Proved:
    """Return the proof that is *said* as plain data."""
    rests_on = None if said["rests_on"] is None else tuple(said["rests_on"])
    return Proved(
        said["certificate"], said["obligations"], tuple(said["forgets"]), tuple(said["invariant"]), rests_on, tuple(said["lemmas"])
    )


@cache
def _engine() -> str:
    """Return the engine, what it reads rules and properties by, and its solver, as a digest."""
    digest = sha256(_solver().encode())
    for file in sorted([*_FOLDER.glob("*.py"), *Path(ir.__file__).parent.glob("*.py"), Path(f.__file__)]):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _solver() -> str:
    try:
        return version("z3-solver")
    except PackageNotFoundError:
        return ""
