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

function lab(l) {
    const here = l.exercises.some(x => x.file === state.file), passed = l.exercises.filter(x => x.status === 'passed').length;
    return el('details', { open: here }, el('summary', el('span', l.lab.replace('-', ' ')),
        el('span.dots', { role: 'img', 'aria-label': `${passed} of ${l.exercises.length} passed` }, l.exercises.map(x => marks[x.status][0]).join(''))),
    el('ul', l.exercises.map(x => item(x.file, x.exercise, x.status, x.title))));
}

view(['labs', 'file', 'plays'], s => {
    if (!s.labs) return;
    const focus = document.activeElement?.closest('#labs') ? document.activeElement.textContent : null;
    fill(at('labs'), el('p.small', `${s.labs.passed} of ${s.labs.count} passed`), s.labs.labs.map(lab),
        el('details', { open: isPlay() }, el('summary', 'your own'), el('ul', s.plays.map(f => item(f, f.slice(5), '', f)),
            el('li', el('button', { type: 'button', onclick: newPlay }, el('span.dot', { 'aria-hidden': 'true' }, '+'), 'a new file')))));
    if (focus) [...at('labs').querySelectorAll('button, summary')].find(b => b.textContent === focus)?.focus();
});
