// The client: starts `couplet lsp` and lets it do the work.
"use strict";

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function settings() {
  const config = vscode.workspace.getConfiguration("couplet");
  return {
    timeout: config.get("timeout"),
    search: config.get("search"),
    memory: config.get("memory"),
    verifyOnSave: config.get("verifyOnSave"),
    couplingHints: config.get("couplingHints"),
  };
}

async function start() {
  const command = vscode.workspace.getConfiguration("couplet").get("path") || "couplet";
  client = new LanguageClient(
    "couplet",
    "Couplet",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: [{ language: "couplet" }, { language: "dipa" }],
      initializationOptions: settings(),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{dp,dipa}") },
    }
  );
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Couplet: cannot start '${command} lsp' (${error.message}). Install couplet or set couplet.path.`
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running && running.isRunning()) await running.stop();
}

// Numbers of claims are positions in the record, which the code lenses carry.
async function claimAt(document, position) {
  const lenses = await client.sendRequest("textDocument/codeLens", {
    textDocument: { uri: document.uri.toString() },
  });
  const found = (lenses || []).filter(
    (lens) =>
      lens.command.command === "couplet.verifyClaim" &&
      lens.range.start.line <= position.line &&
      position.line <= lens.range.end.line
  );
  return found.length ? found[found.length - 1].command.arguments[1] : undefined;
}

async function execute(command, args) {
  try {
    await client.sendRequest("workspace/executeCommand", { command, arguments: args });
  } catch (error) {
    // -32800: cancelled, -32801: the text has changed meanwhile
    if (error.code !== -32800 && error.code !== -32801)
      vscode.window.showErrorMessage(`Couplet: ${error.message}`);
  }
}

async function verifyThisFile() {
  const editor = vscode.window.activeTextEditor;
  if (editor && client) await execute("couplet.verifyFile", [editor.document.uri.toString()]);
}

async function verifyClaimAtCursor() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) return;
  const claim = await claimAt(editor.document, editor.selection.active);
  if (claim === undefined)
    vscode.window.showInformationMessage("Couplet: there is no claim at the cursor.");
  else await execute("couplet.verifyClaim", [editor.document.uri.toString(), claim]);
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("couplet.verifyThisFile", verifyThisFile),
    vscode.commands.registerCommand("couplet.verifyClaimAtCursor", verifyClaimAtCursor),
    vscode.commands.registerCommand("couplet.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("couplet.path")) await restart();
      else if (event.affectsConfiguration("couplet") && client)
        await client.sendNotification("workspace/didChangeConfiguration", {
          settings: { couplet: settings() },
        });
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
