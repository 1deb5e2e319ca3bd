"""Writing the certificates of what is proved to the folder that ``--certificates`` names, one file each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..reports.record import Record, Row
from .drawing import file_name


def write_certificates(record: Record, folder: Path) -> Record:
    """Write the certificate of each proof of *record* into *folder*; return the record with the names of the files."""
    taken: set[str] = set()
    return replace(record, rows=tuple(_written(row, record.name, folder, taken) for row in record.rows))


def _written(row: Row, game: str, folder: Path, taken: set[str]) -> Row:
    if row.proof is None:
        return row
    name = f"{file_name(game)}.{file_name(row.name)}"
    while name in taken:
        name += "_"
    taken.add(name)
    file = folder / f"{name}.smt2"
    file.write_text(row.proof.certificate, encoding="utf-8")
    return replace(row, proof=replace(row.proof, file=str(file)))
