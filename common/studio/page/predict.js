// predict.js - numbers that the learner writes down before the run. They go into the PREDICT lines of the file.
import { el, words } from './dom.js';
import { save, typed, write } from './main.js';
import { exercise } from './state.js';

const inFile = name => new RegExp(`(PREDICT\\(\\s*${name}\\s*,\\s*)([^)\\n]*)(\\))`);

function put(form) {
    let text = typed();
    for (const input of form.querySelectorAll('input')) {
        const value = input.value.trim();
        if (/^[0-9][0-9 *+]*$/.test(value)) text = text.replace(inFile(input.name), (all, a, b, c) => a + value + c);
    }
    write(text);
    save();
}

export function drawPredict(s) {
    const x = exercise(), asked = x?.predictions ?? [];
    if (!asked.length) return el('p.small', x ? 'This exercise asks for no prediction.' : 'Exercises ask for predictions, files of your own do not.');
    return el('form.predict', { onsubmit: e => { e.preventDefault(); put(e.target); } },
        el('p', 'Write a whole number, or a product such as 31 * 32. Your first guess is kept.'),
        asked.map(q => {
            const now = typed().match(inFile(q.name))?.[2] ?? '', told = s.answer?.predictions.find(p => p.name === q.name);
            return el('div.question', el('label', el('span', words(q.question)), el('input', { name: q.name, value: now === 'UNKNOWN' ? '' : now, inputmode: 'numeric', autocomplete: 'off', size: 12, 'data-keep': q.name })),
                told && told.state !== 'open' && el(told.state === 'right' ? 'p.good' : 'p.wrong', told.state === 'right' ? '✓ right' : '✗ not right', told.counted ? `: ${told.counted}` : ''),
                told?.drawing && el('pre.drawing', told.drawing));
        }), el('p', el('button.main', { type: 'submit' }, 'write into the file and run')));
}
