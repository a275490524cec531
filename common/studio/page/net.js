// net.js - requests and events. Every address is relative to the page's.
import { set, state } from './state.js';

const query = values => Object.entries(values).filter(([, v]) => v !== '' && v !== undefined && v !== null)
    .map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join('&');

async function get(address, options) {
    const answer = await fetch(address, { credentials: 'same-origin', ...options });
    if (!answer.ok && answer.status !== 409) throw new Error((await answer.text()).trim() || `the server says ${answer.status}`);
    return answer;
}

async function ask(address, options) {
    const answer = await get(address, options);
    return { status: answer.status, value: await answer.json() };
}

export const readFile = async file => (await ask(`file?${query({ file })}`)).value;
export const readStart = async name => (await get(`${name}.cu`)).text();
export const readAbout = async () => (await ask('about')).value;
// {status: 200, value: {version}}, or 409 and what is on the disk.
export const saveFile = (file, base, text) => ask(`save?${query({ file, base })}`, { method: 'POST', body: text });

export async function run(job, values = {}) {
    set({ running: { ...state.running, [job]: performance.now() }, said: { ...state.said, [job]: undefined } });
    try {
        await ask(`run?${query({ job, ...values })}`, { method: 'POST', body: '' });
    } catch (e) {
        const running = { ...state.running };
        delete running[job];
        set({ running, said: { ...state.said, [job]: e.message } });
    }
}

// A browser opens few connections to a server: of all tabs one listens, and tells the others.
export function listen(heard, opened) {
    const tell = 'BroadcastChannel' in window ? new BroadcastChannel('lockstep-studio') : null;
    const hear = m => m.opened ? opened() : m.closed ? set({ online: false }) : heard(m);
    const pass = m => { hear(m); tell?.postMessage(m); };
    if (tell) tell.onmessage = e => hear(e.data);
    const open = () => new Promise(() => {
        const connect = () => {
            const source = new EventSource('events');
            source.onopen = () => pass({ opened: true });
            source.onmessage = e => pass(JSON.parse(e.data));
            source.onerror = () => {
                pass({ closed: true });
                source.close();
                setTimeout(connect, 1000);
            };
        };
        connect();
    });
    const name = 'lockstep-studio';
    if (!navigator.locks || !tell) return open();
    navigator.locks.request(name, { ifAvailable: true }, lock => {
        if (lock) return open();
        opened(); // another tab listens; when it is closed, this one may
        navigator.locks.request(name, open);
    });
}
