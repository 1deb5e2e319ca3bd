// Starts the server of `stacklaw lsp` for the files of a ruleset, and shows its boards.
const { Uri, ViewColumn, env, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LOCAL = /^http:\/\/127\.0\.0\.1:[0-9]+\/\?token=[\w-]+(#[\w=.~-]*)?$/;

let client;
let panel;

/** Begin with the first file of a ruleset. */
function activate() {
  const [command, ...args] = workspace.getConfiguration("stacklaw").get("command");
  const run = { command, args };
  const documentSelector = [{ scheme: "file", language: "stacklaw" }];
  const middleware = { window: { showDocument: shown } };
  const options = { documentSelector, middleware };
  client = new LanguageClient("stacklaw", "Stacklaw", { run, debug: run }, options);
  return client.start();
}

/** Show the board that the server asks for beside the text, or in the browser, as the settings say;
 * whatever else it asks for is *next*. */
async function shown(asked, next) {
  const isBeside = workspace.getConfiguration("stacklaw").get("board") === "beside";
  if (!isBeside || !LOCAL.test(asked.uri)) return next(asked);
  const address = await env.asExternalUri(Uri.parse(asked.uri));
  show(address.toString(true));
  return { success: true };
}

/** Show the page at *address* in a panel beside the text. */
function show(address) {
  if (!panel) {
    const options = { enableScripts: true, retainContextWhenHidden: true };
    panel = window.createWebviewPanel("stacklaw.board", "The play", ViewColumn.Beside, options);
    panel.onDidDispose(() => (panel = undefined));
    panel.webview.onDidReceiveMessage(() => env.openExternal(Uri.parse(panel.address)));
  }
  panel.address = address;
  panel.webview.html = board(address, nonce());
  panel.reveal(undefined, true);
}

/** A page that has nothing but the one at *address*, and a link to it in the browser. */
function board(address, once) {
  const { origin } = new URL(address);
  const policy = `default-src 'none'; frame-src ${origin}; style-src 'nonce-${once}'; script-src 'nonce-${once}'`;
  return `<!doctype html>
<html>
<head>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${once}">
html, body { height: 100%; margin: 0; padding: 0; }
body { display: flex; flex-direction: column; }
iframe { flex: 1; border: 0; }
</style>
</head>
<body>
<a href="#" id="open">Open it in the browser</a>
<iframe src="${escaped(address)}" title="The play"></iframe>
<script nonce="${once}">
const editor = acquireVsCodeApi();
document.getElementById("open").addEventListener("click", () => editor.postMessage("open"));
</script>
</body>
</html>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function nonce() {
  return require("crypto").randomBytes(16).toString("hex");
}

/** End the server. */
function deactivate() {
  panel?.dispose();
  return client?.stop();
}

module.exports = { activate, deactivate };
