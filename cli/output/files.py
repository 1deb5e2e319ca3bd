"""The files that options of ``check`` name: tried before the work and written after it. And
annotations.

A renderer is imported only where it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from ...models.diagnostics import Diagnostic, InputError
from ...reports.files import check_writable, write_whole
from ...reports.telling.record import Failed, Record
from .drawing import check_drawable, draw_records, trace_records
from .printing import say


@dataclass(frozen=True)
class Reports:
    """What a command line asks for beside what is printed: files, each by its option, pictures,
    annotations on stdout or *err*.
    """

    files: Mapping[str, Path]
    graph: tuple[Path, ...]
    itf: tuple[Path, ...]
    annotations: bool
    err: bool

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
        wrong: list[Diagnostic] = []
        for name, path in self.files.items():
            wrong += _wrong_of(partial(_write, name, path, records, failed))
        for path in self.graph:
            wrong += _wrong_of(partial(draw_records, records, path))
        for path in self.itf:
            wrong += _wrong_of(partial(trace_records, records, path))
        return wrong

    def begin_printing(self) -> Callable[[Sequence[Record], Sequence[Failed]], None]:
        """Keep what is printed from now on from being a workflow command; return what ends that and
        prints the annotations.
        """
        if not self.annotations:
            return lambda _records, _failed: None
        from ...reports.annotations import quieted, render_annotations  # noqa: PLC0415 - only where they are asked for

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


def _wrong_of(write: Callable[[], None]) -> Sequence[Diagnostic]:
    """Return what went wrong when something was written."""
    try:
        write()
    except InputError as error:
        return error.diagnostics
    return ()


def taken_from(options: dict[str, Any], *, err: bool) -> Reports:
    """Take the options that name files from *options*, and return what they ask for; annotations
    are printed on stderr if *err*.
    """
    files = {name: path for name in FILES if (path := options.pop(name)) is not None}
    return Reports(files, options.pop("graph"), options.pop("itf"), options.pop("annotations"), err)
