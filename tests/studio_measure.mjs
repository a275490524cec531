// studio_measure.mjs - the studio measured: how long a learner waits, and what ten tabs leave behind.
//
//     node studio_measure.mjs NODE_MODULES CHROMIUM LOCKSTEP SCRATCH
//
// MEASURE=1: each file of tests/lab-mistakes is put into the editor and saved; from the key press to the first sentence and to the
// whole answer, with its cause. SOAK=600: ten tabs save every EVERY=5 seconds, for that many seconds. Prints a line a test, and figures.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { browse, check, ended, failed, file, go, my, put, scratch, server, solution, start, when } from './studio_driver.mjs';

const numbers = list => {
    const sorted = [...list].sort((a, b) => a - b), s = ms => `${(ms / 1000).toFixed(2)} s`;
    return `mean ${s(list.reduce((a, b) => a + b, 0) / list.length)}, median ${s(sorted[list.length >> 1])}, 9 of 10 within ${s(sorted[Math.ceil(list.length * 0.9) - 1])}, most ${s(sorted.at(-1))}`;
};
const context = browser => browser.newContext({ viewport: { width: 1280, height: 800 } });

// ---- how long a learner waits ----

// In the page: from the key press on, note when the first sentence stands there, and when all of the answer does.
async function watch() {
    const { state } = await import('./state.js'), box = document.getElementById('answer'), old = state.answer;
    window.waits = {};
    const look = new MutationObserver(() => {
        const whole = state.answer && state.answer !== old, failed = state.said.lab;
        if (!waits.from || !(whole || state.early || failed) || !box.innerText.trim()) return;
        waits.first ??= performance.now() - waits.from;
        if (whole || failed) waits.whole ??= performance.now() - waits.from, look.disconnect();
    });
    look.observe(box, { childList: true, subtree: true });
    addEventListener('keydown', e => { if (e.key === 's') waits.from = e.timeStamp; }, { capture: true });
}

async function measureWaits() {
    const address = await start('sim:h200'), browser = await browse(), page = await (await context(browser)).newPage(), rows = [];
    await page.goto(address);
    await page.waitForSelector('#labs [aria-current=true]');
    for (const mistake of readdirSync('tests/lab-mistakes', { withFileTypes: true })) {
        if (!mistake.isDirectory()) continue;
        const folder = join('tests/lab-mistakes', mistake.name), lab = readdirSync(folder)[0], name = readdirSync(join(folder, lab))[0];
        if (!existsSync(file(join(lab, name)))) continue; // its name is the mistake
        await go(`${lab}/${name}`, page);
        await when(() => /^(saved|not saved)$/.test(document.getElementById('state').innerText), null, page);
        await put(readFileSync(join(folder, lab, name), 'utf8'), page);
        await page.evaluate(watch);
        await page.keyboard.press('Control+s');
        await when(() => window.waits.whole, null, page);
        const { first, whole } = await page.evaluate(() => window.waits);
        const cause = await page.locator('#answer .cause').count();
        rows.push({ first, whole, cause });
        console.log(`${first.toFixed(0).padStart(6)} ms to the first sentence, ${whole.toFixed(0).padStart(6)} ms to the ${cause ? 'cause' : 'answer'}: ${lab} ${name}, ${mistake.name}`);
        await page.waitForTimeout(200);
        await when(() => document.getElementById('state').innerText === 'saved', null, page);
    }
    console.log(`${rows.length} mistakes, to the first sentence: ${numbers(rows.map(r => r.first))}`);
    console.log(`${rows.length} mistakes, to the whole answer: ${numbers(rows.map(r => r.whole))}`);
    console.log(`${rows.filter(r => r.cause).length} mistakes with a cause, to the cause: ${numbers(rows.filter(r => r.cause).map(r => r.whole))}`);
    check('every mistake is answered', rows.length > 40 ? [] : [`${rows.length} were tried`]);
    await browser.close();
    server.kill('SIGTERM');
    await ended();
}

// ---- ten tabs for long ----

const files = ['01-naive/add.cu', '01-naive/copy.cu', '01-naive/matmul.cu', '01-naive/transpose.cu', '01-naive/aat.cu', '02-coalesced/matmul.cu', '02-coalesced/soa.cu',
    '02-coalesced/paths.cu', '04-shared/transpose.cu', '05-padded/transpose.cu'];
const textOf = (name, save) => `${solution(name)}// save ${save}\n`;

const memory = () => +readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s*(\d+)/)[1];
// What the server has open, but for sockets, which come and go with the browser's connections.
function open() {
    const links = readdirSync(`/proc/${server.pid}/fd`).map(fd => { try { return readlinkSync(`/proc/${server.pid}/fd/${fd}`); } catch { return ''; } }).filter(Boolean);
    return { files: links.filter(l => !l.startsWith('socket:')).sort(), sockets: links.length - links.filter(l => !l.startsWith('socket:')).length };
}
const processes = is => readdirSync('/proc').filter(pid => {
    try { return /^\d+$/.test(pid) && is(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' '), readFileSync(`/proc/${pid}/cmdline`, 'utf8'), +pid); } catch { return false; }
});
const children = () => processes(stat => +stat[1] === server.pid);
async function quiet() {
    for (const end = Date.now() + 120000; children().length && Date.now() < end;) await new Promise(done => setTimeout(done, 100));
}

// What is not as the saves of a file have left it: the file has the last one, the history those before, in their order.
function lost(name, saves) {
    const folder = file('.studio/history'), said = [];
    const kept = readdirSync(folder).filter(f => f.startsWith(`${name.replace('/', '.')}.`)).sort().map(f => readFileSync(join(folder, f), 'utf8'));
    const wanted = Array.from({ length: saves }, (_, i) => i).slice(-40);
    if (readFileSync(file(name), 'utf8') !== textOf(name, saves)) said.push(`${name} is not the last save`);
    if (kept.length !== wanted.length) said.push(`${name}: the history has ${kept.length} of ${wanted.length}`);
    wanted.forEach((save, i) => save && kept[i] !== textOf(name, save) && said.push(`${name}: save ${save} is not in its place in the history`));
    return said;
}

async function soak(seconds, every) {
    const address = await start('sim:tiny'), browser = await browse(), c = await context(browser), tabs = [], said = [];
    for (const name of files) {
        const page = await c.newPage();
        page.on('pageerror', e => said.push(String(e)));
        await page.goto(tabs.length ? address.replace(/\/\?.*/, '/') : address);
        await page.waitForSelector('#labs [aria-current=true]');
        await go(name, page);
        tabs.push({ page, name, saves: 0, due: Date.now() + every * 1000 * tabs.length / files.length });
    }
    await quiet();
    const before = open(), used = [], end = Date.now() + seconds * 1000, late = [];
    while (Date.now() < end) {
        const tab = tabs.reduce((a, b) => a.due <= b.due ? a : b);
        await new Promise(done => setTimeout(done, Math.max(0, tab.due - Date.now())));
        late.push(Date.now() - tab.due);
        await tab.page.bringToFront();
        await put(textOf(tab.name, ++tab.saves), tab.page);
        await tab.page.keyboard.press('Control+s');
        tab.due = Math.max(tab.due + every * 1000, Date.now());
        used.push(memory());
    }
    for (const tab of tabs) await when(() => document.getElementById('state').innerText !== 'not saved', null, tab.page);
    await quiet();
    await tabs[0].page.waitForTimeout(1000);
    const after = open(), most = part => Math.max(...part), quarter = used.length >> 2;
    const saves = tabs.reduce((n, t) => n + t.saves, 0);
    console.log(`${saves} saves in ${seconds} s, at most ${(most(late) / 1000).toFixed(1)} s late; memory of the server: first quarter at most ${most(used.slice(0, quarter))} kB, last ${most(used.slice(-quarter))} kB, now ${memory()} kB; sockets ${before.sockets} and ${after.sockets}`);
    check(`ten tabs for ${seconds} s: nothing is lost`, tabs.flatMap(t => lost(t.name, t.saves)));
    check('no page has an error', said);
    check('each tab has its answer', (await Promise.all(tabs.map(async t => /Passed/.test(await t.page.locator('#answer').innerText()) ? [] : [`${t.name}: ${(await t.page.locator('#answer').innerText()).slice(0, 80)}`]))).flat());
    check('no child is left while the server waits', children());
    check('the server has open what it had', after.files.join() === before.files.join() ? [] : [`before ${before.files}`, `after ${after.files}`]);
    check('it has few sockets', after.sockets <= 12 ? [] : [`${after.sockets}`]);
    check('its memory does not grow', most(used.slice(-quarter)) <= most(used.slice(0, quarter)) + 4096 ? [] : [`from ${most(used.slice(0, quarter))} kB to ${most(used.slice(-quarter))} kB`]);
    await browser.close();
    server.kill('SIGTERM');
    await ended();
    check('no process is left', processes((stat, command, pid) => pid !== process.pid && command.includes(my)));
}

try {
    if (process.env.MEASURE) await measureWaits();
    if (process.env.SOAK) await soak(+process.env.SOAK, +(process.env.EVERY ?? 5));
} catch (e) {
    check(`goes to its end in ${scratch}`, [String(e).slice(0, 400)]);
    server.kill('SIGTERM');
}
process.exit(failed);
