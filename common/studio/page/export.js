// export.js - what is known of the file as one HTML page that opens anywhere; the C program writes it.
import { el } from './dom.js';
import { simulated } from './main.js';
import { run } from './net.js';
import { isPlay, state } from './state.js';

// Without a page: ask for one. With it: hand it to the browser as a file.
export function exportPage(page) {
    if (page === undefined) return run(isPlay() ? 'playpage' : 'page', { file: state.file, device: simulated() });
    if (!page.startsWith('<!DOCTYPE')) return {};
    const link = el('a', { href: URL.createObjectURL(new Blob([page], { type: 'text/html' })), download: `${state.file.replaceAll('/', '-').replace(/\.\w+$/, '')}.html` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return { said: { ...state.said, page: undefined, playpage: undefined } };
}
