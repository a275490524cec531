// slide.js - the slides of the lab from the one that the exercise names; a deck that was made is a page of its own.
import { el, svg, words } from './dom.js';
import { run } from './net.js';
import { exercise, set, state } from './state.js';

const cells = line => line.split(/(?<!\\)\|/).slice(1, -1).map(c => words(c.trim().replaceAll('\\|', '|')));
function table(lines, label) {
    const [head, , ...rows] = lines.map(cells);
    return el('div.scroll', { tabindex: '0', role: 'region', 'aria-label': label }, el('table', el('thead', el('tr', head.map(c => el('th', { scope: 'col' }, c)))), el('tbody', rows.map(r => el('tr', r.map(c => el('td', c)))))));
}

// A figure, if it has come: null is one that only the deck has. They are drawn for the tab of the slides alone.
function figure(picture, label) {
    if (picture === undefined) return state.tab !== 'slide' ? el('p.small', 'A figure: ', el('kbd', 's')) : state.running.figures ? el('p.waiting', 'drawing ...') : el('p.small', 'A figure that cannot be drawn.');
    return picture ? el('div.scroll.picture', { tabindex: '0', role: 'region', 'aria-label': label }, svg(picture)) : el('p.small', 'A figure with sliders, which is in the whole deck: make slides.');
}

// Headings, lists, tables, code, figures and paragraphs of the text that the terminal shows.
function prose(text, figures) {
    const out = [];
    let drawn = 0;
    for (const part of text.replace(/\n(?=# | {4}\[a figure\])/g, '\n\n').replace(/(?<=^|\n)(# [^\n]*| {4}\[a figure\])\n/g, '$1\n\n').split(/\n{2,}/)) {
        const lines = part.replace(/^\n+|\s+$/g, '').split('\n'), last = out.at(-1);
        if (!lines[0]) continue;
        if (lines[0].startsWith('# ')) out.push(el('h3', words(lines[0].slice(2))));
        else if (lines[0] === '    [a figure]') out.push(figure(figures[drawn], `figure ${++drawn}`));
        else if (lines[0].startsWith('|')) out.push(table(lines, `table ${out.length}`));
        else if (/^( {4}|```)/.test(lines[0])) {
            const code = lines.filter(l => !l.startsWith('```')).map(l => l.replace(/^ {4}/, '')).join('\n');
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
    if (s.tab === 'slide' && !s.figures) queueMicrotask(() => { set({ figures: [] }); run('figures', { file: state.file }); });
    return el('div.slides', s.slide.page && el('p', el('a', { href: `slides/${s.slide.page}`, target: '_blank', rel: 'noopener' }, 'the whole deck')), prose(s.slide.text, s.figures ?? []));
}
