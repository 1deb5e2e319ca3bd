"""What others put into their CI: the action, the hooks, and the files that docs/ci.md shows; their
commands are run, without GitHub.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from stacklaw.cli.main import run

from .github import annotations_in
from .rulesets import ONE_PASS

ROOT = Path(__file__).parents[1]


def read_yaml(text: str) -> Any:
    """Return what *text* says, each value as the string that is written: `on` is no truth here."""
    return yaml.load(text, Loader=yaml.BaseLoader)


PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SHOWN = {
    name: read_yaml(text)
    for name, text in re.findall(
        r"^`([\w./-]+\.ya?ml)`:\n\n```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    )
}
ACTION = read_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
WORKFLOW = SHOWN[".github/workflows/rules.yml"]
ANSWERS = re.search(
    r"^`answers.rules`:\n\n```rules\n(.*?)^```$",
    (ROOT / "docs" / "mutate.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)
EDIT = (
    "put spell on stack\n    go decide(after holder)",
    "put spell on stack\n    go decide(holder)",
)
FAILING = ONE_PASS + "claims\n  holds response_window\n"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for bash")


def steps_of(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every step of an action or of a workflow."""
    for part in [document["runs"]] if "runs" in document else document["jobs"].values():
        yield from part["steps"]


def step_named(document: Any, name: str) -> dict[str, Any]:
    (found,) = (step for step in steps_of(document) if step.get("name") == name)
    return found


class Runner:
    """A machine of GitHub's, as far as scripts see it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temp = folder / "runner temp"
        self.bin = folder / "bin"
        self.work = folder / "work"
        for made in (self.temp, self.bin, self.work):
            made.mkdir()
        self.program("stacklaw", f'exec {shlex.quote(sys.executable)} -m stacklaw "$@"')

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def text(self, name: str) -> str:
        path = self.temp / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def run(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run *script* as a step with ``shell: bash`` runs it."""
        files = {
            name: str(self.temp / name)
            for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")
        }
        told = {
            "RUNNER_TEMP": str(self.temp),
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            **files,
            **environment,
        }
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            words,
            cwd=self.work,
            env={**os.environ, **told},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


# ------------------------------------------------------------------ what the files say


def test_no_script_is_made_of_what_others_say() -> None:
    """Texts from GitHub reach a step by its environment, where they are no part of a script."""
    scripts = [
        step["run"]
        for document in (ACTION, WORKFLOW)
        for step in steps_of(document)
        if "run" in step
    ]
    assert len(scripts) >= 5
    assert not [script for script in scripts if "${{" in script]


def test_what_is_used_is_there() -> None:
    used = [
        step for step in steps_of(WORKFLOW) if step.get("uses", "").startswith("OWNER/stacklaw@")
    ]
    assert len(used) == 1
    for step in used:
        assert step["with"].keys() <= ACTION["inputs"].keys()
    assert (
        "outputs.sarif" in step_named(WORKFLOW, "Findings beside the lines")["with"]["sarif_file"]
    )
    assert {"sarif", "junit", "markdown"} == ACTION["outputs"].keys()
    for name in ACTION["inputs"]:
        assert f"| `{name}` |" in PAGE
        assert f"inputs.{name}" in json.dumps(ACTION["runs"])
    assert all(step["shell"] == "bash" for step in steps_of(ACTION) if "uses" not in step)
    assert {step["uses"] for step in steps_of(ACTION) if "uses" in step} == {
        "actions/cache@v4",
        "actions/upload-artifact@v4",
    }
    (used_hooks,) = (repo["hooks"] for repo in SHOWN[".pre-commit-config.yaml"]["repos"])
    assert (
        [hook["id"] for hook in used_hooks]
        == [hook["id"] for hook in HOOKS]
        == ["stacklaw-format", "stacklaw-check"]
    )


# ------------------------------------------------------------------ what the commands do


def test_the_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.rules").write_text(FAILING, encoding="utf-8")
    given = {
        hook["id"]: hook.get("args", [])
        for hook in SHOWN[".pre-commit-config.yaml"]["repos"][0]["hooks"]
    }
    codes = {}
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert re.search(hook["files"], "rules/one.rules")
        assert bool(re.search(hook["files"], "rules/one.props")) == (
            hook["id"] == "stacklaw-format"
        )
        program, *words = shlex.split(hook["entry"])
        assert program == "stacklaw"
        codes[hook["id"]] = run([*words, *given[hook["id"]], "one.rules"])
    assert codes == {"stacklaw-format": 0, "stacklaw-check": 1}
    formatted = (tmp_path / "one.rules").read_text(encoding="utf-8")
    assert formatted != FAILING
    assert run(["format", "--check", "one.rules"]) == 0


@pytest.mark.parametrize("version", ["", "git+https://example.org/x@y; touch pwned"])
def test_the_action_installs_its_own_checkout_or_what_it_is_told(
    version: str, runner: Runner
) -> None:
    runner.program(
        "python3",
        'mkdir -p "$3/bin"; printf \'#!/bin/bash\\nprintf "%%s|" "$@" > "$RUNNER_TEMP/asked"\\n\' '
        '> "$3/bin/pip"; chmod +x "$3/bin/pip"',
    )
    done = runner.run(
        step_named(ACTION, "Install stacklaw")["run"],
        VERSION=version,
        GITHUB_ACTION_PATH="/actions/my checkout",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert runner.text("asked").split("|")[-3:] == ["--", version or "/actions/my checkout", ""]
    assert runner.text("GITHUB_PATH") == f"{runner.temp}/stacklaw/bin\n"
    assert list(runner.work.iterdir()) == []


def step(runner: Runner, name: str, **environment: str) -> tuple[int, str, dict[str, str]]:
    """Run a step of the action and return its exit code, what it printed, and its outputs."""
    said = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "RULES": "my rules",
        "TIME": "60",
        "FAIL_ON": "",
        "AGAINST": "",
        "NOTICED": "0",
    }
    (runner.temp / "GITHUB_OUTPUT").unlink(missing_ok=True)
    done = runner.run(step_named(ACTION, name)["run"], **said | environment)
    outputs = dict(line.split("=", 1) for line in runner.text("GITHUB_OUTPUT").splitlines())
    return done.returncode, done.stdout + done.stderr, outputs


@pytest.mark.slow
def test_the_action_checks(runner: Runner) -> None:
    (runner.work / "my rules").mkdir()
    (runner.work / "my rules" / "one.rules").write_text(FAILING, encoding="utf-8")
    (runner.work / "$(touch pwned).rules").write_text(ONE_PASS, encoding="utf-8")
    code, printed, outputs = step(runner, CHECK, RULES="my rules\n$(touch pwned).rules\n")
    assert code == 1, printed
    (shown,) = annotations_in(printed)
    assert (shown.level, shown.properties["file"]) == ("error", "my rules/one.rules")
    assert outputs.keys() == {"sarif", "junit", "markdown", "rules"}
    assert (
        len(json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))["runs"][0]["results"])
        == 1
    )
    assert len(ET.parse(outputs["junit"]).findall("testsuite")) == 2
    assert runner.text("GITHUB_STEP_SUMMARY").startswith("## stacklaw check\n")
    assert step(runner, CHECK, FAIL_ON="unknown\nvacuous\n")[0] == 0
    assert step(runner, CHECK, RULES="--help")[0] == 2
    assert step(runner, CHECK, AGAINST="--output=pwned")[0] not in (0, 1)
    assert not list(runner.folder.rglob("*pwned*.txt"))
    assert not (runner.work / "pwned").exists()


@pytest.mark.parametrize(
    "link", ["rules/secret.rules", "rules/deep/secret.rulings", "rules/deep", "rules"]
)
@pytest.mark.parametrize("name", ["Check the rulesets", "What the change does"])
def test_the_action_follows_no_link(link: str, name: str, runner: Runner) -> None:
    secret = runner.folder / "secret"
    secret.mkdir()
    (secret / "secret.rules").write_text("password hunter2", encoding="utf-8")
    path = runner.work / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(secret / "secret.rules" if path.suffix else secret)
    for rules in ("rules/", "rules/secret.rules", "./rules/deep/secret.rules"):
        if (runner.work / rules).exists() or rules == "rules/":
            code, printed, _ = step(runner, name, RULES=rules, AGAINST="HEAD")
            assert (code, "symbolic link" in printed, "hunter2" in printed) == (2, True, False), (
                rules,
                printed,
            )


@pytest.mark.slow
def test_what_every_ci_system_can_run(runner: Runner) -> None:
    block = re.search(r"^```sh\npip install [^\n]+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    (runner.work / "rules").mkdir()
    (runner.work / "rules" / "one.rules").write_text(FAILING, encoding="utf-8")
    assert runner.run("stacklaw format rules/").returncode == 0
    assert runner.run(block[1]).returncode == 1
    assert {path.name for path in runner.work.iterdir()} == {"rules", "claims.xml", "plays.html"}


CHECK, CHANGE, COMMENT = "Check the rulesets", "What the change does", "Tell it on the pull request"
GIT = "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false"
EVIL = "it's $(touch pwned) & `x`.rules"
GH = """\
for word in "$@"; do printf '%s\\n' "$word"; done >> "$RUNNER_TEMP/gh"
case "$*" in
  *--paginate*) cat "$RUNNER_TEMP/comments" ;;
  *)
    for word in "$@"; do
      case $word in body=@*) cp "${word#body=@}" "$RUNNER_TEMP/comment" ;; esac
    done ;;
esac
"""
"""A `gh` that keeps what it is told; the comments that are there it has from a file."""


@pytest.mark.slow
def test_the_action_tells_what_a_pull_request_does(runner: Runner) -> None:
    """In a repository whose first commit loses a guarantee, and whose second adds a ruleset and
    renames one.
    """
    assert ANSWERS is not None
    rules = runner.work / "my rules"
    rules.mkdir()
    (rules / "answers.rules").write_text(ANSWERS[1], encoding="utf-8")
    (rules / "other.rules").write_text(FAILING, encoding="utf-8")
    (rules / "old name.rules").write_text(
        ANSWERS[1].replace("claims\n", "# another text\n\nclaims\n"), encoding="utf-8"
    )
    assert (
        runner.run(
            f"stacklaw format 'my rules' && git init -q && git add . && {GIT} commit -qm base"
        ).returncode
        == 0
    )
    base = runner.run("git rev-parse HEAD").stdout.strip()
    text = (rules / "answers.rules").read_text(encoding="utf-8")
    assert EDIT[0] in text
    (rules / "answers.rules").write_text(text.replace(*EDIT), encoding="utf-8")
    assert runner.run(f"{GIT} commit -qam head").returncode == 0
    (rules / EVIL).write_text(
        ONE_PASS.replace('game "', 'game "<b>@octocat</b> #1 '), encoding="utf-8"
    )
    assert (
        runner.run(
            f"git mv 'my rules/old name.rules' 'my rules/new name.rules' && git add . && {GIT} "
            "commit -qm more"
        ).returncode
        == 0
    )

    code, printed, outputs = step(runner, CHECK, AGAINST=base)
    assert code == 1, printed
    changed = text.replace(*EDIT).splitlines().index("    go decide(holder)") + 1
    of_edit = [
        one
        for one in annotations_in(printed)
        if one.properties["file"] == "my rules/answers.rules" and one.level == "error"
    ]
    assert {one.properties["line"] for one in of_edit} == {str(changed)}
    assert any("an answer changed" in one.properties["title"] for one in of_edit)
    checked = Path(outputs["markdown"]).read_text(encoding="utf-8")
    assert "new name: Answers" in checked
    assert checked.count("the ruleset is new") == 1
    assert "```mermaid\n" in checked
    assert "[[accepted]]" in checked
    assert not re.search(r"(?<!\\)<b>|@octocat", checked)

    code, printed, outputs = step(runner, CHANGE, AGAINST=base, CHECKED=outputs["markdown"])
    assert code == 1, printed
    told = Path(outputs["markdown"]).read_text(encoding="utf-8")
    assert re.findall(r"^## ([\w ]+)", told, re.MULTILINE) == [
        "stacklaw check",
        "answers",
        "answers",
        "old name ",
        "new name",
    ]
    assert "response\\_window" in told
    assert "| edit | what players would notice |" in told
    assert told.index("What changed for players") < told.index("NOT MET")
    headline = re.search(r"^## answers: what changed\n\n(.*)\n\n(.*)", told, re.MULTILINE)
    assert headline is not None, told
    assert headline[2].startswith("<details><summary>each answer"), told
    assert told.count("<details>") == told.count("</details>")
    assert told.endswith(runner.text("GITHUB_STEP_SUMMARY").removeprefix(checked).lstrip("\n"))
    pages = sorted(path.name for path in Path(outputs["pages"]).iterdir())
    assert len(pages) == 3
    assert all(re.fullmatch(r"\d-[\w-]+\.html", name) for name in pages), pages
    assert not list(runner.folder.rglob("pwned"))

    assert (rules / "answers.rules").write_text(text, encoding="utf-8")
    assert (
        runner.run(f"{GIT} commit -qam 'as it was' && git rm -q 'my rules/other.rules'").returncode
        == 0
    )
    assert step(runner, CHANGE, AGAINST="HEAD", CHECKED="") == (
        0,
        "",
        {"markdown": outputs["markdown"]},
    )

    # Claims beside the rules are a part of the ruleset.
    rulesets, claims = text.split("claims\n", 1)
    (rules / "answers.rules").write_text(rulesets, encoding="utf-8")
    (rules / "answers.claims").write_text(f"claims\n{claims}", encoding="utf-8")
    assert runner.run(f"git add . && {GIT} commit -qm apart").returncode == 0
    (rules / "answers.claims").write_text("claims\n  holds lifo\n", encoding="utf-8")
    assert runner.run(f"{GIT} commit -qam fewer").returncode == 0
    step(runner, CHANGE, AGAINST="HEAD~1", CHECKED="")
    told = Path(outputs["markdown"]).read_text(encoding="utf-8")
    assert re.findall(r"^## ([\w ]+)", told, re.MULTILINE)[0] == "answers"
    assert len(list(Path(outputs["pages"]).iterdir())) == 1


@pytest.mark.parametrize(
    ("there", "where"),
    [("", "POST|repos/o/r/issues/7/comments"), ("5\n9\n", "PATCH|repos/o/r/issues/comments/5")],
)
def test_the_action_has_one_comment(there: str, where: str, runner: Runner) -> None:
    runner.program("gh", GH)
    told = runner.temp / "told.md"
    (runner.temp / "comments").write_text(there, encoding="utf-8")
    said = {
        "GH_TOKEN": "",
        "NUMBER": "7",
        "REPOSITORY": "o/r",
        "MARKDOWN": str(told),
        "PAGES": "https://example.org/1",
    }
    told.write_text("", encoding="utf-8")
    assert step(runner, COMMENT, **said)[:2] == (0, "")
    assert runner.text("gh") == ""
    told.write_text("## told\n", encoding="utf-8")
    assert step(runner, COMMENT, **said)[:2] == (0, "")
    asked = runner.text("gh").splitlines()
    method, _, place = where.partition("|")
    assert asked[asked.index("--method") + 1 :][:2] == [method, place]
    assert any('"github-actions[bot]"' in word for word in asked), (
        "a comment of somebody else is left alone"
    )
    body = runner.text("comment")
    assert re.fullmatch(
        r"<!-- stacklaw: [\w ]+ -->\n## told\n\n\[[\w ]+\]\(https://example.org/1\) \([\w ;]+\)\n",
        body,
    ), body
    told.write_text("x" * 70_000, encoding="utf-8")
    assert step(runner, COMMENT, **said | {"PAGES": ""})[0] == 0
    assert "in the summary" in runner.text("comment")


def test_no_run_for_a_fork_keeps_anything_or_comments() -> None:
    """Its token reads only, and what it leaves in a cache its next run would believe."""
    same = "github.event.pull_request.head.repo.full_name == github.repository"
    kept = step_named(ACTION, "Keep proofs and compiled code")
    assert kept["if"].endswith(f"(!github.event.pull_request || {same})")
    assert step_named(ACTION, COMMENT)["if"].endswith(f"&& {same}")
    common = (ROOT / "action" / "common.sh").read_text(encoding="utf-8")
    folder = kept["with"]["path"].removeprefix("${{ runner.temp }}")
    assert f"$RUNNER_TEMP{folder}/cache" in common
    assert f"$RUNNER_TEMP{folder}/state" in common
