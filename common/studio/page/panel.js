// panel.js - the pictures below the editor: a tab for each.
import { at, el, fill } from './dom.js';
import { drawCompare } from './compare.js';
import { drawLadder } from './ladder.js';
import { drawLines, drawPtx } from './lines.js';
import { drawNcu } from './ncu.js';
import { drawPredict } from './predict.js';
import { drawSlide } from './slide.js';
import { drawStep } from './step.js';
import { set, state, view } from './state.js';

const tabs = [['lines', 'lines', 'm', drawLines], ['step', 'step', 't', drawStep], ['ladder', 'ladder', 'e', drawLadder], ['predict', 'predict', 'g', drawPredict],
    ['slide', 'slides', 's', drawSlide], ['compare', 'compare', 'v', drawCompare], ['ncu', 'ncu', 'u', drawNcu], ['ptx', 'PTX', 'x', drawPtx]];

function choose(name) {
    set({ tab: name });
    at(`tab-${name}`).focus();
}

function onKey(e) {
    const i = tabs.findIndex(t => t[0] === state.tab), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    const to = e.key === 'Home' ? 0 : e.key === 'End' ? tabs.length - 1 : by ? (i + by + tabs.length) % tabs.length : -1;
    if (to < 0) return;
    e.preventDefault();
    choose(tabs[to][0]);
}

view(['tab'], s => {
    const had = at('tabs').contains(document.activeElement);
    fill(at('tabs'), tabs.map(([name, text, key]) => el('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': String(name === s.tab), 'aria-controls': 'panel',
        tabindex: name === s.tab ? '0' : '-1', onclick: () => choose(name), onkeydown: onKey }, text, ' ', el('kbd', { 'aria-hidden': 'true' }, key))));
    if (had) at(`tab-${s.tab}`).focus();
});
view(['tab', 'profile', 'line', 'kernel', 'step', 'stop', 'labs', 'answer', 'compare', 'ncu', 'slide', 'figures', 'running', 'said', 'file', 'version', 'devices', 'device'], s => {
    const panel = at('panel'), name = s.tab, focus = panel.contains(document.activeElement) ? document.activeElement.dataset.keep : null;
    panel.setAttribute('aria-labelledby', `tab-${name}`);
    panel.className = name;
    const [, title, , draw] = tabs.find(t => t[0] === name);
    fill(panel, el('h2.hidden', title), draw(s));
    if (focus) panel.querySelector(`[data-keep="${focus}"]`)?.focus();
});
