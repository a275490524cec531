// help.js - the keys.
import { at, el, fill } from './dom.js';

const rows = [['Ctrl-S', 'save and run, also while typing'], ['Esc', 'out of the editor; then these keys hold'], ['i', 'into the editor'], ['Enter', 'save and run'], ['n  p', 'next and previous exercise'],
    ['l', 'the labs'], ['w', 'why: what is wrong there, then an edit that corrects it'], ['h', 'a hint, then another'], ['c', 'everything that is known'], ['m', 'lines: costs, lanes, sectors, banks'], ['t', 'step through a warp'],
    ['e', 'your ladder'], ['g', 'predict'], ['s', 'slides'], ['v', 'compare with another GPU'], ['u', 'the same in ncu, on a GPU'], ['x', 'PTX'], ['o', 'one HTML file of it, to keep or to hand on'], ['?', 'these keys']];

export function showHelp() {
    const dialog = at('dialog');
    fill(dialog, el('h2', 'Keys'), el('table', el('tbody', rows.map(([k, what]) => el('tr', el('th', { scope: 'row' }, k.split('  ').map(x => [el('kbd', x), ' '])), el('td', what))))),
        el('p.small', 'Each save keeps the version before in .studio/history of your folder. The page follows the file when another editor saves it.'),
        el('p', el('button.main', { type: 'button', onclick: () => dialog.close() }, 'close')));
    dialog.showModal();
}
