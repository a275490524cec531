// conflict.js - the file has changed on the disk while this page had text of its own: both are shown, and the learner chooses.
import { at, el } from './dom.js';
import { settle, typed } from './main.js';

// The lines in which two texts differ, with a few around them.
function differ(mine, theirs) {
    const a = mine.split('\n'), b = theirs.split('\n');
    let from = 0, to = 0;
    while (from < a.length && from < b.length && a[from] === b[from]) from++;
    while (to < a.length - from && to < b.length - from && a[a.length - 1 - to] === b[b.length - 1 - to]) to++;
    const cut = lines => lines.slice(Math.max(0, from - 2), lines.length - Math.max(0, to - 2)).slice(0, 60).join('\n');
    return [cut(a), cut(b), Math.max(1, from - 1)];
}

export function showConflict(s) {
    if (!s.conflict) return at('above').querySelector('.conflict')?.remove();
    const mine = typed(), [a, b, line] = differ(mine, s.conflict.text), { version, text } = s.conflict;
    const choose = chosen => settle(chosen, version, text);
    at('above').querySelector('.conflict')?.remove();
    at('above').prepend(el('section.card.conflict', { role: 'alert' }, el('h2', 'The file has changed on the disk'), el('p', `Nothing is overwritten. Both, from line ${line} on:`),
        el('div.columns', el('div', el('h3', 'here'), el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': 'here' }, a)), el('div', el('h3', 'on the disk'), el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': 'on the disk' }, b))),
        el('p.controls', el('button.main', { type: 'button', onclick: () => choose(mine) }, 'go on with mine'), el('button', { type: 'button', onclick: () => choose(text) }, 'take the one on the disk')),
        el('p.small', 'What you do not take: undo brings yours back; the disk\u2019s is kept in .studio/history at the next save.')));
}
