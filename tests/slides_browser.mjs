// slides_browser.mjs - opens decks in a real browser, at 1280 x 720, and looks at each slide as the last row does.
//
//     node slides_browser.mjs PLAYWRIGHT CHROMIUM FOLDER [--live] PAGE...
//
// PLAYWRIGHT is the folder of the package playwright-core, PAGE a deck in FOLDER; with --live the page of live figures. Prints a line a test, as tests/lib.sh does.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [playwright, executablePath, folder, ...pages] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(resolve(playwright));
const WIDE = 1280, HIGH = 720, LEAST = 18, MOST_WORDS = 60;
let failed = 0;

// A test passes when the list of what is wrong is empty.
function check(name, wrong) {
    if (!wrong.length) return console.log(`ok slides_browser: ${name}`);
    console.log(`not ok slides_browser: ${name}: ${wrong.length}: ${wrong.slice(0, 12).join('; ')}`);
    failed = 1;
}

// ---- what runs in the page ----

// Everything about the slide that is shown, with all its steps: too small, cut off, pale, too many words.
function inspect({ WIDE, HIGH, LEAST }) {
    const slide = Reveal.getCurrentSlide(), small = [], cut = [], pale = [];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const flat = layers => { // the colours, the lowest first, as one [r, g, b]
        for (const layer of layers) canvas.fillStyle = layer, canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = rgb => rgb.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = e => e ? [...behind(e.parentElement), getComputedStyle(e).backgroundColor] : [];
    // Behind a text of a drawing: what is drawn before it, where its middle is.
    const drawn = (e, r) => [...e.closest('svg').querySelectorAll('rect')].filter(b => {
        const q = b.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
        return b.compareDocumentPosition(e) & 4 && q.left <= x && x <= q.right && q.top <= y && y <= q.bottom;
    }).map(b => getComputedStyle(b).fill).filter(fill => fill !== 'none');
    const within = (r, box) => r.left >= box.left - 1 && r.top >= box.top - 1 && r.right <= box.right + 1 && r.bottom <= box.bottom + 1;
    const page = { left: 0, top: 0, right: WIDE, bottom: HIGH - 34 }; // the slide's number stands below

    const walk = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const e = walk.currentNode.parentElement, svg = e.closest('svg'), text = walk.currentNode.data.trim();
        if (!text || e.closest('aside, style, script, title, option')) continue;
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        const r = svg ? e.getBoundingClientRect() : range.getBoundingClientRect(), style = getComputedStyle(e);
        if (!r.width) continue;
        const scale = svg ? e.getScreenCTM().d : 1, size = parseFloat(style.fontSize) * scale;
        const what = `${slide.id} '${text.slice(0, 30)}'`;
        if (size < LEAST - 0.01) small.push(`${what} ${size.toFixed(1)} px`);
        if (!within(r, page)) cut.push(`${what} to ${Math.round(r.right)}, ${Math.round(r.bottom)}`);
        if (svg && !within(r, svg.getBoundingClientRect())) cut.push(`${what} leaves its drawing`);
        for (let box = e; box !== slide; box = box.parentElement)
            if (box.clientWidth && box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible') cut.push(`${what} in a box that hides it`);
        const layers = [...behind(svg ? svg.parentElement : e), ...(svg ? drawn(e, r) : [])];
        const [a, b] = [light(flat(layers)), light(flat([...layers, svg ? style.fill : style.color]))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) pale.push(`${what} ${((a + 0.05) / (b + 0.05)).toFixed(1)}`);
    }
    for (const e of slide.querySelectorAll('svg, pre, table, button, input'))
        if (e.getBoundingClientRect().width && !within(e.getBoundingClientRect(), page)) cut.push(`${slide.id} a ${e.tagName} of ${Math.round(e.getBoundingClientRect().bottom)}`);
    // Words that are read: not code, figures, tables or notes.
    const copy = slide.cloneNode(true);
    copy.querySelectorAll('aside, pre, table, svg, figure, .live, script, style').forEach(e => e.remove());
    return { id: slide.id, small, cut, pale, words: copy.textContent.trim().split(/\s+/).length };
}

// Moves to each slide with all its steps shown, and looks.
async function allSlides(page, colorScheme) {
    await page.emulateMedia({ colorScheme });
    const found = [], count = await page.evaluate(() => Reveal.getTotalSlides());
    for (let i = 0; i < count; i++) {
        await page.evaluate(i => { // every step shown, every live figure answered
            Reveal.slide(i); while (Reveal.availableFragments().next) Reveal.nextFragment();
            Reveal.getCurrentSlide().querySelectorAll('form').forEach(f => f.requestSubmit()); }, i);
        found.push(await page.evaluate(inspect, { WIDE, HIGH, LEAST }));
    }
    return found;
}

// ---- one deck ----

// Each press of a key shows one more step or turns to the next slide, from the first to the last, and back.
async function keys(page) {
    await page.evaluate(() => Reveal.slide(0, 0, -1));
    const steps = await page.evaluate(() => Reveal.getTotalSlides() - 1 + document.querySelectorAll('.slides .fragment').length);
    const out = [];
    for (let i = 0; i < steps; i++) await page.keyboard.press('ArrowRight');
    if (!(await page.evaluate(() => Reveal.isLastSlide() && !Reveal.availableFragments().next))) out.push(`${steps} presses do not reach the end`);
    const before = await page.evaluate(() => location.hash);
    await page.keyboard.press('Home');
    if (!(await page.evaluate(() => Reveal.isFirstSlide()))) out.push(`Home stays at ${before}`);
    await page.keyboard.press('o');
    if (!(await page.evaluate(() => Reveal.isOverview()))) out.push('o shows no overview');
    await page.keyboard.press('o');
    await page.keyboard.press('f');
    if (!(await page.waitForFunction(() => document.fullscreenElement, null, { timeout: 10000 }).catch(() => 0))) out.push('f shows no full screen');
    await page.evaluate(() => document.fullscreenElement && document.exitFullscreen());
    return out;
}

// The speaker's window has the notes of the slide that is shown, and follows.
async function speaker(page) {
    await page.evaluate(() => Reveal.slide(Reveal.getTotalSlides() - 1));
    const [popup] = await Promise.all([page.waitForEvent('popup', { timeout: 20000 }), page.keyboard.press('s')]), out = [];
    const shows = async () => {
        const notes = await page.evaluate(() => Reveal.getCurrentSlide().querySelector('aside.notes')?.textContent.trim().slice(-20) ?? 'no notes');
        await popup.waitForFunction(text => document.body.textContent.includes(text), notes, { timeout: 20000 }).catch(() => out.push(`the speaker does not see '${notes}'`));
    };
    await shows();
    if (!(await page.evaluate(() => Reveal.isLastSlide()))) out.push('the slide changes when the view opens');
    await page.evaluate(() => Reveal.slide(0));
    await shows();
    await popup.close();
    return out;
}

async function paper(browser, address) {
    const page = await browser.newPage();
    await page.addInitScript(() => document.addEventListener('pdf-ready', () => { window.printed = true; }));
    await page.goto(address + '?print-pdf');
    await page.waitForFunction(() => window.printed, null, { timeout: 20000 }).catch(() => 0);
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
    const slides = await page.evaluate(() => document.querySelectorAll('.slides section').length);
    await page.close();
    return sheets === slides ? [] : [`${sheets} sheets for ${slides} slides`];
}

// The long page of ?read: all slides with their notes and steps, nothing wider than the window.
async function read(browser, address) {
    const page = await browser.newPage({ viewport: { width: WIDE, height: HIGH } });
    await page.goto(address + '?read');
    const narrow = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1 ? [`${document.documentElement.scrollWidth} wide in ${innerWidth}`] : []);
    const out = await page.evaluate(() => [
        ...[...document.querySelectorAll('section h1, .fragment, aside.notes')].filter(e => !e.checkVisibility({ opacityProperty: true })).map(e => `not seen: ${e.textContent.trim().slice(0, 30)}`),
    ]);
    out.push(...await narrow());
    await page.setViewportSize({ width: 400, height: 800 });
    out.push(...await narrow());
    await page.close();
    return out;
}

async function touch(browser, address) {
    const page = await (await browser.newContext({ viewport: { width: 800, height: 450 }, hasTouch: true })).newPage();
    await page.goto(address);
    await page.waitForFunction(() => window.Reveal?.isReady());
    const client = await page.context().newCDPSession(page), at = (type, x) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 200 }] });
    await at('touchStart', 600), await at('touchMove', 500), await at('touchMove', 300), await at('touchEnd');
    const moved = await page.evaluate(() => Reveal.getIndices().h + (Reveal.getIndices().f ?? -1) + 1);
    await page.context().close();
    return moved > 0 ? [] : ['a swipe to the left shows nothing new'];
}

async function look(browser, file) {
    const address = pathToFileURL(join(folder, file)).href, said = [], asked = [];
    const page = await (await browser.newContext({ viewport: { width: WIDE, height: HIGH } })).newPage();
    page.on('console', m => said.push(m.text()));
    page.on('pageerror', e => said.push(String(e)));
    page.on('request', r => /^(file|data|blob|about):/.test(r.url()) || asked.push(r.url()));
    await page.goto(address);
    await page.waitForFunction(() => window.Reveal?.isReady(), null, { timeout: 20000 });
    const slides = await allSlides(page, 'light'), all = (list, what) => list.flatMap(s => s[what]);
    check(`${file}: nothing below ${LEAST} px`, all(slides, 'small'));
    check(`${file}: nothing cut off`, all(slides, 'cut'));
    check(`${file}: contrast, light`, all(slides, 'pale'));
    check(`${file}: contrast, dark`, all(await allSlides(page, 'dark'), 'pale'));
    check(`${file}: one idea a slide`, slides.filter(s => s.words > MOST_WORDS).map(s => `${s.id} has ${s.words} words`));
    check(`${file}: notes for each slide`, await page.$$eval('.slides section', all => all.filter(s => !s.querySelector('aside.notes[data-minutes]')).map(s => s.id)));
    check(`${file}: keys`, await keys(page));
    check(`${file}: speaker view`, await speaker(page));
    check(`${file}: silent, and asks nobody`, [...said, ...asked]);
    await page.context().close();
    check(`${file}: touch`, await touch(browser, address));
    check(`${file}: to read alone`, await read(browser, address));
    check(`${file}: on paper`, await paper(browser, address));
}

// The answer is covered until Count, and covered again when a slider moves; the keyboard alone is enough.
async function live(browser, file) {
    const page = await browser.newPage({ viewport: { width: WIDE, height: HIGH } }), said = [], out = [];
    page.on('pageerror', e => said.push(String(e)));
    page.on('request', r => /^(file|data):/.test(r.url()) || said.push(r.url()));
    await page.goto(pathToFileURL(join(folder, file)).href);
    const counts = () => page.$$eval('.live', all => all.map(e => ({ counts: e.querySelector('.counts').textContent, texts: e.querySelectorAll('svg text').length })));
    for (const [i, before] of (await counts()).entries()) {
        if (!/Guess/.test(before.counts)) out.push(`figure ${i} answers before it asks`);
        const form = page.locator('.live form').nth(i);
        await form.locator('button').focus();
        await page.keyboard.press('Enter');
        const after = (await counts())[i];
        if (!/\d (sector|wavefront)|idle for \d+ clocks|lane \d+: A row/.test(after.counts) || after.texts <= before.texts) out.push(`figure ${i} does not answer: ${after.counts}`);
        await form.locator('input[type=range]').first().focus();
        await page.keyboard.press('ArrowRight');
        if (!/Guess/.test((await counts())[i].counts)) out.push(`figure ${i} still shows the answer when a slider has moved`);
        await form.locator('input[type=checkbox]').check();
        if (/Guess/.test((await counts())[i].counts)) out.push(`figure ${i} does not count at once`);
    }
    await page.setViewportSize({ width: 400, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > 400) out.push(`${wide} wide in 400`);
    check(`${file}: asks, then answers`, out);
    check(`${file}: silent, and asks nobody`, said);
    await page.close();
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
    if (pages[0] === '--live') await live(browser, pages[1]);
    else for (const file of pages) await look(browser, file);
} finally {
    await browser.close();
}
process.exit(failed);
