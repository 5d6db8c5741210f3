'use strict';
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const stored = {
    get: () => { try { return localStorage.getItem('couplet-theme'); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem('couplet-theme', theme); } catch { /* private mode */ } },
  };

  // Light or dark: what the system says, until the reader says otherwise.
  const system = matchMedia('(prefers-color-scheme: dark)');
  const theme = () => root.dataset.theme || (system.matches ? 'dark' : 'light');
  const button = document.getElementById('theme');
  const show = () => {
    button.textContent = theme() === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', 'Switch to ' + button.textContent.toLowerCase() + ' colours');
  };
  const toggle = () => { root.dataset.theme = theme() === 'dark' ? 'light' : 'dark'; stored.set(root.dataset.theme); show(); };
  if (stored.get() === 'dark' || stored.get() === 'light') root.dataset.theme = stored.get();
  button.addEventListener('click', toggle);
  system.addEventListener('change', show);
  show();

  // Everything that folds, at once.
  const folds = document.getElementById('unfold');
  const unfold = (open) => {
    for (const d of all('details')) d.open = open;
    folds.setAttribute('aria-pressed', String(open));
    folds.textContent = open ? 'Fold all' : 'Unfold all';
  };
  folds.addEventListener('click', () => unfold(folds.getAttribute('aria-pressed') !== 'true'));

  // On paper nothing can be folded open.
  let closed = [];
  addEventListener('beforeprint', () => { closed = all('details:not([open])'); for (const d of closed) d.open = true; });
  addEventListener('afterprint', () => { for (const d of closed) d.open = false; closed = []; });

  // Only the verdicts asked for.
  const filters = all('.filters button');
  const filter = (wanted) => {
    for (const b of filters) b.setAttribute('aria-pressed', String(b.dataset.show === wanted));
    for (const e of all('[data-verdict]')) e.hidden = wanted !== 'all' && e.dataset.verdict !== wanted;
    for (const f of all('.file')) if (f.tagName === 'SECTION') f.hidden = !f.querySelector('article:not([hidden]), .diag');
  };
  for (const b of filters) b.addEventListener('click', () => filter(b.dataset.show));

  // A step of the budget points at its line.
  const lines = (e) => all('[data-pays="' + CSS.escape(e.dataset.points) + '"]');
  for (const e of all('[data-points]')) {
    for (const on of ['mouseenter', 'focus']) e.addEventListener(on, () => lines(e).forEach((l) => l.classList.add('lit')));
    for (const off of ['mouseleave', 'blur']) e.addEventListener(off, () => lines(e).forEach((l) => l.classList.remove('lit')));
  }

  // j and k go from claim to claim, t changes the colours, o folds.
  const go = (by) => {
    const claims = all('article:not([hidden])');
    if (!claims.length) return;
    const here = claims.indexOf(document.activeElement);
    const next = claims[Math.min(Math.max(here < 0 ? (by > 0 ? 0 : claims.length - 1) : here + by, 0), claims.length - 1)];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'start' });
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    if (e.key === 'j') go(1);
    else if (e.key === 'k') go(-1);
    else if (e.key === 't') toggle();
    else if (e.key === 'o') folds.click();
  });
})();
