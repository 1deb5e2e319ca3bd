"""Revisions: the text that a ruleset had in git, named as git names it:
``HEAD~1:rules/mine.rules``.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path, PurePosixPath

from .diagnostics import InputError, wrong_input
from .read import MAX_BYTES, decode_source
from .shipped import game_source, settings_of
from .source import CLAIMS, Source

_SECONDS = 20
_NOT_THERE = "R127"
_DASH = "no name begins with a dash"


def source_and_settings(target: str) -> tuple[Source, dict[str, str]]:
    """Return the text that *target* names, in a revision too, and what it says of options; raises
    InputError.
    """
    if not _is_revision(target):
        return game_source(target), settings_of(target)
    # What stands before the colon may have an @ of its own, as HEAD@{1} has.
    revision, _, path = target.partition(":")
    path, at, said = path.partition("@")
    return _with_claims(revision, path, _read_revision(f"{revision}:{path}")), settings_of(
        at + said
    )


def _is_revision(target: str) -> bool:
    """Return whether *target* names a file in a revision, and not a file that is there."""
    revision, colon, path = target.partition(":")
    return (
        bool(colon and revision and path)
        and not Path(target).exists()
        and not Path(revision).anchor
    )


def _read_revision(target: str, folder: Path = Path()) -> Source:
    """Return the text that *target* names, from the top of the repository or else from *folder*;
    raises InputError (R127).
    """
    revision, _, path = target.partition(":")
    return _read(target, folder, target, f"{revision}:./{path}")


def _read(target: str, folder: Path, *names: str) -> Source:
    """Return the text that git, asked in *folder*, has under the first of *names* that it knows;
    raises InputError (R127), in which it is called *target*.
    """
    if target.startswith("-"):
        raise _missing(target, _DASH)
    said = ""
    for name in names:
        data, said = _git(folder, "cat-file", "blob", name)
        if not said:
            return decode_source(target, data[: MAX_BYTES + 1])
    raise _missing(target, said)


def _with_claims(revision: str, path: str, rules: Source) -> Source:
    """Return *rules*, read from *path* in *revision*, with the claims that stood beside them, if
    any did.
    """
    try:
        return rules.with_claims(
            _read_revision(f"{revision}:{PurePosixPath(path).with_suffix(CLAIMS)}")
        )
    except InputError as error:
        if any(one.code != _NOT_THERE for one in error.diagnostics):
            raise
        return rules


def read_at(revision: str, file: str) -> Source:
    """Return the text that *file* has in *revision* of the repository in which it lies; raises
    InputError (R127).
    """
    path = Path(file)
    return _read(f"{revision}:{file}", path.parent, f"{revision}:./{path.name}")


def read_before(revision: str, file: str) -> Source | None:
    """Return the text that *file* had in *revision*, under another name if it was renamed since.

    None if it is new. Raises InputError (R127) if there is no such revision, or what was there was
    no file.
    """
    folder, said = Path(file).parent, _DASH if revision.startswith("-") else ""
    if not said:
        _, said = _git(folder, "cat-file", "commit", f"{revision}^{{commit}}")
    if said:
        message = f"There is no revision `{revision}` in git: {said}."
        raise wrong_input("R127", message, hint="name a commit, a branch or a tag")
    prefix, _ = _git(folder, "rev-parse", "--show-prefix")
    path = os.fsdecode(prefix.removesuffix(b"\n")) + Path(file).name
    for before in (path, _name_before(revision, path, folder)):
        entry, _ = _git(folder, "ls-tree", "-z", "--full-tree", revision, "--", before)
        if entry and not entry.startswith(b"100"):
            raise _missing(f"{revision}:{before}", "it was no file")
        if entry:
            return _read_revision(f"{revision}:{before}", folder)
    return None


def _name_before(revision: str, path: str, folder: Path) -> str:
    """Return the name that what is *path* now had in *revision*; the same if it was not renamed."""
    words = [
        "diff",
        "--no-ext-diff",
        "--name-status",
        "--no-relative",
        "-z",
        "-M",
        "--diff-filter=R",
    ]
    renamed, _ = _git(folder, *words, revision, "--")
    parts = os.fsdecode(renamed).split("\0")
    names = dict(zip(parts[2::3], parts[1::3], strict=False))
    return names.get(path, path)


def _missing(target: str, why: str) -> InputError:
    hint = "name it as git does: `HEAD~1:rules/mine.rules`"
    return wrong_input(_NOT_THERE, f"There is no `{target}` in git: {why}.", hint=hint)


def _git(folder: Path, *words: str) -> tuple[bytes, str]:
    """Return what git says to *words* in *folder*, paths being taken as they are, or why it says
    nothing.
    """
    command = ["git", "--no-pager", "--literal-pathspecs", *words]
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_SECONDS, check=False, cwd=folder
        )
    except FileNotFoundError:
        return b"", "git is not installed"
    except (OSError, subprocess.TimeoutExpired) as error:
        return b"", str(error)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return b"", said[0].removeprefix("fatal: ").rstrip(".") if said else "git does not say why"
    return done.stdout, ""
