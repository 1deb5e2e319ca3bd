"""What is written, and where to: streams that are closed or full, files that cannot be written,
names that a terminal would obey.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import pytest

from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
from stacklaw.models.diagnostics import InputError
from stacklaw.models.load import load
from stacklaw.models.source import Source
from stacklaw.models.words import clean, clean_line
from stacklaw.reports.files import check_writable, write_whole

from ..github import annotations_in
from ..rulesets import ONE_PASS

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="devices and limits are those of Linux"
)
RULES = ONE_PASS + "claims\n  holds response_window\n"
STACKLAW = [sys.executable, "-m", "stacklaw"]
NASTY = "a\x1b[31m\u202e\nb\u2028"
NAMES = [
    b"red\x1b[31m.rules",
    b"two\nlines.rules",
    "back\u202ewards.rules".encode(),
    b"no\xff\xfeutf8.rules",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


def shell(line: str, folder: Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run *line* in a shell in which ``$S`` is stacklaw; its files may have *limit* bytes."""

    def begin() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    environment = {**os.environ, "S": " ".join(STACKLAW)}
    return subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        preexec_fn=begin,
        check=False,
        errors="replace",
    )


CHECK = "$S check one.rules -p response_window --engine explicit"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["$S explain lifo", f"{CHECK} --format json", "$S check --help"])
def test_a_full_stdout_is_wrong_input(line: str, folder: Path) -> None:
    done = shell(f"{line} > /dev/full", folder)
    assert (done.returncode, done.stderr) == (
        2,
        "error L111: What is said cannot be written: No space left on device.\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize(("line", "code"), [(CHECK, 1), ("$S nosuchcommand", 2)])
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_closed_streams_change_nothing_but_what_is_heard(
    line: str, code: int, closed: str, folder: Path
) -> None:
    done = shell(f"{line} {closed}", folder)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("line", ["$S properties", "$S check nosuchgame nosuchother 2>&1"])
def test_a_reader_that_goes_away_is_no_mistake(line: str, folder: Path) -> None:
    done = shell(f"({line}; echo $? > code) | true; cat code", folder)
    assert int(done.stdout.split()[-1]) in (141, 2)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "option",
    [
        "--junit no/file.xml",
        "--sarif no/file.sarif",
        "--markdown folder",
        "--graph no/file.svg",
        "--junit folder",
        "--graph folder.svg",
        "--certificates one.rules",
    ],
)
def test_files_are_tried_before_a_long_check_begins(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "folder").mkdir()
    (folder / "folder.svg").mkdir()
    # This search would take too long to wait for.
    assert (
        run(
            [
                "check",
                "one.rules",
                "--players",
                "12",
                "--stack",
                "12",
                "--time",
                "1000",
                "--engine",
                "explicit",
                *option.split(),
            ]
        )
        == 2
    )
    said = capsys.readouterr().err
    assert option.split()[1] in said
    assert "cannot" in said
    assert sorted(path.name for path in folder.iterdir()) == ["folder", "folder.svg", "one.rules"]


@pytest.mark.slow
def test_a_file_that_becomes_too_large_leaves_the_old_one_and_the_others_are_written(
    folder: Path,
) -> None:
    (folder / "claims.xml").write_text("as it was", encoding="utf-8")
    done = shell(
        f"{CHECK} --graph big.svg --junit claims.xml --graph small.dot > /dev/null",
        folder,
        limit=2000,
    )
    assert done.returncode == 2
    assert "`big.svg` cannot be written: File too large." in done.stderr
    assert "wrote small.dot" in done.stderr
    left = {path.name for path in folder.iterdir()}
    assert left <= {"one.rules", "claims.xml", "small.dot"}
    assert (folder / "claims.xml").read_text(encoding="utf-8").startswith(("as it was", "<?xml"))


@pytest.mark.slow
def test_devices_are_written_directly(folder: Path) -> None:
    done = shell(f"{CHECK} --junit /dev/full", folder)
    assert (done.returncode, done.stderr) == (
        2,
        "error L111: `/dev/full` cannot be written: No space left on device.\n",
    )
    done = shell(f"{CHECK} --format json --junit /dev/stderr > said", folder)
    assert done.returncode == 1
    assert ET.fromstring(done.stderr).tag == "testsuites"
    done = shell(f"{CHECK} --junit /dev/stdout > said", folder)
    text = (folder / "said").read_text(encoding="utf-8")
    assert text.startswith("one  ")
    assert text.rstrip().endswith("</testsuites>")


def test_whole_files(folder: Path) -> None:
    file, link, dangling = folder / "file", folder / "link", folder / "dangling"
    write_whole(file, "one")
    file.chmod(0o640)
    write_whole(file, "two")
    link.symlink_to("file")
    dangling.symlink_to("nowhere")
    for path in (link, dangling):
        for use in (check_writable, partial(write_whole, content="through it")):
            with pytest.raises(InputError, match="it is a symbolic link"):
                use(path)
    assert (file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777) == ("two", 0o640)
    for path in (folder, folder / "no" / "file", Path("nul\0")):
        with pytest.raises(InputError):
            check_writable(path)
        with pytest.raises(InputError):
            write_whole(path, "")
    assert sorted(path.name for path in folder.iterdir()) == [
        "dangling",
        "file",
        "link",
        "one.rules",
    ]


LINKED = {
    "check": ["check", "one.rules", "-p", "response_window", "--junit", "LINK"],
    "graph": ["check", "one.rules", "-p", "response_window", "--graph", "LINK.svg"],
    "page": ["page", "one.rules", "-o", "LINK"],
    "certificate": ["diff", "one.rules", "one.rules", "--certificate", "LINK"],
    "show": ["show", "one.rules", "--graph", "LINK.svg"],
}


@pytest.mark.parametrize("name", LINKED)
def test_no_output_goes_through_a_link(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkout with `report.svg -> .ssh/authorized_keys` turned a CI run into an overwrite."""
    precious = folder / "precious"
    precious.write_text("a key", encoding="utf-8")
    for link in ("LINK", "LINK.svg"):
        (folder / link).symlink_to(precious)
    monkeypatch.chdir(folder)
    assert run(LINKED[name]) == Exit.WRONG_INPUT
    assert "cannot be written: it is a symbolic link" in capsys.readouterr().err
    assert precious.read_text(encoding="utf-8") == "a key"


def test_what_cannot_be_written_is_not_said_to_be_formatted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loose = (folder / "one.rules").read_text(encoding="utf-8").replace("players 2", "players   2")
    (folder / "loose.rules").write_text(loose, encoding="utf-8")
    (folder / "a link.rules").symlink_to("loose.rules")
    (folder / "other.rules").write_text(loose, encoding="utf-8")
    monkeypatch.chdir(folder)
    assert run(["format", "a link.rules", "other.rules"]) == Exit.WRONG_INPUT
    said = capsys.readouterr()
    assert said.out == "other.rules: formatted\n"
    assert "cannot be written: it is a symbolic link" in said.err
    assert (folder / "loose.rules").read_text(encoding="utf-8") == loose


def test_graph_given_twice_writes_both(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        ["show", "one.rules"],
        ["simulate", "one.rules"],
        ["check", "one.rules", "-p", "response_window", "--engine", "explicit"],
    ):
        assert run([*command, "--graph", f"{command[0]}.svg", "--graph", f"{command[0]}.dot"]) in (
            0,
            1,
        )
        assert capsys.readouterr().err == f"wrote {command[0]}.svg\nwrote {command[0]}.dot\n"
        assert ET.parse(folder / f"{command[0]}.svg")
        assert (folder / f"{command[0]}.dot").read_text(encoding="utf-8").startswith("digraph")


def test_several_reports_of_one_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "check",
        "one.rules",
        "wrong.rules",
        "-p",
        "response_window",
        "--engine",
        "explicit",
        "--annotations",
    ]
    files = ["--junit", "a.xml", "--sarif", "a.sarif", "--markdown", "a.md", "--graph", "a.svg"]
    (folder / "wrong.rules").write_text("gme\n", encoding="utf-8")
    (folder / "one.rules").write_text(
        RULES.replace('"cast a spell"', '"##[error]cast a spell"'), encoding="utf-8"
    )
    assert run([*asked, *files]) == 2
    printed = capsys.readouterr()
    assert "##[error]cast a spell" in printed.out
    assert [(one.level, one.properties["file"]) for one in annotations_in(printed.out)] == [
        ("error", "one.rules"),
        ("error", "wrong.rules"),
    ]
    assert "NOT MET: response_window is VIOLATED" in printed.out
    assert {path.name for path in folder.iterdir()} == {
        "one.rules",
        "wrong.rules",
        "a.xml",
        "a.sarif",
        "a.md",
        "a.svg",
    }
    assert (
        len(json.loads((folder / "a.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 2
    )
    assert len(ET.parse(folder / "a.xml").findall("testsuite")) == 2
    assert "| NOT MET | one: One pass |" in (folder / "a.md").read_text(encoding="utf-8")
    written = {path.name: timeless(path) for path in folder.glob("a.*")}
    assert run([*asked, *files, "--format", "json"]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out)["exit_code"] == 2
    assert len(annotations_in(printed.err)) == 2
    assert {path.name: timeless(path) for path in folder.glob("a.*")} == written


def timeless(path: Path) -> bytes:
    """Return the content of *path* without how long anything took."""
    return re.sub(rb' time="[0-9.]+"', b"", path.read_bytes())


@pytest.mark.parametrize(
    "option", ["--sarif a", "--markdown a", "--annotations", "--junit a", "--fail-on unknown"]
)
def test_a_condition_has_no_report(
    option: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "zx", "-p", "complete", "--for-which", "points", *option.split()]) == 2
    assert option.split(maxsplit=1)[0] in capsys.readouterr().err


def test_fail_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        "check",
        "one.rules",
        "-p",
        "response_window",
        "--engine",
        "explicit",
        "--format",
        "json",
    ]
    for said, code in (
        ([], 1),
        (["violated"], 1),
        (["unknown", "vacuous"], 0),
        (["unknown", "violated"], 1),
    ):
        assert run([*asked, *(part for kind in said for part in ("--fail-on", kind))]) == code
        document = json.loads(capsys.readouterr().out)
        assert (document["exit_code"], document["rulesets"][0]["rows"][0]["status"]) == (
            code,
            "not met",
        )


@pytest.mark.slow
def test_what_is_not_asked_for_is_not_imported(folder: Path) -> None:
    script = """
import sys
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
assert run(["check", "one.rules", "-p", "response_window", "--engine", "explicit"]) == 1
print(*(name for name in sys.modules if name.startswith("stacklaw.reports.")))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "stacklaw.reports.checked.checked" in loaded
    formats = (
        "json",
        "junit",
        "sarif",
        "annotations",
        "markdown.inline",
        "markdown.record",
        "telling.losses",
        "pictures.picture",
    )
    assert not loaded & {f"stacklaw.reports.{name}" for name in formats}


# ------------------------------------------------------------------ names and texts of strangers


def is_clean(text: str) -> bool:
    return clean(text) == text and text.encode("utf-8").decode("utf-8") == text


def test_cleaning() -> None:
    assert clean_line(NASTY) == "a\ufffd[31m\ufffd\ufffdb\ufffd"
    assert clean(NASTY) == "a\ufffd[31m\ufffd\nb\ufffd"
    assert clean("über 😀 … →") == "über 😀 … →"
    assert clean(os.fsdecode(b"a\xff")) == "a\ufffd"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "command", ["check", "show", "format", "coverage", "simulate", "compare", "certify", "explain"]
)
def test_names_of_files_are_cleaned_wherever_they_are_shown(
    command: str, name: bytes, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = os.fsdecode(name)
    for content in (RULES, RULES.replace("game", "gme"), None):
        Path(file).unlink(missing_ok=True)
        if content is not None:
            Path(file).write_text(content, encoding="utf-8")
        little = ["--engine", "explicit", "--time", "5"] if command in ("check", "compare") else []
        assert run([command, file, *little]) in (0, 1, 2, 3)
        printed = capsys.readouterr()
        assert is_clean(printed.out)
        assert is_clean(printed.err)


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_written_about_strange_names_are_valid(
    name: bytes, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    title = "\x1b[31m\u202e\u200b\x07"
    for file in (os.fsdecode(name), "nosuch.rules"):
        Path(os.fsdecode(name)).write_text(
            RULES.replace("One pass", title).replace('"a player', f'"{title}a player'),
            encoding="utf-8",
        )
        asked = [
            "check",
            file,
            "-p",
            "response_window",
            "--engine",
            "explicit",
            "--format",
            "json",
            "--junit",
            "claims.xml",
        ]
        asked += ["--sarif", "claims.sarif", "--markdown", "claims.md", "--annotations"]
        assert run(
            [
                *asked,
                *(
                    part
                    for ending in ("svg", "html", "dot", "graphml")
                    for part in ("--graph", f"play.{ending}")
                ),
            ]
        ) in (1, 2)
        printed = capsys.readouterr()
        assert is_clean(printed.out)
        assert is_clean(printed.err)
        assert json.loads(printed.out)["schema"]
        assert [one.level for one in annotations_in(printed.err)] == ["error"]
        assert (
            json.loads((folder / "claims.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
        )
        for written in [*sorted(folder.glob("play.*")), *sorted(folder.glob("claims.*"))]:
            assert is_clean(written.read_text(encoding="utf-8")), written
            if written.suffix in (".svg", ".graphml", ".xml"):
                ET.parse(written)


def test_a_name_with_nul_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "a\0b.rules"]) == 2
    assert is_clean(capsys.readouterr().err)


def test_a_program_is_called_by_a_clean_name() -> None:
    assert load(Source(f"{NASTY}.rules", ONE_PASS)).name == clean_line(NASTY)


@pytest.mark.slow
def test_no_home_and_no_passwd_entry(folder: Path) -> None:
    """As a user whom the machine does not know: root can become one, and others only lose their
    home folder.
    """
    script = """
import os, pwd, sys
os.environ.pop("HOME", None)
for name in ("CACHE", "DATA", "STATE", "CONFIG"):
    os.environ.pop(f"XDG_{name}_HOME", None)
os.environ.pop("STACKLAW_CACHE", None)
def nobody(*_): raise KeyError("no such user")
pwd.getpwuid = nobody
from stacklaw.cli.main import run
from stacklaw.cli.output.exits import Exit
sys.exit(run(sys.argv[1:]))
"""
    for command in (
        ["check", "one.rules", "-p", "response_window"],
        ["compare", "one.rules", "-p", "lifo"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", script, *command],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
