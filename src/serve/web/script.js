'use strict';
(() => {
  const { learn, lineStarts, offsetOf, plain } = window.couplet;
  const $ = (id) => document.getElementById(id);
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const make = (tag, className = '', text = '') => { const e = document.createElement(tag); if (className) e.className = className; if (text) e.textContent = text; return e; };
  const stored = {
    get: (key) => { try { return localStorage.getItem('couplet-' + key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem('couplet-' + key, value); } catch { /* private mode */ } },
  };

  // ---- talking to the server ----
  // The token comes behind the # of the address that `couplet serve` prints; it is kept for other
  // tabs and taken out of sight.
  const takeToken = () => {
    const m = /[#&]token=([0-9a-f]+)/.exec(location.hash);
    if (!m) return;
    stored.set('token', m[1]);
    history.replaceState(null, '', location.pathname);
  };
  takeToken();
  class Refusal extends Error { constructor(status, message) { super(message); this.status = status; } }
  const post = async (name, body, { job, signal } = {}) => {
    let answer;
    try {
      answer = await fetch('/api/' + name, {
        method: 'POST', signal, body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', 'X-Couplet-Token': stored.get('token') || '', ...(job ? { 'X-Couplet-Job': job } : {}) },
      });
    } catch (e) {
      if (e.name === 'AbortError') throw e;
      throw new Refusal(0, 'The server does not answer. Is `couplet serve` still running?');
    }
    if (answer.ok) return answer;
    const why = await answer.json().catch(() => ({}));
    throw new Refusal(answer.status, answer.status === 401 ? 'This page has no valid token. Open the address that `couplet serve` printed in the terminal.' : why.error || 'The server answered with status ' + answer.status);
  };
  const ask = async (name, body, options) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await (await post(name, body, options)).json();
      } catch (e) {
        if (e.status !== 429 || attempt === 5) throw e; // busy: a moment later
        await new Promise((resume) => setTimeout(resume, 300 * (attempt + 1)));
      }
    }
  };
  const notice = (text) => { $('notice').textContent = text; $('notice').hidden = !text; };
  const complain = (e) => { if (e.name !== 'AbortError') notice(e.message); };

  // ---- the editor ----
  let name = 'mechanism.dp', things = null, checking = null, timer = 0, claims = 0;
  const start = [
    'param eps : real, eps > 0;', '',
    '/// Adds Laplace noise to a count.',
    'mechanism noisy_count(private count : real) returns real',
    '  adjacent within(count, 1)', '{',
    '  s <$ Lap(count, 1/eps);',
    '  return s;', '}', '',
    'claim private noisy_count epsilon eps;', '',
    'instance example {', '  param eps = 1;', '  input count = 10;', '}', ''].join('\n');
  const changed = () => {
    stored.set('draft', JSON.stringify({ name, text: editor.text() }));
    outdate();
    clearTimeout(timer);
    timer = setTimeout(check, 250);
  };
  const editor = (window.coupletBundle || plain)($('editor'), { changed, verify: () => verify() });
  const document_ = () => ({ name, text: editor.text() });
  const load = (text, newName) => {
    name = newName;
    $('name').value = name;
    editor.set(text, name);
    editor.marks(new Map());
    $('problems').hidden = true; // those of another text
    $('health').textContent = 'checking';
    $('health').className = '';
    clearFindings();
    stored.set('draft', JSON.stringify({ name, text }));
    check();
  };
  $('name').addEventListener('change', () => { name = $('name').value.trim() || 'mechanism.dp'; $('name').value = name; editor.rename(name); changed(); });

  // ---- problems, while one types ----
  const message = (text) => { // what is wrong, and hints below it
    const [head, ...rest] = text.split('\n'), all = make('span', 'what');
    all.append(prose(make('b'), head));
    if (rest.length) all.append(prose(make('span'), '\n' + rest.join('\n')));
    return all;
  };
  const showProblems = (list) => {
    editor.problems(list);
    const errors = list.filter((p) => p.severity === 1).length, others = list.length - errors;
    const count = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');
    $('health').textContent = errors ? count(errors, 'error') + (others ? ', ' + count(others, 'warning') : '') : others ? count(others, 'warning') : claims || name.endsWith('.dipa') ? 'no problems' : 'no claim yet';
    $('health').className = errors ? 'error' : others ? 'warning' : 'fine';
    $('problems').hidden = !list.length;
    $('problems').replaceChildren(...list.map((p) => {
      const item = make('li', p.severity === 1 ? 'error' : 'warning'), link = make('button', 'problem');
      link.type = 'button';
      link.append(make('span', 'where', (p.range.start.line + 1) + ':' + (p.range.start.character + 1)), message(p.message));
      link.addEventListener('click', () => editor.go(p.range.start));
      item.append(link);
      return item;
    }));
  };
  const check = async () => {
    if (checking) checking.abort();
    const mine = checking = new AbortController();
    try {
      const found = await ask('check', document_(), { signal: mine.signal });
      if (mine !== checking) return;
      claims = found.claims;
      things = found.things;
      showProblems(found.diagnostics);
      showExplore();
      if (!$('notice').dataset.keep) notice('');
    } catch (e) { complain(e); }
  };

  // ---- verifying ----
  let job = null, begun = null, result = null;
  const busy = (is) => {
    $('cancel').hidden = !is;
    $('verify').disabled = is;
    document.body.classList.toggle('busy', is);
    $('findings').setAttribute('aria-busy', String(is));
  };
  const clearFindings = () => { result = null; $('verdict').replaceChildren(...welcome.map((n) => n.cloneNode(true))); $('verdict').classList.remove('outdated'); };
  const welcome = Array.from($('verdict').childNodes).map((n) => n.cloneNode(true));
  const outdate = () => { if (result) { $('verdict').classList.add('outdated'); editor.marks(new Map()); } };
  const lines = async function* (answer) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ''; ;) {
      const { value, done } = await reader.read();
      rest += value || '';
      const parts = rest.split('\n');
      rest = done ? '' : parts.pop();
      for (const line of parts) if (line.trim()) yield JSON.parse(line);
      if (done) return;
    }
  };
  const verify = async () => {
    if (job) return;
    const mine = job = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, '0')).join('');
    const sent = document_();
    busy(true);
    notice('');
    $('progress').textContent = 'Starting';
    const answer = post('verify', sent, { job: mine });
    begun = answer.catch(() => null);
    try {
      let last = null;
      for await (const line of lines(await answer)) {
        last = line;
        if (line.event === 'progress') showProgress(line);
        else if (line.error) throw new Refusal(500, line.error);
        else if (line.event === 'result') showResult(line, sent);
      }
      if (!last || last.event !== 'result') throw new Refusal(0, 'The server ended the answer before the verdict.');
    } catch (e) { complain(e); $('progress').textContent = ''; }
    job = null;
    busy(false);
  };
  const showProgress = (p) => {
    const of = p.claims > 1 ? `${p.decided} of ${p.claims} claims decided, ` : '';
    if (!p.claims && p.seconds > 0.5) return;
    $('progress').textContent = `Looking for a proof and for a counterexample: ${of}${p.seconds.toFixed(0)} s`;
  };
  const cancel = async () => { // what the server has not begun it cannot stop
    const mine = job;
    if (!mine) return;
    $('progress').textContent = 'Stopping';
    await begun;
    if (job !== mine) return;
    try { await ask('cancel', {}, { job }); } catch (e) { if (e.status !== 404) complain(e); }
  };
  $('verify').addEventListener('click', verify);
  $('cancel').addEventListener('click', cancel);
  addEventListener('keydown', (e) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); verify(); }
    if (e.key === 'Escape' && job && !document.querySelector('dialog[open]')) cancel();
  });

  // ---- the verdict ----
  // Cards of the report. The policy of this page lets no markup set styles, so theirs get another
  // name (quotes in texts are escaped: nothing else has this form) and are set here.
  const cards = (html) => {
    const inert = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html');
    const fragment = document.createDocumentFragment();
    fragment.append(...Array.from(inert.body.childNodes, (n) => document.adoptNode(n)));
    for (const e of all('[data-style]', fragment)) { e.style.cssText = e.dataset.style; delete e.dataset.style; }
    return fragment;
  };
  // What is between backquotes is code.
  const prose = (element, text) => {
    const parts = text.split('`');
    if (parts.length % 2) element.append(...parts.map((part, i) => i % 2 ? make('code', 'said', part) : part));
    else element.textContent = text;
    return element;
  };
  // The card below has the whole reason.
  const firstAdvice = (claim) => {
    const advice = (claim.reason || '').split('\n').find((line) => line.startsWith('try: '));
    return (claim.epsilon === '?' ? 'No cost could be proved.' : 'Neither a proof nor a counterexample was found.') + (advice ? ' You could try: ' + advice.slice(5) + '.' : '');
  };
  // What is said of the only claim, if it holds and if it does not.
  const wordsOf = (claim) => {
    if (claim.kind === 'lemma') return [['The lemma holds', 'Every step of its proof was checked.'], ['The lemma is false', 'There are values that break it.']];
    if (claim.notion === 'accuracy') return [['Accurate, as claimed', 'A bound on the probability of failure proves it.'], ['Not as accurate as claimed', 'An input shows it, for which it fails too often.']];
    if (claim.notion === 'samples') return [['It has this distribution', 'The probability of every result was computed.'], ['It has another distribution', 'A result shows it, whose probability is wrong.']];
    return [['Private, as claimed', claim.detail?.finite ? 'All pairs of adjacent inputs were compared.' : 'A coupling of the two runs proves it.'], ['Not private as claimed', 'Two adjacent inputs and an event show it.']];
  };
  const headline = (file) => {
    const count = { proved: 0, refuted: 0, unknown: 0, admitted: 0 };
    for (const c of file.claims) count[c.verdict]++;
    const n = file.claims.length, one = n === 1;
    const part = (some, what) => `${some} of ${n} claims ${some === 1 ? 'is' : 'are'} ${what}`;
    if (file.error && !n) return ['unknown', file.error.code === 'stopped' ? 'Stopped before the claims were known' : 'The text has errors', file.error.message];
    if (!n) return ['unknown', 'There is no claim', 'Write one: claim private NAME epsilon eps;'];
    if (count.refuted) return ['refuted', ...(one ? wordsOf(file.claims[0])[1] : [part(count.refuted, 'false'), 'The cards below show why.'])];
    if (count.unknown) return ['unknown', one ? 'Not decided' : part(count.unknown, 'not decided'), one ? firstAdvice(file.claims[0]) : 'Their cards say why, and what to try.'];
    if (count.admitted) return ['admitted', 'Proved only with what was admitted', 'Something in the proof was taken on trust.'];
    return ['proved', ...(one ? wordsOf(file.claims[0])[0] : [n === 2 ? 'Both claims hold' : `All ${n} claims hold`, 'Each of them has a proof that was checked.'])];
  };
  const download = (fileName, text) => {
    const link = make('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = fileName;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const showHeadline = (answer, sent) => {
    const file = answer.record.files[0], [kind, title, more] = headline(file);
    const head = make('div', 'headline ' + kind), words = make('div');
    words.append(make('h2', '', title), prose(make('p'), more));
    head.append(words);
    if (answer.certificate && file.claims.some((c) => c.verdict === 'proved' || c.verdict === 'refuted')) {
      const button = make('button', '', 'Download certificate');
      button.type = 'button';
      button.id = 'certificate';
      button.title = 'Evidence for `couplet check`: kept with the source, it can be checked again without search or solver.';
      button.addEventListener('click', () => download(sent.name.split('/').pop() + '.cert', answer.certificate));
      head.append(button);
    }
    return head;
  };
  // One line per claim, when there are several: where to find its card.
  const contents = (file) => {
    if (file.claims.length < 2) return [];
    const list = make('ol', 'claim-list');
    list.append(...file.claims.map((c, i) => {
      const item = make('li'), link = make('a', '', c.name);
      link.href = '#c' + (i + 1);
      link.addEventListener('click', (e) => { e.preventDefault(); const card = $('c' + (i + 1)); if (card) { card.scrollIntoView({ block: 'start' }); card.focus({ preventScroll: true }); } });
      item.append(make('span', 'badge ' + c.verdict, c.verdict), link);
      return item;
    }));
    return [list];
  };
  const showResult = (answer, sent) => {
    const file = answer.record.files[0];
    result = { answer, sent };
    $('progress').textContent = '';
    $('verdict').replaceChildren(showHeadline(answer, sent), ...contents(file), cards(answer.html));
    $('verdict').classList.remove('outdated');
    all('.picture', $('verdict')).forEach(window.coupletCards.zoomable);
    if (sent.text !== editor.text()) { outdate(); return; }
    editor.marks(new Map(file.claims.filter((c) => c.location).map((c) => [c.location.line - 1, c.verdict])));
    offerCounterexample();
    if (innerWidth < 900) $('verdict').scrollIntoView({ block: 'start' });
  };
  // ---- values ----
  let asking = null, valueTimer = 0, chosen = '';
  const number = (text) => { const m = /^\s*(-?[\d.]+(?:e-?\d+)?)\s*(?:\/\s*([\d.]+))?\s*$/.exec(text || ''); return m ? Number(m[1]) / Number(m[2] || 1) : NaN; };
  const current = () => ({
    mechanism: things.mechanisms.find((m) => m.name === $('mechanism').value),
    instance: things.instances.find((i) => i.name === $('instance').value) || blank(),
  });
  // Without an instance the reader gives the values; reals begin at 1.
  const blank = () => ({ name: '', params: Object.fromEntries(things.params.map((p) => [p.name, p.type === 'real' ? '1' : ''])), inputs: Object.fromEntries(things.mechanisms.flatMap((m) => m.inputs.map((i) => [i.name, '']))) });
  const fill = (select, names) => {
    const before = select.value;
    select.replaceChildren(...names.map((n) => { const o = make('option', '', n); o.value = n; return o; }));
    if (names.includes(before)) select.value = before;
    select.closest('label').hidden = names.length < 2;
  };
  const showExplore = () => {
    const usable = things && things.mechanisms.length;
    $('explore').hidden = !usable;
    if (!usable) return;
    fill($('mechanism'), things.mechanisms.map((m) => m.name));
    fill($('instance'), things.instances.map((i) => i.name));
    const key = JSON.stringify([name, $('mechanism').value, current().instance, things.params, current().mechanism]);
    if (key !== chosen) { chosen = key; showValues(); }
    offerCounterexample();
    recompute();
  };
  // A slider around the value that the instance gives: powers of two for reals, steps for integers.
  const slider = (param, text) => {
    const value = number(text), isInt = param.type === 'int', row = make('label', 'param'), out = make('output', 'value', text);
    const range = make('input');
    range.type = 'range';
    range.dataset.name = param.name;
    const steps = 24;
    const textOf = (i) => isInt ? String(i) : i === steps ? text : String(Number((value * 2 ** ((i - steps) / 6)).toPrecision(3)));
    Object.assign(range, isInt ? { min: Math.min(0, value), max: Math.max(8, 3 * value), step: 1 } : { min: 0, max: 2 * steps, step: 1 });
    range.value = isInt ? value : steps;
    range.dataset.text = text;
    const say = () => { range.dataset.text = out.textContent = textOf(Number(range.value)); range.setAttribute('aria-valuetext', out.textContent); };
    range.setAttribute('aria-valuetext', text);
    range.addEventListener('input', () => { say(); recompute(); });
    row.append(make('span', 'param-name', param.name), range, out);
    return row;
  };
  const box = (param, text) => {
    const row = make('label', 'param'), input = make('input', 'text');
    Object.assign(input, { value: text, spellcheck: false });
    input.dataset.name = param.name;
    input.addEventListener('input', recompute);
    row.append(make('span', 'param-name', param.name), input);
    return row;
  };
  // The first number of an input, one larger: adjacent in most files, and a place to begin.
  const neighbour = (text) => {
    const m = /-?\d+(?:\.\d+)?/.exec(text), flip = /\b(true|false)\b/.exec(text);
    if (flip && (!m || flip.index < m.index)) return text.slice(0, flip.index) + (flip[0] === 'true' ? 'false' : 'true') + text.slice(flip.index + flip[0].length);
    return m ? text.slice(0, m.index) + (Number(m[0]) + 1) + text.slice(m.index + m[0].length) : text;
  };
  const isLength = (param, mechanism) => mechanism.inputs.some((i) => i.type && new RegExp('\\[[^\\]]*\\b' + param.name + '\\b').test(i.type));
  const showValues = () => {
    const { mechanism, instance } = current();
    $('params').replaceChildren(...things.params.filter((p) => p.name in instance.params && !isLength(p, mechanism)).map((p) => {
      const text = instance.params[p.name];
      return Number.isFinite(number(text)) && number(text) > 0 ? slider(p, text) : box(p, text);
    }));
    let changedOne = false;
    $('inputs').replaceChildren(...mechanism.inputs.filter((i) => i.name in instance.inputs).map((i) => {
      const row = make('div', 'input-row'), text = instance.inputs[i.name], other = changedOne || i.public ? text : neighbour(text);
      changedOne ||= other !== text;
      row.append(make('span', 'param-name', i.name));
      for (const [run, value] of [['one', text], ['two', other]]) {
        const input = make('input', run);
        Object.assign(input, { value, spellcheck: false, autocomplete: 'off' });
        input.dataset.name = i.name;
        input.dataset.run = run;
        input.setAttribute('aria-label', `${i.name} in run ${run === 'one' ? 1 : 2}`);
        input.addEventListener('input', recompute);
        row.append(input);
      }
      return row;
    }));
  };
  // An array that is longer or shorter has another length: the parameter for it follows.
  const countItems = (text) => {
    const inside = /^\s*\[(.*)\]\s*$/s.exec(text);
    if (!inside) return NaN;
    let depth = 0, commas = 0;
    for (const c of inside[1]) { if ('[('.includes(c)) depth++; else if ('])'.includes(c)) depth--; else if (c === ',' && !depth) commas++; }
    return inside[1].trim() ? commas + 1 : 0;
  };
  const lengths = () => {
    const found = {};
    for (const i of current().mechanism.inputs) {
      const m = /\[([A-Za-z_]\w*)\]$/.exec(i.type || ''), e = document.querySelector('#inputs .one[data-name="' + CSS.escape(i.name) + '"]');
      if (m && e && Number.isFinite(countItems(e.value)) && things.params.some((p) => p.name === m[1])) found[m[1]] = String(countItems(e.value));
    }
    return found;
  };
  const values = (selector) => Object.fromEntries(all(selector).filter((e) => (e.dataset.text || e.value).trim()).map((e) => [e.dataset.name, e.dataset.text || e.value]));
  const recompute = () => { clearTimeout(valueTimer); valueTimer = setTimeout(compute, 200); };
  const compute = async () => {
    if (!things || $('explore').hidden) return;
    if (asking) asking.abort();
    if (all('#inputs input').some((e) => !e.value.trim())) { $('chart').replaceChildren(make('p', 'soft', 'Give every input a value: a number, true, or a list such as [0, 1].')); return; }
    const mine = asking = new AbortController(), request = {
      ...document_(), mechanism: $('mechanism').value, ...($('instance').value ? { instance: $('instance').value } : {}),
      params: { ...values('#params input'), ...lengths() }, inputs: [values('#inputs .one'), values('#inputs .two')],
    };
    if ($('event').value.trim()) request.output = $('event').value;
    $('chart').classList.add('waiting');
    try {
      const { answers } = await ask('prob', request, { signal: mine.signal });
      if (mine === asking) showChart(answers);
    } catch (e) {
      if (mine === asking) $('chart').replaceChildren(make('p', 'soft', e.message));
    }
    if (mine === asking) $('chart').classList.remove('waiting');
  };
  for (const id of ['mechanism', 'instance']) $(id).addEventListener('change', () => { chosen = ''; showExplore(); });
  $('event').addEventListener('input', recompute);
  const middle = (x) => (Number(x.lower) + Number(x.upper)) / 2;
  const short = (x) => x === 0 ? '0' : x >= 0.0001 ? String(Number(x.toPrecision(4))) : x.toExponential(2);
  const key = () => {
    const p = make('p', 'key');
    for (const [run, text] of [['one', 'run 1'], ['two', 'run 2']]) { const s = make('span', '', text); s.prepend(make('i', run)); p.append(s); }
    return p;
  };
  const lossOf = (p, q) => p > 0 && q > 0 ? Math.abs(Math.log(p / q)) : p === q ? 0 : Infinity;
  const lossText = (most, what) => {
    const p = make('p', 'caption');
    p.append('Greatest loss ' + what + ': ', make('b', '', Number.isFinite(most) ? '|ln p₁/p₂| = ' + Number(most.toPrecision(4)) : 'infinite, an output that only one run can have'), '.');
    return p;
  };
  const barRow = (box_, label, p, scale) => {
    const bars = make('span', 'bars');
    p.forEach((x, i) => { if (x === undefined) return; const b = make('b', i ? 'two' : 'one', short(x)); b.style.setProperty('--w', (72 * x / scale).toFixed(2) + '%'); bars.append(b); });
    const loss = p.length > 1 ? lossOf(p[0], p[1]) : NaN;
    box_.append(make('span', 'name', label), bars, make('span', 'soft loss', Number.isNaN(loss) ? '' : Number.isFinite(loss) ? loss.toFixed(3) : '∞'));
    return loss;
  };
  const showBars = (answers) => {
    const rows = new Map();
    answers.forEach((a, i) => { for (const o of a.outcomes || [{ ...a, output: a.output }]) { if (!rows.has(o.output)) rows.set(o.output, answers.map(() => 0)); rows.get(o.output)[i] = middle(o); } });
    const list = [...rows].sort((a, b) => Math.max(...b[1]) - Math.max(...a[1])), shown = list.slice(0, 12);
    const grid = make('div', 'outcomes'), head = make('div', 'head'), scale = Math.max(...list.flatMap((r) => r[1]), 1e-300);
    head.append(make('span', '', 'output'), make('span', '', answers[0].dimension ? 'density' : 'probability'), make('span', '', 'loss'));
    grid.append(head);
    for (const [label, p] of shown) barRow(grid, label, p, scale);
    const most = Math.max(...list.map((r) => lossOf(r[1][0], r[1][1])));
    $('chart').replaceChildren(key(), grid);
    if (list.length > shown.length) $('chart').append(make('p', 'caption', `and ${list.length - shown.length} less likely outputs`));
    $('chart').append(lossText(most, 'of a single output'));
  };
  const svg = (tag, attributes) => { const e = document.createElementNS('http://www.w3.org/2000/svg', tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); return e; };
  const showCurve = (answers) => {
    const width = 560, height = 210, left = 44, bottom = 26, top = 10;
    const curves = answers.map((a) => a.points.map((p) => [p.x, middle(p)]));
    const xs = curves.flat().map((p) => p[0]), low = Math.min(...xs), high = Math.max(...xs), most = Math.max(...curves.flat().map((p) => p[1])) * 1.05 || 1;
    const X = (x) => left + (x - low) / (high - low) * (width - left - 8), Y = (y) => top + (1 - y / most) * (height - top - bottom);
    const plot = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'plot', role: 'img', 'aria-label': 'Densities of both runs' });
    for (let i = 0; i <= 4; i++) {
      const x = low + (high - low) * i / 4, t = svg('text', { x: X(x), y: height - 6, 'text-anchor': 'middle' });
      t.textContent = Number(x.toPrecision(3));
      plot.append(svg('line', { x1: X(x), x2: X(x), y1: top, y2: height - bottom, class: 'grid' }), t);
      if (i % 2) continue;
      const y = most * i / 4, label = svg('text', { x: left - 6, y: Y(y) + 4, 'text-anchor': 'end' });
      label.textContent = Number(y.toPrecision(2));
      plot.append(label);
    }
    plot.append(svg('line', { x1: left, x2: width - 8, y1: Y(0), y2: Y(0), class: 'axis' }));
    curves.forEach((c, i) => plot.append(svg('path', { class: i ? 'f2' : 'f1', d: c.map(([x, y], k) => (k ? 'L' : 'M') + X(x).toFixed(1) + ' ' + Y(y).toFixed(1)).join('') })));
    const second = new Map(curves[1] || []);
    const most_ = Math.max(...curves[0].filter(([x]) => second.has(x)).map(([x, y]) => lossOf(y, second.get(x))));
    $('chart').replaceChildren(key(), plot, lossText(most_, 'on this grid'));
  };
  const showChart = (answers) => {
    const bad = answers.find((a) => a.error);
    if (bad) { $('chart').replaceChildren(make('p', 'soft', bad.error.replace(/--(param|input|instance|mechanism|output)\b/g, '$1'))); return; }
    if (answers.every((a) => a.kind === 'density' && a.points.length > 1)) showCurve(answers);
    else showBars(answers);
  };
  // The values of a counterexample, for the sliders: offered when both are there, whichever comes first.
  const offerCounterexample = () => {
    $('use-counterexample')?.remove();
    if (!things || $('explore').hidden || !result || result.sent.text !== editor.text()) return;
    const file = result.answer.record.files[0];
    const broken = file.claims.find((c) => c.verdict === 'refuted' && c.counterexample && c.subject === $('mechanism').value && c.counterexample.inputs);
    if (!broken) return;
    const button = make('button', '', 'Look at these values below');
    button.type = 'button';
    button.id = 'use-counterexample';
    button.addEventListener('click', () => { useCounterexample(broken.counterexample); $('explore').scrollIntoView({ block: 'start' }); });
    all('.headline', $('verdict'))[0].append(button);
  };
  const asText = (v) => Array.isArray(v) ? '[' + v.map(asText).join(', ') + ']' : String(v);
  const useCounterexample = (ce) => {
    for (const e of all('#params input')) if (ce.parameters && e.dataset.name in ce.parameters) { const t = asText(ce.parameters[e.dataset.name]); if (e.type === 'range') { e.dataset.text = t; e.nextElementSibling.textContent = t; } else e.value = t; }
    for (const e of all('#inputs input')) { const pair = ce.inputs[e.dataset.name]; if (pair) e.value = asText(pair[e.dataset.run === 'one' ? 0 : 1]); }
    compute();
  };

  // ---- the gallery ----
  let gallery = null;
  const groupNames = { correct: 'Private', incorrect: 'Not private', automata: 'Automata', gaussian: 'Gaussian noise and other notions', accuracy: 'Accuracy', python: 'Python functions', proofs: 'With a proof in the file', hints: 'With hints' };
  const groupOrder = ['correct', 'incorrect', 'automata', 'gaussian', 'python', 'proofs', 'hints'];
  const rank = (g) => { const i = groupOrder.indexOf(g); return i < 0 ? groupOrder.length : i; };
  const showGallery = () => {
    const wanted = $('search').value.trim().toLowerCase(), groups = new Map();
    for (const f of gallery) {
      if (wanted && !(f.name + ' ' + f.about).toLowerCase().includes(wanted)) continue;
      const group = f.name.includes('/') ? f.name.split('/')[0] : '';
      groups.set(group, [...(groups.get(group) || []), f]);
    }
    const sections = [...groups].sort((a, b) => rank(a[0]) - rank(b[0])).map(([group, files]) => {
      const section = make('section'), ul = make('ul');
      section.append(make('h3', '', groupNames[group] || group || 'Files'));
      ul.append(...files.map((f) => {
        const li = make('li'), button = make('button', 'example');
        button.type = 'button';
        button.dataset.name = f.name;
        button.append(make('b', '', f.name.split('/').pop()), make('span', 'soft', f.about));
        button.addEventListener('click', () => openExample(f.name));
        li.append(button);
        return li;
      }));
      section.append(ul);
      return section;
    });
    $('list').replaceChildren(...(sections.length ? sections : [make('p', 'soft', 'No example has these words.')]));
  };
  const openGallery = async () => {
    $('gallery').showModal();
    $('search').focus();
    try { gallery ||= (await ask('gallery', {})).files; showGallery(); } catch (e) { $('gallery').close(); complain(e); }
  };
  const openExample = async (wanted) => {
    try {
      const file = await ask('text', { name: wanted });
      $('gallery').close();
      load(file.text, file.name);
      editor.focus();
    } catch (e) { complain(e); }
  };
  $('open-gallery').addEventListener('click', openGallery);
  $('search').addEventListener('input', () => gallery && showGallery());
  for (const id of ['gallery', 'shared']) {
    $('close-' + id).addEventListener('click', () => $(id).close());
    $(id).addEventListener('click', (e) => { if (e.target === $(id)) $(id).close(); });
  }

  // ---- links that carry the text ----
  const toBase64 = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  const pack = async (value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return window.CompressionStream ? 'z' + toBase64(await through(bytes, new CompressionStream('deflate-raw'))) : 'p' + toBase64(bytes);
  };
  const unpack = async (text) => {
    const bytes = fromBase64(text.slice(1));
    return JSON.parse(new TextDecoder().decode(text[0] === 'z' ? await through(bytes, new DecompressionStream('deflate-raw')) : bytes));
  };
  $('share').addEventListener('click', async () => {
    const link = location.origin + '/#text=' + await pack(document_());
    $('link').value = link;
    $('copied').textContent = '';
    $('shared').showModal();
    $('link').select();
    try { await navigator.clipboard.writeText(link); $('copied').textContent = 'Copied.'; } catch { $('copied').textContent = 'Copy it from the field above.'; }
  });
  const fromLink = async () => {
    const m = /[#&]text=([\w-]+)/.exec(location.hash);
    if (!m) return false;
    try {
      const { name: newName, text } = await unpack(m[1]);
      if (typeof newName !== 'string' || typeof text !== 'string') throw new Error('not a text');
      load(text, newName);
      return true;
    } catch { notice('The link does not hold a text: it may have been cut off.'); $('notice').dataset.keep = 'yes'; return false; }
  };
  addEventListener('hashchange', () => { takeToken(); fromLink(); });

  // ---- beginning ----
  const begin = async () => {
    const draft = (() => { try { return JSON.parse(stored.get('draft')); } catch { return null; } })();
    if (!await fromLink()) {
      if (draft && typeof draft.text === 'string' && typeof draft.name === 'string') load(draft.text, draft.name);
      else load(start, 'mechanism.dp');
    }
    try { learn((await ask('language', {})).words); editor.redraw(); } catch (e) { complain(e); }
    document.body.dataset.ready = editor.kind;
  };
  begin();
})();
