// main.js - the page: opens files, hears what the server tells, and gives each key its meaning.
import './answer.js';
import './labs.js';
import './panel.js';
import { at, el, fill } from './dom.js';
import { showConflict } from './conflict.js';
import { exportPage } from './export.js';
import { showHelp } from './help.js';
import { listen, readAbout, readFile, run, saveFile } from './net.js';
import { exercise, exercises, isPlay, set, state, view } from './state.js';

const nonce = document.querySelector('meta[name=nonce]').content;
history.replaceState(null, '', location.hash || './'); // keep the token out of the browser's history

// ---- the editor ----

let editor, saved = '', keeping;
const kept = file => `lockstep ${file}`;

async function makeEditor() {
    const options = { nonce, label: 'source', changed, save, leave: () => at('answer').focus(), picked: line => pickLine(line) };
    let make = null;
    try { make = (await import('./editor.js')).makeEditor; } catch { /* below */ }
    make ??= (await import('./textarea.js')).makeEditor;
    editor = make(at('editor'), options);
    if (editor.plain) at('above').append(el('p.small', 'A plain text area: npm was not there when the studio was made, so there is no editor with colours.'));
}

function changed() {
    const dirty = editor.text() !== saved;
    if (dirty !== state.dirty) set({ dirty });
    clearTimeout(keeping);
    keeping = setTimeout(keep, 300);
}

// What is typed and what undo knows survive a reload.
function keep() {
    if (!state.file) return;
    try {
        sessionStorage.setItem(kept(state.file), JSON.stringify({ version: state.version, saved, editor: editor.kept() }));
    } catch { /* it is too long to be kept */ }
}

function restore(file, text, version) {
    const before = JSON.parse(sessionStorage.getItem(kept(file)) ?? 'null');
    saved = text;
    set({ shownText: text });
    if (!before) return editor.open(text);
    editor.restore(before.editor);
    if (before.version === version || editor.text() === text) return;
    if (editor.text() === before.saved) editor.replace(text); // only the disk has changed
    else set({ version: before.version, conflict: { version, text } });
}

const none = { answer: null, early: null, part: 0, profile: null, previous: null, step: null, compare: null, ncu: null, hint: null, slide: null, figures: null, said: {}, line: 0, kernel: 0, stop: 0, conflict: null, running: {} };

let opening; // the last file that was asked for

export async function open(file) {
    if (file === state.file || !file || !state.labs) return;
    if (state.file) keep();
    opening = file;
    let read;
    try { read = await readFile(file); } catch (e) { return set({ said: { ...state.said, open: e.message } }); }
    if (opening !== file) return;
    set({ ...none, file, version: read.version, dirty: false });
    restore(file, read.text, read.version);
    set({ dirty: editor.text() !== saved });
    history.replaceState(null, '', `#${file}`);
    document.title = `${file} - Lockstep`;
    if (isPlay()) runPlay();
    else if (exercise() && exercise().status !== 'not_attempted') judge();
    at('labs').classList.remove('open');
    editor.focus();
}

export async function save() {
    const file = state.file, text = editor.text();
    if (!file) return;
    if (text === saved) return isPlay() ? runPlay() : judge();
    let answer;
    try { answer = await saveFile(file, state.version, text); } catch (e) { return set({ said: { ...state.said, save: e.message } }); }
    if (file !== state.file) return; // another was opened meanwhile
    set({ said: { ...state.said, save: undefined } });
    if (answer.status === 409 && answer.value.text !== text) return set({ conflict: answer.value });
    saved = text;
    set({ shownText: text });
    began(isPlay() ? 'play' : 'lab');
    set({ version: answer.value.version, dirty: editor.text() !== saved, conflict: null });
    keep();
}

// The learner has seen both texts and chosen.
export function settle(text, version, other) {
    saved = other;
    set({ shownText: other, version, conflict: null, ncu: null });
    if (editor.text() !== text) editor.replace(text);
    set({ dirty: editor.text() !== saved });
    keep();
}

async function follow(file, version) {
    if (file !== state.file || version === state.version) return;
    const read = await readFile(file);
    if (file !== state.file || read.version === state.version) return;
    if (editor.text() === read.text) return settle(read.text, read.version, read.text);
    if (state.dirty) return set({ conflict: { version: read.version, text: read.text } });
    settle(read.text, read.version, read.text);
}

// ---- what is asked for ----

// The device of profiles and steps, which a GPU cannot make.
export const simulated = () => state.device.startsWith('sim:') ? state.device : 'sim:h200';
const judge = () => { began('lab'); run('lab', { file: state.file, device: state.device }); };
export const runPlay = () => run('play', { file: state.file, device: simulated() });

function began(job) {
    set({ running: { ...state.running, [job]: performance.now() }, early: null, part: 0, ncu: null, said: { ...state.said, ncu: undefined } });
}

function heard(m) {
    if (m.changed === '.progress') return run('labs');
    if (m.changed) return follow(m.changed, m.version);
    if (m.file && m.file !== state.file) return;
    const running = { ...state.running };
    if (m.ended !== undefined) {
        delete running[m.job];
        if (m.job === 'lab') after();
        return set({ running, early: m.job === 'lab' ? null : state.early, ...(m.said ? { said: { ...state.said, [m.job]: m.said } } : {}) });
    }
    if (m.said !== undefined) return set({ said: { ...state.said, [m.job]: m.said }, ...(m.job === 'page' || m.job === 'playpage' ? exportPage(m.said) : {}) });
    const out = m.out, plain = { ...state.said, [m.job]: undefined };
    if (!running[m.job]) set({ running: { ...running, [m.job]: performance.now() } });
    if (m.job === 'labs') set({ labs: out });
    else if (m.job === 'devices') set({ devices: out });
    else if (m.job === 'lab' && out.wrong) set({ early: out, answer: null, said: plain });
    else if (m.job === 'lab') set({ answer: out, early: null, part: 0, said: plain });
    else if (m.job === 'play' || m.job === 'profile') set({ profile: out, previous: state.profile, said: plain });
    else if (m.job === 'playstep' || m.job === 'step') set({ step: out, stop: 0, said: plain });
    else if (m.job === 'figures') set({ figures: out.text ? [] : state.figures && [...state.figures, out.figure], said: plain });
    else set({ [m.job]: out, said: plain });
}

// After an answer, request the costs of the lines.
function after() {
    const x = exercise();
    if (x && !x.host && ['passed', 'failed'].includes(state.answer?.status)) run('profile', { file: state.file, device: simulated() });
}

export function pickLine(line) {
    set({ line, tab: 'lines' });
}
export function goTo(line) { editor.goTo(line); pickLine(line); }

export function next(by) {
    const all = exercises(), i = all.findIndex(x => x.file === state.file);
    const to = all[Math.max(0, Math.min(all.length - 1, i + by))];
    if (to) open(to.file);
}
export const typed = () => editor.text();
export const write = text => editor.replace(text);
export async function refreshPlays() { set({ plays: (await readAbout()).plays }); }

// ---- what the page shows of it ----

view(['answer', 'part', 'line', 'step', 'stop', 'tab'], s => {
    if (!editor) return;
    const rows = [];
    for (const p of s.answer?.cause?.places ?? []) rows.push({ kind: 'wrong', line: p.line, column: s.part >= 0 ? p.column : 0, width: p.width });
    if (s.tab === 'step' && s.step?.stops[s.stop]) rows.push({ kind: 'now', line: s.step.stops[s.stop].line });
    else if (s.line) rows.push({ kind: 'line', line: s.line });
    editor.setMarks(rows);
    if (rows.length && rows.at(-1).kind !== 'line') editor.reveal(rows.at(-1).line);
});
view(['profile', 'kernel'], s => {
    if (!editor) return;
    const most = new Map();
    for (const k of s.profile?.kernels ?? [])
        for (const l of k.lines) if (!most.has(l.line) || most.get(l.line).share < l.share) most.set(l.line, { share: l.share, kernel: k.kernel });
    editor.setHeat([...most].map(([line, { share, kernel }]) => ({ line, share, said: `${Math.round(100 * share)}% of what ${kernel} costs` })));
});
view(['file', 'labs', 'dirty', 'online', 'running', 'said'], s => {
    const x = exercise(), busy = Object.keys(s.running).filter(j => !['labs', 'devices', 'slide', 'figures'].includes(j));
    fill(at('title'), s.file ? [el('span.small', `${s.file.split('/')[0]} / `), s.file.split('/')[1]] : 'Lockstep studio');
    at('title').title = x?.title ?? '';
    fill(at('state'), !s.online ? el('span.wrong', 'the server does not answer; trying again ...') : s.said.save ?? s.said.open ? el('span.wrong', s.said.save ?? s.said.open)
        : s.dirty ? 'not saved' : busy.length ? 'running ...' : s.file ? 'saved' : '');
    at('run').disabled = !s.file;
});
view(['devices', 'device', 'answer'], s => {
    fill(at('device'), s.device && s.devices.some(d => d.device === s.device) ? '' : el('option', { value: s.device, selected: true }, s.device || s.answer?.device || 'the default'), s.devices.map(d => el('option', { value: d.device, selected: d.device === s.device }, d.device)));
});
view(['conflict'], showConflict);

at('device').addEventListener('change', e => {
    set({ device: e.target.value, profile: null, previous: null, step: null, ncu: null });
    if (isPlay()) runPlay();
    else if (state.file) judge();
});
at('run').addEventListener('click', save);
at('export').addEventListener('click', () => exportPage());
at('help').addEventListener('click', showHelp);
at('menu').addEventListener('click', () => {
    const open = at('labs').classList.toggle('open');
    at('menu').setAttribute('aria-expanded', open);
});

// ---- keys: those of make learn ----

export const tabs = { m: 'lines', t: 'step', e: 'ladder', g: 'predict', s: 'slide', v: 'compare', u: 'ncu', x: 'ptx' };
export const keys = {
    Enter: () => save(), n: () => next(1), p: () => next(-1), i: () => editor.focus(),
    w: () => state.answer?.cause && set({ part: Math.min(2, state.part + 1) }),
    h: () => run('hint', { file: state.file }),
    c: () => { const d = document.querySelector('#answer details.all'); if (d) { d.open = !d.open; d.scrollIntoView(); } },
    o: () => exportPage(),
    '?': () => showHelp(),
    l: () => { at('labs').classList.add('open'); at('labs').querySelector('[aria-current], button')?.focus(); },
};
for (const [key, tab] of Object.entries(tabs)) keys[key] = () => { set({ tab }); at('panel').focus(); };

document.addEventListener('keydown', e => {
    if ((e.ctrlKey || e.metaKey) && e.key === 's') {
        if (!e.defaultPrevented) save();
        e.preventDefault();
        return;
    }
    const inside = e.target.closest('input, textarea, select, [contenteditable=true], dialog');
    if (e.ctrlKey || e.metaKey || e.altKey || inside || !keys[e.key]) return;
    if (e.key === 'Enter' && e.target.closest('button, a, summary')) return;
    e.preventDefault();
    keys[e.key]();
});
addEventListener('beforeunload', keep);
addEventListener('hashchange', () => open(location.hash.slice(1)));

// ---- the beginning ----

let first = true;
async function opened() {
    set({ online: true });
    const about = await readAbout();
    set({ plays: about.plays, ...(first ? { device: about.device } : {}) });
    run('labs');
    if (first) run('devices');
    first = false;
    if (state.file) { // the server was away, and may be another one
        set({ running: {} });
        try { const read = await readFile(state.file); follow(read.file, read.version); } catch { /* it is told by the next save */ }
    }
}
view(['labs'], s => {
    if (!s.labs || s.file || !editor) return;
    // where the learner was last, or the next one that is not passed
    const all = exercises(), last = s.labs.at ? all.findIndex(x => x.lab === s.labs.at[0] && x.exercise === s.labs.at[1]) : 0;
    const first = [...all.slice(last), ...all].find(x => x.status !== 'passed') ?? all[0];
    open(location.hash.slice(1) || first.file);
});

await makeEditor();
listen(heard, opened);
