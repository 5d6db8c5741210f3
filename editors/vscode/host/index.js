// Runs inside VS Code's extension host (tests/scripts/vscode_host.sh starts it): the extension as a
// user has it, in the real editor, with the real language client and the real server.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const folder = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const saved = (name) => fs.readFileSync(path.join(folder(), name), "utf8");
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, value, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await value();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${seconds} s for ${what}`);
    await pause(100);
  }
}

async function open(name) {
  const document = await vscode.workspace.openTextDocument(path.join(folder(), name));
  await vscode.window.showTextDocument(document);
  return document;
}

const errors = (document) =>
  vscode.languages.getDiagnostics(document.uri).filter((d) => d.severity === vscode.DiagnosticSeverity.Error);
const provide = (kind, document, ...rest) =>
  vscode.commands.executeCommand(`vscode.execute${kind}Provider`, document.uri, ...rest);
const after = (document, text) => document.positionAt(document.getText().indexOf(text) + text.length);
const lenses = (document) => provide("CodeLens", document).then((all) => all.map((l) => l.command?.title ?? ""));

const tests = {
  "the extension starts for a .dp file": async () => {
    const document = await open("svt.dp");
    assert.equal(document.languageId, "couplet");
    const extension = vscode.extensions.getExtension("couplet.couplet");
    await until("activation", () => extension.isActive);
    await until("code lenses", async () => (await lenses(document)).some((t) => /Verify/i.test(t)));
  },
  "verifying shows the verdict and the coupling": async () => {
    const document = await open("svt.dp");
    await vscode.commands.executeCommand("couplet.verifyThisFile");
    await until("the verdict", async () => (await lenses(document)).some((t) => t.includes("proved")));
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await provide("InlayHint", document, whole);
    const text = (hint) => (typeof hint.label === "string" ? hint.label : hint.label.map((p) => p.value).join(""));
    assert.ok(hints.some((h) => text(h).includes("t<2> = t<1> + 1")), hints.map(text).join(" | "));
    assert.deepEqual(errors(document), []);
  },
  "a refuted claim is an error with its counterexample": async () => {
    const document = await open("noisy_max_1.dp");
    await vscode.commands.executeCommand("couplet.verifyThisFile");
    const error = await until("the error", () => errors(document)[0]);
    assert.match(error.message, /refuted/);
    assert.ok(error.relatedInformation.length > 0, "the counterexample is related information");
  },
  "the arguments of a distribution": async () => {
    const document = await open("svt.dp");
    const help = await provide("SignatureHelp", document, after(document, "Lap("), "(");
    assert.match(help.signatures[0].label, /^Lap\(centre, scale\)/);
    assert.equal(help.activeParameter, 0);
    assert.equal((await provide("SignatureHelp", document, after(document, "Lap(T, "), ",")).activeParameter, 1);
  },
  "hover, definition, symbols, completion": async () => {
    const document = await open("svt.dp");
    const at = document.positionAt(document.getText().indexOf("t <$"));
    assert.ok((await provide("Hover", document, at)).length > 0);
    const [place] = await provide("Definition", document, after(document, "if s >= "));
    assert.equal((place.targetRange ?? place.range).start.line, at.line);
    const symbols = await provide("DocumentSymbol", document);
    assert.ok(symbols.some((s) => s.name === "svt"), symbols.map((s) => s.name).join());
    const list = await provide("CompletionItem", document, after(document, "<$ "));
    const items = list.items.map((i) => i.label.label ?? i.label);
    assert.ok(items.includes("Lap") && items.includes("Gauss"), items.slice(0, 20).join());
  },
  "mistakes appear and go with the text": async () => {
    const document = await open("broken.dp");
    await until("the mistake", () => errors(document)[0]);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), saved("svt.dp"));
    await vscode.workspace.applyEdit(edit);
    await until("no mistake", () => !errors(document).length);
  },
  "formatting is that of couplet fmt": async () => {
    const document = await open("ugly.dp");
    const edits = await provide("FormatDocument", document, { tabSize: 2, insertSpaces: true });
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    await vscode.workspace.applyEdit(edit);
    assert.equal(document.getText(), saved("svt.dp"));
  },
  "an automaton": async () => {
    const document = await open("svt.dipa");
    assert.equal(document.languageId, "dipa");
    await vscode.commands.executeCommand("couplet.verifyThisFile");
    await until("the verdict", async () => (await lenses(document)).some((t) => t.includes("proved")));
  },
  "the server is started again": async () => {
    await vscode.commands.executeCommand("couplet.restart");
    const document = await open("svt.dp");
    await until("code lenses", async () => (await lenses(document)).length > 0);
  },
};

async function run() {
  let failed = 0;
  for (const [name, body] of Object.entries(tests)) {
    const start = Date.now();
    try {
      await body();
      console.log(`ok   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
  if (failed) throw new Error(`${failed} of ${Object.keys(tests).length} failed`);
}

module.exports = { run };
