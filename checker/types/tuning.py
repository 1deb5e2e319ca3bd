"""Tuning: how a search is done. It changes what a question costs and how much of it is told, never
what the answer is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from ...models.diagnostics import Diagnostic, InputError, wrong_input
from ...models.storage.key import NoKeyError, SigningKey, key_in, own_key
from ...models.storage.places import state_folder
from ..process.checkpoints import Checkpoints

MOST_THREADS = 64
MOST_WORKERS = 1000


@dataclass(frozen=True)
class Cluster:
    """The workers of a cluster: at the *address* of its head, or with ``auto`` on this machine
    unless RAY_ADDRESS names one.

    There are *workers* workers, by default one for each processor. A search goes there that has
    found more than *beyond* positions. Raises InputError if there can be none.
    """

    address: str
    workers: int | None = None
    beyond: int = 1_000_000

    def __post_init__(self) -> None:
        if self.workers is not None and not 1 <= self.workers <= MOST_WORKERS:
            raise wrong_input(
                "C117", f"a cluster has 1 to {MOST_WORKERS:,} workers, not {self.workers:,}"
            )
        if find_spec("ray") is None:
            raise wrong_input(
                "C116",
                "a cluster needs Ray, which is not installed",
                hint="pip install 'stacklaw[cluster]'",
            )


@dataclass(frozen=True)
class Tuning:
    """How a search is done: by how many *threads*, and what it may leave out.

    *slicing* leaves out of a position what the question cannot see, *symmetry* takes positions that
    differ only by a turn of the table for one. *checkpoints* is the folder in which a long search
    writes down how far it is (None: nowhere); with *resume* it goes on from what it finds there.
    What is written there is signed with the key in the file *key*, made if it is not there and
    nothing is to be resumed (None: with this user's own). What is large is searched by the workers
    of a *cluster*, if there is one; what a machine has no memory for goes on in the folder *disk*
    there (None: it ends). Raises InputError if it has no key, and if with *resume* there is what
    this key has not signed.
    """

    threads: int = 1
    slicing: bool = True
    symmetry: bool = True
    checkpoints: Path | None = None
    resume: bool = False
    key: Path | None = None
    cluster: Cluster | None = None
    disk: Path | None = None
    signs: SigningKey | None = field(init=False, default=None, compare=False)

    def __post_init__(self) -> None:
        errors = []
        if not 1 <= self.threads <= MOST_THREADS:
            errors.append(
                Diagnostic(
                    "C107",
                    f"a search is done by 1 to {MOST_THREADS} threads, not by {self.threads}",
                )
            )
        if self.resume and self.checkpoints is None:
            errors.append(
                Diagnostic(
                    "C108",
                    "there is no folder of checkpoints to go on from",
                    hint="say which with --checkpoint",
                )
            )
        if self.key is not None and self.checkpoints is None:
            errors.append(
                Diagnostic(
                    "C108",
                    "a key signs checkpoints, and there is no folder of them",
                    hint="say which with --checkpoint",
                )
            )
        if errors:
            raise InputError(errors)
        if self.checkpoints is not None:
            object.__setattr__(self, "signs", self._signs(self.checkpoints))
            if self.resume and (others := self.files().not_signed()):
                raise InputError([_not_signed(self.checkpoints, others)])

    def files(self) -> Checkpoints:
        """Return the folder of checkpoints; one must be set."""
        assert self.checkpoints is not None
        assert self.signs is not None
        return Checkpoints(self.checkpoints, self.signs)

    def _signs(self, folder: Path) -> SigningKey:
        """Return the key that signs what is written in *folder*; raise InputError if there is none
        that others cannot have.
        """
        file = self.key or state_folder() / "key"
        why = f"{file} lies in the folder of checkpoints"
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            try:
                return own_key() if self.key is None else key_in(self.key, make=not self.resume)
            except NoKeyError as error:
                why = str(error)
        hint = (
            "name a file for a key with --key"
            if self.key is None
            else "it has to be yours, with mode 600, outside the folder"
        )
        raise wrong_input("C111", f"checkpoints are signed with a key: {why}", hint=hint)


def _not_signed(folder: Path, files: list[str]) -> Diagnostic:
    what = "a checkpoint" if len(files) == 1 else f"{len(files)} checkpoints"
    told = f"{what} in {folder} (`{files[0]}`) cannot be believed: not signed with this key, so made elsewhere, or by somebody else"
    return Diagnostic(
        "C112",
        told,
        hint="begin anew without --resume, or name the key it was signed with: --key FILE",
    )
