"""The files that options name: tried before the work and written after it; plays drawn.

A renderer is imported only where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from ...models.diagnostics import Diagnostic, InputError
from ...models.frozen import frozen
from ...models.words import clean_line
from ...reports.files import check_writable, make_folder, write_whole
from ...reports.pictures.scene import FORMATS
from ...reports.plays.play import Play
from ...reports.telling.record import Failed, Record, Row
from ...reports.text.sizes import smallest_words
from .printing import say

CodeT = TypeVar("CodeT")


def check_drawable(paths: Sequence[Path]) -> None:
    """Raise a usage error unless *paths* end as pictures do, and InputError unless they can be
    written, before any work is done.
    """
    for path in paths:
        if path.suffix not in FORMATS:
            raise click.BadParameter(
                f"{path.name} should end in {', '.join(FORMATS)}.", param_hint="--graph"
            )
        check_writable(path)


def draw_records(records: Sequence[Record], path: Path) -> None:
    """Draw every play that the text tells; each gets a file of its own if there are several."""
    # What it draws with is not quick to import.
    from ...reports.pictures.draw_play import Titled  # noqa: PLC0415
    from ...reports.pictures.picture import draw  # noqa: PLC0415

    for record, row, play, target in _plays(records, path, "to draw"):
        name = f"{record.name}: {row.name} {row.as_said or f'is {row.outcome}'}"
        draw(Titled(play, name, row.title, row.formula, smallest_words(row)), target)


def trace_records(records: Sequence[Record], path: Path) -> None:
    """Write every play that the text tells in the Informal Trace Format; each gets a file of its
    own if there are several.
    """
    from ...reports.itf import render_itf  # noqa: PLC0415 - only where it is asked for

    for record, row, play, target in _plays(records, path, "to write"):
        write_whole(target, render_itf(play, f"{record.name}: {row.name} is {row.outcome}"))


def _plays(
    records: Sequence[Record], path: Path, what: str
) -> Iterator[tuple[Record, Row, Play, Path]]:
    """Yield every play that the text tells, and where it is to be written: at *path*, or beside it,
    under its own name, if there are several. The caller has to write each before it takes the next.
    """
    plays = [
        (record, row, row.play)
        for record in records
        for row in record.rows
        if row.play is not None and row.has_to_be_told
    ]
    if not plays:
        say(f"{clean_line(str(path))}: there is no play {what}.", err=True)
    endings = "".join(path.suffixes[-2:]) if path.name.endswith(".itf.json") else path.suffix
    for record, row, play in plays:
        several = (
            f"{path.name.removesuffix(endings)}.{file_name(record.name)}.{file_name(row.name)}"
            f"{endings}"
        )
        target = path if len(plays) == 1 else path.with_name(several)
        yield record, row, play, target
        tell_written(target)


def tell_written(path: Path) -> None:
    """Say that *path* was written."""
    say(f"wrote {clean_line(str(path))}", err=True)


def file_name(name: str) -> str:
    """Return *name* with nothing in it that a file name should not have."""
    return "".join(
        character if character.isalnum() or character in "-_.@=" else "_" for character in name
    )


@frozen
class Reports:
    """What a command line asks for beside what is printed: files, each by its option, pictures,
    annotations on stdout or *err*.
    """

    files: Mapping[str, Path]
    graph: tuple[Path, ...]
    itf: tuple[Path, ...]
    annotations: bool
    err: bool = False

    @property
    def given(self) -> dict[str, object]:
        """Each option, and what it says."""
        return {
            **{f"--{name}": path for name, path in self.files.items()},
            "--graph": self.graph,
            "--itf": self.itf,
            "--annotations": self.annotations,
        }

    def check(self) -> None:
        """Raise a usage error or InputError, before any work is done, if a file cannot be
        written.
        """
        check_drawable(self.graph)
        for path in (*self.files.values(), *self.itf):
            check_writable(path)

    def write(self, records: Sequence[Record], failed: Sequence[Failed]) -> list[Diagnostic]:
        """Write the files, and return what went wrong; the others are written all the same."""
        writes = [partial(_write, name, path, records, failed) for name, path in self.files.items()]
        writes += [partial(draw_records, records, path) for path in self.graph]
        writes += [partial(trace_records, records, path) for path in self.itf]
        wrong: list[Diagnostic] = []
        for write in writes:
            try:
                write()
            except InputError as error:
                wrong += error.diagnostics
        return wrong

    def begin_printing(self) -> Callable[[Sequence[Record], Sequence[Failed]], None]:
        """Keep what is printed from now on from being a workflow command; return what ends that and
        prints the annotations.
        """
        if not self.annotations:
            return lambda _records, _failed: None
        # Only where they are asked for.
        from ...reports.annotations import quieted, render_annotations  # noqa: PLC0415

        begins, ends = quieted()
        say(begins, err=self.err)

        def annotate(records: Sequence[Record], failed: Sequence[Failed]) -> None:
            say(ends, err=self.err)
            say(render_annotations(records, failed), err=self.err, nl=False)

        return annotate


FILES = {
    "junit": ("junit", "render_junit", "Write the claims as JUnit XML, too."),
    "sarif": ("sarif", "render_sarif", "Write what is not as claimed as SARIF 2.1.0, too."),
    "markdown": (
        "markdown.record",
        "render_records_markdown",
        "Write a summary as Markdown, too, as for $GITHUB_STEP_SUMMARY.",
    ),
}
"""The module and the function that make each file, and what the help says of it, by its option."""


def _write(name: str, path: Path, records: Sequence[Record], failed: Sequence[Failed]) -> None:
    module, function, _ = FILES[name]
    render: Callable[..., str] = getattr(
        import_module(f"...reports.{module}", __package__), function
    )
    write_whole(path, render(records, failed))


def reporting(command: Callable[..., CodeT]) -> Callable[..., CodeT]:
    """Give *command* what the options say that name files as one value, its *reports*."""

    @wraps(command)
    def with_reports(
        *, graph: tuple[Path, ...], itf: tuple[Path, ...], annotations: bool, **said: Any
    ) -> CodeT:
        files = {name: path for name in FILES if (path := said.pop(name)) is not None}
        return command(reports=Reports(files, graph, itf, annotations), **said)

    return with_reports


# ------------------------------------------------------------------ certificates


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
    taken, rows = set[str](), []
    for row in record.rows:
        proof = row.proof
        if proof is not None:
            name = f"{file_name(record.name)}.{file_name(row.name)}"
            while name in taken:
                name += "_"
            taken.add(name)
            file = folder / f"{name}.smt2"
            write_whole(file, proof.certificate)
            proof = replace(proof, file=str(file))
        rows.append(replace(row, proof=proof))
    return replace(record, rows=tuple(rows))
