// slide.js - the slide of the exercise, as text; a deck that was made is a page of its own.
import { el, words } from './dom.js';
import { run } from './net.js';
import { exercise, state } from './state.js';

export function drawSlide(s) {
    const x = exercise();
    if (!x) return el('p.small', 'A file of your own has no slides.');
    if (!s.slide) {
        if (!s.running.slide && !s.said.slide) queueMicrotask(() => run('slide', { file: state.file }));
        return el('p.waiting', s.said.slide ?? 'opening ...');
    }
    return el('div.slides', s.slide.page && el('p', el('a', { href: `slides/${s.slide.page}`, target: '_blank', rel: 'noopener' }, 'the whole deck')), el('pre.prose', s.slide.text));
}
