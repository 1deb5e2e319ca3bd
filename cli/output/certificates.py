"""Writing the certificates of what is proved to the folder that ``--certificates`` names, one file
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...reports.files import make_folder, write_whole
from ...reports.telling.record import ProofRecord, Record, Row
from .drawing import file_name


def make_certificates(folder: Path | None) -> None:
    """Make the *folder* that certificates are to be written into, if there is to be one; raises
    InputError.
    """
    if folder is not None:
        make_folder(folder, "L105", "certificates")


def write_certificates(record: Record, folder: Path | None) -> Record:
    """Write the certificate of each proof of *record* into *folder*, if there is one; return the
    record with the names of the files.
    """
    if folder is None:
        return record
    taken: set[str] = set()
    return replace(
        record, rows=tuple(_written(row, record.name, folder, taken) for row in record.rows)
    )


def _written(row: Row, game: str, folder: Path, taken: set[str]) -> Row:
    return (
        row
        if row.proof is None
        else replace(row, proof=write_certificate(row.proof, (game, row.name), folder, taken))
    )


def write_certificate(
    proof: ProofRecord, names: Sequence[str], folder: Path, taken: set[str]
) -> ProofRecord:
    """Write the certificate of *proof* into *folder*, into a file called by *names* and not as one
    *taken*; return it with that file.
    """
    name = ".".join(file_name(part) for part in names)
    while name in taken:
        name += "_"
    taken.add(name)
    file = folder / f"{name}.smt2"
    write_whole(file, proof.certificate)
    return replace(proof, file=str(file))
