// studio_driver.mjs - what the tests of the studio's page share: a server, a browser, and how a test waits, types and tells.
//
//     node TEST NODE_MODULES CHROMIUM LOCKSTEP SCRATCH [SCREENSHOTS]
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';

export const [modules, executablePath, lockstep, scratch, screenshots] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(resolve(modules, 'playwright-core'));
export const my = join(scratch, 'my');
export let failed = 0;

// A test passes when the list of what is wrong is empty.
export function check(name, wrong) {
    if (!wrong.length) return console.log(`ok studio page: ${name}`);
    console.log(`not ok studio page: ${name}: ${wrong.slice(0, 5).join('; ')}`);
    failed = 1;
}
export const has = (text, pattern) => pattern.test(text) ? [] : [`no ${pattern} in: ${text.replace(/\s+/g, ' ').slice(0, 200)}`];

export let server, port = '';
// Start the server, at its port of before if there was one. Returns the address that it prints.
export function start(device) {
    return new Promise((done, failed) => {
        server = spawn(lockstep, ['studio', '--student', my, '--device', device, '--browser', 'no', ...(port ? ['--port', port] : [])], { stdio: ['ignore', 'pipe', 'pipe'] });
        server.stdout.on('data', text => { port = String(text).match(/:(\d+)\//)[1]; done(String(text).trim()); });
        server.stderr.on('data', text => /token|ends it|is new/.test(text) || console.log(String(text)));
        server.on('error', failed);
    });
}
export const ended = () => new Promise(done => server.exitCode === null && !server.signalCode ? server.on('exit', done) : done());
export const browse = () => chromium.launch({ executablePath, args: ['--no-sandbox'] });

// Wait until a function says so in the page, whose policy forbids Playwright's own way.
export async function when(is, value, p) {
    for (const end = Date.now() + 60000; !await p.evaluate(is, value);) {
        if (Date.now() > end) throw new Error(`never: ${is}`);
        await p.waitForTimeout(20);
    }
}
export const file = name => join(my, name);
export const solution = name => readFileSync(join('solutions', name), 'utf8');

// Put a text into the editor, as typing does.
export async function put(code, p) {
    await p.click('#editor .cm-content');
    await p.keyboard.press('Control+a');
    await p.keyboard.insertText(code);
}
// Open a file of the learner's folder in a page that is there.
export async function go(name, p) {
    await p.evaluate(f => { location.hash = f; }, name);
    await when(f => document.getElementById('title').innerText.endsWith(f), name.split('/')[1], p);
}
