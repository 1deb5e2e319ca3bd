// Starts the server of `stacklaw lsp` for the files of a ruleset.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** Begin with the first file of a ruleset. */
function activate() {
  const [command, ...args] = workspace.getConfiguration("stacklaw").get("command");
  const run = { command, args };
  const documentSelector = [{ scheme: "file", language: "stacklaw" }];
  client = new LanguageClient("stacklaw", "Stacklaw", { run, debug: run }, { documentSelector });
  return client.start();
}

/** End the server. */
function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
