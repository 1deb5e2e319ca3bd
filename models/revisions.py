"""Revisions: the text that a ruleset had in git, named as git names it: ``HEAD~1:rules/mine.rules``."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

from .diagnostics import Diagnostic, InputError
from .read import MAX_BYTES, decode_source
from .shipped import CLAIMS, game_source, settings_of
from .source import Source

_SECONDS = 20
_NOT_THERE = "R127"
_DASH = "no name begins with a dash"


def source_and_settings(target: str) -> tuple[Source, dict[str, str]]:
    """Return the text that *target* names, in a revision too, and what it says of options; raises InputError."""
    if not _is_revision(target):
        return game_source(target), settings_of(target)
    # What stands before the colon may have an @ of its own, as HEAD@{1} has.
    revision, _, path = target.partition(":")
    path, at, said = path.partition("@")
    return _with_claims(revision, path, _read_revision(f"{revision}:{path}")), settings_of(at + said)


def _is_revision(target: str) -> bool:
    """Return whether *target* names a file in a revision, and not a file that is there."""
    revision, colon, path = target.partition(":")
    return bool(colon and revision and path) and not Path(target).exists() and not Path(revision).anchor


def _read_revision(target: str) -> Source:
    """Return the text that *target* names, from the top of the repository or else from here; raises InputError (R127)."""
    revision, _, path = target.partition(":")
    if revision.startswith("-"):
        raise _missing(target, _DASH)
    said = ""
    for place in (path, f"./{path}"):
        data, said = _shown(f"{revision}:{place}")
        if not said:
            return decode_source(target, data)
    raise _missing(target, said)


def _with_claims(revision: str, path: str, rules: Source) -> Source:
    """Return *rules*, read from *path* in *revision*, with the claims that stood beside them, if any did."""
    try:
        return rules.with_claims(_read_revision(f"{revision}:{PurePosixPath(path).with_suffix(CLAIMS)}"))
    except InputError as error:
        if any(one.code != _NOT_THERE for one in error.diagnostics):
            raise
        return rules


def read_at(revision: str, file: str) -> Source:
    """Return the text that *file* has in *revision* of the repository in which it lies; raises InputError (R127)."""
    target, path = f"{revision}:{file}", Path(file)
    if revision.startswith("-"):
        raise _missing(target, _DASH)
    data, said = _shown(f"{revision}:./{path.name}", path.parent)
    if said:
        raise _missing(target, said)
    return decode_source(target, data)


def _missing(target: str, why: str) -> InputError:
    hint = "name it as git does: `HEAD~1:rules/mine.rules`"
    return InputError([Diagnostic(_NOT_THERE, f"There is no `{target}` in git: {why}.", hint=hint)])


def _shown(name: str, folder: Path = Path()) -> tuple[bytes, str]:
    """Return what git, asked in *folder*, has under *name*, no more than a ruleset may have, or why it has nothing."""
    try:
        done = subprocess.run(
            ["git", "--no-pager", "cat-file", "blob", name], capture_output=True, timeout=_SECONDS, check=False, cwd=folder
        )
    except FileNotFoundError:
        return b"", "git is not installed"
    except (OSError, subprocess.TimeoutExpired) as error:
        return b"", str(error)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return b"", said[0].removeprefix("fatal: ").rstrip(".") if said else "git does not say why"
    return done.stdout[: MAX_BYTES + 1], ""
