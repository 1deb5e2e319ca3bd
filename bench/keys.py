"""Type random edits into the server of an editor, key by key, and compare what it tells after each
pause with what the command tells; say how long keys take.

usage: python -m bench.keys [--keys N] [--seed N]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from stacklaw.models.source import CLAIMS

from .editor import Client

ROOT = Path(__file__).parents[1]
GAMES = sorted((ROOT / "models" / "games").glob("*.rules"))
CASES = sorted((ROOT / "tests" / "cases").glob("*/bad/*.rules"))
_KEYS_A_PAUSE = 25
_PAUSES_A_TEXT = 4
_OTHERS = [
    "\n",
    "\n  ",
    "  ",
    "\t",
    '"',
    "(",
    ")",
    "#",
    "…",
    "🂡",
    "\x0b",
    "\u2028",
    "\0",
    ":=",
]


@dataclass
class Typed:
    """What has come of typing: the processor time of each key, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    pauses: int = 0
    memory: list[int] = field(default_factory=list)


class _Typist:
    """Types into one file of *client*, what *random* says."""

    def __init__(self, client: Client, random: Random, typed: Typed) -> None:
        self.client, self.random, self.typed = client, random, typed
        self.text, self.name = "", ""

    def open(self, path: Path) -> None:
        """Open a copy of *path*, with the claims beside it, which stay as they are."""
        self.text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        self.name = f"{len(self.client.versions)}-{path.name}"
        (self.client.folder / self.name).write_text("", encoding="utf-8")
        if path.with_suffix(CLAIMS).is_file():
            beside = (self.client.folder / self.name).with_suffix(CLAIMS)
            beside.write_bytes(path.with_suffix(CLAIMS).read_bytes())
        self.client.open(self.name, self.text)

    def edit(self, keys: int) -> None:
        """Make one edit at a random place, of at most *keys* keys."""
        random, lines = self.random, self.text.split("\n")
        line = random.randrange(len(lines))
        at = random.randint(0, len(lines[line]))
        words = [*" ".join(random.sample(lines, min(3, len(lines)))).split(), *_OTHERS]
        what = random.random()
        if what < 0.25:
            for _ in range(min(random.randint(1, 8), at, keys)):
                self.key(line, at - 1, at, "")
                at -= 1
        elif what < 0.3:
            self.key(line, 0, len(lines[line]), random.choice(lines))
        else:
            for sign in random.choice(words)[:keys]:
                self.key(line, at, at, sign)
                if sign == "\n":
                    return
                at += 1

    def key(self, line: int, start: int, end: int, new: str) -> None:
        """Put *new* in the place of a stretch of a *line*, and note what the server spends."""
        lines = self.text.split("\n")
        old = lines[line]
        lines[line] = old[:start] + new + old[end:]
        self.text = "\n".join(lines)
        before = self.spent()
        self.client.change(self.name, {"text": self.text})
        self.client.of("formatting", "none.rulings", options={"tabSize": 2, "insertSpaces": True})
        self.typed.seconds.append(self.spent() - before)

    def spent(self) -> float:
        """Return the processor time of the server so far."""
        threads = Path(f"/proc/{self.client.server.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text(encoding="ascii").split()[0]) for one in threads) / 1e9

    def ask_all(self) -> None:
        """Ask every feature of a random place; none may fail."""
        lines = self.text.split("\n")
        line = self.random.randrange(len(lines))
        place = {"line": line, "character": self.random.randint(0, len(lines[line]))}
        options = {"tabSize": 2, "insertSpaces": True}
        more: dict[str, dict[str, Any]] = {
            **{key: {"position": place} for key in ("hover", "definition", "completion")},
            "references": {"position": place, "context": {"includeDeclaration": True}},
            "rename": {"position": place, "newName": "a_new_name"},
            "codeAction": {"range": {"start": place, "end": place}, "context": {"diagnostics": []}},
            "formatting": {"options": options},
            **{key: {} for key in ("documentSymbol", "foldingRange", "codeLens")},
        }
        for feature, asked in more.items():
            try:
                self.client.of(feature, self.name, **asked)
            except AssertionError as error:
                self.typed.wrong.append(f"{feature}: {error}")

    def pause(self) -> None:
        """Wait for what the server tells, and compare it with the command's."""
        self.ask_all()
        self.client.settle(1.2)
        path = self.client.folder / self.name
        told = [
            (file.suffix, one["code"], one["message"], one["range"]["start"]["line"] + 1)
            for file in (path, path.with_suffix(CLAIMS))
            for one in self.client.diagnostics.get(file.as_uri(), [])
        ]
        path.write_bytes(self.text.encode("utf-8", "surrogatepass"))
        expected = by_command(path)
        path.write_text("", encoding="utf-8")
        self.typed.pauses += 1
        if len(self.text.splitlines()) != len(self.text.removesuffix("\n").split("\n")):
            told, expected = ([(*one[:3], 0) for one in said] for said in (told, expected))
        if sorted(told) != sorted(expected):
            only = [one for one in (*told, *expected) if one not in told or one not in expected]
            self.typed.wrong.append(f"{self.name}: told by one only: {only[:3]}")


def by_command(path: Path) -> list[tuple[str, str, str, int]]:
    """Return what the command says of the file at *path*."""
    from stacklaw.cli.main import run  # noqa: PLC0415 - the typist alone needs it

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        run(["check", str(path), "--format", "json", "--time", "0.01"])
    found: dict[str, Any] = json.loads(said.getvalue())
    told = found["errors"] or found["rulesets"][0]["warnings"]
    return [
        (
            Path(one["file"] or path).suffix,
            one["code"],
            one["message"] + (f"\nHint: {one['hint']}" if one["hint"] else ""),
            max(one["line"], 1),
        )
        for one in told
    ]


def typed_in(keys: int, seed: int, folder: Path) -> Typed:
    """Type *keys* keys into copies of texts in *folder*, and return what came of it."""
    typed, random = Typed(), Random(seed)
    with Client(folder) as client:
        typist = _Typist(client, random, typed)
        while len(typed.seconds) < keys:
            typist.open(random.choice(random.choice((GAMES, CASES))))
            client.settle(2)
            for _ in range(_PAUSES_A_TEXT):
                until = min(len(typed.seconds) + _KEYS_A_PAUSE, keys)
                while len(typed.seconds) < until:
                    typist.edit(until - len(typed.seconds))
                typist.pause()
            client.tell("textDocument/didClose", textDocument={"uri": client.uri(typist.name)})
            status = Path(f"/proc/{client.server.pid}/status").read_text(encoding="ascii")
            typed.memory.append(int(status.partition("VmRSS:")[2].split()[0]) // 1024)
    typed.wrong += [client.errors] if client.errors else []
    return typed


def main() -> None:
    """Type, and say what came of it; exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--keys", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        typed = typed_in(asked.keys, asked.seed, Path(name))
    seconds = sorted(typed.seconds)
    for part in (0.5, 0.95, 1.0):
        took = seconds[min(int(part * len(seconds)), len(seconds) - 1)]
        print(f"{part:.0%} of {len(seconds):,} keys within {1000 * took:.0f} ms of processor time")
    memory = [typed.memory[part * (len(typed.memory) - 1) // 4] for part in range(5)]
    print(f"memory from the first text to the last: {', '.join(map(str, memory))} MiB")
    print(f"{typed.pauses} pauses, {len(typed.wrong)} wrong")
    for wrong, number in Counter(typed.wrong).most_common(20):
        print(f"{number} times: {wrong}")
    sys.exit(bool(typed.wrong))


if __name__ == "__main__":
    main()
