// browser.mjs - opens pages in a real browser and looks at them as people do: from 1280 to 320 pixels, in light and in dark, without
// colours, and by keyboard.
//
//     node browser.mjs PLAYWRIGHT CHROMIUM FOLDER PAGE...
//
// PLAYWRIGHT is the folder of the package playwright-core, PAGE a file below FOLDER. Prints a line a test, as tests/lib.sh does.
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join, resolve, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [playwright, executablePath, folder, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(resolve(playwright));
let failed = 0;

// A test passes when the list of what is wrong is empty.
function check(name, wrong) {
    if (!wrong.length) return console.log(`ok browser: ${name}`);
    console.log(`not ok browser: ${name}: ${wrong.slice(0, 5).join('; ')}`);
    failed = 1;
}

// ---- what runs in the page ----

// Everything that sticks out of the window and is not in a part that scrolls by itself.
function tooWide() {
    const wide = document.documentElement.clientWidth;
    const scrolls = e => e && (['auto', 'scroll'].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    const out = [...document.body.querySelectorAll('*')]
        .filter(e => e.getBoundingClientRect().right > wide + 1 && !scrolls(e.parentElement) && !scrolls(e))
        .map(e => `${e.tagName} reaches ${Math.round(e.getBoundingClientRect().right)}: ${e.textContent.slice(0, 40)}`);
    if (document.documentElement.scrollWidth > wide) out.push(`the page is ${document.documentElement.scrollWidth} wide`);
    return out;
}

// Cells of a table whose words are broken within a few letters, so that one is taller than the window.
function tooNarrow() {
    return [...document.querySelectorAll('td')].filter(e => e.clientWidth < 64 && e.innerText.length > 12) // without what a closed part hides
        .map(e => `a cell ${e.clientWidth} wide: ${e.innerText.slice(0, 40)}`);
}

// Text whose contrast with what is behind it is below 4.5 (WCAG 2, 1.4.3). Backgrounds may be layers of half-transparent colours.
function lowContrast() {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const flat = layers => { // the colours, the lowest first, as one [r, g, b]
        canvas.fillStyle = dark ? '#121212' : '#fff';
        for (const layer of [canvas.fillStyle, ...layers]) canvas.fillStyle = layer, canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = rgb => rgb.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => e ? [...behind(e.parentElement), getComputedStyle(e).backgroundColor] : [];
    const out = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const e = walk.currentNode.parentElement, style = getComputedStyle(e);
        if (!walk.currentNode.data.trim() || ['STYLE', 'TITLE'].includes(e.tagName.toUpperCase())) continue;
        const layers = behind(e), colour = e.closest('svg') ? style.fill : style.color;
        const [a, b] = [light(flat(layers)), light(flat([...layers, colour]))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) out.push(`${((a + 0.05) / (b + 0.05)).toFixed(1)}: ${e.textContent.slice(0, 40)}`);
    }
    return out;
}

// A level of headings is not left out, and there is one title; pictures have a name; headers of tables say of what.
function structure() {
    const out = [];
    let level = 0;
    for (const h of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
        if (+h.tagName[1] > level + 1) out.push(`${h.tagName} after H${level}: ${h.textContent.slice(0, 40)}`);
        level = +h.tagName[1];
    }
    const titles = document.querySelectorAll('h1').length; // of a deck as one page: one a slide
    if (document.body.className === 'plain' ? !titles : titles !== 1) out.push('not one H1');
    for (const e of document.querySelectorAll('svg, img'))
        if (!e.getAttribute('aria-label') && !e.getAttribute('alt') && !e.querySelector(':scope > title')) out.push(`${e.tagName} without a name`);
    for (const e of document.querySelectorAll('th')) if (!e.scope) out.push(`TH without scope: ${e.textContent}`);
    for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) out.push(`tabindex ${e.tabIndex}`);
    for (const e of document.querySelectorAll('script, [onclick], [onload]')) out.push(`a script: ${e.tagName}`);
    if (!document.documentElement.lang || !document.title) out.push('no language or no title');
    return out;
}

// A cell that is shaded, or a mark in a plot, says the same in text.
function coloursAlone() {
    const out = [...document.querySelectorAll('.heat')].filter(e => !/\d/.test(e.textContent)).map(e => `a cell without a number: ${e.outerHTML}`);
    for (const svg of document.querySelectorAll('svg')) if (!svg.querySelector('text')) out.push('a plot without words');
    return out;
}

// ---- one page ----

const address = file => pathToFileURL(join(folder, file)).href;

// Links that lead to no file or to no place in a page.
async function deadLinks(page) {
    const links = await page.$$eval('a[href]', all => all.map(a => a.href)), out = [];
    for (const link of new Set(links)) {
        const url = new URL(link);
        if (url.protocol !== 'file:') out.push(`leaves the folder: ${link}`);
        else if (!existsSync(fileURLToPath(url.href.replace(/#.*/, '')))) out.push(`no such file: ${link}`);
        else if (url.hash && url.href.split('#')[0] === page.url().split('#')[0] &&
            !(await page.evaluate(id => !!document.getElementById(id), decodeURIComponent(url.hash.slice(1))))) out.push(`no such place: ${link}`);
    }
    return out;
}

// Tab reaches each link once, in the order of the page, and what has the focus shows it.
async function keyboard(page) {
    const links = await page.$$eval('a[href]', all => all.length), out = [], seen = [];
    await page.evaluate(() => document.querySelectorAll('a[href]').forEach((a, i) => (a.dataset.number = i)));
    for (let i = 0; i < 2 * links + 200; i++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
            const e = document.activeElement, style = getComputedStyle(e);
            return e === document.body ? null : { number: e.dataset.number, shown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, tag: e.tagName };
        });
        if (!at || (at.number !== undefined && seen.includes(+at.number))) break;
        if (!at.shown) out.push(`the focus on ${at.tag} is not seen`);
        if (at.number !== undefined) seen.push(+at.number);
    }
    if (seen.length !== links) out.push(`Tab reaches ${seen.length} of ${links} links`);
    if (seen.some((n, i) => i && n !== seen[i - 1] + 1)) out.push('not in the order of the page');
    return out;
}

async function look(browser, file) {
    const page = await browser.newPage(), said = [], asked = [];
    page.on('console', m => said.push(m.text()));
    page.on('pageerror', e => said.push(String(e)));
    page.on('request', r => /^(file|data):/.test(r.url()) || asked.push(r.url()));
    await page.goto(address(file));
    await page.$$eval('details.part', all => all.forEach(e => { e.open = true; })); // what is folded is looked at, too
    check(`${file}: structure`, await page.evaluate(structure));
    check(`${file}: links`, await deadLinks(page));
    check(`${file}: keyboard`, await keyboard(page));
    check(`${file}: colours alone say nothing`, await page.evaluate(coloursAlone));
    for (const width of [1280, 1000, 400, 320]) {
        await page.setViewportSize({ width, height: 800 });
        check(`${file}: fits ${width} pixels`, [...await page.evaluate(tooWide), ...await page.evaluate(tooNarrow)]);
    }
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        check(`${file}: contrast, ${colorScheme}`, await page.evaluate(lowContrast));
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    check(`${file}: contrast, forced colours`, await page.evaluate(lowContrast));
    await page.emulateMedia({ media: 'print', colorScheme: 'light', forcedColors: 'none' });
    check(`${file}: printed`, (await page.pdf({ format: 'A4' })).length > 1000 ? [] : ['nothing']);
    check(`${file}: silent, and asks nobody`, [...said, ...asked]);
    await page.close();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
    for (const file of pages) await look(browser, file);
} finally {
    await browser.close();
}
process.exit(failed);
