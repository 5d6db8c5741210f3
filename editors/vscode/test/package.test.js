// What package.json promises is there, and the client does what the commands say.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const root = path.join(__dirname, "..");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));

test("every file that is named exists and is JSON", () => {
  const { languages, grammars, snippets } = manifest.contributes;
  for (const entry of [...languages.map((l) => l.configuration), ...grammars.map((g) => g.path), ...snippets.map((s) => s.path)])
    JSON.parse(fs.readFileSync(path.join(root, entry), "utf8"));
  for (const grammar of grammars) {
    const json = JSON.parse(fs.readFileSync(path.join(root, grammar.path), "utf8"));
    assert.equal(json.scopeName, grammar.scopeName);
  }
  const words = new RegExp("^" + JSON.parse(fs.readFileSync(path.join(root, "language-configuration.json"), "utf8")).wordPattern + "$");
  for (const name of ["eps'", "ε", "a_1"]) assert.match(name, words);
  for (const name of ["1a", "a-b", "'"]) assert.doesNotMatch(name, words);
});

// The parts of the API that the client uses, with a record of what it does.
function fakes() {
  const seen = { commands: {}, requests: [], notes: [], messages: [], clients: [] };
  const config = { path: "/opt/couplet", timeout: 60, search: 5, memory: 0, verifyOnSave: true, couplingHints: true };
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: (key) => config[key] }),
      createFileSystemWatcher: (pattern) => ({ pattern }),
      onDidChangeConfiguration: (handler) => ((seen.configure = handler), {}),
    },
    window: {
      activeTextEditor: { document: { uri: "file:///a.dp" }, selection: { active: { line: 5, character: 0 } } },
      showErrorMessage: (text) => seen.messages.push(text),
      showInformationMessage: (text) => seen.messages.push(text),
    },
    commands: { registerCommand: (name, handler) => ((seen.commands[name] = handler), {}) },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      Object.assign(this, { id, server, options, running: false });
      seen.clients.push(this);
    }
    async start() {
      if (seen.failStart) throw new Error("no such file");
      this.running = true;
    }
    isRunning() { return this.running; }
    async stop() { this.running = false; }
    async sendNotification(method, params) { seen.notes.push([method, params]); }
    async sendRequest(method, params) {
      seen.requests.push([method, params]);
      if (seen.fail) throw Object.assign(new Error("refused"), { code: seen.fail });
      const lens = (start, end, number) => ({
        range: { start: { line: start, character: 0 }, end: { line: end, character: 1 } },
        command: { title: "", command: "couplet.verifyClaim", arguments: ["file:///a.dp", number] },
      });
      return method === "textDocument/codeLens" ? [lens(0, 2, 1), lens(4, 6, 2), lens(8, 9, 3)] : null;
    }
  }
  return { seen, config, vscode, languageclient: { LanguageClient, TransportKind: { stdio: 0 } } };
}

async function load(fake) {
  const original = Module._load;
  Module._load = (request, ...rest) =>
    request === "vscode" ? fake.vscode : request === "vscode-languageclient/node" ? fake.languageclient : original(request, ...rest);
  try {
    const file = path.join(root, "src/extension.js");
    delete require.cache[file];
    return require(file);
  } finally {
    Module._load = original;
  }
}

test("the client starts the server with the settings and offers the commands of package.json", async () => {
  const fake = fakes();
  const extension = await load(fake);
  await extension.activate({ subscriptions: [] });
  const [client] = fake.seen.clients;
  assert.deepEqual([client.server.command, client.server.args], ["/opt/couplet", ["lsp"]]);
  assert.deepEqual(client.options.initializationOptions, { timeout: 60, search: 5, memory: 0, verifyOnSave: true, couplingHints: true });
  assert.deepEqual(client.options.documentSelector.map((s) => s.language), manifest.contributes.languages.map((l) => l.id));
  assert.deepEqual(Object.keys(fake.seen.commands).sort(), manifest.contributes.commands.map((c) => c.command).sort());
  const properties = Object.keys(manifest.contributes.configuration.properties);
  for (const key of Object.keys(client.options.initializationOptions)) assert.ok(properties.includes("couplet." + key));

  await fake.seen.commands["couplet.verifyThisFile"]();
  assert.deepEqual(fake.seen.requests.pop(), ["workspace/executeCommand", { command: "couplet.verifyFile", arguments: ["file:///a.dp"] }]);
  await fake.seen.commands["couplet.verifyClaimAtCursor"]();
  assert.deepEqual(fake.seen.requests.pop(), ["workspace/executeCommand", { command: "couplet.verifyClaim", arguments: ["file:///a.dp", 2] }]);
  fake.vscode.window.activeTextEditor.selection.active.line = 7;
  await fake.seen.commands["couplet.verifyClaimAtCursor"]();
  assert.match(fake.seen.messages.pop(), /no claim at the cursor/);

  fake.seen.fail = -32800; // cancelled: silence
  await fake.seen.commands["couplet.verifyThisFile"]();
  assert.deepEqual(fake.seen.messages, []);
  fake.seen.fail = -32602;
  await fake.seen.commands["couplet.verifyThisFile"]();
  assert.match(fake.seen.messages.pop(), /refused/);

  fake.config.timeout = 7;
  await fake.seen.configure({ affectsConfiguration: (key) => key === "couplet" });
  assert.equal(fake.seen.notes.pop()[1].settings.couplet.timeout, 7);
  await fake.seen.configure({ affectsConfiguration: () => true });
  assert.equal(fake.seen.clients.length, 2);
  assert.ok(!client.running && fake.seen.clients[1].running);
  await extension.deactivate();
  assert.ok(!fake.seen.clients[1].running);
});

test("a server that cannot be started is reported with what to do", async () => {
  const fake = fakes();
  fake.seen.failStart = true;
  const extension = await load(fake);
  await extension.activate({ subscriptions: [] });
  assert.match(fake.seen.messages.pop(), /couplet\.path/);
});
