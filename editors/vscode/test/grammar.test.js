// The grammars in the engine that VS Code uses. tests/grammar of the repository compares every word with the parser.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..");
const files = { "source.couplet": "couplet", "source.dipa": "dipa" };

async function grammar(scope) {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (name) => {
      const file = path.join(root, "syntaxes", files[name] + ".tmLanguage.json");
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  return registry.loadGrammar(scope);
}

// [[text, innermost scope], ...] of all lines
function tokens(loaded, text) {
  const result = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const found = loaded.tokenizeLine(line, stack);
    stack = found.ruleStack;
    for (const t of found.tokens) result.push([line.slice(t.startIndex, t.endIndex), t.scopes[t.scopes.length - 1]]);
  }
  return result;
}

test("words, names and numbers have their scopes", async () => {
  const loaded = await grammar("source.couplet");
  const source = `/// doc
param eps', delta : real, 0 < delta < 1e-6; // end
let ε_Λ = ∀ i ∈ 0..3. i ≤ 2;
mechanism m(private q : real[n]) returns int
  adjacent all_within(q, 1)
{
  s <$ Lap(q<1>[0], 4/eps'); /* a
  b */ return (s, 1).2;
}
claim c: private m epsilon 2*eps' delta delta proof {
  sample s: when s >= 1 shift 1 within 2 else null;
}
automaton a { start q0; state q0 final; }
`;
  const found = new Map();
  for (const [text, scope] of tokens(loaded, source)) if (!found.has(text.trim())) found.set(text.trim(), scope);
  for (const [text, scope] of [
    ["/// doc", "comment.line.documentation"], ["param", "keyword.declaration"], ["eps'", "variable.other"], ["1e-6", "constant.numeric"],
    ["// end", "comment.line.double-slash"], ["ε_Λ", "entity.name.function"], ["∀", "keyword.operator"], ["private", "keyword.other.clause"],
    ["Lap", "support.class"], ["<1>", "keyword.operator.run"], ["<$", "keyword.operator"], ["b", "comment.block"], [".2", "keyword.operator.projection"],
    ["sample", "keyword.other.proof"], ["within", "keyword.other.proof"], ["all_within", "support.function.adjacency"], ["start", "keyword.other.automaton"],
    ["real", "support.type"], ["q0", "variable.other"],
  ]) assert.ok((found.get(text) || "").startsWith(scope), `${text}: ${found.get(text)}, expected ${scope}`);
  const deltas = tokens(loaded, source).filter(([text]) => text === "delta").map(([, scope]) => scope.split(".")[0]);
  assert.deepEqual(deltas, ["variable", "variable", "keyword", "variable"]);
});

test("every example is coloured to its last line", async () => {
  const examples = path.join(root, "../../examples");
  for (const [scope, suffix] of [["source.couplet", ".dp"], ["source.dipa", ".dipa"]]) {
    const loaded = await grammar(scope);
    let count = 0;
    for (const { name: folder } of fs.readdirSync(examples, { withFileTypes: true }).filter((e) => e.isDirectory()))
      for (const file of fs.readdirSync(path.join(examples, folder)).filter((f) => f.endsWith(suffix))) {
        const text = fs.readFileSync(path.join(examples, folder, file), "utf8");
        let stack = textmate.INITIAL;
        for (const line of text.split("\n")) {
          const found = loaded.tokenizeLine(line, stack, 1000);
          assert.ok(!found.stoppedEarly);
          stack = found.ruleStack;
          if (scope === "source.couplet")
            for (const t of found.tokens)
              assert.ok(t.scopes.length > 1 || !line.slice(t.startIndex, t.endIndex).trim(), `${file}: ${line}`);
        }
        assert.equal(stack.depth, 1, `${file}: something is left open at its end`);
        count++;
      }
    assert.ok(count >= 4);
  }
});
