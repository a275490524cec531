// export.js - what is known of the file as one HTML page that opens anywhere: the page of `lockstep profile --html`, with the answer as
// the terminal has it, and the whole file.
import { download } from './dom.js';
import { simulated } from './main.js';
import { run } from './net.js';
import { isPlay, state } from './state.js';

const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const part = (title, text, open) => text ? `<details class="part"${open}><summary><h2>${title}</h2></summary>\n<div class="scroll"><pre>${escaped(text)}</pre></div></details>\n` : '';

// Without a page: ask for one. With it: hand it to the browser as a file.
export function exportPage(page) {
    if (page === undefined) return run(isPlay() ? 'playpage' : 'page', { file: state.file, device: simulated() });
    if (!page.startsWith('<!DOCTYPE')) return {};
    const whole = page.replace('<nav ', () => `${part('The answer', state.answer?.text, ' open')}${part('The whole file', state.shownText, '')}<nav `);
    download(`${state.file.replaceAll('/', '-').replace(/\.\w+$/, '')}.html`, whole, 'text/html');
    return { said: { ...state.said, page: undefined, playpage: undefined } };
}
