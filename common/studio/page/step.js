// step.js - one warp, stepped by source line, forwards and back.
import { el } from './dom.js';
import { runStep } from './actions.js';
import { set, state } from './state.js';

const said = { '#': 'runs', '.': 'waits for other lanes', B: 'waits at a barrier', x: 'has returned', ' ': 'is no thread' };
const go = to => set({ stop: Math.max(0, Math.min(state.step.stops.length - 1, to)) });
function find(wish) {
    const to = state.step.stops.findIndex((s, i) => i > state.stop && wish(s));
    if (to >= 0) go(to);
}

function lanes(stop) {
    return el('div.lanes', { role: 'img', 'aria-label': Object.entries(said).map(([c, text]) => [[...stop.lanes].filter(x => x === c).length, text]).filter(([n]) => n).map(([n, text]) => `${n} lanes: ${text}`).join('; ') },
        [...stop.lanes].map((c, lane) => el(c === '#' ? 'span.runs' : 'span', { title: `lane ${lane} ${said[c]}` }, c)));
}

function tiles(step, at) {
    const held = step.arrays.map(() => new Map());
    for (let k = 0; k <= at; k++) for (const [a, i, text] of step.stops[k].wrote) held[a].set(i, text);
    return step.arrays.map((array, a) => {
        const on = new Set(step.stops[at].access.filter(x => x.array === a).flatMap(x => x.elements)), rows = [];
        for (let i = 0; i < array.count && i < 2048; i += array.columns)
            rows.push(el('tr', Array.from({ length: Math.min(array.columns, 64) }, (_, c) => el(on.has(i + c) ? 'td.on' : 'td', held[a].get(i + c) ?? '-'))));
        return el('div.scroll', { tabindex: '0', role: 'region', 'aria-label': array.name }, el('table.tile', el('caption', `${array.name}: rows of ${array.columns}`), el('tbody', rows)));
    });
}

const button = (name, keep, act, disabled) => el('button', { type: 'button', 'data-keep': keep, onclick: act, disabled }, name);

export function drawStep(s) {
    const why = s.said.step ?? s.said.playstep, step = s.step, stop = step?.stops[s.stop];
    if (!step) return [why ? el('p.message', why) : null, s.running.step || s.running.playstep ? el('p.waiting', 'recording a warp ...')
        : el('p', el('button.main', { type: 'button', onclick: () => runStep() }, 'step through warp 0'))];
    return [el('div.controls', button('← back', 'back', () => go(s.stop - 1), s.stop === 0), button('on →', 'on', () => go(s.stop + 1), s.stop + 1 === step.stops.length),
        el('input', { type: 'range', min: 1, max: step.stops.length, value: s.stop + 1, 'aria-label': 'step', 'data-keep': 'slider', oninput: e => go(+e.target.value - 1) }),
        el('output', `step ${s.stop + 1} of ${step.stops.length}`),
        button('next barrier', 'barrier', () => find(x => x.barrier)), button('next conflict', 'waste', () => find(x => x.access.some(a => a.waste))),
        step.fault && button('fault', 'fault', () => find(x => x.fault)), button('record again', 'again', () => runStep())),
    step.race && el('p.wrong', step.race.text),
    stop && el('div.columns', el('div', el('p', `${step.kernel}, block (${step.block.join(', ')}), warp ${step.warp}; line ${stop.line}`), el('pre.source', step.source[stop.line - 1]), lanes(stop),
        stop.fault && step.fault && el('p.wrong', step.fault),
        stop.access.map(a => [el(a.waste ? 'p.wrong' : 'p', a.text), a.drawing && el('pre.drawing', a.drawing)]), tiles(step, s.stop)),
    el('div.scroll', { tabindex: '0', role: 'region', 'aria-label': 'variables' }, el('table.rows', el('tbody', stop.rows.map(([name, text, is]) => el(is ? 'tr.changed' : 'tr', el('th', { scope: 'row' }, (is ? '* ' : '') + name), el('td', text)))))))];
}
