// editor.mjs - CodeMirror as the page uses it; bundled into build/studio-tools/editor.js. page/textarea.js has the same functions
// for a page without it.
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from '@codemirror/commands';
import { cpp } from '@codemirror/lang-cpp';
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, gutter, GutterMarker, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

const setHeat = StateEffect.define(), setMarks = StateEffect.define();

class Heat extends GutterMarker {
    constructor(share, said) { super(); this.share = share; this.said = said; }
    eq(other) { return this.share === other.share && this.said === other.said; }
    toDOM() {
        const e = document.createElement('span');
        e.className = 'heat';
        e.textContent = this.share >= 0.005 ? String(Math.round(100 * this.share)) : '';
        e.title = this.said;
        e.style.setProperty('--share', String(this.share));
        return e;
    }
}

// Costs belong to the text that was counted: a line keeps its cost when lines are inserted above it.
const heat = StateField.define({
    create: () => Decoration.none,
    update(all, tr) {
        all = all.map(tr.changes);
        for (const e of tr.effects) {
            if (!e.is(setHeat)) continue;
            const rows = e.value.filter(r => r.line >= 1 && r.line <= tr.state.doc.lines).sort((a, b) => a.line - b.line);
            all = Decoration.set(rows.map(r => Decoration.line({ marker: new Heat(r.share, r.said), attributes: {} })
                .range(tr.state.doc.line(r.line).from)));
        }
        return all;
    },
});
const marks = StateField.define({
    create: () => Decoration.none,
    update(all, tr) {
        all = all.map(tr.changes);
        for (const e of tr.effects) {
            if (!e.is(setMarks)) continue;
            const out = [];
            for (const m of e.value) {
                if (m.line < 1 || m.line > tr.state.doc.lines) continue;
                const line = tr.state.doc.line(m.line);
                out.push(Decoration.line({ class: `mark-${m.kind}` }).range(line.from));
                const from = line.from + (m.column ?? 1) - 1, to = Math.min(line.to, from + (m.width ?? 0));
                if (m.column && from < to) out.push(Decoration.mark({ class: 'mark-text' }).range(from, to));
            }
            all = Decoration.set(out, true);
        }
        return all;
    },
    provide: f => EditorView.decorations.from(f),
});

const find = (state, line) => {
    let found = null;
    state.field(heat).between(line.from, line.from, (from, to, d) => { if (from === line.from) found = d.spec.marker; });
    return found;
};

export function makeEditor(parent, { nonce, label, changed, save, leave, picked }) {
    const readOnly = new Compartment();
    const pick = (view, block) => { picked(view.state.doc.lineAt(block.from).number); return true; };
    const extensions = [
        EditorView.cspNonce.of(nonce), lineNumbers({ domEventHandlers: { click: pick } }), heat, marks,
        gutter({ class: 'cm-heat', lineMarker: (view, block) => find(view.state, block), lineMarkerChange: u => u.state.field(heat) !== u.startState.field(heat),
            initialSpacer: () => new Heat(1, ''), domEventHandlers: { click: pick } }),
        history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
        cpp(), indentUnit.of('    '), EditorState.tabSize.of(4), syntaxHighlighting(classHighlighter),
        keymap.of([
            { key: 'Mod-s', preventDefault: true, run: () => (save(), true) },
            { key: 'Mod-Enter', run: () => (save(), true) },
            ...searchKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab,
            { key: 'Escape', run: () => (leave(), true) },
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off', tabindex: '0' }),
        EditorView.updateListener.of(u => {
            if (u.docChanged) changed();
        }),
        readOnly.of([]),
    ];
    const fresh = doc => EditorState.create({ doc, extensions });
    const view = new EditorView({ parent, state: fresh('') });
    const line = n => view.state.doc.line(Math.max(1, Math.min(n, view.state.doc.lines)));
    return {
        plain: false,
        text: () => view.state.doc.toString(),
        open(doc) { view.setState(fresh(doc)), view.scrollDOM.scrollTo(0, 0); },
        // Replace the text so that undo brings the old one back.
        replace(doc) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } }); },
        setHeat(rows) { view.dispatch({ effects: setHeat.of(rows) }); },
        setMarks(rows) { view.dispatch({ effects: setMarks.of(rows) }); },
        goTo(n) {
            view.dispatch({ selection: { anchor: line(n).from }, effects: EditorView.scrollIntoView(line(n).from, { y: 'center' }) });
        },
        // Scroll to a line, and leave the cursor where it is.
        reveal(n) { view.dispatch({ effects: EditorView.scrollIntoView(line(n).from, { y: 'nearest', yMargin: 60 }) }); },
        line: () => view.state.doc.lineAt(view.state.selection.main.head).number,
        focus: () => view.focus(),
        // The state that survives a reload: the text and the undo history.
        kept: () => view.state.toJSON({ history: historyField }),
        restore(kept) { view.setState(EditorState.fromJSON(kept, { extensions }, { history: historyField })); },
    };
}
