// Opens a folder in VS Code's web workbench with the extension under development and its tests, and
// exits 0 if they pass: node drive.mjs URL FOLDER EXTENSION CHROMIUM [PICTURE]
import { chromium } from "playwright-core";

const [base, folder, extension, executablePath, picture] = process.argv.slice(2);
const remote = (path) => `vscode-remote://${new URL(base).host}${path}`;
const payload = JSON.stringify([
  ["extensionDevelopmentPath", remote(extension)],
  ["extensionTestsPath", remote(`${extension}/host/index`)],
]);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
// The workbench calls these two when it was started with tests.
await page.exposeFunction("codeAutomationLog", (kind, words) => {
  if (/^(ok|FAIL) /.test(words[0])) console.log(...words);
});
const ended = new Promise((done) => {
  page.exposeFunction("codeAutomationExit", done);
  setTimeout(() => done("no answer after 180 s"), 180000).unref();
});
await page.goto(`${base}/?folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`);
const code = await ended;
if (picture) await page.screenshot({ path: picture });
await browser.close();
if (code !== 0) console.log(`FAIL: the tests ended with ${code}`);
process.exit(code === 0 ? 0 : 1);
