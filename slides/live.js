// Live figures: common/model itself, compiled to WebAssembly, counts what the sliders ask for.
//
//     sliders ──> settings ──> accesses(): byte addresses of 32 lanes ──> live.c: the model ──> counts ──> drawing
//                          ──> stages, fragment ─────────────────────────────┘
//
// A place in a page is <div class="live" data-figure="KIND NAME=VALUE...">. A change of a slider covers the answer: first a guess, then Count.
// Outside of a browser, lockstepLive(bytes of the module) gives the same counts to a test.
"use strict";
globalThis.lockstepLive = bytes => {
    const wasm = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    const words = (at, n) => new Uint32Array(wasm.memory.buffer, at, n);
    const text = at => {
        const all = new Uint8Array(wasm.memory.buffer);
        let s = "";
        while (all[at]) s += String.fromCharCode(all[at++]);
        return s;
    };
    const gpus = [];
    for (let i = 0; wasm.live_gpu(i); i++) gpus.push({ name: text(wasm.live_gpu(i)), title: text(wasm.live_title(i)), banks: wasm.live_banks(i), sectors: wasm.live_sectors(i) });

    // The accesses of a warp: shared or global, load or store, and each lane's byte address.
    const lanes = f => Array.from({ length: 32 }, (_, l) => f(l));
    const accesses = {
        global: s => [{ name: "load", bytes: s.bytes, addr: lanes(l => s.bytes * (s.offset + Math.floor(l / s.width) * 64 + l % s.width * s.stride)) }],
        shared: s => [{ name: "load", shared: 1, bytes: s.bytes, addr: lanes(l => s.bytes * l * (s.stride + s.pad)) }],
        tile: s => {
            const [x, y] = s.block.split("x").map(Number), row = x + s.pad, rows = 1024;
            return [
                { name: "load from the tile", shared: 1, bytes: 4, addr: lanes(l => 4 * (l % y * row + Math.floor(l / y))) },
                { name: "store to the tile", shared: 1, store: 1, bytes: 4, addr: lanes(l => 4 * (Math.floor(l / x) * row + l % x)) },
                { name: "store to out", store: 1, bytes: 4, addr: lanes(l => 4 * (Math.floor(l / y) * rows + l % y)) },
            ];
        },
    };
    function count(gpu, a) {
        words(wasm.live_addr(), 32).set(a.addr);
        wasm.live_count(gpu, a.shared ?? 0, a.store ?? 0, 0xffffffff, a.bytes);
        const out = words(wasm.live_out(), 4);
        return a.shared ? { wavefronts: out[0], conflicts: out[1] } : { sectors: out[0], lines: out[1], moved: out[2], wavefronts: out[3] };
    }
    function occupancy(gpu, threads, registers, shared) {
        wasm.live_occupancy(gpu, threads, registers, shared);
        const out = words(wasm.live_out(), 4);
        return { blocks: out[0], warps: out[1], most: out[2] };
    }
    // The steps of a block with so many stages, and how many clocks its arithmetic is idle.
    function stages(s) {
        const idle = wasm.live_stages(s.stages, s.copy, s.work, s.steps), at = words(wasm.live_steps(), 4 * s.steps);
        const step = Array.from({ length: s.steps }, (_, i) => ({ asked: at[4 * i], there: at[4 * i + 1], begun: at[4 * i + 2], done: at[4 * i + 3] }));
        return { idle, step, end: step[s.steps - 1].done };
    }
    // The matrices of a product m16n8: of each element, row by row, its lane and its register there. per: elements in a register of A and B.
    const fragment = (k, per) => [["a", 16, k, per], ["b", k, 8, per], ["c", 16, 8, 1]].map(([name, rows, columns, elements], matrix) => {
        const held = [];
        for (let lane = 0; lane < 32; lane++)
            for (let i = 0; i < rows * columns / 32; i++) {
                const reg = Math.floor(i / elements), at = wasm.live_held(matrix, per, lane, reg, i % elements);
                held[(at >> 4) * columns + at % 16] = { lane, reg };
            }
        return { name, rows, columns, held };
    });
    return { gpus, accesses, count, occupancy, stages, fragment };
};

if (globalThis.document) (() => {
    const model = lockstepLive(Uint8Array.from(atob(LIVE_WASM), c => c.charCodeAt(0)));
    const CELL = 22, LEFT = 48, TOP = 90, WIDE = 768;
    const range = (name, label, least, most, step = 1) => ({ name, label, least, most, step });
    const choice = (name, label, values) => ({ name, label, values });
    const gpu = choice("gpu", "GPU", model.gpus.map(g => [g.name, g.title]));
    const bytes = choice("bytes", "element", [1, 2, 4, 8, 16].map(n => [n, n + (n === 1 ? " byte" : " bytes")]));
    const controls = {
        global: [range("stride", "stride", 0, 40), range("offset", "offset", 0, 32), choice("width", "block", [32, 16, 8, 4].map(n => [n, n + " wide, rows of 64"])), bytes, gpu],
        shared: [range("stride", "row length", 0, 40), range("pad", "padding", 0, 8), bytes, gpu],
        tile: [choice("block", "block", ["32x32", "32x16", "32x8", "16x16", "16x8", "8x16", "8x8", "64x4"].map(s => [s, s.replace("x", " x ")])), range("pad", "padding", 0, 16), gpu],
        stages: [range("stages", "stages", 1, 6), range("copy", "copy", 100, 1500, 20), range("work", "product", 100, 1500, 20)],
        fragment: [range("lane", "lane", 0, 31), choice("product", "product", ["m16n8k8,tf32", "m16n8k8,f16", "m16n8k16,f16"].map(s => [s, s.replace(",", ", ")]))],
    };
    const defaults = { stages: 2, copy: 680, work: 400, steps: 6, lane: 13, product: "m16n8k8,tf32", stride: 1, offset: 0, width: 32, pad: 0, bytes: 4, block: "16x16", gpu: "h200" };
    const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

    // ---- drawing, as view/figure.c draws ----
    const rect = (x, y, w, h, name, stroke) => `<rect x="${x}" y="${y}" width="${w}" height="${h}" class="${name}" stroke="${stroke}"/>`;
    const text = (x, y, what, anchor) => `<text x="${x}" y="${y}" font-size="12" text-anchor="${anchor}" class="ink">${what}</text>`;
    const label = (x, y, what, anchor = "middle", fit = String(what).length > 2 && anchor === "middle" ? ` textLength="${CELL - 2}" lengthAdjust="spacingAndGlyphs"` : "") =>
        `<text x="${x}" y="${y}" font-size="12" text-anchor="${anchor}"${fit} class="ink">${what}</text>`;
    const centre = lane => LEFT + lane * CELL + CELL / 2;
    const line = (lane, x, colour) => `<line x1="${centre(lane)}" y1="26" x2="${x}" y2="${TOP}" stroke="${colour}"/>`;
    function banks(a, conflicts, n) {
        const stacks = Array.from({ length: n }, () => []);
        for (const at of a.addr)
            for (let w = Math.floor(at / 4); w <= Math.floor((at + a.bytes - 1) / 4); w++)
                if (!stacks[w % n].includes(w)) stacks[w % n].push(w);
        const most = Math.max(...stacks.map(s => s.length)), high = most > 8 ? 6 : 18, bottom = TOP + most * high;
        const bad = b => conflicts && stacks[b].length === most;
        let out = label(LEFT - 6, TOP + 13, "word", "end") + label(LEFT - 6, bottom + 16, "bank", "end");
        a.addr.forEach((at, l) => { const b = Math.floor(at / 4) % n; out += line(l, centre(b), bad(b) ? "#f2a35e" : "#777777"); });
        stacks.forEach((words, b) => {
            words.forEach((w, k) => {
                out += rect(LEFT + b * CELL, TOP + k * high, CELL, high, bad(b) ? "bad" : "good", "#ffffff");
                if (most <= 8) out += label(centre(b), TOP + k * high + 13, w);
            });
            out += rect(LEFT + b * CELL, bottom + 3, CELL, 17, "pale", "#888888") + label(centre(b), bottom + 16, b);
        });
        return [out, bottom + 22];
    }
    function sectors(a) {
        const all = [...new Set(a.addr.map(at => Math.floor(at / 32)))].sort((x, y) => x - y);
        const gaps = all.filter((s, i) => i && s !== all[i - 1] + 1).length, wide = Math.min(8 * CELL, (32 * CELL - 6 * gaps) / all.length), place = new Map();
        let x = LEFT, out = label(LEFT - 6, TOP + 15, "sector", "end") + label(LEFT - 6, TOP + 34, "byte", "end");
        all.forEach((s, i) => { x += i && s !== all[i - 1] + 1 ? 6 : 0; place.set(s, x); x += wide; });
        a.addr.forEach((at, l) => {
            const from = place.get(Math.floor(at / 32)) + at % 32 * wide / 32, w = a.bytes * wide / 32;
            out += line(l, from + w / 2, "#777777") + rect(from, TOP, Math.max(w, 2), 20, "good", "none");
        });
        all.forEach((s, i) => {
            out += rect(place.get(s), TOP, wide, 20, "hollow", "#777777");
            if (all.length <= 16 || !i || i === all.length - 1) out += label(place.get(s) + wide / 2, TOP + 34, s * 32);
        });
        return [out, TOP + 42];
    }
    function drawing(a, counted, gpu) {
        let body = "", bottom = TOP + 42;
        if (counted) [body, bottom] = a.shared ? banks(a, counted.conflicts, gpu.banks) : sectors(a);
        let top = label(LEFT - 6, 21, "lane", "end");
        for (let l = 0; l < 32; l++) top += rect(LEFT + l * CELL, 8, CELL, 18, "lane", "#888888") + label(centre(l), 21, l);
        return `<svg viewBox="0 0 ${WIDE} ${bottom}" role="img"><title>${a.name}</title>${top}${body}</svg>`;
    }

    // As view/figure_pipeline.c. Before the answer: the copies that are asked for at the start.
    function drawStages(s, { step, end }, tell) {
        const left = 80, high = 24, scale = (WIDE - left - 16) / end, bottom = (s.stages + 1) * high;
        const bar = (row, from, to, name, stroke, n = "") => to <= from ? "" : rect(left + from * scale, row * high + 1, (to - from) * scale, 18, name, stroke) +
            ((to - from) * scale >= 18 ? text(left + (from + to) / 2 * scale, row * high + 14, n, "middle") : "");
        let out = text(left - 6, s.stages * high + 14, "products", "end"), before = 0;
        for (let i = 0; i < s.stages; i++) out += text(left - 6, i * high + 14, `stage ${i}`, "end");
        step.forEach((t, i) => {
            const row = i % s.stages;
            if (tell || !t.asked) out += bar(row, t.asked, t.there, "lane", "#888888", i);
            if (!tell) return;
            out += rect(left + t.there * scale, row * high + 8, (t.done - t.there) * scale, 4, "mark", "none");
            out += bar(s.stages, before, t.begun, "bad", "none") + bar(s.stages, t.begun, t.done, "good", "#888888", i);
            before = t.done;
        });
        return `<svg viewBox="0 0 ${WIDE} ${bottom}" role="img"><title>stages</title>${out}</svg>`;
    }
    // As view/figure_fragment.c. Before the answer the elements are empty.
    function drawFragment(s, matrices, tell) {
        const top = 36, high = 15, wide = Math.min(26, (WIDE - 16 - 40 - 88) / matrices.reduce((n, m) => n + m.columns, 0));
        let x = 40, out = "";
        for (const m of matrices) {
            out += text(x, 12, `${m.name.toUpperCase()}, ${m.rows} x ${m.columns}`, "start");
            for (let j = 0; j < m.columns; j++) out += text(x + (j + 0.5) * wide, top - 5, j, "middle");
            for (let i = 0; i < m.rows; i++) out += text(x - 5, top + i * high + 12, i, "end");
            m.held.forEach(({ lane, reg }, at) => {
                const column = at % m.columns, y = top + (at - column) / m.columns * high, own = lane === s.lane;
                out += rect(x + column * wide, y, wide, high, tell ? own ? "bad" : reg % 2 ? "pale" : "lane" : "hollow", "#888888");
                if (tell) out += text(x + (column + 0.5) * wide, y + 12, own ? m.name + reg : lane, "middle");
            });
            x += m.columns * wide + 44;
        }
        return `<svg viewBox="0 0 ${WIDE} ${top + 16 * high + 2}" role="img"><title>fragment</title>${out}</svg>`;
    }

    // ---- one figure ----
    // Of each kind: the picture and what is said below it, with or without the answer.
    function showStages(s, tell) {
        const all = model.stages(s), { idle, end } = all;
        const said = `${plural(s.steps, "step")} in ${end} clocks; the arithmetic is idle for ${idle} clocks, ${Math.round(100 * idle / end)}%`;
        return [drawStages(s, all, tell), tell ? said : "For how many clocks is the arithmetic idle? Guess, then press Count."];
    }
    function showFragment(s, tell) {
        const [shape, type] = s.product.split(","), matrices = model.fragment(+shape.split("k")[1], type === "tf32" ? 1 : 2);
        const places = (m, of) => [...new Set(m.held.map(({ lane }, at) => lane === s.lane ? of(at) : -1).filter(n => n >= 0))];
        const list = (what, all) => `${what}${all.length === 1 ? "" : "s"} ${all.join(", ")}`;
        const said = matrices.map(m => `${m.name.toUpperCase()} ${list("row", places(m, at => Math.floor(at / m.columns)))}, ${list("column", places(m, at => at % m.columns))}`);
        return [drawFragment(s, matrices, tell), tell ? `lane ${s.lane}: ${said.join("; ")}` : `Which elements has lane ${s.lane}? Guess, then press Count.`];
    }
    function words(a, c, gpu) {
        const what = `${a.shared ? "shared" : "global"} ${a.name}: `;
        if (a.shared) return what + `${plural(c.wavefronts, "wavefront")}, ${plural(c.conflicts, "conflict")}`;
        return what + `${plural(c.sectors, gpu.sectors ? "sector" : "transaction")}, ${32 * a.bytes} bytes wanted, ${c.moved} moved`;
    }
    const showAccess = kind => (s, tell) => {
        const at = model.gpus.findIndex(g => g.name === s.gpu), all = model.accesses[kind](s), counts = all.map(a => model.count(at, a));
        let said = all.map((a, i) => words(a, counts[i], model.gpus[at])).join("<br>");
        if (kind === "tile") {
            const [x, y] = s.block.split("x").map(Number), o = model.occupancy(at, x * y, 32, 4 * y * (x + s.pad));
            said += `<br>32 registers a thread: ${plural(o.blocks, "block")}, ${o.warps} of ${o.most} warps on a multiprocessor`;
        }
        const ask = `How many ${all[0].shared ? "wavefronts" : model.gpus[at].sectors ? "sectors" : "transactions"}? Guess, then press Count.`;
        return [drawing(all[0], tell && counts[0], model.gpus[at]), tell ? said : ask];
    };
    const shows = { global: showAccess("global"), shared: showAccess("shared"), tile: showAccess("tile"), stages: showStages, fragment: showFragment };
    function figure(place) {
        const [kind, ...given] = place.dataset.figure.split(" ");
        const settings = { ...defaults, ...Object.fromEntries(given.map(w => w.split("=")).map(([n, v]) => [n, isNaN(v) ? v : +v])) };
        let counted = false;
        place.dataset.preventSwipe = "";
        place.innerHTML = '<form class="knobs"></form><div class="picture"></div><p class="counts" aria-live="polite"></p>';
        const form = place.querySelector("form");
        for (const c of controls[kind]) {
            const l = document.createElement("label");
            l.innerHTML = c.values
                ? `${c.label} <select name="${c.name}">${c.values.map(([v, t]) => `<option value="${v}"${v === settings[c.name] ? " selected" : ""}>${t}</option>`).join("")}</select>`
                : `${c.label} <input type="range" name="${c.name}" min="${c.least}" max="${c.most}" step="${c.step}" value="${settings[c.name]}"> <output>${settings[c.name]}</output>`;
            form.append(l);
        }
        form.insertAdjacentHTML("beforeend", '<button type="submit">Count</button><label><input type="checkbox" name="always"> at once</label>');
        const show = () => {
            const [picture, said] = shows[kind](settings, counted || form.always.checked);
            place.querySelector(".picture").innerHTML = picture;
            place.querySelector(".counts").innerHTML = said;
        };
        form.addEventListener("input", e => {
            const c = controls[kind].find(c => c.name === e.target.name);
            if (c) {
                settings[c.name] = isNaN(e.target.value) ? e.target.value : +e.target.value;
                if (!c.values) e.target.nextElementSibling.textContent = e.target.value;
                counted = false;
            }
            show();
        });
        form.addEventListener("submit", e => { e.preventDefault(); counted = true; show(); });
        show();
    }
    document.querySelectorAll("div.live").forEach(figure);
})();
