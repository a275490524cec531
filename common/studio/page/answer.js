// answer.js - the answer, in the three steps of the terminal: where to look, what is wrong there, an edit that mends it.
import { at, el, fill, number, words } from './dom.js';
import { goTo, keys, next, open } from './main.js';
import { exercise, isPlay, set, state, view } from './state.js';

const toLine = (line, text) => el('button.link', { type: 'button', onclick: () => goTo(line) }, text ?? `line ${line}`);
// A place of the file is a link to its line, where the terminal names the file.
const told = text => text.split(/(\S+\.cu?:\d+)/).map(part => /\S\.cu?:\d+$/.test(part) ? toLine(+part.match(/\d+$/)[0]) : words(part));
const verdicts = { passed: ['✓', 'Passed'], failed: ['✗', 'Not passed yet'], not_attempted: ['○', 'Nothing to judge yet'], error: ['✗', 'It cannot be run'] };

function cause(a) {
    const c = a.cause, part = state.part, head = c.told[part];
    const more = ['what is wrong there?', 'show an edit that corrects it'][part];
    return el('section.card.cause', head && el('p', `${head}:`), c.places.map(p => el('div', el('p', toLine(p.line), ': ', words(p.told[part])), source(p.line, p.column, p.width))),
        more && el('button.main', { type: 'button', onclick: keys.w }, more, ' ', el('kbd', 'w')));
}

function source(line, column, width) {
    const text = (state.shownText ?? '').split('\n')[line - 1];
    if (text === undefined) return null;
    const from = column ? column - 1 : 0, indent = Math.min(from || Infinity, text.length - text.trimStart().length);
    return el('pre.source', text.slice(indent, from), column ? el('mark', text.slice(from, from + width)) : '', text.slice(column ? from + width : from));
}

function budgets(k) {
    if (!k.budgets.length) return null;
    return el('table.budgets', el('thead', el('tr', el('th', { scope: 'col' }, el('span.hidden', 'met')), ['counter', 'counted', 'budget'].map(t => el('th', { scope: 'col' }, t)))),
        el('tbody', k.budgets.flatMap(b => [
            el('tr', { class: b.met ? 'met' : 'missed' }, el('td', b.met ? '✓' : '✗', el('span.hidden', b.met ? 'met' : 'missed')), el('td.name', b.name.replaceAll('_', '_\u200b')),
                el('td.number', b.value), el('td', `${b.rule} ${b.limit}`)),
            b.why && el('tr.why', el('td'), el('td', { colspan: 3 }, words(b.why), b.line ? [' ', toLine(b.line)] : ''))])));
}

export function bars(rungs) {
    const most = Math.max(...rungs.map(r => r.ms));
    return el('table.bars', el('tbody', rungs.map(r => el('tr', { class: r.own ? 'own' : '' }, el('th', { scope: 'row' }, r.open ? el('button.link', { type: 'button', title: `open ${r.open}`, onclick: () => open(r.open) }, r.name) : r.name),
        el('td.bar', el('span', { '--part': r.ms / most })), el('td.number', `${number(r.ms)} ms`), r.device && el('td.small', r.device)))));
}

function kernel(k) {
    if (k.suspect) return el('section.card', el('h3', k.kernel, el('span.small', ' given')), el('p', words(k.suspect)));
    if (!k.own) return el('p.small', el('code', k.kernel), ` (given): correct, ${number(k.time_ms)} ms`, k.limited_by ? `; limited by: ${k.limited_by}` : '');
    return el('section.card', el('h3', k.kernel, el('span.good', ' correct'), el('span.small', ` at ${k.size}`)), budgets(k),
        el('p', k.time, k.limited_by && `; limited by: ${k.limited_by}`),
        k.rungs ? [bars(k.rungs), k.gain && el('p.good', k.gain)] : k.reference_ms && el('p.small', `reference: ${number(k.reference_ms)} ms`));
}

function predicted(a) {
    const right = a.predictions.filter(p => p.state === 'right').length;
    if (!a.predictions.length) return null;
    return el('p', `predictions: ${right} of ${a.predictions.length} right `, el('button.link', { type: 'button', onclick: keys.g }, right < a.predictions.length ? 'predict' : 'look', ' ', el('kbd', 'g')));
}

function full(a) {
    const [mark, said] = verdicts[a.status], passed = a.status === 'passed';
    return [el('h2', { class: passed ? 'good' : a.status === 'not_attempted' ? '' : 'wrong' }, el('span', { 'aria-hidden': 'true' }, mark), ` ${said}`, el('span.points', a.points)),
        a.message && (a.message.includes('\n') ? el('pre.message', { tabindex: '0', role: 'region', 'aria-label': 'message' }, a.message) : el('p.message', told(a.message))),
        !a.cause && a.lines.length > 0 && a.lines.map(l => el('div', el('p', toLine(l)), source(l))),
        a.cause && cause(a),
        a.warnings && el('pre.message', { tabindex: '0', role: 'region', 'aria-label': 'warnings' }, a.warnings),
        a.printed && el('section.card', el('h3', 'printed by the kernel'), el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': 'printed' }, a.printed)),
        a.kernels.filter(k => k.own).map(kernel), predicted(a), a.kernels.filter(k => !k.own).map(kernel),
        passed && el('p', el('button.main', { type: 'button', onclick: () => next(1) }, 'next exercise ', el('kbd', 'n')))];
}

const wait = () => el('p.waiting', { role: 'status' }, 'running ...');

function hint(s) {
    const x = exercise(), h = s.hint;
    if (!x) return null;
    return el('section.hints', h && el('div.card', h.text.trim().replace(/\n\s*(?!\s*\d+\. )/g, ' ').split('\n').map(one => el('p', words(one.trim()))), h.there ? el('p.small', `hint ${h.shown} of ${h.there}`) : ''),
        (!h || h.shown < h.there) && el('button', { type: 'button', onclick: keys.h }, h ? 'one more hint ' : 'a hint ', el('kbd', 'h')));
}

function first(s) {
    const x = exercise();
    if (isPlay()) return [el('h2', 'A file of your own'), el('p', 'Its line ', el('code', '// launch:'), ' says how a kernel is launched. Save it, and each line gets its cost.')];
    return x && [el('h2', x.exercise), el('p', x.title), el('p', 'Write, then save with ', el('kbd', 'Ctrl-S'), ': the answer appears here.'),
        x.predictions.length > 0 && el('p', `Before that, ${x.predictions.length === 1 ? 'a question wants' : `${x.predictions.length} questions want`} a number of yours: `, el('button.link', { type: 'button', onclick: keys.g }, 'predict ', el('kbd', 'g')))];
}

view(['answer', 'early', 'part', 'running', 'hint', 'file', 'labs', 'said', 'profile'], s => {
    const box = at('answer'), busy = s.running.lab || s.running.play, all = box.querySelector('details.all')?.open;
    fill(box, s.said.lab || s.said.play ? el('pre.message', { tabindex: '0', role: 'region', 'aria-label': 'message' }, s.said.lab ?? s.said.play)
        : s.early ? [el('h2.wrong', el('span', { 'aria-hidden': 'true' }, '✗'), ' Not right yet'), el('p.message', el('code', s.early.kernel), ': ', told(s.early.wrong)), el('p.waiting', 'Looking for the cause ...')]
        : s.answer ? [busy && wait(), full(s.answer)]
        : s.profile && isPlay() ? s.profile.kernels.map(k => el('section.card', el('h2', k.kernel), el('p', `${number(k.time_ms)} ms ${k.time_is}; limited by: ${k.bottleneck}`),
            k.printed && el('pre.scroll', k.printed), k.costs.map(c => el('p', toLine(c.line), `, ${Math.round(100 * c.share)}%: `, words(c.text)))))
        : busy ? wait() : first(s),
    hint(s),
    s.answer && el('details.all', { open: all }, el('summary', 'everything that is known ', el('kbd', 'c')), el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': 'everything' }, s.answer.text)));
});
