// play.js - a new file of the learner's own, with a kernel to begin from.
import { at, el, fill } from './dom.js';
import { open, refreshPlays } from './main.js';
import { readFile, readStart, saveFile } from './net.js';
import { exercises } from './state.js';

// The files in ../starts.
const starts = { saxpy: 'y = a x + y', strided: 'a strided copy', transpose: 'a transpose, as it comes', columns: 'sums of columns', histogram: 'a histogram with shared atomics' };

// An exercise has its launch from the kit. A copy gets a line of its own to begin from, with a word for each parameter.
function withLaunch(text) {
    const [, name, parameters] = text.match(/__global__[^(]*?(\w+)\s*\(([^)]*)\)/) ?? [];
    if (!name) return text;
    const block = text.match(/BLOCK\((\d+), (\d+)\)/)?.slice(1) ?? [16, 16];
    const words = parameters.split(',').map(p => {
        const type = /double/.test(p) ? 'f64' : /float/.test(p) ? 'f32' : /unsigned/.test(p) ? 'u32' : 'i32';
        return p.includes('*') ? `buf:${type}:65536${p.includes('const') ? ':rand' : ':zero'}` : `${type}:64`;
    });
    return `// launch: --kernel ${name} --grid 4 --block ${block.join(',')} ${words.join(' ')}\n${text}`;
}

const read = async from => from.includes('/') ? withLaunch((await readFile(from)).text) : readStart(from);

export function newPlay() {
    const dialog = at('dialog'), note = el('p.wrong', { role: 'alert' });
    const make = async e => {
        e.preventDefault();
        const name = e.target.elements.name.value.trim();
        if (!/^[A-Za-z0-9_][A-Za-z0-9_-]{0,40}$/.test(name)) return fill(note, 'Letters, digits and _ make a name.');
        try {
            const made = await saveFile(`play/${name}.cu`, '', await read(e.target.elements.from.value));
            if (made.status === 409) return fill(note, `${name}.cu is there already.`);
        } catch (error) { return fill(note, error.message); }
        dialog.close();
        await refreshPlays();
        open(`play/${name}.cu`);
    };
    fill(dialog, el('form', { onsubmit: make }, el('h2', 'A file of your own'), el('p', 'It is written to play/ in your folder, with a kernel to begin from.'),
        el('p', el('label', 'name ', el('input', { name: 'name', value: 'mine', autocomplete: 'off', size: 20 }), '.cu')),
        el('p', el('label', 'begin from ', el('select', { name: 'from' },
            el('optgroup', { label: 'kernels' }, Object.entries(starts).map(([value, said]) => el('option', { value }, `${value}: ${said}`))),
            el('optgroup', { label: 'your exercises, as they are now' }, exercises().filter(x => !x.host).map(x => el('option', { value: x.file }, x.file)))))), note,
        el('p', el('button.main', { type: 'submit' }, 'make it'), ' ', el('button', { type: 'button', onclick: () => dialog.close() }, 'leave'))));
    dialog.showModal();
    dialog.querySelector('input').select();
}
