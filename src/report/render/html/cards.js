'use strict';
// What the report and the playground share: light and dark, pictures that zoom, lines that light up.
(() => {
  const root = document.documentElement;
  const all = (selector) => Array.from(document.querySelectorAll(selector));
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

  // Pictures: fitted to the card; buttons, keys, Ctrl and the wheel, or dragging show a part of it.
  const zoomable = (picture) => {
    const svg = picture.querySelector('svg');
    if (!svg || picture.dataset.ready) return;
    picture.dataset.ready = 'yes';
    const whole = svg.getAttribute('viewBox').split(/[\s,]+/).map(Number);
    let box = whole.slice();
    const draw = () => svg.setAttribute('viewBox', box.join(' '));
    const zoom = (by, cx = 0.5, cy = 0.5) => {
      const w = Math.min(Math.max(box[2] * by, whole[2] / 16), whole[2]), h = w * whole[3] / whole[2];
      box = [box[0] + (box[2] - w) * cx, box[1] + (box[3] - h) * cy, w, h];
      pan(0, 0);
    };
    const pan = (dx, dy) => {
      box[0] = Math.min(Math.max(box[0] + dx, whole[0]), whole[0] + whole[2] - box[2]);
      box[1] = Math.min(Math.max(box[1] + dy, whole[1]), whole[1] + whole[3] - box[3]);
      draw();
    };
    const tools = document.createElement('div');
    tools.className = 'zoom';
    const actions = { '+': ['Zoom in', () => zoom(1 / 1.4)], '−': ['Zoom out', () => zoom(1.4)], Fit: ['Fit the whole picture', () => { box = whole.slice(); draw(); }] };
    for (const [text, [label, act]] of Object.entries(actions)) {
      const b = document.createElement('button');
      Object.assign(b, { type: 'button', textContent: text, title: label });
      b.setAttribute('aria-label', label);
      b.addEventListener('click', act);
      tools.append(b);
    }
    picture.before(tools);
    const scale = () => box[2] / svg.getBoundingClientRect().width;
    picture.addEventListener('wheel', (e) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      const r = svg.getBoundingClientRect();
      zoom(e.deltaY > 0 ? 1.15 : 1 / 1.15, (e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
    }, { passive: false });
    picture.addEventListener('pointerdown', (e) => { if (box[2] < whole[2]) picture.setPointerCapture(e.pointerId); });
    picture.addEventListener('pointermove', (e) => { if (picture.hasPointerCapture(e.pointerId)) pan(-e.movementX * scale(), -e.movementY * scale()); });
    picture.addEventListener('keydown', (e) => {
      const step = box[2] / 8;
      const keys = { '+': () => zoom(1 / 1.4), '-': () => zoom(1.4), 0: actions.Fit[1], ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0), ArrowUp: () => pan(0, -step), ArrowDown: () => pan(0, step) };
      if (!keys[e.key] || e.ctrlKey || e.metaKey) return;
      e.preventDefault();
      keys[e.key]();
    });
  };

  // A step of the budget points at its line.
  const light = (e, on) => {
    const from = e.target.closest && e.target.closest('[data-points]');
    if (from) for (const l of all('[data-pays="' + CSS.escape(from.dataset.points) + '"]')) l.classList.toggle('lit', on);
  };
  for (const on of ['mouseover', 'focusin']) addEventListener(on, (e) => light(e, true));
  for (const off of ['mouseout', 'focusout']) addEventListener(off, (e) => light(e, false));

  window.coupletCards = { zoomable, toggle };
})();
