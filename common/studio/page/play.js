// play.js - a new file of the learner's own.
import { at, el, fill } from './dom.js';
import { open, refreshPlays } from './main.js';
import { saveFile } from './net.js';

const begin = `// launch: --kernel saxpy --grid 4 --block 256 i32:1024 f32:2 buf:f32:1024 buf:f32:1024:iota
// The words after launch: the kernel, its grid and block, then its arguments in order.
// i32:N u64:N f32:X f64:X buf:f32:COUNT[:rand|iota|zero|fill=V]

__global__ void saxpy(int n, float a, float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
`;

export function newPlay() {
    const dialog = at('dialog'), note = el('p.wrong', { role: 'alert' });
    const make = async e => {
        e.preventDefault();
        const name = e.target.elements.name.value.trim();
        if (!/^[A-Za-z0-9_][A-Za-z0-9_-]{0,40}$/.test(name)) return fill(note, 'Letters, digits and _ make a name.');
        try {
            const made = await saveFile(`play/${name}.cu`, '', begin);
            if (made.status === 409) return fill(note, `${name}.cu is there already.`);
        } catch (error) { return fill(note, error.message); }
        dialog.close();
        await refreshPlays();
        open(`play/${name}.cu`);
    };
    fill(dialog, el('form', { onsubmit: make }, el('h2', 'A file of your own'), el('p', 'It is written to play/ in your folder, with a kernel to begin from.'),
        el('label', 'name ', el('input', { name: 'name', value: 'mine', autocomplete: 'off', size: 20 }), '.cu'), note,
        el('p', el('button.main', { type: 'submit' }, 'make it'), ' ', el('button', { type: 'button', onclick: () => dialog.close() }, 'leave'))));
    dialog.showModal();
    dialog.querySelector('input').select();
}
