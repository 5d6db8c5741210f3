// The report in a real browser: content, folding, colours, keyboard, phone, paper, hostile sources.
// usage: node report.js COUPLET CHROMIUM; exits 1 after the first failure of each part.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [couplet, browserPath] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'couplet-browser-'));
const files = ['examples/proofs/svt.dp', 'examples/incorrect/noisy_max_1.dp', 'examples/incorrect/bad_hist.dp',
  'examples/automata/not_private_sort.dp', 'examples/automata/svt.dp', 'tests/regress/proofs/admit.dp',
  'tests/unit/report/data/unknown.dp', 'tests/unit/report/data/errors.dp'];
const report = (name, ...args) => {
  const out = path.join(dir, name);
  const done = spawnSync(couplet, ['report', '--search', '2', '-o', out, ...args], { encoding: 'utf8' });
  assert.ok([0, 2, 10, 20, 30].includes(done.status), done.stderr);
  return { url: pathToFileURL(path.join(out, 'index.html')).href, stdout: done.stdout, html: fs.readFileSync(path.join(out, 'index.html'), 'utf8') };
};

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
let failures = 0;
// A page that fails on any message in the console and on any request but its own.
const open = async (url, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, colorScheme: 'light', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.trouble = [];
  page.on('console', (m) => page.trouble.push('console ' + m.type() + ': ' + m.text()));
  page.on('pageerror', (e) => page.trouble.push('error: ' + e.message));
  page.on('dialog', (d) => { page.trouble.push('dialog: ' + d.message()); d.dismiss(); });
  page.on('request', (r) => { if (r.url() !== url && !r.url().startsWith(url + '#')) page.trouble.push('request: ' + r.url()); });
  await page.goto(url);
  return page;
};
const part = async (name, url, options, body) => {
  const start = Date.now();
  const page = await open(url, options);
  try {
    await body(page);
    assert.deepEqual(page.trouble, []);
    console.log(`ok   ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (e) {
    failures++;
    console.log('FAIL ' + name + '\n' + e.message);
  }
  await page.context().close();
};
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const isDark = async (page) => { const [r, g, b] = (await background(page)).match(/\d+/g).map(Number); return r + g + b < 200; };
const focused = (page) => page.evaluate(() => document.activeElement.id);
// Rules of WCAG 2.1 A and AA: contrast, names, landmarks, order. The policy of the page forbids
// scripts; axe runs in the world of the test.
const audit = async (page) => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
  assert.deepEqual(found.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + ' ' + (n.any[0]?.message ?? '')).join(' | ')), []);
};

const main = report('main', ...files);
const cases = report('cases', 'tests/regress/auto/explain_cases.dp');

await part('content', main.url, {}, async (page) => {
  const verdicts = await page.locator('.verdicts tbody .badge').allTextContents();
  const printed = main.stdout.split('\n').map((l) => /^ {2}(proved|refuted|unknown|admitted) /.exec(l)?.[1]).filter(Boolean);
  assert.deepEqual(verdicts.filter((v) => v !== 'error'), printed);
  assert.equal(await page.locator('.card .claim-head .badge, .card .twin .badge').count(), printed.length);
  assert.match(await page.title(), /proved, \d+ refuted/);
  const svt = page.locator('article', { has: page.locator('h2', { hasText: /^svt$/ }) }).first();
  await svt.locator('.source .note', { hasText: 't<2> = t<1> + 1' }).first().waitFor();
  const line = svt.locator('.source .line.pays').first();
  assert.equal(await line.textContent(), '  t <$ Lap(T, 2/eps);');
  assert.equal(await svt.locator('.budget .bar span').count(), 2);
  const widths = await svt.locator('.budget .bar span').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().width));
  assert.ok(Math.abs(widths[0] - widths[1]) < 4, 'half and half: ' + widths);
  assert.ok(await page.locator('.outcomes .name.hot').count() > 0, 'bars');
  assert.ok(await page.locator('svg.plot .f1').count() > 0, 'densities');
  assert.ok(await page.locator('.picture svg').count() > 0, 'automaton');
  assert.ok(await page.locator('.losses svg').count() > 0, 'losses');
  assert.ok(await page.locator('.diag.error').count() >= 2, 'diagnostics');
  assert.equal(await page.locator('.verdicts tr[data-verdict="error"] a').getAttribute('href'), '#f' + files.length);
  assert.equal(await page.locator('.sentence').count(), printed.length, 'a sentence for every claim');
  const bar = await page.locator('.bar').first().evaluate((e) => { const t = document.createRange(); t.selectNodeContents(e.firstChild); const a = e.getBoundingClientRect(), b = t.getBoundingClientRect(); return Math.abs((a.top + a.bottom) / 2 - (b.top + b.bottom) / 2); });
  assert.ok(bar < 3, 'labels are in the middle of their bar: ' + bar);
  assert.match(await page.locator('.versions').textContent(), /z3\d/);
  const ids = await page.evaluate(() => Array.from(document.querySelectorAll('[id]'), (e) => e.id));
  assert.equal(new Set(ids).size, ids.length, 'ids are unique');
});

await part('cases', cases.url, {}, async (page) => {
  const card = page.locator('article', { has: page.locator('h2', { hasText: /^shop$/ }) });
  const labels = await card.locator('.note .label').allTextContents();
  assert.ok(labels.length >= 3 && labels.every((l) => /^if (not )?/.test(l)), 'cases are named by their condition: ' + labels);
  assert.ok(labels.some((l) => l.startsWith('if not (')));
  assert.equal(await card.locator('.budget .bar').count(), 1, 'what is paid in both cases alike is one bar');
});

await part('the bars are to scale', main.url, {}, async (page) => {
  const rows = await page.locator('.outcomes .bars').evaluateAll((all) => all.map((bars) =>
    Array.from(bars.querySelectorAll('b.one, b.two'), (b) => [Number(b.textContent), parseFloat(getComputedStyle(b, '::before').width)])));
  const pairs = rows.flat().filter(([p]) => p > 0.01);
  assert.ok(pairs.length >= 4);
  const unit = pairs[0][1] / pairs[0][0];
  for (const [p, width] of pairs.slice(0, 4)) assert.ok(Math.abs(width / p / unit - 1) < 0.05, `${p} is ${width} wide, unit ${unit}`);
});

await part('folding', main.url, {}, async (page) => {
  const fold = page.locator('article .derivation').first();
  const rule = fold.locator('.rule', { hasText: 'WHILE' }).first();
  assert.equal(await rule.isVisible(), false);
  await fold.locator('> summary').click();
  for (const d of await fold.locator('details').all()) if (!(await d.evaluate((e) => e.open))) await d.locator('> summary').first().click();
  assert.equal(await rule.isVisible(), true);
  await fold.locator('> summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await rule.isVisible(), false);
  await page.locator('#unfold').click();
  assert.equal(await page.locator('details:not([open])').count(), 0);
  assert.equal(await page.locator('#unfold').getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('o');
  assert.equal(await page.locator('details[open]').count(), 0);
  await page.locator('.verdicts a').first().click();
  assert.equal(await page.locator('details.card[open]').count(), 1, 'a link opens the card');
});

await part('light and dark', main.url, {}, async (page) => {
  assert.equal(await isDark(page), false);
  await page.locator('#theme').click();
  assert.equal(await isDark(page), true);
  await page.reload();
  assert.equal(await isDark(page), true, 'the choice is kept');
  await page.keyboard.press('t');
  assert.equal(await isDark(page), false);
});
await part('dark by the system', main.url, { colorScheme: 'dark' }, async (page) => {
  assert.equal(await isDark(page), true);
  assert.equal(await page.locator('#theme').textContent(), 'Light');
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await isDark(page), false);
});

await part('keyboard', main.url, {}, async (page) => {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#verdicts$/);
  await page.keyboard.press('j');
  assert.equal(await focused(page), 'c1');
  await page.keyboard.press('j');
  assert.equal(await focused(page), 'c2');
  await page.keyboard.press('k');
  assert.equal(await focused(page), 'c1');
  await page.locator('.verdicts a').nth(2).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#c3$/);
  assert.ok(await page.locator('#c3').evaluate((e) => e.getBoundingClientRect().top < innerHeight));
});

await part('filters', main.url, {}, async (page) => {
  await page.locator('.filters button', { hasText: 'refuted' }).click();
  const shown = await page.locator('article:visible .claim-head .badge').allTextContents();
  assert.ok(shown.length > 0 && shown.every((v) => v === 'refuted'), shown.join());
  const rows = page.locator('.verdicts tbody tr:visible');
  assert.deepEqual(new Set(await rows.locator('.badge').allTextContents()), new Set(['refuted']));
  await page.locator('.filters button', { hasText: 'errors' }).click();
  assert.equal(await rows.count(), 1);
  assert.equal(await page.locator('article:visible').count(), 0);
  assert.ok(await page.locator('.diag.error').first().isVisible());
  await page.locator('.filters button').first().click();
  assert.equal(await page.locator('article:visible').count(), await page.locator('article').count());
  await page.keyboard.press('/');
  await page.keyboard.type('noisy_max');
  assert.equal(await rows.count(), 1);
  assert.equal(await page.locator('article:visible').count(), 1);
  assert.match(await page.locator('#found').textContent(), /^1 of \d+$/);
  await page.locator('#search').fill('no such claim');
  assert.equal(await page.locator('#found').textContent(), 'nothing found');
});

await part('sorting', main.url, {}, async (page) => {
  const column = (i) => page.locator(`.verdicts tbody td:nth-child(${i})`).allTextContents();
  const before = await column(1);
  await page.locator('.verdicts th button', { hasText: 'Verdict' }).click();
  assert.deepEqual(await column(1), before.slice().sort());
  await page.locator('.verdicts th button', { hasText: 'Verdict' }).click();
  assert.equal((await column(1))[0], 'unknown');
  await page.locator('.verdicts th button', { hasText: 'Time' }).focus();
  await page.keyboard.press('Enter');
  const times = (await column(6)).map(parseFloat);
  assert.deepEqual(times, times.slice().sort((a, b) => a - b));
  assert.equal(await page.locator('.verdicts th[aria-sort]').count(), 1);
});

await part('pictures fit, zoom and pan', report('wide', 'examples/automata/m_range.dp').url, { viewport: { width: 700, height: 800 } }, async (page) => {
  const picture = page.locator('.picture'), svg = picture.locator('svg');
  const inside = () => svg.evaluate((e) => { const a = e.getBoundingClientRect(), b = e.closest('.body').getBoundingClientRect(); return a.left >= b.left && a.right <= b.right; });
  const box = async () => (await svg.getAttribute('viewBox')).split(/[ ,]+/).map(Number);
  assert.ok(await inside(), 'nothing is cut');
  const whole = await box();
  await page.locator('.zoom button', { hasText: '+' }).click();
  const part = await box();
  assert.ok(part[2] < whole[2] && await inside());
  await picture.hover();
  await page.mouse.down();
  await page.mouse.move(50, 300, { steps: 4 });
  await page.mouse.up();
  assert.notEqual((await box())[0], part[0], 'dragging moves it');
  await picture.focus();
  await page.keyboard.press('0');
  assert.deepEqual(await box(), whole);
});

// Many claims: cards are packed, and opened one by one.
const many = path.join(dir, 'many');
fs.mkdirSync(many);
for (let i = 0; i < 80; i++) fs.copyFileSync('examples/automata/m_range.dp', path.join(many, `m${i}.dp`));
const large = report('large', ...fs.readdirSync(many).map((f) => path.join(many, f)), ...files.slice(1, 3));
await part('many claims', large.url, {}, async (page) => {
  assert.ok(large.html.length < 400000, 'the page is small: ' + large.html.length);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.body > *').count(), 0, 'nothing is open');
  const last = page.locator('.verdicts tbody tr').last();
  await last.locator('a').click();
  const card = page.locator('article').last();
  await card.locator('.outcomes, svg.plot').first().waitFor();
  assert.match(await card.locator('.source').first().textContent(), /mechanism bad_hist/);
  assert.equal(await page.locator('details.card[open]').count(), 1);
  const automaton = page.locator('article', { has: page.locator('.twin') }).nth(40);
  await page.goto(large.url + '#' + await automaton.locator('.twin').getAttribute('id'));
  await automaton.locator('.zoom button').first().waitFor();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('.body:empty').count(), 0, 'paper shows everything');
});
// Cards get their size when they come near the screen; a jump must not miss because of that.
await part('many claims, jumps', large.url, { viewport: { width: 390, height: 844 }, reducedMotion: 'no-preference' }, async (page) => {
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  for (const number of [41, 82, 7]) {
    const link = page.locator('.verdicts tbody tr a').nth(number - 1);
    const id = await link.getAttribute('href');
    await link.click();
    await page.waitForFunction((i) => {
      const target = document.querySelector(i), top = target.getBoundingClientRect().top;
      return target.closest('article').querySelector('.body > *') && top >= 0 && top < 200;
    }, id);
  }
});
await part('many claims, without scripts', large.url, { javaScriptEnabled: false }, async (page) => {
  assert.ok(await page.locator('.verdicts tbody tr:visible').count() >= 60);
  assert.ok(await page.locator('.sentence').first().isVisible());
  assert.ok(await page.locator('noscript').first().isVisible());

});

await part('the budget points at its line', main.url, {}, async (page) => {
  const entry = page.locator('article .legend li').first();
  await entry.hover();
  assert.ok(await page.locator('.source .line.lit').count() === 1);
  assert.match(await page.locator('.source .line.lit').textContent(), /t <\$ Lap/);
});

// every kind of part, few of each: axe takes its time
const small = report('small', 'examples/proofs/laplace.dp', ...files.slice(1, 4), files.at(-1));
for (const colorScheme of ['light', 'dark'])
  await part('accessibility, ' + colorScheme, small.url, { colorScheme }, async (page) => {
    await page.locator('#unfold').click();
    await audit(page);
  });

for (const width of [320, 390, 768])
  await part(`screen of ${width} pixels`, main.url, { viewport: { width, height: 800 } }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.locator('#unfold').click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const small = await page.evaluate(() => Array.from(document.querySelectorAll('button'), (b) => b.getBoundingClientRect().height).filter((h) => h > 0 && h < 24));
    assert.deepEqual(small, [], 'buttons are large enough to touch');
    const tiny = await page.evaluate(() => Array.from(document.querySelectorAll('svg.plot text'), (t) => t.getBoundingClientRect().height).filter((h) => h > 0 && h < 8));
    assert.deepEqual(tiny, [], 'text in pictures can be read');
  });

await part('paper', main.url, { colorScheme: 'dark' }, async (page) => {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.locator('details:not([open])').count(), 0);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await isDark(page), false);
  assert.equal(await page.locator('.tools').isVisible(), false);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.ok(await page.locator('details:not([open])').count() > 0);
  assert.ok((await page.pdf()).length > 20000);
});

await part('without scripts', main.url, { javaScriptEnabled: false }, async (page) => {
  assert.ok(await page.locator('article').count() > 5);
  await page.locator('article .derivation > summary').first().click();
  assert.ok(await page.locator('article .derivation .tree').first().isVisible());
});

// Sources that try to get out of their place.
const evil = fs.readFileSync('examples/proofs/laplace.dp', 'utf8') + `
// </script><script>window.pwned = 1</script><img src=x onerror="window.pwned=1"> ' onmouseover='pwned=1
/* </div></article><style>body{display:none}</style> {{body}} &lt;b&gt; \u202Eright to left\u2069 */
`;
const evilPath = path.join(dir, '"><img src=x onerror=alert(1)>.dp');
fs.writeFileSync(evilPath, evil);
await part('hostile sources', report('evil', evilPath).url, {}, async (page) => {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator('img').count(), 0);
  const text = await page.locator('.source').first().innerText();
  assert.ok(text.includes('</script><script>window.pwned = 1</script>'), text);
  assert.ok(text.includes('&lt;b&gt;') && text.includes('{{body}}'));
  assert.ok(text.includes('U+202E') && !text.includes('\u202e'));
  assert.ok((await page.locator('.file-head').innerText()).endsWith('"><img src=x onerror=alert(1)>.dp'));
  await page.locator('.source').first().hover();
  // even a script that did get in would not run
  await page.evaluate(() => { const s = document.createElement('script'); s.textContent = 'window.pwned = 2'; document.body.append(s); });
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  page.trouble = page.trouble.filter((t) => !/Content Security Policy/.test(t));
});

await browser.close();
fs.rmSync(dir, { recursive: true });
process.exit(failures ? 1 : 0);
