'use strict';
// The words of a text, and an editor made of a text area over coloured text. The bundled editor
// (CodeMirror, where it was built in) has the same functions and the same colours.
(() => {
  // A piece of text with its class, as in the report: k keyword, w word of a clause, n number,
  // c comment, d doc comment, o sampling, b distribution or function, s string.
  const dp = /(\/\/\/[^\n]*)|(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("[^"\n]*"?)|(<\$)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*'?)/g;
  const python = /("""[^]*?(?:"""|$)|#[^\n]*)|("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(@[A-Za-z_.]+)|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)/g;
  const pythonWords = new Set('and as assert break class continue def elif else False for from if import in is lambda None not or pass raise return True while with yield'.split(' '));
  const table = new Map();
  const learn = (words) => {
    const classes = { reserved: 'k', clause: 'w', automaton: 'w', type: 'w', adjacency: 'b', function: 'b', distribution: 'b' };
    for (const [name, list] of Object.entries(words))
      if (classes[name]) for (const word of list) if (!table.has(word)) table.set(word, classes[name]);
  };
  const ofPython = (m) => m[1] ? 'c' : m[2] ? 's' : m[3] ? 'o' : m[4] ? 'n' : pythonWords.has(m[5]) ? 'k' : '';
  const ofDp = (m) => m[1] ? 'd' : m[2] ? 'c' : m[3] ? 's' : m[4] ? 'o' : m[5] ? 'n' : table.get(m[6]) || '';
  const tokens = (text, name) => {
    const isPython = name.endsWith('.py'), found = [];
    for (const m of text.matchAll(isPython ? python : dp)) {
      const kind = isPython ? ofPython(m) : ofDp(m);
      if (kind) found.push({ from: m.index, to: m.index + m[0].length, kind });
    }
    return found;
  };

  // Where lines begin; positions of the server are lines and UTF-16 units, as here.
  const lineStarts = (text) => { const at = [0]; for (let i = 0; (i = text.indexOf('\n', i) + 1);) at.push(i); return at; };
  const offsetOf = (starts, text, p) => {
    if (p.line >= starts.length) return text.length;
    const end = p.line + 1 < starts.length ? starts[p.line + 1] - 1 : text.length;
    return Math.min(starts[p.line] + p.character, end);
  };

  const plain = (parent, { changed }) => {
    const make = (tag, className) => { const e = document.createElement(tag); e.className = className; return e; };
    const gutter = make('div', 'gutter'), sheet = make('div', 'sheet'), paint = make('pre', 'paint'), area = make('textarea', 'area');
    gutter.setAttribute('aria-hidden', 'true');
    paint.setAttribute('aria-hidden', 'true');
    Object.assign(area, { spellcheck: false, autocapitalize: 'off', autocomplete: 'off', wrap: 'off' });
    area.setAttribute('aria-label', 'Program');
    area.setAttribute('aria-describedby', 'health');
    sheet.append(paint, area);
    parent.append(gutter, sheet);
    parent.classList.add('plain');
    let name = '', problems = [], marks = new Map(), tabMoves = false;

    const pieces = (text, starts) => {
      // Boundaries of words and of problems cut the text; each piece has the classes of both.
      const layers = tokens(text, name).map((t) => [t.from, t.to, t.kind]);
      for (const p of problems) {
        const from = offsetOf(starts, text, p.range.start);
        layers.push([from, Math.max(offsetOf(starts, text, p.range.end), Math.min(from + 1, text.length)), 'wave ' + (p.severity === 1 ? 'error' : 'warning')]);
      }
      const cuts = [...new Set([0, text.length, ...layers.flatMap(([a, b]) => [a, b])])].sort((a, b) => a - b);
      const open = layers.sort((a, b) => a[0] - b[0]);
      let active = [], next = 0;
      return cuts.slice(0, -1).map((from, i) => {
        active = active.filter((l) => l[1] > from);
        while (next < open.length && open[next][0] <= from) { if (open[next][1] > from) active.push(open[next]); next++; }
        return [from, cuts[i + 1], active.map((l) => l[2]).join(' ')];
      });
    };
    const draw = () => {
      const text = area.value, starts = lineStarts(text), worst = new Map();
      paint.replaceChildren(...pieces(text, starts).map(([from, to, kind]) => {
        if (!kind) return document.createTextNode(text.slice(from, to));
        const span = make('span', kind);
        span.textContent = text.slice(from, to);
        return span;
      }), '\n');
      for (const p of problems) worst.set(p.range.start.line, Math.min(p.severity, worst.get(p.range.start.line) || 9));
      gutter.replaceChildren(...starts.map((_, i) => {
        const row = make('div', 'row');
        row.textContent = i + 1;
        if (worst.has(i)) row.classList.add(worst.get(i) === 1 ? 'error' : 'warning');
        if (marks.has(i)) row.classList.add('marked', marks.get(i));
        return row;
      }));
      sheet.style.minHeight = area.style.height = 'auto';
      area.style.height = paint.style.height = paint.scrollHeight + 'px';
      area.style.width = Math.max(sheet.clientWidth, paint.scrollWidth) + 'px';
    };
    const insert = (text) => document.execCommand('insertText', false, text); // keeps undo
    area.addEventListener('input', () => { draw(); changed(); });
    area.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') tabMoves = true; // Tab leaves the editor after Escape
      else if (e.key === 'Tab' && !tabMoves && !e.shiftKey && !e.ctrlKey && !e.altKey) { e.preventDefault(); insert('  '); }
      else if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey && !e.shiftKey) {
        const line = area.value.slice(area.value.lastIndexOf('\n', area.selectionStart - 1) + 1, area.selectionStart);
        const indent = /^[ \t]*/.exec(line)[0] + (/[{:]\s*$/.test(line) ? '  ' : '');
        if (indent) { e.preventDefault(); insert('\n' + indent); }
      } else if (e.key !== 'Shift') tabMoves = false;
    });
    area.addEventListener('blur', () => { tabMoves = false; });
    new ResizeObserver(draw).observe(parent);
    return {
      kind: 'plain',
      text: () => area.value,
      set: (text, newName) => { name = newName; problems = []; marks = new Map(); area.value = text; area.setSelectionRange(0, 0); parent.scrollTo(0, 0); draw(); },
      rename: (newName) => { name = newName; draw(); },
      problems: (list) => { problems = list; draw(); },
      marks: (map) => { marks = map; draw(); },
      redraw: draw,
      focus: () => area.focus(),
      go: (position) => {
        const at = offsetOf(lineStarts(area.value), area.value, position);
        area.focus();
        area.setSelectionRange(at, at);
        const height = area.scrollHeight / Math.max(1, gutter.childElementCount);
        parent.scrollTop = Math.max(0, position.line * height - parent.clientHeight / 3);
      },
    };
  };

  window.couplet = { learn, tokens, lineStarts, offsetOf, plain };
})();
