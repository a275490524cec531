// compare.js - the counts of one GPU beside another's.
import { el, number } from './dom.js';
import { simulated } from './main.js';
import { run } from './net.js';
import { exercise, state } from './state.js';

const shown = [['time', d => `${number(d.time_ms)} ms`], ['limited by', d => d.limited_by],
    ...[['sectors a load request', 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio'], ['sectors a store request', 'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio'],
        ['bank conflicts of loads', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'], ['bank conflicts of stores', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'],
        ['occupancy %', 'sm__warps_active.avg.pct_of_peak_sustained_active'], ['warp instructions', 'smsp__inst_executed.sum'], ['bytes read from DRAM', 'dram__bytes_read.sum']]
        .map(([name, key]) => [name, d => d.counters[key] === undefined ? '-' : number(d.counters[key])])];

let other = 'sim:t4';

export function drawCompare(s) {
    const x = exercise();
    if (!x || x.host) return el('p.small', 'Kernels of an exercise are compared.');
    const first = simulated();
    const ask = () => run('compare', { file: state.file, device: `${first},${other}` });
    return [el('p.controls', `${first} beside `, el('select', { 'aria-label': 'another GPU', 'data-keep': 'other', onchange: e => { other = e.target.value; ask(); } },
        s.devices.map(d => el('option', { value: d.device, selected: d.device === other }, `${d.device}, ${d.title}`))), ' ',
    el('button.main', { type: 'button', 'data-keep': 'compare', onclick: ask }, 'compare')),
    s.said.compare && el('p.message', s.said.compare), s.running.compare && el('p.waiting', 'running on both ...'),
    s.compare?.map(k => el('section', el('h3', k.kernel, el('span.small', ` at ${k.size}`)), el('table.compare',
        el('thead', el('tr', el('th', { scope: 'col' }, el('span.hidden', 'count')), k.devices.map(d => el('th.number', { scope: 'col' }, d.device)))),
        el('tbody', shown.map(([name, value]) => {
            const cells = k.devices.map(d => d.refused ?? value(d));
            return el('tr', { class: new Set(cells).size > 1 ? 'changed' : '' }, el('th', { scope: 'row' }, name), cells.map(c => el('td.number', c)));
        })))))];
}
