// slide.js - the slides of the lab from the one that the exercise names, as text; a deck that was made is a page of its own.
import { el, words } from './dom.js';
import { run } from './net.js';
import { exercise, state } from './state.js';

// Headings, lists, code and paragraphs of the text that the terminal shows.
function prose(text) {
    const out = [];
    for (const part of text.replace(/\n(?=# )/g, '\n\n').replace(/(?<=^|\n)(# [^\n]*)\n/g, '$1\n\n').split(/\n{2,}/)) {
        const lines = part.replace(/^\n+|\s+$/g, '').split('\n'), last = out.at(-1);
        if (!lines[0]) continue;
        if (lines[0].startsWith('# ')) out.push(el('h3', words(lines[0].slice(2))));
        else if (/^( {4}|\||```)/.test(lines[0])) {
            const code = lines.filter(l => !l.startsWith('```')).join('\n');
            if (last?.nodeName === 'PRE') last.textContent += `\n\n${code}`;
            else out.push(el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': `code ${out.length}` }, code));
        } else if (lines[0].startsWith('- ')) out.push(el('ul', lines.join('\n').split(/\n(?=- )/).map(l => el('li', words(l.slice(2).replace(/\s*\n\s*/g, ' '))))));
        else out.push(el('p', words(lines.join(' '))));
    }
    return out;
}

export function drawSlide(s) {
    const x = exercise();
    if (!x) return el('p.small', 'A file of your own has no slides.');
    if (!s.slide) {
        if (!s.running.slide && !s.said.slide) queueMicrotask(() => run('slide', { file: state.file }));
        return el('p.waiting', s.said.slide ?? 'opening ...');
    }
    return el('div.slides', s.slide.page && el('p', el('a', { href: `slides/${s.slide.page}`, target: '_blank', rel: 'noopener' }, 'the whole deck')), prose(s.slide.text));
}
