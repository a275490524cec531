// step.mjs - a page of the stepper in a real browser: by keyboard, by slider, forwards as backwards, narrow and wide, light and dark.
//
//     node step.mjs PLAYWRIGHT CHROMIUM PAGE RACE [SCREENSHOT]
//
// PAGE is one whose step 23 reads a tile with 31 conflicts; RACE is one of a product without its second barrier. Prints a line a test, as tests/lib.sh does.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [playwright, executablePath, file, race, screenshot] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(resolve(playwright));
let failed = 0;

// A test passes when the list of what is wrong is empty.
function check(name, wrong) {
    if (!wrong.length) return console.log(`ok step page: ${name}`);
    console.log(`not ok step page: ${name}: ${wrong.slice(0, 5).join('; ')}`);
    failed = 1;
}
const same = (what, got, want) => got === want ? [] : [`${what} is '${got}', not '${want}'`];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } }), said = [];
page.on('console', m => said.push(m.text()));
page.on('pageerror', e => said.push(String(e)));
page.on('request', r => /^(file|data):/.test(r.url()) || said.push(r.url()));
await page.goto(pathToFileURL(resolve(file)).href);

const number = () => page.textContent('#number');
const shown = () => page.evaluate(() => document.querySelector('main').innerText);
const press = async (key, times = 1) => { for (let i = 0; i < times; i++) await page.keyboard.press(key); };
const total = +(await number()).match(/of (\d+)/)[1];

check('opens at its first step', same('the number', await number(), `step 1 of ${total}`));
const seen = [await shown()];
for (let i = 1; i < total; i++) { await press('ArrowRight'); seen.push(await shown()); }
check('the right arrow goes to the last step', same('the number', await number(), `step ${total} of ${total}`));
const wrong = [];
for (let i = total - 2; i >= 0; i--) { await press('p'); if (await shown() !== seen[i]) wrong.push(`step ${i + 1} differs on the way back`); }
check('back shows what forth showed', wrong);
await press('c');
check('c finds the next conflict', same('the access', await page.textContent('#access .waste'),
    'reads tile[0, 1, ... 31 (lane)][3]: 32 wavefronts, 31 conflicts'));
check('the column that is read is marked in the tile', same('marked elements', String(await page.locator('.tile .on').count()), '32'));
if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
await press('Home');
await press('b');
check('b finds the barrier', (await page.textContent('#lanes')) === 'B'.repeat(32) ? [] : [await page.textContent('#lanes')]);
await page.locator('#slider').fill('5');
check('the slider goes to a step', same('the number', await number(), `step 5 of ${total}`));
await press('End');
await press('f');
check('f says that there is no fault', same('the note', await page.textContent('#note'), 'None follows.'));

// Tab reaches every control, and the focus is seen.
await page.evaluate(() => document.activeElement.blur());
await press('Home');
const reached = [];
for (let i = 0; i < 12; i++) {
    await press('Tab');
    const at = await page.evaluate(() => {
        const e = document.activeElement, style = getComputedStyle(e);
        return e === document.body ? null : [e.id || e.getAttribute('aria-label'), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
    });
    if (at && !at[1]) reached.push(`the focus on ${at[0]} is not seen`);
    if (at) reached[at[0]] = 1;
}
check('Tab reaches the controls', [...reached, ...['on', 'slider', 'barrier', 'waste', 'fault', 'source'].filter(id => !reached[id])]);

async function looks(what) {
    for (const width of [1280, 720, 360]) {
        await page.setViewportSize({ width, height: 800 });
        check(`${what}fits ${width} pixels`, await page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [`it is ${document.documentElement.scrollWidth} wide`] : []));
    }
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        check(`${what}contrast, ${colorScheme}`, await page.evaluate(() => {
            const light = text => text.match(/[\d.]+/g).slice(0, 3).map(Number)
                .map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = e => { const c = getComputedStyle(e).backgroundColor; return c.startsWith('rgba(0, 0, 0, 0') && e.parentElement ? behind(e.parentElement) : c; };
            return [...document.querySelectorAll('body *')].filter(e => e.innerText && !e.children.length && !['SCRIPT', 'STYLE'].includes(e.tagName) && !e.disabled).flatMap(e => {
                const [a, b] = [light(behind(e)), light(getComputedStyle(e).color)].sort((x, y) => y - x);
                return (a + 0.05) / (b + 0.05) < 4.5 ? [`${((a + 0.05) / (b + 0.05)).toFixed(1)}: ${e.innerText.slice(0, 30)}`] : [];
            });
        }));
    }
}
await looks('');

// Both warps of a race stand on top, until r hides them.
await page.setViewportSize({ width: 1280, height: 900 });
await page.goto(pathToFileURL(resolve(race)).href);
const sides = () => page.$$eval('#sides h3', all => all.map(e => e.innerText).join(' | '));
check('a race shows both warps', same('the headings', await sides(), 'First: warp 0, line 17 | Second: warp 1, line 14'));
check('and its lanes', same('the marks', String(await page.$$eval('#sides .lanes', all => all.map(e => [...e.children].findIndex(c => c.className === 'touches')))), '0,0'));
check('and the word', (await page.textContent('#racetext')).startsWith('warp 0 reads b_tile[1][0] in line 17, then warp 1 writes it') ? [] : [await page.textContent('#racetext')]);
await press('r');
check('r hides it', await page.isVisible('#race') ? ['it is seen'] : []);
await press('r');
check('r shows it again', await page.isVisible('#race') ? [] : ['it is not seen']);
await looks('race: ');
check('silent, and asks nobody', said);
await browser.close();
process.exit(failed);
