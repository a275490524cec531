// profile.mjs - the page of a profile in a real browser, used as people use it: by keyboard from the advice to the picture of its line,
// and PTX opened beside the source.
//
//     node profile.mjs PLAYWRIGHT CHROMIUM PAGE [SCREENSHOT]
//
// PAGE compares two transposes. Prints a line a test, as tests/lib.sh does.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [playwright, executablePath, file, screenshot] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(resolve(playwright));
let failed = 0;

// A test passes when the list of what is wrong is empty.
function check(name, wrong) {
    if (!wrong.length) return console.log(`ok profile page: ${name}`);
    console.log(`not ok profile page: ${name}: ${wrong.slice(0, 5).join('; ')}`);
    failed = 1;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(pathToFileURL(resolve(file)).href);

// Tab until the element with the focus is the one that is wanted, and Enter.
async function enter(wanted) {
    for (let i = 0; i < 400; i++) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(wanted)) return await page.keyboard.press('Enter'), true;
    }
    return false;
}

const reached = await enter(() => document.activeElement.textContent === 'Its picture');
const seen = await page.evaluate(() => {
    const place = document.getElementById(location.hash.slice(1)), svg = place?.querySelector('svg');
    return !place ? ['no such place'] : !svg ? ['no picture in it'] : place.getBoundingClientRect().top > innerHeight ? ['it is not in view'] : [];
});
check('the advice leads to its picture', reached ? seen : ['Tab does not reach it']);
// A part that is folded opens when a link leads there.
await page.goto(pathToFileURL(resolve(file)).href);
check('the page is not long', await page.evaluate(() => document.documentElement.scrollHeight > 6000 ? [`${document.documentElement.scrollHeight} pixels`] : []));
const led = await enter(() => document.activeElement.closest('nav') && document.activeElement.textContent === 'Counters');
check('the contents lead to what is folded', led ? await page.evaluate(() => {
    const place = document.getElementById(location.hash.slice(1)), top = place?.getBoundingClientRect().top;
    return !place?.closest('details').open ? ['it is closed'] : top < 0 || top > innerHeight ? ['it is not in view'] : [];
}) : ['Tab does not reach it']);
await page.goto(pathToFileURL(resolve(file)).href);
const opened = await enter(() => document.activeElement.tagName === 'SUMMARY' && document.activeElement.closest('td.ptx') !== null);
check('Enter opens the PTX of a line', opened ? await page.evaluate(() => {
    const d = document.activeElement.parentElement;
    return d.open && /[a-z]+\.[a-z0-9.]+ +%/.test(d.textContent) ? [] : [d.textContent];
}) : ['Tab does not reach it']);
check('PTX is beside its line', await page.evaluate(() => {
    const row = document.activeElement.closest('tr'), code = row.querySelector('td.code').getBoundingClientRect();
    const ptx = document.activeElement.getBoundingClientRect();
    return ptx.left >= code.right - 1 && ptx.right <= innerWidth && Math.abs(ptx.top - code.top) < 20 ? [] : [`source ends at ${code.right}, PTX is at ${ptx.left}`];
}));
// What is darker has the larger share, and the marks say as much.
check('a dark cell has a mark', await page.$$eval('td.h3, td.h4', all => all.filter(e => !e.textContent.endsWith('*')).map(e => e.outerHTML)));
check('there are dark cells', await page.$$eval('td.h3, td.h4', all => all.length ? [] : ['none']));
check('a line on one side only has a sign', await page.$$eval('td.gone, td.come', all => all.length ? all.filter(e => !/^[-+]$/.test(e.previousElementSibling.textContent)).map(e => e.outerHTML) : ['none']));
if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
await browser.close();
process.exit(failed);
