'use strict';
(() => {
  const root = document.documentElement, { zoomable, toggle } = window.coupletCards;
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));

  // Cards of a large report are packed. They are unpacked at once, in the background, and put into
  // the page when they are opened.
  const packed = document.getElementById('packed');
  let parts = [];
  const fill = (card) => {
    const body = card.querySelector('.body');
    if (body && body.dataset.part && parts.length) {
      body.innerHTML = parts[body.dataset.part];
      delete body.dataset.part;
    }
    if (card.open) all('.picture', card).forEach(zoomable);
  };
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    parts = (await new Response(stream).text()).split('\0');
    all('details.card[open]').forEach(fill);
  };
  const cards = all('details.card');
  for (const card of cards) card.addEventListener('toggle', () => { if (card.open) fill(card); });
  cards.filter((c) => c.open).forEach(fill);
  const idle = new Promise((go) => (window.requestIdleCallback || setTimeout)(go)); // first the overview is shown
  const ready = (packed ? idle.then(unpack) : Promise.resolve()).then(
    () => { root.dataset.ready = 'yes'; },
    () => { for (const c of cards) c.querySelector('.body').textContent = 'This browser cannot unpack the card; one from 2023 or later can.'; });

  // A link to a claim opens its card.
  const reveal = (scroll) => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const card = target && target.closest('article')?.querySelector('details.card');
    if (!card) return;
    target.closest('article').hidden = false;
    target.closest('section').hidden = false;
    card.open = true;
    fill(card);
    if (scroll) target.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', () => reveal(true));
  ready.then(() => reveal(true));

  // Everything that folds, at once.
  const folds = document.getElementById('unfold');
  const unfold = (open) => {
    if (open) for (const c of cards) fill(c);
    for (const d of all('details')) d.open = open;
    folds.setAttribute('aria-pressed', String(open));
    folds.textContent = open ? 'Fold all' : 'Unfold all';
  };
  folds.addEventListener('click', () => unfold(folds.getAttribute('aria-pressed') !== 'true'));

  // On paper nothing can be folded open.
  let closed = [];
  addEventListener('beforeprint', () => { for (const c of cards) fill(c); closed = all('details:not([open])'); for (const d of closed) d.open = true; });
  addEventListener('afterprint', () => { for (const d of closed) d.open = false; closed = []; });

  // Only the verdicts and the words asked for: rows, cards and contents together.
  const filters = all('.filters button');
  const search = document.getElementById('search'), found = document.getElementById('found');
  const rows = all('.verdicts tbody tr'), articles = all('article'), entries = all('.contents li[data-verdict]');
  const words = new Map(rows.map((r) => [r, r.textContent.toLowerCase()]));
  const rowOf = new Map(rows.map((r) => [r.querySelector('a').hash.slice(1), r]));
  let wanted = 'all';
  const filter = () => {
    const text = search.value.trim().toLowerCase();
    const isShown = (row) => (wanted === 'all' || row.dataset.verdict === wanted) && words.get(row).includes(text);
    for (const b of filters) b.setAttribute('aria-pressed', String(b.dataset.show === wanted));
    for (const r of rows) r.hidden = !isShown(r);
    const claims = (article) => [article.id, ...all('.twin', article).map((t) => t.id)].map((id) => rowOf.get(id));
    for (const a of articles) a.hidden = !claims(a).some(isShown);
    for (const e of entries) e.hidden = document.getElementById(e.querySelector('a').hash.slice(1)).hidden;
    for (const f of all('section.file')) {
      const own = rowOf.get(f.id), none = !all('article', f).some((a) => !a.hidden);
      f.hidden = none && !(own ? isShown(own) : wanted === 'all' && !text);
    }
    for (const e of entries) e.hidden = document.getElementById(e.querySelector('a').hash.slice(1)).hidden;
    for (const f of all('.contents .folder')) {
      let next = f.nextElementSibling;
      while (next && next.hidden && !next.classList.contains('folder')) next = next.nextElementSibling;
      f.hidden = !next || next.classList.contains('folder');
    }
    const shown = rows.filter((r) => !r.hidden).length;
    found.textContent = shown === rows.length ? '' : shown ? shown + ' of ' + rows.length : 'nothing found';
  };
  for (const b of filters) b.addEventListener('click', () => { wanted = b.dataset.show; filter(); });
  search.addEventListener('input', filter);

  // Columns sort: numbers by value, everything else by words, a second time backwards.
  const body = document.querySelector('.verdicts tbody');
  const heads = all('.verdicts th');
  const key = (row, i) => row.cells[Math.min(i, row.cells.length - 1)].textContent;
  const compare = (a, b) => {
    const x = parseFloat(a), y = parseFloat(b);
    return x === x && y === y ? x - y : (a === '') - (b === '') || a.localeCompare(b);
  };
  heads.forEach((th, i) => {
    const b = document.createElement('button');
    b.type = 'button';
    b.append(...th.childNodes);
    th.append(b);
    b.addEventListener('click', () => {
      const down = th.getAttribute('aria-sort') === 'ascending';
      for (const h of heads) h.removeAttribute('aria-sort');
      th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      body.append(...rows.slice().sort((x, y) => (down ? -1 : 1) * compare(key(x, i), key(y, i))));
    });
  });

  // The contents follow the reader.
  const spy = new IntersectionObserver((seen) => {
    for (const s of seen) {
      const link = document.querySelector('.contents a[href="#' + s.target.id + '"]');
      link?.toggleAttribute('data-here', s.isIntersecting);
      if (s.isIntersecting && link) link.closest('nav').scrollTop = Math.max(link.offsetTop - 160, 0);
    }
  }, { rootMargin: '-20% 0px -60% 0px' });
  for (const a of articles) spy.observe(a);

  // j and k go from claim to claim, / searches, t changes the colours, o folds.
  const go = (by) => {
    const claims = all('article:not([hidden])');
    if (!claims.length) return;
    const here = claims.indexOf(document.activeElement.closest('article'));
    const next = claims[Math.min(Math.max(here < 0 ? (by > 0 ? 0 : claims.length - 1) : here + by, 0), claims.length - 1)];
    next.querySelector('details.card').open = true;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'start' });
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    if (e.key === 'j') go(1);
    else if (e.key === 'k') go(-1);
    else if (e.key === 't') toggle();
    else if (e.key === 'o') folds.click();
    else if (e.key === '/') { e.preventDefault(); search.focus(); }
  });
})();
