// The playground in headless Chromium: node playground.js COUPLET CHROMIUM.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';

const [couplet, browserPath] = process.argv.slice(2);
const axe = fs.readFileSync(new URL('./node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'couplet-playground-'));
const patience = 120000; // until a wait is given up
const endless = fs.readFileSync('tests/scripts/endless.dp', 'utf8');
const simple = (epsilon) => `param eps : real, eps > 0;

mechanism laplace(private q : real) returns real
  adjacent within(q, 1)
{
  s <$ Lap(q, 1/eps);
  return s;
}

claim private laplace epsilon ${epsilon};

instance example {
  param eps = 1;
  input q = 10;
}
`;

const server = spawn(couplet, ['serve', '--port', '0', '--no-open', '--search', '20'], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, COUPLET_CACHE: 'off' } });
const url = await new Promise((ready, fail) => {
  server.stdout.on('data', (d) => { const m = /http\S+/.exec(d); if (m) ready(m[0]); });
  server.on('exit', () => fail(new Error('the server has ended')));
});
const origin = new URL(url).origin;
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
let failures = 0;

// A page that fails on any message in the console and on any request to anybody else.
const part = async (name, options, body) => {
  const start = Date.now(), { bundle = false, at = url, ...rest } = options;
  const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, colorScheme: 'light', reducedMotion: 'reduce', acceptDownloads: true, ...rest });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.trouble = [];
  page.on('console', (m) => page.trouble.push('console ' + m.type() + ': ' + m.text()));
  page.on('pageerror', (e) => page.trouble.push('error: ' + e.message));
  page.on('request', (r) => { if (!r.url().startsWith(origin + '/') && !/^(data|blob):/.test(r.url())) page.trouble.push('request: ' + r.url()); });
  if (!bundle) await page.route('**/bundle.js', (r) => r.fulfill({ contentType: 'text/javascript', body: '' })); // the page's own editor
  try {
    await page.goto(at);
    await page.waitForSelector('body[data-ready]');
    await body(page);
    assert.deepEqual(page.trouble, []);
    console.log(`ok   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (e) {
    failures++;
    console.log('FAIL ' + name + '\n' + e.message);
  }
  await context.close();
};
const type = async (page, text) => {
  await page.locator('.area, .cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete'); // Chromium would give the new text the style of the old one
  await page.keyboard.insertText(text);
};
const shown = (page) => page.evaluate(() => document.querySelector('.area') ? document.querySelector('.area').value : document.querySelector('.cm-content').innerText);
const healthy = (page, words) => page.waitForFunction((w) => document.getElementById('health').textContent === w, words);
const verdict = async (page) => { await page.waitForSelector('.headline'); return page.locator('.headline h2').textContent(); };
const isDark = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((a, b) => a + b) < 200);
const audit = async (page, rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']) => {
  await page.evaluate(axe);
  const found = await page.evaluate((runOnly) => axe.run({ runOnly }), rules);
  assert.deepEqual(found.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' ' + (n.any[0]?.message ?? '')).join(' | ')), []);
};

await part('typing: colours, line numbers, mistakes', {}, async (page) => {
  await type(page, simple('eps'));
  await healthy(page, 'no problems');
  assert.equal(await page.locator('.gutter .row').count(), simple('eps').split('\n').length);
  assert.equal(await page.locator('.paint .o').textContent(), '<$');
  assert.deepEqual(await page.locator('.paint .b').allTextContents(), ['within', 'Lap']);
  assert.equal(await page.locator('.paint').textContent(), simple('eps') + '\n');
  const box = (selector) => page.locator(selector).evaluate((e) => { const r = e.getBoundingClientRect(), s = getComputedStyle(e); return [r.left, r.top, s.font, s.lineHeight, s.paddingLeft, s.paddingTop, s.letterSpacing]; });
  assert.deepEqual(await box('.area'), await box('.paint'), 'the text area lies on the colours');
  await type(page, simple('nosuch'));
  await healthy(page, '1 error');
  assert.equal(await page.locator('.paint .wave.error').textContent(), 'nosuch');
  assert.equal(await page.locator('.gutter .error').textContent(), '10');
  assert.match(await page.locator('#problems').textContent(), /10:31.*nosuch/);
  await page.locator('#problems button').click();
  assert.equal(await page.evaluate(() => document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionStart + 6)), 'nosuch');
  await page.keyboard.press('Control+Delete');
  await page.keyboard.type('eps');
  await healthy(page, 'no problems');
});

await part('verifying: proof, certificate, outdated', {}, async (page) => {
  await type(page, simple('eps'));
  await page.keyboard.press('Control+Enter');
  assert.equal(await verdict(page), 'Private, as claimed');
  const card = page.locator('#verdict article');
  assert.equal(await card.count(), 1);
  await card.locator('.source .note', { hasText: 's<2> = s<1>' }).waitFor();
  const bar = card.locator('.budget .bar span').first();
  const share = await bar.evaluate((e) => e.getBoundingClientRect().width / e.parentElement.getBoundingClientRect().width);
  assert.ok(share > 0.9, 'the widths of the budget are applied: ' + share);
  await card.locator('.legend li').first().hover();
  assert.match(await card.locator('.source .line.lit').textContent(), /s <\$ Lap/);
  assert.equal(await page.locator('.gutter .marked.proved').textContent(), '10');
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('#certificate').click()]);
  const source = path.join(dir, 'mechanism.dp'), certificate = path.join(dir, 'mechanism.dp.cert');
  assert.equal(file.suggestedFilename(), 'mechanism.dp.cert');
  await file.saveAs(certificate);
  fs.writeFileSync(source, simple('eps'));
  assert.equal(spawnSync(couplet, ['check', certificate, source]).status, 0);
  await page.locator('.area').focus();
  await page.keyboard.type(' ');
  assert.equal(await page.locator('#verdict.outdated').count(), 1);
  assert.equal(await page.locator('.gutter .marked').count(), 0);
});

await part('verifying: counterexample and its values', {}, async (page) => {
  await type(page, simple('eps/2'));
  await page.locator('#verify').click();
  assert.equal(await verdict(page), 'Not private as claimed');
  await page.locator('#verdict .plot .f1').first().waitFor();
  await page.locator('#verdict .plot .f2').first().waitFor();
  await page.locator('#use-counterexample').click();
  await page.waitForSelector('#chart .plot .f1');
  const values = await page.locator('#inputs input').evaluateAll((all) => all.map((e) => e.value));
  const record = JSON.parse(await page.evaluate(async (text) => (await (await fetch('/api/check', { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Couplet-Token': localStorage.getItem('couplet-token') }, body: JSON.stringify({ name: 'a.dp', text }) })).text()), simple('eps/2')));
  assert.equal(record.claims, 1);
  assert.equal(Math.abs(Number(values[0]) - Number(values[1])) <= 1, true, 'adjacent inputs: ' + values);
});

await part('verdicts on what is not privacy', {}, async (page) => {
  const claim = (text) => simple('eps').replace(/claim.*/, text);
  await type(page, claim('claim accurate laplace: result = q failure 1;'));
  await page.keyboard.press('Control+Enter');
  assert.equal(await verdict(page), 'Accurate, as claimed');
  await type(page, claim('claim a: private laplace epsilon eps;\nclaim b: private laplace epsilon eps/2;'));
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.querySelector('.headline h2')?.textContent === '1 of 2 claims is false');
});

await part('a counterexample that comes before the values', {}, async (page) => {
  await page.route('**/api/check', async (route) => { await page.waitForSelector('#verdict .plot .f1'); await route.continue(); });
  await type(page, simple('eps/2'));
  await page.locator('#verify').click();
  await page.locator('#use-counterexample').click();
  await page.waitForSelector('#chart .plot .f1');
});

await part('sliders', {}, async (page) => {
  await type(page, simple('eps'));
  await page.waitForSelector('#inputs [data-name=q]');
  await page.waitForSelector('#chart:not(.waiting) .plot .f1');
  const loss = async () => Number(/= ([\d.]+)/.exec(await page.locator('#chart .caption').textContent())[1]);
  assert.ok(Math.abs(await loss() - 1) < 1e-3);
  await page.locator('#params input').focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
  assert.equal(await page.locator('#params .value').textContent(), '2');
  await page.waitForFunction(() => /= 2\.?/.test(document.querySelector('#chart .caption')?.textContent || ''));
  assert.ok(Math.abs(await loss() - 2) < 1e-3, 'twice the epsilon, twice the loss');
  await page.locator('#inputs .two').fill('10');
  await page.waitForFunction(() => /= 0\./.test(document.querySelector('#chart .caption')?.textContent || ''));
  await page.locator('#event').fill('..10');
  await page.waitForSelector('#chart .bars b.one');
  assert.match(await page.locator('#chart .bars b.one').textContent(), /^0\.5$/);
  await page.locator('#inputs .one').fill('no number');
  await page.waitForFunction(() => !document.querySelector('#chart .bars') && document.querySelector('#chart p'));
});

await part('cancelling', {}, async (page) => {
  await type(page, endless);
  await healthy(page, 'no problems');
  await page.locator('#verify').click();
  await page.waitForFunction(() => /Looking for a proof/.test(document.getElementById('progress').textContent));
  assert.equal(await page.locator('#verify').isDisabled(), true);
  await page.locator('#cancel').click();
  assert.equal(await verdict(page), 'Not decided');
  await page.waitForFunction(() => !document.getElementById('verify').disabled && document.getElementById('cancel').hidden);
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.body.classList.contains('busy'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.body.classList.contains('busy'));
});

await part('a text with errors; Python and automata', {}, async (page) => {
  await type(page, 'mechanism m(');
  await page.keyboard.press('Control+Enter');
  assert.equal(await verdict(page), 'The text has errors');
  await page.locator('#verdict .diag.error').first().waitFor();
  assert.equal(await page.locator('#certificate').count(), 0);
  for (const name of ['python/survey.py', 'automata/svt.dipa']) {
    await page.locator('#open-gallery').click();
    await page.locator(`[data-name="${name}"]`).click();
    await page.waitForFunction((n) => document.getElementById('name').value === n && document.getElementById('health').textContent !== 'checking', name);
    assert.equal(await page.locator('#health').textContent(), 'no problems', name);
  }
});

await part('gallery, by keyboard', {}, async (page) => {
  await page.locator('#open-gallery').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.example');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
  await page.keyboard.type('numeric answer');
  await page.keyboard.press('Tab');
  const name = await page.evaluate(() => document.activeElement.dataset.name);
  assert.match(name, /laplace/);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.getElementById('gallery').open);
  assert.equal(await page.locator('#name').inputValue(), name);
  assert.equal(await shown(page), fs.readFileSync('examples/' + name, 'utf8'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.className), 'area', 'Tab leaves the editor after Escape');
  await page.locator('#open-gallery').click();
  await page.locator('#search').fill('zzzz');
  assert.match(await page.locator('#list').textContent(), /No example/);
  await page.keyboard.press('Escape'); // empties the field
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#gallery').evaluate((d) => d.open), false);
});

let link = '';
await part('sharing, reload, light and dark', {}, async (page) => {
  await type(page, simple('eps') + '// é ∀ 𝔼\n');
  await page.locator('#share').click();
  await page.waitForSelector('#shared[open]'); // the text is compressed first
  link = await page.locator('#link').inputValue();
  assert.match(link, /#text=z[\w-]+$/);
  assert.ok(!link.includes('token'));
  await page.locator('#close-shared').click();
  assert.equal(await isDark(page), false);
  await page.locator('#theme').click();
  assert.equal(await isDark(page), true);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  assert.equal(await isDark(page), true);
  assert.equal(await shown(page), simple('eps') + '// é ∀ 𝔼\n', 'the text survives');
  assert.ok(!page.url().includes('token'), 'the token is out of sight');
});
await part('a shared link, without and with the token', { at: link }, async (page) => {
  assert.equal(await shown(page), simple('eps') + '// é ∀ 𝔼\n');
  assert.match(await page.locator('#notice').textContent(), /no valid token/);
  page.trouble = page.trouble.filter((t) => !/401/.test(t));
  await page.goto(url);
  await page.reload();
  await page.goto(link);
  await healthy(page, 'no problems');
  assert.equal(await shown(page), simple('eps') + '// é ∀ 𝔼\n');
  page.trouble = page.trouble.filter((t) => !/401/.test(t));
});
await part('a link that was cut off', { at: url }, async (page) => {
  await page.goto(link.slice(0, -40));
  await page.waitForFunction(() => /cut off/.test(document.getElementById('notice').textContent));
});

await part('accessibility', {}, async (page) => {
  await type(page, simple('eps/2'));
  await page.waitForSelector('#chart:not(.waiting) .plot');
  await page.keyboard.press('Control+Enter');
  await verdict(page);
  await audit(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await isDark(page), true);
  await audit(page, ['color-contrast']);
  await page.locator('#open-gallery').click();
  await page.waitForSelector('.example');
  await page.locator('#search').fill('sparse');
  await audit(page);
  await page.locator('#close-gallery').click();
  await type(page, 'claim private nosuch epsilon eps;');
  await page.waitForSelector('#problems button');
  await page.locator('#verdict').evaluate((e) => e.remove()); // out of date, and shown so
  await audit(page, ['color-contrast']);
});

for (const width of [320, 768])
  await part(`screen of ${width} pixels`, { viewport: { width, height: 740 }, hasTouch: true }, async (page) => {
    await type(page, simple('eps/2'));
    await page.waitForSelector('#chart .plot');
    await page.locator('#verify').click();
    await verdict(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const small = await page.evaluate(() => Array.from(document.querySelectorAll('.top button, .actions button, .headline button, input[type=range]'), (b) => b.hidden ? 99 : b.getBoundingClientRect().height).filter((h) => h < 24));
    assert.deepEqual(small, [], 'large enough to touch');
    await page.locator('#open-gallery').click();
    await page.waitForSelector('.example');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  });

// Texts that try to get out of their place.
await part('hostile texts', {}, async (page) => {
  const evil = simple('eps') + `\n// </script><script>window.pwned = 1</script><img src=x onerror="window.pwned=1"> style="position:fixed" ' onmouseover='pwned=1\n`;
  await type(page, evil);
  await page.keyboard.press('Control+Enter');
  await verdict(page);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator('main img').count(), 0);
  assert.ok((await page.locator('.source').first().innerText()).includes('<script>window.pwned = 1</script>'));
  await page.evaluate(() => { const s = document.createElement('script'); s.textContent = 'window.pwned = 2'; document.body.append(s); document.body.insertAdjacentHTML('beforeend', '<p style="color:red" id="inline">x</p>'); });
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.notEqual(await page.locator('#inline').evaluate((e) => getComputedStyle(e).color), 'rgb(255, 0, 0)');
  page.trouble = page.trouble.filter((t) => !/Content Security Policy/.test(t));
});

if (fs.existsSync(path.join(path.dirname(couplet), 'playground', 'bundle.js')))
  await part('CodeMirror', { bundle: true }, async (page) => {
    assert.equal(await page.evaluate(() => document.body.dataset.ready), 'codemirror');
    await type(page, simple('nosuch'));
    await healthy(page, '1 error');
    assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'nosuch');
    assert.equal(await page.locator('.cm-content .o').textContent(), '<$');
    await page.locator('#problems button').click();
    await page.keyboard.press('Control+Delete');
    await page.keyboard.type('eps');
    await healthy(page, 'no problems');
    await page.keyboard.press('Control+Enter');
    assert.equal(await verdict(page), 'Private, as claimed');
    assert.equal(await page.locator('.cm-gutterElement.marked.proved').first().textContent(), '10');
    await audit(page);
  });

await browser.close();
server.kill('SIGINT');
await new Promise((done) => server.on('exit', done));
fs.rmSync(dir, { recursive: true });
process.exit(failures ? 1 : 0);
