"""What each editor has of its own: colours, an extension, a file for the configuration."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Error, Keyword, Name, Operator

pytest.importorskip("pygls", reason="pygls is not installed: pip install 'stacklaw[editor]'")

from stacklaw.cli.judging import CLAUSES, RULINGS
from stacklaw.models.parsing.outline import HEADS
from stacklaw.models.parsing.scan import lexicon
from stacklaw.models.source import CLAIMS
from stacklaw.reports.colours import RulesLexer, textmate, word_classes

from .test_features import RULES

needs_node = pytest.mark.skipif(
    not shutil.which("node"), reason="Node is not installed (tests/README.md)"
)
SUFFIXES = (".rules", CLAIMS, RULINGS, CLAUSES)
ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
GRAMMAR = EDITORS / "vscode" / "syntaxes" / "stacklaw.tmLanguage.json"
SESSION = """\
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)[1] or {}
local place = { textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = LINE, character = 7 } }
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", place, 60000)
local _, hover = next(answers or { { result = { contents = {} } } })
io.stdout:write(vim.json.encode({ found.message, found.lnum, hover.result.contents.value }))
vim.cmd("qall!")
"""
TOKENS = """\
const fs = require("fs"), path = require("path");
const textmate = require("vscode-textmate"), oniguruma = require("vscode-oniguruma");
const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
(async () => {
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(process.argv[2], "utf8"), "g.json"),
  });
  const grammar = await registry.loadGrammar("source.stacklaw");
  const told = [];
  for (const line of fs.readFileSync(process.argv[3], "utf8").split("\\n"))
    for (const one of grammar.tokenizeLine(line, textmate.INITIAL).tokens)
      told.push([line.slice(one.startIndex, one.endIndex), one.scopes.at(-1)]);
  console.log(JSON.stringify(told));
})();
"""
SHOWN = """\
const Module = require("module"), load = Module._load;
const [file, board, command, ...addresses] = process.argv.slice(2);
const panels = [], opened = [], next = [], told = [];
let middleware;
const settings = { board, command: JSON.parse(command) };
const vscode = {
  Uri: { parse: (text) => ({ toString: () => text }) },
  ViewColumn: { Beside: -2 },
  commands: { executeCommand: (...what) => opened.push(...what) },
  env: { asExternalUri: async (uri) => uri, openExternal: (uri) => opened.push(String(uri)) },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration() {},
  },
  window: {
    showErrorMessage: async (...what) => (told.push(what), what.at(-1)),
    createWebviewPanel: (type, title, column, options) => {
      const panel = { options, column, reveal() {}, onDidDispose() {}, dispose() {} };
      panel.webview = { onDidReceiveMessage: (heard) => (panel.said = heard) };
      panels.push(panel);
      return panel;
    },
  },
};
class LanguageClient {
  constructor(id, name, run, options) { Object.assign(this, { run }); middleware = options.middleware; }
  isRunning() { return false; }
  createDefaultErrorHandler() {}
  async start() {
    const server = await this.run();
    await new Promise((resolve) => server.on("exit", resolve));
    throw new Error();
  }
}
const client = { CloseAction: {}, LanguageClient };
Module._load = (name, ...more) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? client : load(name, ...more);
(async () => {
  await require(file).activate({ subscriptions: [] });
  for (const uri of addresses) await middleware.window.showDocument({ uri }, (asked) => next.push(asked.uri));
  for (const panel of panels) panel.said("open");
  console.log(JSON.stringify({ panels: panels.map(({ webview, options }) => [webview.html, options]), opened, next, told }));
})();
"""


def test_the_grammar_has_the_words_of_the_language() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == textmate(), "run python editors/write_grammar.py"


def test_every_word_has_a_class() -> None:
    classes = word_classes()
    words = {word for word in lexicon().words if word.isalpha()}
    assert {*classes["values"]} | {*classes["others"]} == words
    assert not {*classes["values"]} & {*classes["others"]}
    assert {*classes["heads"]} == {word for heads in HEADS.values() for word in heads}


@pytest.mark.parametrize("game", ["mtg", "fow", "stack", "zx", "fftcg"])
def test_the_games_have_colours(game: str) -> None:
    for suffix in (".rules", ".claims"):
        text = (ROOT / "models" / "games" / f"{game}{suffix}").read_text(encoding="utf-8")
        tokens = [*RulesLexer(stripnl=False).get_tokens(text)]
        assert "".join(value for _, value in tokens) == text
        assert not [value for kind, value in tokens if kind is Error]


def test_words_have_the_colour_of_their_place() -> None:
    found = {(value, kind) for kind, value in RulesLexer().get_tokens(RULES)}
    assert {
        ("may", Keyword),
        ("1.1", Name.Function),
        ("put", Keyword),
        ("on", Operator.Word),
    } <= found
    assert ("spell", Name) in found
    found = {
        (value, kind) for kind, value in RulesLexer().get_tokens("  p uses 1.1 cites 2, T-3a.4")
    }
    assert {("1.1", Name.Function), ("2, T-3a.4", Name.Function)} <= found
    assert ("applies", Operator.Word) in {
        (value, kind) for kind, value in RulesLexer().get_tokens("no clause applies")
    }


def test_the_extension_is_whole() -> None:
    folder = EDITORS / "vscode"
    said = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    languages = said["contributes"]["languages"]
    assert {*SUFFIXES} == {suffix for one in languages for suffix in one["extensions"]}
    assert {one["id"] for one in languages} == {
        event.removeprefix("onLanguage:") for event in said["activationEvents"]
    }
    named = [
        said["main"],
        *(one["configuration"] for one in languages if "configuration" in one),
        *(one["path"] for part in ("grammars", "snippets") for one in said["contributes"][part]),
    ]
    for name in named:
        text = (folder / name).read_text(encoding="utf-8")
        assert json.loads(text) if name.endswith(".json") else text


def shown(board: str, *addresses: str, command: Sequence[str] = ("true",)) -> Any:
    """Return what the extension does when a server, which *command* starts and which ends at once,
    asks for *addresses*, in a VS Code in which the setting of the *board* is so.
    """
    file = str(EDITORS / "vscode" / "extension.js")
    asked = ["node", "-e", SHOWN, "-", file, board, json.dumps(command), *addresses]
    done = subprocess.run(asked, capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


@needs_node
def test_the_board_opens_beside_the_text() -> None:
    first, second = (f"http://127.0.0.1:4{n}/?token=a-_{n}#V{n}" for n in (1, 2))
    other = "https://evil.example/?token=a"
    done = shown("beside", first, second, other)
    ((html, options),) = done["panels"]
    assert options == {"enableScripts": True, "retainContextWhenHidden": True}
    assert f'<iframe src="{second}"' in html
    assert "default-src 'none'; frame-src http://127.0.0.1:42; style-src" in html
    assert (done["opened"][-1], done["next"]) == (second, [other])
    done = shown("browser", first)
    assert (done["panels"], done["next"]) == ([], [first])


@needs_node
@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["no such command", "lsp"], "there is no `no such command` on the path."),
        (["sh", "-c", "echo 'Error: it needs this' >&2; exit 2"], "it needs this"),
        (["true"], "it says nothing."),
    ],
)
def test_a_server_that_does_not_start_is_told(command: list[str], why: str) -> None:
    done = shown("beside", command=command)
    ((told, offered),) = done["told"]
    assert told == f"`{' '.join(command)}` does not start: {why}"
    assert (offered, done["opened"][-1]) == ("Open the setting", "stacklaw.command")


@pytest.mark.slow
@pytest.mark.skipif(
    not (EDITORS / "vscode" / "node_modules" / "vscode-textmate").is_dir()
    or not shutil.which("node"),
    reason="vscode-textmate is not installed: (cd editors/vscode && npm install)",
)
def test_the_grammar_colours_as_an_editor_reads_it(tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text(RULES, encoding="utf-8")
    modules = EDITORS / "vscode" / "node_modules"
    done = subprocess.run(
        ["node", "-e", TOKENS, "-", str(GRAMMAR), str(tmp_path / "mine.rules")],
        env={**os.environ, "NODE_PATH": str(modules)},
        capture_output=True,
        check=True,
        text=True,
    )
    found = {tuple(one) for one in json.loads(done.stdout)}
    assert {
        ("may", "keyword.control.stacklaw"),
        ("1.1", "entity.name.function.stacklaw"),
        ("spell", "variable.other.stacklaw"),
        ('"a player has priority"', "string.quoted.double.stacklaw"),
        ("none", "constant.language.stacklaw"),
    } <= found


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed: apt install neovim")
def test_neovim_shows_mistakes_and_hovers(tmp_path: Path) -> None:
    file, script = tmp_path / "mine.rules", tmp_path / "session.lua"
    file.write_text(RULES.replace("go resolve", "go resolv"), encoding="utf-8")
    line = RULES.splitlines().index("    put spell on stack")
    script.write_text(SESSION.replace("LINE", str(line)), encoding="utf-8")
    command = shutil.which("nvim") or ""
    done = subprocess.run(
        [
            command,
            "--headless",
            "-n",
            "-u",
            str(EDITORS / "neovim" / "stacklaw.lua"),
            str(file),
            "-c",
            f"luafile {script}",
        ],
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        timeout=180,
        check=True,
        text=True,
    )
    message, row, hover = json.loads(done.stdout)
    assert "did you mean `resolve`?" in message
    assert row == next(n for n, text in enumerate(RULES.splitlines()) if "go resolve" in text)
    assert "put KIND on ZONE" in hover or 'spell  "spell"' in hover
