// labs.js - the labs, their exercises, and what was passed; the learner's own files.
import { at, el, fill } from './dom.js';
import { newPlay } from './play.js';
import { open } from './main.js';
import { isPlay, state, view } from './state.js';

const marks = { passed: ['●', 'passed'], failed: ['◐', 'begun'], error: ['◐', 'begun'], not_attempted: ['○', 'not begun'] };

function item(file, name, status, title) {
    const [mark, said] = marks[status] ?? ['', ''];
    return el('li', el('button', { type: 'button', title, 'aria-current': file === state.file ? 'true' : undefined, onclick: () => open(file) },
        el('span.dot', { 'aria-hidden': 'true' }, mark), name, el('span.hidden', `, ${said}`)));
}

let drawn; // the file at which the list was drawn last

// What the learner has unfolded stays so until another file is opened.
const unfolded = () => state.file !== drawn ? new Set() : new Set([...at('labs').querySelectorAll('details[open]')].map(d => d.dataset.of));

function lab(l, open) {
    const here = l.exercises.some(x => x.file === state.file), passed = l.exercises.filter(x => x.status === 'passed').length;
    return el('details', { open: here || open.has(l.lab), 'data-of': l.lab }, el('summary', el('span', l.lab.replace('-', ' ')),
        el('span.dots', { role: 'img', 'aria-label': `${passed} of ${l.exercises.length} passed` }, l.exercises.map(x => marks[x.status][0]).join(''))),
    el('ul', l.exercises.map(x => item(x.file, x.exercise, x.status, x.title))));
}

view(['labs', 'file', 'plays'], s => {
    if (!s.labs) return;
    const open = unfolded(), focus = document.activeElement?.closest('#labs') ? document.activeElement.textContent : null;
    fill(at('labs'), el('p.small', `${s.labs.passed} of ${s.labs.count} passed`), s.labs.labs.map(l => lab(l, open)),
        el('details', { open: isPlay() || open.has('own'), 'data-of': 'own' }, el('summary', 'your own'), el('ul', s.plays.map(f => item(f, f.slice(5), '', f)),
            el('li', el('button', { type: 'button', onclick: newPlay }, el('span.dot', { 'aria-hidden': 'true' }, '+'), 'a new file')))));
    drawn = s.file;
    if (focus) [...at('labs').querySelectorAll('button, summary')].find(b => b.textContent === focus)?.focus();
});
