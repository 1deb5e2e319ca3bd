"""The proof file beside the rules, GAME.proofs: a packed text with an entry for each proof, which
anybody may have written.

An entry is an excerpt of a certificate (`symbolic.certificate.certificate`), closed with its own
digest as one is; below its heading it says who found the proof, and with how many units. The first
line says what the text is, the second how many entries there are. Nothing of it is believed: the
digests in a heading only say for which question an entry is tried, and then its obligations are
made anew and checked. The file is packed as by gzip; one that lies there as a text is read as well.

Before the entries a line for each attempt that failed says for which question this prover found no
proof. That certifies nothing: it saves the same attempt, and the question stays as the search left
it.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ...models import ir
from ...models.frozen import frozen
from ...models.read import is_sent, sent_text
from ...models.shipped import file_beside
from ...models.storage.key import version_of
from ...models.storage.opening import Folder
from ...models.words import counted, join_words
from ...properties.formula import Property
from ..questions.digests import attempt_digest, property_digest, rules_digest
from ..questions.questions import UNSHOWN
from ..symbolic.certificate.smtlib import (
    DIGEST,
    HEADER,
    HeadingField,
    closed,
    is_unchanged,
    values_in,
)

FIRST = "; stacklaw proofs 1"
MOST_BYTES = 20_000_000
_PACKED = b"\x1f\x8b"
"""How a packed file begins (RFC 1952)."""
_NUMBER = re.compile(r"; entries: (\d{1,6})")
_FOUND_BY = "; found by: "
_SHA256 = "sha256:"
_PROVER = 1
"""The version of the prover: to be raised when it may find what it did not find."""
_FAILED = re.compile(
    r"; no proof: (sha256:[0-9a-f]{64}) (sha256:[0-9a-f]{64}), with (\d{1,12}) units by (\S{1,40})"
)
"""An attempt that failed."""


class MalformedError(Exception):
    """A text is no file of proofs; *line* says where, the message why, as a clause."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


@frozen
class ProofEntry:
    """An entry: its *text*, and the *line* of the file that it begins with."""

    text: str
    line: int = 0

    @cached_property
    def values(self) -> Mapping[HeadingField, str]:
        """What its heading says."""
        return values_in(self.text)

    @property
    def name(self) -> str:
        """What the property is called."""
        return self.values.get(HeadingField.PROPERTY, "")

    @property
    def settings(self) -> str:
        """The reading: each option with its value."""
        return self.values.get(HeadingField.SETTINGS, "")

    @property
    def key(self) -> tuple[str, str]:
        """The digests of the rules and of what is asked."""
        return self.values.get(HeadingField.RULES, ""), self.values.get(HeadingField.ASKED, "")

    def says(self, excerpt: str) -> bool:
        """Whether it is an entry of *excerpt*, apart from the lines with its finder and its
        digest.
        """
        return (
            "".join(
                line
                for line in self.text.splitlines(keepends=True)
                if not line.startswith((_FOUND_BY, DIGEST))
            )
            == excerpt
        )


@frozen
class FailedAttempt:
    """That *prover*, which is a version, found no proof of what is *asked* of *rules*, both
    digests, with that number of *units*.
    """

    rules: str
    asked: str
    units: int
    prover: str

    @property
    def key(self) -> tuple[str, str]:
        """The digests of the rules and of what is asked."""
        return self.rules, self.asked

    @property
    def words(self) -> str:
        """How a file says it, in a line."""
        return f"; no proof: {self.rules} {self.asked}, with {self.units} units by {self.prover}"

    @property
    def is_current(self) -> bool:
        """Whether it was this prover, with this solver."""
        return self.prover == prover_version()


def prover_version() -> str:
    """Return the version of the prover, with that of its solver."""
    return f"{_PROVER}/z3-{version_of('z3-solver')}"


def entry_of(excerpt: str, solvers: Sequence[str], spent: int) -> ProofEntry:
    """Return the entry of an *excerpt* of a proof. *spent* is how many units it took; *solvers*
    have seen the proof.
    """
    lines = excerpt.splitlines(keepends=True)
    begin = next(
        (number for number, line in enumerate(lines) if not line.startswith(";")), len(lines)
    )
    head, functions = "".join(lines[:begin]), "".join(lines[begin:])
    return ProofEntry(
        closed(f"{head}{_FOUND_BY}{', '.join(solvers)}, with {spent:,} units\n{functions}")
    )


def entries_text(entries: Iterable[ProofEntry], failed: Iterable[FailedAttempt] = ()) -> str:
    """Return the text of a file with *entries*, and with what *failed*."""
    texts = [entry.text for entry in entries]
    head = "".join(f"{line}\n" for line in sorted(attempt.words for attempt in failed))
    return "\n".join((f"{FIRST}\n; entries: {len(texts)}\n{head}", *texts))


def packed_entries(entries: Iterable[ProofEntry], failed: Iterable[FailedAttempt] = ()) -> bytes:
    """Return what a file with *entries*, and with what *failed*, has in it."""
    return gzip.compress(entries_text(entries, failed).encode(), mtime=0)


def read_entries(text: str) -> list[ProofEntry]:
    """Return the entries of a file of proofs that says *text*; raise `MalformedError` if it is
    none, or is cut short.
    """
    lines = text.split("\n")
    if lines[0] != FIRST:
        raise MalformedError(1, f"it does not begin with `{FIRST}`")
    number = _NUMBER.fullmatch(lines[1]) if len(lines) > 1 else None
    if number is None:
        raise MalformedError(2, "it does not say how many entries it has")
    found = list(_entries(lines))
    if len(found) != int(number[1]):
        raise MalformedError(
            len(lines),
            f"it has {len(found)} of its {number[1]} entries, so it was cut short, or changed",
        )
    return found


def read_failed(text: str) -> list[FailedAttempt]:
    """Return the attempts that failed, of a file of proofs that says *text*."""
    said = map(_FAILED.fullmatch, text.split("\n"))
    return [FailedAttempt(one[1], one[2], int(one[3]), one[4]) for one in said if one is not None]


def _entries(lines: Sequence[str]) -> Iterator[ProofEntry]:
    begin = 0
    for number, line in enumerate(lines[2:], 2):
        if line == HEADER:
            if begin:
                raise MalformedError(begin + 1, "this entry has no end")
            begin = number
        elif not begin and line and not _FAILED.fullmatch(line):
            raise MalformedError(number + 1, "this is no part of an entry")
        elif begin and line.startswith(DIGEST):
            entry = ProofEntry("\n".join((*lines[begin : number + 1], "")), begin + 1)
            if not is_unchanged(entry.text):
                raise MalformedError(
                    begin + 1, "this entry was changed after it was written: its digest is another"
                )
            yield entry
            begin = 0
    if begin:
        raise MalformedError(begin + 1, "this entry has no end")


def read_file(file: Path) -> list[ProofEntry]:
    """Return the entries of *file*; raise `MalformedError` if it is no file of proofs, OSError if
    it cannot be read.
    """
    return read_entries(read_text(file))


def read_text(file: Path) -> str:
    """Return the text of *file*, packed or not; raise `MalformedError` if it is none in UTF-8,
    OSError if it cannot be read.
    """
    if is_sent(file):
        return sent_text(file)
    file = file.resolve()
    with Folder(file.parent, shared=True) as folder:
        content = folder.read(file.name, MOST_BYTES, anybodys=True)
    if content.startswith(_PACKED):
        content = _unpacked(content)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise MalformedError(
            content.count(b"\n", 0, error.start) + 1, "it is no text in UTF-8"
        ) from None


def _unpacked(content: bytes) -> bytes:
    opened = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        whole = opened.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise MalformedError(1, f"it cannot be unpacked ({error})") from None
    if not opened.eof or opened.unused_data:
        why = (
            "it is larger than a file of proofs may be"
            if len(whole) == MOST_BYTES
            else "it is not packed whole"
        )
        raise MalformedError(1, why)
    return whole


@frozen
class ProofsBeside:
    """The *entries* of the *file* beside the rules of *target* that are about one *program*;
    *wrong* says why there are none.

    Of one that *is_draft*, for it is to be written anew, nothing is said; what is of other rules is
    tried, too, for it may prove these, and so is what *failed* before.
    """

    target: str
    file: Path
    program: ir.Program
    entries: Sequence[ProofEntry] = ()
    wrong: str = ""
    is_draft: bool = False
    failed: Sequence[FailedAttempt] = ()

    def entry(self, question: Property) -> ProofEntry | None:
        """Return the entry for *question*; None if there is none."""
        found = self._fresh.get(self.key(question)[1]) if self._fresh or self.is_draft else None
        if found is not None or not self.is_draft:
            return found
        return next(
            (
                entry
                for entry in self.entries
                if entry.name == question.name and entry.settings == self._settings
            ),
            None,
        )

    @property
    def names(self) -> frozenset[str]:
        """What the properties are called that it has proofs of, of these rules."""
        return frozenset(entry.name for entry in self._fresh.values()) - {UNSHOWN}

    def is_stale(self, entry: ProofEntry) -> bool:
        """Whether *entry* is of this reading, or of one that there is no more, but not of these
        rules.
        """
        if entry.key[0] == self.rules:
            return False
        its, mine = (
            [one.partition("=")[0] for one in settings.split(", ") if one]
            for settings in (entry.settings, self._settings)
        )
        return entry.settings == self._settings or its != mine

    def units_in_vain(self, question: Property) -> int:
        """Return with how many units this prover found no proof of *question*; 0 if the file does
        not say, or is to be written anew.
        """
        if self.is_draft or not self._failed:
            return 0
        return self._failed.get(self.failure(question).asked, 0)

    def failure(self, question: Property, units: int = 0) -> FailedAttempt:
        """Return that no proof of *question* was found with *units* units."""
        asked = f"{_SHA256}{attempt_digest(question)}"
        return FailedAttempt(self.rules, asked, units, prover_version())

    def key(self, question: Property) -> tuple[str, str]:
        """Return the key of an entry for *question*."""
        return self.rules, f"{_SHA256}{property_digest(question)}"

    def notes(self, questions: Collection[Property], untrue: Sequence[ProofEntry]) -> Iterator[str]:
        """Yield what there is to say of the file, of which *questions* were tried, and *untrue*
        entries did not prove theirs.
        """
        if self.is_draft:
            return
        again = f"`stacklaw prove {self.target.partition('@')[0]}` writes it anew"
        if self.wrong:
            yield f"no proof in {self.file.name} is used: {self.wrong}; {again}"
        names = {question.name for question in questions} - {UNSHOWN}
        asked = {self.key(question) for question in questions}
        others = [
            entry
            for entry in self._fresh.values()
            if entry.name in names and entry.key not in asked
        ]
        if stale := len(others) + sum(map(self.is_stale, self.entries)):
            which = (
                f"{stale} of the {counted(len(self.entries), 'proof')} in {self.file.name} "
                f"{'is' if stale == 1 else 'are'}"
            )
            yield f"{which} of other rules or properties than these, and not used; {again}"
        if untrue:
            yield (
                f"what {self.file.name} has of {join_words([entry.name for entry in untrue])} is "
                f"no proof; {again}"
            )

    @cached_property
    def _settings(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.program.settings)

    @cached_property
    def rules(self) -> str:
        """The digest of the rules."""
        return f"{_SHA256}{rules_digest(self.program)}"

    @cached_property
    def _failed(self) -> Mapping[str, int]:
        """With how many units this prover found no proof about these rules, by the digest of what
        is asked.
        """
        here = (one for one in self.failed if one.rules == self.rules and one.is_current)
        return {one.asked: one.units for one in here}

    @cached_property
    def _fresh(self) -> Mapping[str, ProofEntry]:
        """The entries about these rules, by the digest of what is asked."""
        return {entry.key[1]: entry for entry in self.entries if entry.key[0] == self.rules}


def proofs_beside(target: str, program: ir.Program) -> ProofsBeside | None:
    """Return the proofs beside the rules of *target*, of which *program* is a reading; None if
    there is no file of them.
    """
    file = file_beside(target, ".proofs")
    try:
        text = read_text(file)
        return ProofsBeside(target, file, program, read_entries(text), failed=read_failed(text))
    except FileNotFoundError:
        return None
    except MalformedError as error:
        return ProofsBeside(target, file, program, wrong=f"line {error.line}, {error}")
    except (OSError, ValueError) as error:
        return ProofsBeside(
            target,
            file,
            program,
            wrong=f"it cannot be read ({getattr(error, 'strerror', None) or error})",
        )
