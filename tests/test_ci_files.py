"""What others put into their CI: the action, the hooks, and the files that docs/ci.md shows; their commands are run, without GitHub."""

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

from stacklaw.cli.main import run

from .github import annotations_in
from .rulesets import ONE_PASS
from .yaml_subset import read_yaml

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
SHOWN = {
    name: read_yaml(text) for name, text in re.findall(r"^`([\w./-]+\.ya?ml)`:\n\n```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
}
ACTION = read_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = read_yaml((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
WORKFLOW = SHOWN[".github/workflows/rules.yml"]
ANSWERS = re.search(
    r"^`answers.rules`:\n\n```rules\n(.*?)^```$", (ROOT / "docs" / "mutate.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
EDIT = ("put spell on stack\n    go decide(after holder)", "put spell on stack\n    go decide(holder)")
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
        files = {name: str(self.temp / name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        told = {"RUNNER_TEMP": str(self.temp), "PATH": f"{self.bin}:{os.environ['PATH']}", **files, **environment}
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(words, cwd=self.work, env={**os.environ, **told}, capture_output=True, text=True, check=False)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


# ------------------------------------------------------------------ what the files say


def test_the_reader_of_yaml() -> None:
    text = 'a: b\nc:\n  - d: "e: f"\n    g: |\n      h\n        i\n\n      j\n  - [k, "l"]\nm: >-\n  n\n  o\np:\n- q\n# r\n'
    said = {"a": "b", "c": [{"d": "e: f", "g": "h\n  i\n\nj\n"}, ["k", "l"]], "m": "n o", "p": ["q"]}
    assert read_yaml(text) == said
    for wrong in ("a: b\n   c: d\n", "a: {b: c}\n", "a: b: c\n", "a: b\na: c\n"):
        with pytest.raises(AssertionError):
            read_yaml(wrong)


def test_no_script_is_made_of_what_others_say() -> None:
    """Whatever GitHub puts into a step comes by its environment, where it is no part of a script."""
    scripts = [step["run"] for document in (ACTION, WORKFLOW) for step in steps_of(document) if "run" in step]
    assert len(scripts) >= 6
    assert not [script for script in scripts if "${{" in script]


def test_what_is_used_is_there() -> None:
    used = [step for step in steps_of(WORKFLOW) if step.get("uses", "").startswith("OWNER/stacklaw@")]
    assert len(used) == 2
    for step in used:
        assert step["with"].keys() <= ACTION["inputs"].keys()
    assert "outputs.sarif" in step_named(WORKFLOW, "Findings beside the lines")["with"]["sarif_file"]
    assert {"sarif", "junit"} == ACTION["outputs"].keys()
    for name in ACTION["inputs"]:
        assert f"| `{name}` |" in PAGE
        assert f"inputs.{name}" in json.dumps(ACTION["runs"])
    assert all(step["shell"] == "bash" for step in steps_of(ACTION))
    (used_hooks,) = (repo["hooks"] for repo in SHOWN[".pre-commit-config.yaml"]["repos"])
    assert [hook["id"] for hook in used_hooks] == [hook["id"] for hook in HOOKS] == ["stacklaw-format", "stacklaw-check"]


# ------------------------------------------------------------------ what the commands do


def test_the_hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.rules").write_text(FAILING, encoding="utf-8")
    given = {hook["id"]: hook.get("args", []) for hook in SHOWN[".pre-commit-config.yaml"]["repos"][0]["hooks"]}
    codes = {}
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert re.search(hook["files"], "rules/one.rules")
        assert not re.search(hook["files"], "rules/one.props")
        program, *words = shlex.split(hook["entry"])
        assert program == "stacklaw"
        codes[hook["id"]] = run([*words, *given[hook["id"]], "one.rules"])
    assert codes == {"stacklaw-format": 0, "stacklaw-check": 1}
    formatted = (tmp_path / "one.rules").read_text(encoding="utf-8")
    assert formatted != FAILING
    assert run(["format", "--check", "one.rules"]) == 0


@pytest.mark.parametrize("version", ["", "git+https://example.org/x@y; touch pwned"])
def test_the_action_installs_its_own_checkout_or_what_it_is_told(version: str, runner: Runner) -> None:
    runner.program(
        "python3",
        'mkdir -p "$3/bin"; printf \'#!/bin/bash\\nprintf "%%s|" "$@" > "$RUNNER_TEMP/asked"\\n\' > "$3/bin/pip"; chmod +x "$3/bin/pip"',
    )
    done = runner.run(step_named(ACTION, "Install stacklaw")["run"], VERSION=version, GITHUB_ACTION_PATH="/actions/my checkout")
    assert (done.returncode, done.stderr) == (0, "")
    assert runner.text("asked").split("|")[-3:] == ["--", version or "/actions/my checkout", ""]
    assert runner.text("GITHUB_PATH") == f"{runner.temp}/stacklaw/bin\n"
    assert list(runner.work.iterdir()) == []


@pytest.mark.slow
def test_the_action_checks(runner: Runner) -> None:
    script = step_named(ACTION, "Check the rulesets")["run"]
    (runner.work / "my rules").mkdir()
    (runner.work / "my rules" / "one.rules").write_text(FAILING, encoding="utf-8")
    (runner.work / "$(touch pwned).rules").write_text(ONE_PASS, encoding="utf-8")
    done = runner.run(script, RULES="my rules\n$(touch pwned).rules\n", FAIL_ON="", TIME="60")
    assert done.returncode == 1, done.stderr
    (shown,) = annotations_in(done.stdout)
    assert (shown.level, shown.properties["file"]) == ("error", "my rules/one.rules")
    outputs = dict(line.split("=", 1) for line in runner.text("GITHUB_OUTPUT").splitlines())
    assert outputs.keys() == ACTION["outputs"].keys()
    assert len(json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))["runs"][0]["results"]) == 1
    assert len(ET.parse(outputs["junit"]).findall("testsuite")) == 2
    assert runner.text("GITHUB_STEP_SUMMARY").startswith("## stacklaw check\n")
    assert runner.run(script, RULES="my rules", FAIL_ON="unknown\nvacuous\n", TIME="60").returncode == 0
    assert runner.run(script, RULES="--help", FAIL_ON="", TIME="60").returncode == 2
    assert not list(runner.folder.rglob("pwned"))


@pytest.mark.slow
def test_what_every_ci_system_can_run(runner: Runner) -> None:
    block = re.search(r"^```sh\npip install [^\n]+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    (runner.work / "rules").mkdir()
    (runner.work / "rules" / "one.rules").write_text(FAILING, encoding="utf-8")
    assert runner.run("stacklaw format rules/").returncode == 0
    assert runner.run(block[1]).returncode == 1
    assert {path.name for path in runner.work.iterdir()} == {"rules", "claims.xml", "plays.html"}


@pytest.mark.slow
def test_the_workflow_tells_what_a_pull_request_does(runner: Runner) -> None:
    """Steps of the page, in a repository whose last commit loses a guarantee; `gh` is one that keeps what it is told."""
    assert ANSWERS is not None
    rules = runner.work / "rules"
    rules.mkdir()
    git = "git -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false"
    (rules / "answers.rules").write_text(ANSWERS[1], encoding="utf-8")
    (rules / "other.rules").write_text(FAILING, encoding="utf-8")
    assert runner.run(f"stacklaw format rules && git init -q && git add . && {git} commit -qm base").returncode == 0
    base = runner.run("git rev-parse HEAD").stdout.strip()
    text = (rules / "answers.rules").read_text(encoding="utf-8")
    assert EDIT[0] in text
    (rules / "answers.rules").write_text(text.replace(*EDIT), encoding="utf-8")
    assert runner.run(f"{git} commit -qam head").returncode == 0
    runner.program("gh", 'printf "%s|" "$@" > "$RUNNER_TEMP/gh"; cp "$5" "$RUNNER_TEMP/comment"')

    assert runner.run(step_named(WORKFLOW, "The standard layout")["run"]).returncode == 0
    done = runner.run(step_named(WORKFLOW, "What the change does")["run"], BASE=base)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    summary = runner.text("GITHUB_STEP_SUMMARY")
    assert "response\\_window" in summary
    assert re.findall(r"^## (\w+)", summary, re.MULTILINE) == ["answers"]
    assert runner.run(step_named(WORKFLOW, "Tell it on the pull request")["run"], NUMBER="7", GH_TOKEN="").returncode == 0
    assert runner.text("gh") == "pr|comment|7|--body-file|difference.md|"
    assert runner.text("comment") == summary
    done = runner.run(step_named(WORKFLOW, "What nothing protects")["run"], BASE=base)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    mutants = (runner.work / "mutants.txt").read_text(encoding="utf-8")
    assert "unprotected  1: " in mutants
    assert "unprotected  2: " not in mutants

    done = runner.run(step_named(WORKFLOW, "What the change does")["run"], BASE="HEAD")
    assert (done.returncode, (runner.work / "difference.md").read_text(encoding="utf-8")) == (0, "")
    (runner.temp / "gh").unlink()
    assert runner.run(step_named(WORKFLOW, "Tell it on the pull request")["run"], NUMBER="7", GH_TOKEN="").returncode == 0
    assert runner.text("gh") == ""
