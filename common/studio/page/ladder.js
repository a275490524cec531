// ladder.js - the learner's own times of each technique: what grows from lab to lab.
import { el } from './dom.js';
import { bars } from './answer.js';

export function drawLadder(s) {
    const ladders = (s.labs?.ladders ?? []).filter(l => l.rungs.length);
    if (!ladders.length) return el('p.small', 'Nothing yet: pass an exercise of C = A B or of the transpose, and its first rung is here.');
    return ladders.map(l => el('section.ladder', el('h3', l.problem), bars(l.rungs.map(r => ({ ...r, own: true, open: `${r.lab}/${r.exercise}.cu` })))));
}
