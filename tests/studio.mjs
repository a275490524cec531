// studio.mjs - the studio in a real browser, as somebody uses it.
//
//     node studio.mjs NODE_MODULES CHROMIUM LOCKSTEP SCRATCH [SCREENSHOTS]
//
// Prints a line a test, as tests/lib.sh does.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as driver from './studio_driver.mjs';
import { browse, check, ended, file, has, modules, port, put, screenshots, scratch, server, solution } from './studio_driver.mjs';

const axe = resolve(modules, 'axe-core/axe.min.js'), start = () => driver.start('sim:tiny');

const address = await start();
const browser = await browse();
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
const page = await context.newPage(), said = [];
page.on('pageerror', e => said.push(String(e)));
page.on('console', m => m.type() === 'error' && !(screenshots && /inline style/.test(m.text())) && said.push(`${m.text()} ${m.location().url}:${m.location().lineNumber}`));
page.on('request', r => r.url().startsWith(`http://127.0.0.1:${port}/`) || /^(data|blob):/.test(r.url()) || said.push(r.url()));

const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
const text = (selector, p = page) => p.locator(selector).innerText();
const until = (selector, p = page) => p.waitForSelector(selector, { timeout: 60000 });
const when = (is, value, p = page) => driver.when(is, value, p);
// Put a text into the editor, as typing does.
async function write(code, p = page) {
    const before = said.length;
    await put(code, p);
    await p.waitForTimeout(200);
    // Chromium gives text that is put into an editable element this way a style, which the page's policy refuses; a person types
    said.push(...said.splice(before).filter(s => !/inline style/.test(s)));
}
let shots = 0;
async function look(name, p = page) {
    if (screenshots) await p.screenshot({ path: join(screenshots, `${String(++shots).padStart(2, '0')}-${name}.png`), fullPage: true });
    const wide = await p.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [`the page is ${document.documentElement.scrollWidth} wide`] : []);
    check(`${name}: nothing is wider than the window`, wide);
    if (!existsSync(axe)) return;
    await p.evaluate(readFileSync(axe, 'utf8'));
    check(`${name}: axe-core`, await p.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations
        .map(v => `${v.id}: ${v.nodes.slice(0, 2).map(n => `${n.target} ${n.any[0]?.message ?? ''}`).join(', ')}`)));
}

try {
    // ---- an evening by keyboard ----

    let began = Date.now();
    await page.goto(address);
    await until('.cm-content');
    await until('#labs [aria-current=true]');
    if (process.env.MEASURE) {
        console.log(`first load: ${Date.now() - began} ms, ${await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((s, e) => s + e.transferSize, 0))} bytes`);
    }
    check('the token is not left in the address', page.url().includes('token') ? [page.url()] : []);
    check('opens the first exercise', has(await text('#title'), /01-naive \/\s*add\.cu/));
    await look('opened');

    await write(solution('01-naive/add.cu').replace('i < n', 'i <= n'));
    check('says that it is not saved', has(await text('#state'), /not saved/));
    began = Date.now();
    await press('Control+s');
    await until('#answer .message');
    if (process.env.MEASURE) console.log(`save to first sentence: ${Date.now() - began} ms`);
    await until('#answer .cause');
    if (process.env.MEASURE) console.log(`save to the cause: ${Date.now() - began} ms`);
    check('a save is answered: what failed', has(await text('#answer .message'), /reads [ab]\[\d+\]; [ab] has \d+ elements|writes c\[\d+\]/));
    check('the first step is where to look', has(await text('.cause'), /line \d+: look at this condition/));
    check('the editor marks the place', has(await text('.mark-text'), /^i <= n$/));
    await look('wrong');
    await press('Escape', 'w');
    check('the second step is what is wrong there', has(await text('.cause'), /i <= n goes one too far(?!: with)/));
    await press('w');
    check('the third step is the edit', has(await text('.cause'), /with i < n every result is right/));
    await press('h');
    await until('.hints .card');
    check('a hint', has(await text('.hints'), /1\. [\s\S]*hint 1 of \d/));
    await look('hint');

    await press('i');
    await write(solution('01-naive/add.cu'));
    await press('Control+s');
    await until('#answer h2.good');
    check('right', has(await text('#answer h2'), /Passed/));
    await when(() => [...document.querySelectorAll('.heat')].some(h => h.offsetParent && h.textContent));
    await until('.picture svg');
    check('each line has its cost', has(await text('.costs'), /\d+%/));
    check('a line has its picture', has(await page.locator('.picture svg').first().innerHTML(), /lane/));
    await look('right');
    const before = await text('.picture h3');
    began = Date.now();
    await page.locator('.costs button').first().click();
    await when(b => document.querySelector('.picture h3').innerText !== b, before);
    if (process.env.MEASURE) console.log(`a line to its picture: ${Date.now() - began} ms`);
    const moving = motion => page.emulateMedia({ reducedMotion: motion }).then(() => page.evaluate(async () => {
        let most = 0;
        for (let i = 0; i < document.querySelectorAll('.costs button').length; i++) {
            document.querySelectorAll('.costs button')[i].click();
            await new Promise(requestAnimationFrame);
            most = Math.max(most, document.getAnimations().filter(a => a.animationName === 'travel').length);
        }
        return most;
    }));
    const still = await moving('reduce'), moved = await moving('no-preference');
    check('words travel to where they lie, if motion is welcome', still === 0 && moved >= 32 ? [] : [`${still} lines move, ${moved} where it is welcome`]);
    check('the list of labs knows it', has(await text('#labs'), /1 of \d+ passed/));

    await press('Escape', 't');
    await press('Tab');
    await page.locator('#panel button.main').press('Enter');
    await until('#panel input[type=range]');
    await page.locator('#panel input[type=range]').focus();
    const first = await text('#panel .columns');
    const times = [];
    for (let i = 0; i < 3; i++) {
        const t = Date.now();
        await press('ArrowRight');
        times.push(Date.now() - t);
    }
    if (process.env.MEASURE) console.log(`steps of the slider: ${times} ms`);
    check('the slider steps', has(await text('#panel output'), /^step 4 of \d+$/));
    check('the editor shows the line of the step', await page.locator('.mark-now').count() === 1 ? [] : ['no line is marked']);
    await press('ArrowLeft', 'ArrowLeft', 'ArrowLeft');
    check('and back', await text('#panel .columns') === first ? [] : ['step 1 is not as it was']);
    await look('step');

    await press('Escape');
    await page.locator('#panel').focus();
    await press('s');
    await until('.slides h3');
    await until('.slides .picture svg');
    check('the slides, with code, tables and figures', has((await page.locator('.slides').innerHTML()).replace(/<svg[\s\S]*?<\/svg>/g, 'SVG'), /<h3>[\s\S]*<pre[\s\S]*__global__[\s\S]*SVG[\s\S]*<th scope="col">/));
    await when(() => !document.querySelector('.slides .waiting'));
    await look('slides');
    await press('u');
    await until('#panel pre');
    check('the same in ncu', has(await text('#panel'), /nvcc -O3[\s\S]*ncu --clock-control none[\s\S]*The simulator counts[\s\S]*l1tex__/));
    const program = page.waitForEvent('download', { timeout: 60000 });
    await page.locator('#panel button.main').press('Enter');
    await (await program).saveAs(join(scratch, 'program.cu'));
    check('and its program', has(readFileSync(join(scratch, 'program.cu'), 'utf8'), /01-naive\/add\.cu"[\s\S]*int main\(\)/));
    await look('ncu');
    await page.locator('#panel').focus();
    await press('v');
    await page.locator('#panel button.main').press('Enter');
    await until('table.compare');
    check('two GPUs side by side', has(await text('table.compare'), /sim:tiny\s+sim:t4/));
    await look('compare');
    await press('x');
    await until('.ptx table');
    check('PTX beside the source', has(await text('.ptx'), /ld\.global/));
    await press('?');
    check('the keys', has(await text('dialog'), /save and run/));
    await look('keys');
    await press('Escape');

    const download = page.waitForEvent('download', { timeout: 60000 });
    await page.locator('#panel').focus();
    await press('o');
    const saved = join(scratch, 'exported.html');
    await (await download).saveAs(saved);
    const exported = readFileSync(saved, 'utf8');
    check('one HTML file of it', has(exported, /^<!DOCTYPE html>[\s\S]*<svg[\s\S]*<\/html>\n$/));
    check('with the answer and the whole file', has(exported, /The answer[\s\S]*points[\s\S]*The whole file[\s\S]*#include "lockstep\.h"[\s\S]*<nav/));

    await press('n');
    await when(() => /copy\.cu/.test(document.getElementById('title').innerText));
    await page.waitForTimeout(300);
    await write(solution('01-naive/copy.cu'));
    await press('Control+s');
    await until('#answer h2.good');
    await press('Escape', 'n');
    await when(() => /matmul\.cu/.test(document.getElementById('title').innerText));
    await page.waitForTimeout(300);
    await write(solution('01-naive/matmul.cu'));
    await press('Control+s');
    await until('#answer h2.good');
    await write(`${solution('01-naive/matmul.cu')}// left while it runs\n`);
    await press('Control+s', 'Escape', 'p');
    await when(() => /copy\.cu/.test(document.getElementById('title').innerText));
    await when(() => document.getElementById('state').innerText === 'saved');
    check('an exercise that is left while it runs does not run on', []);
    await press('Escape', 'n');
    await when(() => /matmul\.cu/.test(document.getElementById('title').innerText));
    await press('Escape', 'e');
    await when(() => /C = A B/.test(document.getElementById('panel').innerText));
    check('the ladder grows, a link each', has(await text('#panel'), /C = A B\s+naive[\s\S]*ms/).concat(await page.locator('#panel button', { hasText: 'naive' }).count() ? [] : ['no link']));
    await look('ladder');

    // ---- predictions ----

    await when(() => document.getElementById('state').innerText === 'saved'); // no run of another exercise ends after this one's
    await page.evaluate(() => { location.hash = '02-coalesced/stride.cu'; });
    await when(() => /stride\.cu/.test(document.getElementById('title').innerText));
    await page.waitForTimeout(300);
    await press('Escape', 'g');
    await page.locator('.question input').first().fill('4');
    await page.locator('.question input').first().press('Enter');
    await when(() => !/UNKNOWN\)\s*$/.test(document.querySelector('.cm-content').innerText.split('\n').find(l => l.startsWith('PREDICT')) ?? 'UNKNOWN)'));
    await when(() => document.querySelector('.question .wrong, .question .good'));
    check('a prediction is written to the file', has(readFileSync(file('02-coalesced/stride.cu'), 'utf8'), /PREDICT\(\w+, 4\)/));
    await look('predict');

    const later = await context.newPage();
    await later.goto(`http://127.0.0.1:${port}/`);
    await when(() => /\.cu/.test(document.getElementById('title').innerText), null, later);
    check('the page opens where the learner was last', has(await text('#title', later), /stride\.cu/));
    await later.close();

    // ---- an editor beside ----

    const name = '01-naive/add.cu';
    await page.evaluate(f => { location.hash = f; }, name);
    await when(() => /add\.cu/.test(document.getElementById('title').innerText));
    await page.waitForTimeout(300);
    writeFileSync(file(name), `// beside\n${solution(name)}`);
    await when(() => document.querySelector('.cm-content').innerText.startsWith('// beside'));
    check('the page follows the file', []);
    await page.click('.cm-content');
    await press('Control+Home');
    await page.keyboard.type('// mine ');
    writeFileSync(file(name), `// theirs\n${solution(name)}`);
    await when(() => /\/\/ theirs/.test(document.querySelector('.conflict')?.innerText)); // a page that reads while an editor writes shows less at first
    check('a conflict shows both', has(await text('.conflict'), /\/\/ mine[\s\S]*\/\/ theirs/));
    check('and overwrites nothing', has(readFileSync(file(name), 'utf8'), /^\/\/ theirs/));
    await look('conflict');
    await page.locator('.conflict button.main').click();
    check('nothing of it is left above the editor', await text('#above') ? [await text('#above')] : []);
    await press('Control+s');
    await when(() => document.getElementById('state').innerText !== 'not saved');
    await page.waitForTimeout(500);
    check('mine goes on', has(readFileSync(file(name), 'utf8'), /^\/\/ mine/));
    check('theirs is kept', readdirSync(file('.studio/history')).some(f => readFileSync(file(`.studio/history/${f}`), 'utf8').startsWith('// theirs')) ? [] : ['it is gone']);

    // ---- reload, two tabs, restart ----

    await page.click('.cm-content');
    await press('Control+Home');
    await page.keyboard.type('// typed ');
    await page.waitForTimeout(600);
    await page.reload();
    await when(() => document.querySelector('.cm-content')?.innerText.startsWith('// typed'));
    check('what is typed survives a reload', []);
    await page.click('.cm-content');
    await press('Control+z');
    check('and so does undo', has((await text('.cm-content')).slice(0, 20), /^\/\/ mine/));

    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${port}/#01-naive/copy.cu`);
    await until('.cm-content', other);
    await when(() => /copy\.cu/.test(document.getElementById('title').innerText), null, other);
    await other.waitForTimeout(500);
    await write(`// second tab\n${solution('01-naive/copy.cu')}`, other);
    await other.keyboard.press('Control+s');
    await until('#answer h2.good', other);
    check('a second tab gets its answer', has(await text('#title'), /add\.cu/));

    server.kill('SIGKILL');
    await ended();
    await when(() => /does not answer/.test(document.getElementById('state').innerText));
    check('the page says that the server is gone', []);
    await start();
    await when(() => !/does not answer/.test(document.getElementById('state').innerText));
    await page.click('.cm-content');
    await press('Control+Home');
    await page.keyboard.type('// again ');
    await press('Control+s');
    await until('#answer h2.good');
    await page.waitForTimeout(300);
    check('and goes on when it is back', has(readFileSync(file(name), 'utf8'), /^\/\/ again/));
    await other.close();

    // ---- a file of one's own ----

    await page.locator('#labs summary', { hasText: 'your own' }).click();
    await page.locator('#labs button', { hasText: 'a new file' }).click();
    await look('new');
    await press('Enter');
    await when(() => /mine\.cu/.test(document.getElementById('title').innerText));
    await until('.picture svg');
    check('a file of one\'s own is counted', has(await text('#answer'), /saxpy[\s\S]*limited by/));
    await look('play');
    await page.locator('#labs button', { hasText: 'a new file' }).click();
    await page.locator('dialog input').fill('again');
    await page.locator('dialog select').selectOption('01-naive/copy.cu');
    await page.locator('dialog button.main').click();
    await when(() => /again\.cu/.test(document.getElementById('title').innerText));
    await when(() => /limited by/.test(document.getElementById('answer').innerText));
    check('an exercise is a start, too', has(readFileSync(file('play/again.cu'), 'utf8'), /^\/\/ launch: --kernel copy /));

    // ---- without npm ----

    const bare = await context.newPage();
    await bare.route('**/editor.js', route => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await bare.goto(`http://127.0.0.1:${port}/#01-naive/transpose.cu`);
    await until('#editor textarea', bare);
    check('without npm a line says so', has(await text('#above', bare), /plain text area/));
    await when(() => document.querySelector('#editor textarea').value.includes('transpose'), null, bare);
    await bare.locator('#editor textarea').fill(solution('01-naive/transpose.cu'));
    await bare.keyboard.press('Control+s');
    await until('#answer h2.good', bare);
    check('and all else is there', has(await text('#answer', bare), /Passed/));
    await look('without npm', bare);
    await bare.close();

    // ---- ten tabs ----

    const tabs = [];
    for (let i = 0; i < 10; i++) {
        tabs.push(await context.newPage());
        await tabs[i].goto(`http://127.0.0.1:${port}/#01-naive/aat.cu`);
    }
    for (const tab of tabs) await when(() => /aat\.cu/.test(document.getElementById('title').innerText), null, tab);
    for (let i = 0; i < 10; i++) {
        await tabs[i].bringToFront();
        await when(n => n < 1 || document.querySelector('.cm-content').innerText.includes(`tab ${n - 1}`), i, tabs[i]);
        await tabs[i].click('.cm-content');
        await tabs[i].keyboard.press('Control+End');
        await tabs[i].keyboard.insertText(`// tab ${i}\n`);
        await tabs[i].keyboard.press('Control+s');
    }
    await when(() => document.querySelector('.cm-content').innerText.includes('tab 9'), null, tabs[0]);
    check('ten tabs save one file, and each follows', has(readFileSync(file('01-naive/aat.cu'), 'utf8'), /tab 0\n[\s\S]*tab 9\n$/));
    for (const tab of tabs) await tab.close();
    await page.bringToFront();

    // ---- how it looks ----

    for (const [width, height, scheme] of [[400, 800, 'light'], [400, 800, 'dark'], [1920, 1080, 'light'], [1920, 1080, 'dark'], [1280, 800, 'dark']]) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(200);
        await look(`${width} ${scheme}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    await look('print');
    check('nothing is asked elsewhere, and no error', said.filter(s => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|409/.test(s)));
} catch (e) {
    check('goes to its end', [String(e).slice(0, 300), said.join('; ').slice(0, 300)]);
    if (screenshots) await page.screenshot({ path: join(screenshots, 'failed.png') });
} finally {
    await browser.close();
    server.kill('SIGTERM');
    await ended();
}
process.exit(driver.failed);
