// CodeMirror as the editor of `couplet serve`: the functions of the page's own editor
// (src/serve/web/editor.js), whose colours and positions it shares.
import { defaultKeymap, history, historyKeymap, indentMore, indentLess } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, GutterMarker, highlightActiveLine, gutterLineClass, keymap, lineNumbers, ViewPlugin } from '@codemirror/view';

window.coupletBundle = (parent, { changed, verify }) => {
  const { tokens, lineStarts, offsetOf } = window.couplet;
  let name = '', quiet = false;

  // Colours: the words of the page, as marks.
  const marksOf = {};
  const colour = (kind) => (marksOf[kind] ||= Decoration.mark({ class: kind }));
  const paint = (view) => {
    const builder = new RangeSetBuilder();
    for (const t of tokens(view.state.doc.toString(), name)) builder.add(t.from, t.to, colour(t.kind));
    return builder.finish();
  };
  const repaint = StateEffect.define();
  const colours = ViewPlugin.fromClass(class {
    constructor(view) { this.decorations = paint(view); }
    update(u) { if (u.docChanged || u.transactions.some((t) => t.effects.some((e) => e.is(repaint)))) this.decorations = paint(u.view); }
  }, { decorations: (v) => v.decorations });

  // Verdicts at the lines of claims.
  const setMarks = StateEffect.define();
  class Mark extends GutterMarker { constructor(kind) { super(); this.elementClass = 'marked ' + kind; } }
  const marks = StateField.define({
    create: () => new RangeSetBuilder().finish(),
    update(value, t) {
      value = value.map(t.changes);
      for (const e of t.effects) if (e.is(setMarks)) {
        const builder = new RangeSetBuilder();
        for (const [line, kind] of [...e.value].sort((a, b) => a[0] - b[0]))
          if (line < t.state.doc.lines) builder.add(t.state.doc.line(line + 1).from, t.state.doc.line(line + 1).from, new Mark(kind));
        value = builder.finish();
      }
      return value;
    },
    provide: (f) => gutterLineClass.from(f),
  });

  const nonce = document.querySelector('meta[name="style-nonce"]').content;
  let tabMoves = false;
  const tab = (command) => (view) => !tabMoves && command(view);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(nonce), lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
        indentUnit.of('  '), EditorState.tabSize.of(2), EditorState.allowMultipleSelections.of(true), colours, marks,
        EditorView.contentAttributes.of({ 'aria-label': 'Program', 'aria-describedby': 'health', spellcheck: 'false', autocapitalize: 'off' }),
        keymap.of([
          { key: 'Mod-Enter', run: () => { verify(); return true; } },
          { key: 'Escape', run: () => { tabMoves = true; return false; } },
          { key: 'Tab', run: tab(indentMore), shift: tab(indentLess) },
          ...searchKeymap, ...historyKeymap, ...defaultKeymap,
        ]),
        EditorView.updateListener.of((u) => { if (u.docChanged) { tabMoves = false; if (!quiet) changed(); } }),
      ],
    }),
  });
  view.contentDOM.addEventListener('blur', () => { tabMoves = false; });
  parent.classList.add('bundled');
  const text = () => view.state.doc.toString();
  return {
    kind: 'codemirror',
    text,
    set: (content, newName) => {
      name = newName;
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: content }, selection: { anchor: 0 }, scrollIntoView: true });
      view.dispatch(setDiagnostics(view.state, []));
      quiet = false;
    },
    rename: (newName) => { name = newName; view.dispatch({ effects: repaint.of(null) }); },
    problems: (list) => {
      const content = text(), starts = lineStarts(content);
      view.dispatch(setDiagnostics(view.state, list.map((p) => ({
        from: offsetOf(starts, content, p.range.start), to: offsetOf(starts, content, p.range.end),
        severity: p.severity === 1 ? 'error' : 'warning', message: p.message,
      }))));
    },
    marks: (map) => view.dispatch({ effects: setMarks.of(map) }),
    redraw: () => view.dispatch({ effects: repaint.of(null) }),
    focus: () => view.focus(),
    go: (position) => {
      const at = offsetOf(lineStarts(text()), text(), position);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
  };
};
