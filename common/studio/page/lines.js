// lines.js - what a line costs, and which lane touches which sector or bank; the PTX of each line.
import { el, number, svg, words } from './dom.js';
import { goTo } from './main.js';
import { drawSlide } from './slide.js';
import { exercise, isPlay, set, state } from './state.js';

const shown = [['sectors a request of loads', 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio'],
    ['sectors a request of stores', 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio'],
    ['warp instructions', 'smsp__inst_executed.sum'], ['bank conflicts of loads', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'],
    ['bank conflicts of stores', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum']];

export function nothingYet(s) {
    const why = s.said[isPlay() ? 'play' : 'profile'];
    if (why) return el('p.message', words(why));
    if (s.running.profile || s.running.lab || s.running.play) return el('p.waiting', 'counting ...');
    const host = exercise()?.host;
    return [el('p.small', host ? 'C for the CPU has no lanes to draw. The slide:' : 'When the kernel runs, each line gets its cost and its picture. Until then, the slide:'), drawSlide(s)];
}

// Which kernel of the profile is shown.
export function kernelChoice(s) {
    const all = s.profile.kernels;
    return all.length < 2 ? null : el('label', 'kernel ', el('select', { 'data-keep': 'kernel', onchange: e => set({ kernel: +e.target.value, line: 0 }) },
        all.map((k, i) => el('option', { value: i, selected: i === s.kernel }, k.kernel))));
}

function line(l) {
    return el('li', el('button.cost', { type: 'button', 'data-keep': `line${l.line}`, 'aria-current': l.line === state.line ? 'true' : undefined, onclick: () => goTo(l.line), '--share': l.share },
        el('span.number', `${Math.round(100 * l.share)}%`), el('span.number.faint', String(l.line)), el('code', l.source)));
}

const drawing = (picture, label) => el('div.scroll', { tabindex: '0', role: 'region', 'aria-label': label }, picture);

// In a picture that has just come each lane's line runs to what the lane touches (studio.css).
let seen = '';
function travelling(picture, shown) {
    if (shown !== seen && picture) {
        picture.classList.add('new');
        for (const line of picture.querySelectorAll('line')) line.setAttribute('pathLength', 1);
    }
    seen = shown;
    return picture;
}

export function drawLines(s) {
    if (!s.profile) return nothingYet(s);
    const k = s.profile.kernels[s.kernel] ?? s.profile.kernels[0];
    const hot = [...k.lines].filter(l => l.share >= 0.01).sort((a, b) => b.share - a.share).slice(0, 8).sort((a, b) => a.line - b.line);
    const at = s.line || k.costs[0]?.line || k.pictures[0]?.line, here = k.lines.find(l => l.line === at);
    const picture = k.pictures.find(p => p.line === at), cost = k.costs.find(c => c.line === at);
    const before = s.previous?.kernels.find(p => p.kernel === k.kernel)?.pictures.find(p => p.line === at);
    const was = picture && before && before.svg !== picture.svg ? before : null;
    const now = travelling(picture && svg(picture.svg), `${s.file} ${at} ${picture?.svg}`);
    return [el('div.side', kernelChoice(s), el('p', `${number(k.time_ms)} ms ${k.time_is}; limited by: ${k.bottleneck}`), el('h3', 'what the lines cost'), el('ol.costs', hot.map(line))),
        el('div.picture', el('h3', `line ${at}`, here && el('span.small', ` ${Math.round(100 * here.share)}% of the cost`)),
            here ? el('pre.source', here.source) : el('p.small', 'Nothing is executed in this line.'),
            now && drawing(now, `picture of line ${at}`), was && [el('p.small', 'before the last save:'), drawing(svg(was.svg), 'before the last save')], cost && el('p', words(cost.text)), !picture && here && el('p.small', 'This line accesses neither global nor shared memory.'),
            here && el('dl.counters', shown.filter(([, key]) => here.counters[key]).map(([name, key]) => el('div', el('dt', name), el('dd', number(here.counters[key])))))) ];
}

export function drawPtx(s) {
    if (!s.profile) return nothingYet(s);
    const k = s.profile.kernels[s.kernel] ?? s.profile.kernels[0];
    return el('div', kernelChoice(s), el('table', el('tbody', k.lines.filter(l => l.ptx).map((l, i) =>
        el('tr', { class: `c${i % 6}${l.line === s.line ? ' now' : ''}` }, el('th', { scope: 'row' }, el('button.link', { type: 'button', 'data-keep': `ptx${l.line}`, onclick: () => goTo(l.line) }, String(l.line))),
            el('td', el('pre', l.source)), el('td', el('pre', l.ptx.trimEnd())))))));
}
