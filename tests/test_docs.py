"""The documents cannot drift: their commands are run, and print what they show; every command,
property and code is there.

In a ``console`` block a line that begins with ``$ `` is run, in a folder that holds the files that
the page shows before it (``rules`` and ``props`` blocks under a line that names a file; a ``diff``
block under such a line edits it, and ``$ cp`` copies it), and what follows must be what it prints;
a line ``[…]`` stands for any number of lines. `pytest tests/test_docs.py --record` writes what is
printed into the page instead.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

import click
import pytest

from stacklaw.checker.rulings.ask import ask
from stacklaw.checker.types.scope import make_scope
from stacklaw.checker.types.verdict import Outcome
from stacklaw.cli.lookup.explain import verdicts
from stacklaw.cli.main import cli
from stacklaw.cli.main import run as run_here
from stacklaw.models.diagnostics import PAGE, codes
from stacklaw.models.load import game_names, load_game
from stacklaw.properties.load import catalogue

ROOT = Path(__file__).parents[1]
LAYERS = ("models", "properties", "checker", "reports", "cli")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED_FILE = re.compile(
    r"^`([\w./-]+\.(?:rules|props|log|toml))`:\n\n```(?:rules|props|json|toml)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
EDITED_FILE = re.compile(
    r"^`([\w./-]+\.(?:rules|props))`, (?:[^`\n]*):\n\n```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
COPIED_FILE = re.compile(r"^\$ cp (\S+) (\S+)$", re.MULTILINE)
GAP = "[…]"


def blocks(page: Path) -> list[re.Match[str]]:
    return list(CONSOLE.finditer(page.read_text(encoding="utf-8")))


CASES = [(page, number) for page in PAGES for number in range(len(blocks(page)))]


Print = Callable[[str, Path], str]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Print:
    """Run a command of ours in this process, which has all modules; any other one as a shell
    does.
    """

    def printed_here(command: str, folder: Path) -> str:
        words = shlex.split(command)
        if words[0] != "stacklaw":
            return run(command, folder)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("COLUMNS", "100")
        run_here(words[1:])
        done = capfd.readouterr()
        return "\n".join(line.rstrip() for line in (done.out + done.err).splitlines())

    return printed_here


def run(command: str, folder: Path) -> str:
    """Return what *command* prints when it is piped."""
    words = shlex.split(command)
    if words[0] == "stacklaw":
        words = [sys.executable, "-m", "stacklaw", *words[1:]]
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "\n".join(line.rstrip() for line in (done.stdout + done.stderr).splitlines())


def matches(shown: list[str], printed: list[str]) -> bool:
    """Tell whether *printed* is *shown*, gaps filled with anything."""
    if not shown:
        return not printed
    if shown[0] == GAP:
        return any(matches(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and matches(shown[1:], printed[1:])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "number"), CASES, ids=[f"{page.name}-{number}" for page, number in CASES]
)
def test_commands_print_what_the_page_shows(
    page: Path, number: int, tmp_path: Path, here: Print, pytestconfig: pytest.Config
) -> None:
    """Those of the first page as a shell runs them, all others in this process, which saves
    starting one for each.
    """
    shell = run if page.name == "README.md" else here
    text = page.read_text(encoding="utf-8")
    block = blocks(page)[number]
    prepare(text[: block.start()], tmp_path)
    told = []
    for part in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
        command, _, shown = part.partition("\n")
        if command.startswith("$ "):
            printed = shell(command[2:], tmp_path).splitlines()
            lines = shown.rstrip().splitlines()
            if GAP in lines and matches(lines, printed):
                printed = lines
            elif GAP in lines and pytestconfig.getoption("--record"):
                printed = refitted(lines, printed)
            told.append("\n".join([command, *printed]))
    now = "\n".join(told) + "\n"
    if pytestconfig.getoption("--record") and now.rstrip() != block[1].rstrip():
        page.write_text(text[: block.start(1)] + now + text[block.end(1) :], encoding="utf-8")
        return
    assert now.rstrip() == block[1].rstrip()


def prepare(text: str, folder: Path) -> None:
    """Write the files into *folder* that a reader has who has done all that *text* says."""
    steps = [
        found
        for pattern in (NAMED_FILE, EDITED_FILE, COPIED_FILE)
        for found in pattern.finditer(text)
    ]
    for step in sorted(steps, key=lambda found: found.start()):
        file = folder / step[1]
        if step.re is NAMED_FILE:
            file.write_text(step[2], encoding="utf-8")
        elif step.re is COPIED_FILE:
            (folder / step[2]).write_bytes(file.read_bytes())
        else:
            file.write_text(edited(file.read_text(encoding="utf-8"), step[2]), encoding="utf-8")


def edited(text: str, difference: str) -> str:
    """Return *text* after *difference*, whose hunks begin with a line ``@@`` and each fit in one
    place.
    """
    for hunk in difference.split("@@\n"):
        lines = hunk.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
        new = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
        places = [
            at for at in range(len(text)) if f"\n{text}"[at] == "\n" and text.startswith(old, at)
        ]
        assert len(places) == 1, f"this stands not just once in the file:\n{old}"
        text = text[: places[0]] + new + text[places[0] + len(old) :]
    return text


def test_a_difference_changes_the_one_place_that_it_fits() -> None:
    assert edited("a\nb\nc\n", " a\n+x\n-b\n") == "a\nx\nc\n"
    assert edited("a\nb\nc\n", " a\n-b\n@@\n c\n+\n+d\n") == "a\nc\n\nd\n"
    for unfit in (" d\n+x\n", " a\n+x\n c\n"):
        with pytest.raises(AssertionError, match="just once"):
            edited("a\nb\nc\n", unfit)
    with pytest.raises(AssertionError, match="just once"):
        edited("a\na\n", " a\n+x\n")


def refitted(shown: list[str], printed: list[str]) -> list[str]:
    """Return *shown* with each stretch between gaps replaced by what stands in its place in
    *printed*.
    """
    fitted: list[str] = []
    begin = 0
    for is_gap, stretch in groupby(shown, key=lambda line: line == GAP):
        lines = list(stretch)
        if is_gap:
            fitted += lines
            continue
        likeness = [
            (
                sum(
                    SequenceMatcher(None, a, b).ratio()
                    for a, b in zip(lines, printed[start:], strict=False)
                ),
                -start,
            )
            for start in range(begin, len(printed) - len(lines) + 1)
        ]
        start = -max(likeness)[1]
        begin = start + len(lines)
        fitted += printed[start:begin]
    return fitted


SLIP = re.compile(r"^( *)(\S.*?)  # slip: (.*)\n", re.MULTILINE)
IDIOMS = list(NAMED_FILE.finditer((ROOT / "docs" / "idioms.md").read_text(encoding="utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("idiom", IDIOMS, ids=[idiom[1] for idiom in IDIOMS])
def test_the_claim_of_an_idiom_notices_the_slip(
    idiom: re.Match[str], tmp_path: Path, here: Print
) -> None:
    (slip,) = SLIP.finditer(idiom[2])
    before, after = idiom[2][: slip.start()], idiom[2][slip.end() :]
    if slip[3] == "leave this out":
        body, rest = deeper(after, len(slip[1]))
        slipped = before + re.sub(r"^  ", "", body, flags=re.MULTILINE) + rest
    else:
        slipped = f"{before}{slip[1]}{slip[3]}\n{after}"
    (tmp_path / idiom[1]).write_text(slipped, encoding="utf-8")
    assert "1 claim: 1 NOT MET" in here(
        f"stacklaw check {idiom[1]} --short --engine explicit", tmp_path
    )


def deeper(text: str, indent: int) -> tuple[str, str]:
    """Return the block at the beginning of *text* whose lines stand deeper than *indent*, and the
    rest.
    """
    lines = text.splitlines(keepends=True)
    end = next(
        (
            at
            for at, line in enumerate(lines)
            if line.strip() and not line.startswith(" " * (indent + 1))
        ),
        len(lines),
    )
    return "".join(lines[:end]), "".join(lines[end:])


@pytest.mark.slow
def test_the_picture_of_the_readme_is_what_is_drawn(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    named = NAMED_FILE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert named is not None
    (tmp_path / named[1]).write_text(named[2], encoding="utf-8")
    assert "wrote drawn.svg" in run(
        f"stacklaw check {named[1]} --property response_window --engine explicit --graph drawn.svg",
        tmp_path,
    )
    drawn = (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    if pytestconfig.getoption("--record"):
        (ROOT / "docs" / "echoes.svg").write_text(drawn, encoding="utf-8")
    assert (ROOT / "docs" / "echoes.svg").read_text(encoding="utf-8") == drawn


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    commands = cli.list_commands(click.Context(cli))
    assert len(commands) >= 9
    assert [name for name in commands if f"`stacklaw {name}" not in text] == []


def test_every_property_is_documented() -> None:
    text = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    assert [entry.name for entry in catalogue() if f"`{entry.name}`" not in text] == []


def test_every_code_on_the_page_of_errors_is_read() -> None:
    """All that stands there is what `stacklaw explain` tells, and in order."""
    families = {
        "R": "Rulesets",
        "P": "Properties",
        "C": "Questions",
        "L": "Command line",
        "W": "Warnings",
    }
    parts = [
        "# Errors\n\nEvery mistake that Stacklaw can find in an input, and every warning, as "
        "`stacklaw explain CODE` tells it."
    ]
    for letter, title in families.items():
        parts.append(f"## {title}")
        for name, code in sorted(codes().items()):
            if name.startswith(letter):
                parts.append(
                    f"### {name} {code.title}\n\n{code.explanation}\n\n- mistaken: `{code.bad}"
                    f"`\n- mended: `{code.mended}`"
                )
    assert PAGE.read_text(encoding="utf-8").split() == "\n\n".join(parts).split()


def test_every_verdict_is_explained() -> None:
    assert verdicts().keys() == set(Outcome)


def test_every_code_is_on_the_page_of_errors() -> None:
    product = "".join(
        path.read_text(encoding="utf-8")
        for layer in LAYERS
        for path in (ROOT / layer).rglob("*.py")
    )
    assert set(re.findall(r'"([RPCLW]\d{3})"', product)) == codes().keys()


def test_every_game_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in game_names() if f"`{name}`" not in text] == []


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", *ROOT.glob("*/README.md")]:
        for target in re.findall(
            r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")
        ):
            assert (page.parent / target).exists(), f"{page}: {target}"


def test_every_page_is_in_the_site() -> None:
    """CI builds it, and ends at a link that leads nowhere."""
    listed = re.findall(
        r"^([\w-]+)$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(page.stem for page in PAGES[1:] if page.stem != "index")


COMPARED = ["mtg", "fftcg@back_attack=official", "zx", "stack@step4=next"]
"""What an ordinary run compares: of each game that takes little."""


def columns(table: str, numbers: list[int]) -> str:
    """Return *table* with only those of its columns, beside the first, that have *numbers*."""
    kept = []
    for line in table.splitlines():
        cells = line.split(" | ")
        kept.append(
            " | ".join([cells[0], *[cells[number + 1].removesuffix(" |") for number in numbers]])
            + " |"
            if len(cells) > 1
            else line
        )
    return "\n".join(kept) + "\n"


@pytest.mark.slow
def test_the_comparison_is_what_compare_says(pytestconfig: pytest.Config) -> None:
    """The page names the command; what comes after its line ``---`` is what that prints.

    Some columns are asked in an ordinary run, all of them with ``--anew``: the others are held to
    their rules in `games/` and `explicit/`.
    """
    page = ROOT / "docs" / "comparison.md"
    head, _, table = page.read_text(encoding="utf-8").partition("\n---\n\n")
    command = re.search(r"`(stacklaw compare [^`]+)`", head)
    assert command
    if pytestconfig.getoption("--record"):
        page.write_text(f"{head}\n---\n\n{run(command[1], ROOT)}\n", encoding="utf-8")
        return
    compared = command[1].split(" --")[0].split()[2:]
    asked = (
        compared
        if pytestconfig.getoption("--anew")
        else [game for game in compared if game in COMPARED]
    )
    assert len(asked) >= len(COMPARED)
    printed = run(command[1].replace(" ".join(compared), " ".join(asked)), ROOT) + "\n"
    assert printed == columns(table, [compared.index(game) for game in asked])


SAID = {
    "HOLDS": "yes",
    "POSSIBLE": "yes",
    "VIOLATED": "no",
    "IMPOSSIBLE": "no",
    "VACUOUS": "–",
    "UNKNOWN": "?",
}


def test_the_article_says_what_the_table_says() -> None:
    """Each row that has a yes and a no stands in a group of the article, with what the whole table
    has for its games.
    """
    article, _, table = (
        (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").partition("\n---\n\n")
    )
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in table.splitlines()
        if line.startswith("| `")
    ]
    games = re.findall(r"`([^`]+)` \(", table.splitlines()[0])
    heads = set(re.findall(r"^\| question \| (.*) \| what players feel \|$", article, re.MULTILINE))
    assert len(heads) == 1
    asked = [game.strip("`") for game in heads.pop().split(" | ")]
    answers = {
        row[0].split("`")[1]: [
            SAID[row[games.index(game) + 1].split()[0].rstrip("\\*")] for game in asked
        ]
        for row in rows
    }
    told = {
        name: cells.split(" | ")
        for name, cells in re.findall(r"^\| `(\w+)` \| (.*) \| [^|]+ \|$", article, re.MULTILINE)
        if name not in game_names()
    }
    assert told == {name: said for name, said in answers.items() if {"yes", "no"} <= set(said)}


def test_the_article_has_the_numbers_of_the_table() -> None:
    article, _, table = (
        (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8").partition("\n---\n\n")
    )
    games = re.findall(r"`([^`]+)` \(", table.splitlines()[0])
    asked = re.findall(
        r"`([^`]+)`", next(line for line in article.splitlines() if line.startswith("| measure | "))
    )
    numbers = dict(re.findall(r"^\| ([a-z][^|`]*: [^|]*) \| (.*) \|$", table, re.MULTILINE))
    told = re.findall(r"^\| ([a-z][^|`]*: [^|]*) \| (.*) \| [^|]+ \|$", article, re.MULTILINE)
    assert told
    for name, cells in told:
        whole = numbers[name].split(" | ")
        assert cells.split(" | ") == [whole[games.index(game)].rstrip("\\*") for game in asked], (
            name
        )


ASKED = re.findall(
    r"^\| `(\w+)` \| (.+\?) \| ([^|]+) \| ([^|]+) \|$",
    (ROOT / "docs" / "comparison.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize("game", sorted({game for game, *_ in ASKED}))
def test_the_article_has_the_answers_of_the_games(game: str) -> None:
    program = load_game(game)
    for _, question, answer, clause in [one for one in ASKED if one[0] == game]:
        told = ask(program, question, make_scope(program)).answers[0]
        assert (told.value, told.clauses[0]) == (answer, clause), question


def test_the_article_asks_every_game() -> None:
    assert {game for game, *_ in ASKED} == {*game_names()}
    assert len(ASKED) == 4 * len(game_names())
