// state.js - all that the page knows, in one place. A view is drawn again when a key on which it depends has changed.
export const state = {
    labs: null,        // what `lockstep labs` says
    plays: [],         // files in play/
    devices: [], device: '',
    file: '',          // the file that is shown: "02-coalesced/matmul.cu"
    version: '',       // version of the file on which the editor's text is based
    shownText: '',     // the file's text on the disk, to which answers refer
    dirty: false,      // the editor has text that is not saved
    conflict: null,    // {version, text}: what somebody else wrote to the file meanwhile
    running: {},       // job -> when it began
    online: true,
    answer: null,      // what `lockstep lab` says of the file
    early: null,       // what is wrong, while the search for the cause runs
    part: 0,           // how much of the cause is told
    profile: null, previous: null, // what was counted now, and before the last save
    step: null, compare: null, ncu: null, hint: null, slide: null, figures: null,
    said: {},          // job -> a message in place of its result
    tab: 'lines', line: 0, kernel: 0, stop: 0,
};

const views = [];
// Call draw(state) whenever one of these keys changes, once in a frame.
export function view(keys, draw) { views.push({ keys, draw, due: true }); plan(); }

let planned = false;
function plan() {
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
        planned = false;
        for (const v of views) {
            if (!v.due) continue;
            v.due = false;
            v.draw(state);
        }
    });
}

export function set(patch) {
    Object.assign(state, patch);
    for (const v of views) if (v.keys.some(k => k in patch)) v.due = true;
    plan();
}

// The exercise of the file that is shown; undefined for a file of the learner's own.
export const exercises = () => state.labs ? state.labs.labs.flatMap(l => l.exercises.map(x => ({ ...x, lab: l.lab }))) : [];
export const exercise = () => exercises().find(x => x.file === state.file);
export const isPlay = () => state.file.startsWith('play/');
