// Starts the server of `stacklaw lsp` for the files of a ruleset, and shows its boards.
const { spawn } = require("child_process");
const { Uri, ViewColumn, commands, env, window, workspace } = require("vscode");
const { CloseAction, LanguageClient } = require("vscode-languageclient/node");

const LOCAL = /^http:\/\/127\.0\.0\.1:[0-9]+\/\?token=[\w-]+(#[\w=.~-]*)?$/;
const LANGUAGES = ["stacklaw", "stacklaw-rulings", "stacklaw-clauses"];
const LEFT = { action: CloseAction.DoNotRestart, handled: true };

let client;
let panel;

/** A client that leaves it to `begin` to say why a server does not start. */
class Client extends LanguageClient {
  error(message, data, isShown) {
    super.error(message, data, this.isRunning() ? isShown : false);
  }

  stop(...how) {
    return this.isRunning() ? super.stop(...how) : Promise.resolve();
  }
}

/** Begin with the first file of a ruleset, and anew when another command is set. */
function activate(context) {
  const changed = (event) => event.affectsConfiguration("stacklaw.command") && begin();
  context.subscriptions.push(workspace.onDidChangeConfiguration(changed));
  return begin();
}

/** Start the server, or say why it does not start. */
async function begin() {
  await end();
  const command = workspace.getConfiguration("stacklaw").get("command");
  const server = new Server(command);
  const mine = new Client("stacklaw", "Stacklaw", () => server.start(), {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    middleware: { window: { showDocument: shown } },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...what) => usual.error(...what),
      closed: async () => ((await hasBegun) ? usual.closed() : LEFT),
    },
  });
  const usual = mine.createDefaultErrorHandler();
  const hasBegun = mine.start().then(() => true, () => false);
  client = mine;
  if (await hasBegun) return;
  await server.ended;
  const why = `\`${command.join(" ")}\` does not start: ${server.why}`;
  if (await window.showErrorMessage(why, "Open the setting"))
    commands.executeCommand("workbench.action.openSettings", "stacklaw.command");
}

/** The process of a server, and *why* it does not start. */
class Server {
  constructor(command) {
    this.command = command;
    this.why = "it says nothing.";
  }

  start() {
    const [command, ...args] = this.command;
    const server = spawn(command, args);
    server.stderr.on("data", (said) => {
      this.why = String(said).trim().split("\n").at(-1).replace(/^Error: /, "");
    });
    this.ended = new Promise((resolve) => server.on("close", resolve));
    return new Promise((resolve, reject) => {
      server.on("spawn", () => resolve(server));
      server.on("error", (error) => {
        this.why = error.code === "ENOENT" ? `there is no \`${command}\` on the path.` : error.message;
        this.ended = undefined;
        reject(error);
      });
    });
  }
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
body { position: fixed; inset: 0; margin: 0; padding: 0; display: flex; flex-direction: column; }
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
async function end() {
  const ending = client;
  client = undefined;
  await ending?.stop();
}

function deactivate() {
  panel?.dispose();
  return end();
}

module.exports = { activate, deactivate };
