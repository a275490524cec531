// textarea.js - the editor without npm: a plain text area with the functions of editor.mjs.
import { el } from './dom.js';

export function makeEditor(parent, { label, changed, save, leave }) {
    const area = el('textarea', { 'aria-label': label, spellcheck: 'false', wrap: 'off' });
    area.addEventListener('input', changed);
    area.addEventListener('keydown', e => {
        if ((e.ctrlKey || e.metaKey) && (e.key === 's' || e.key === 'Enter')) { e.preventDefault(); save(); }
        if (e.key === 'Escape') leave();
    });
    parent.append(area);
    const start = n => area.value.split('\n').slice(0, n - 1).reduce((sum, l) => sum + l.length + 1, 0);
    return {
        plain: true,
        text: () => area.value,
        open(doc) { area.value = doc; },
        replace(doc) { area.value = doc; changed(); },
        setHeat() {},
        setMarks() {},
        reveal() {},
        goTo(n) {
            area.setSelectionRange(start(n), start(n + 1) - 1);
            area.scrollTop = Math.max(0, (n - 8) * parseFloat(getComputedStyle(area).lineHeight));
        },
        line: () => area.value.slice(0, area.selectionStart).split('\n').length,
        focus: () => area.focus(),
        kept: () => ({ doc: area.value }),
        restore(kept) { area.value = kept.doc; },
    };
}
