"""The sdist: all that is tracked is in it, and nothing else, as ``MANIFEST.in`` says."""

from __future__ import annotations

import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "docs/cli.md",
    "tests/README.md",
    "tests/conftest.py",
    "bench/README.md",
    "pyproject.toml",
    ".ci/run",
    ".pre-commit-hooks.yaml",
    "action.yml",
]


def tracked() -> list[str]:
    """Return what git knows; skip where there is no git, as in an unpacked sdist."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).exists()]


def shipped(names: list[str]) -> set[str]:
    """Return those of *names* that the lines of MANIFEST.in put into the sdist."""
    found: set[str] = set()
    for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines():
        word, *patterns = line.partition("#")[0].split() or [""]
        match word:
            case "":
                pass
            case "include":
                found |= {name for name in names if name in patterns}
            case "graft":
                found |= {name for name in names if name.startswith(f"{patterns[0]}/")}
            case "global-exclude":
                found = {
                    name
                    for name in found
                    if not any(fnmatch(Path(name).name, pattern) for pattern in patterns)
                }
            case other:
                pytest.fail(f"nobody here knows what `{other}` says")
    return found


def test_the_sdist_has_all_that_is_tracked() -> None:
    names = tracked()
    assert sorted(set(names) - shipped(names)) == []


def test_the_sdist_has_nothing_else() -> None:
    strays = [
        "build/lib/x.py",
        "checker/__pycache__/x.cpython-311.pyc",
        ".venv/pyvenv.cfg",
        "dist/x.whl",
        ".mypy_cache/x.json",
        "notes.txt",
    ]
    assert shipped(strays) == set()


@pytest.mark.parametrize("name", NEEDED)
def test_what_somebody_needs_who_has_only_the_sdist_is_here(name: str) -> None:
    assert (ROOT / name).is_file()
