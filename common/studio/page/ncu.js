// ncu.js - the same in NVIDIA's profiler: the exercise as a program, the commands, and what the simulator counts of it.
import { download, el } from './dom.js';
import { simulated } from './main.js';
import { run } from './net.js';
import { exercise, state } from './state.js';

export function drawNcu(s) {
    if (!exercise()) return el('p.small', 'An exercise becomes a program. A file of your own is one, if it has a main.');
    if (s.said.ncu) return el('p.message', s.said.ncu);
    if (!s.ncu) {
        if (!s.running.ncu) queueMicrotask(() => run('ncu', { file: state.file, device: simulated() }));
        return el('p.waiting', 'writing the program ...');
    }
    return [el('p.controls', el('button.main', { type: 'button', 'data-keep': 'ncu', onclick: () => download(s.ncu.file, s.ncu.program, 'text/plain') }, 'keep the program'), s.ncu.file),
        el('pre.scroll', { tabindex: '0', role: 'region', 'aria-label': 'commands and counts', 'data-keep': 'counts' }, s.ncu.text)];
}
