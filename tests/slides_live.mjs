// slides_live.mjs PAGE - what the script of a page with live figures counts, over the grid of tests/live_expected.c, in the same lines.
import { readFileSync } from 'node:fs';
import vm from 'node:vm';

const scripts = [...readFileSync(process.argv[2], 'utf8').matchAll(/<script>\n([^]*?)\n<\/script>/g)].map(m => m[1]).filter(s => s.includes('LIVE_WASM ='));
const context = vm.createContext({ WebAssembly, Uint8Array, Uint32Array });
vm.runInContext(scripts[0] + '\nglobalThis.wasm = LIVE_WASM;', context);
const model = context.lockstepLive(new Uint8Array(Buffer.from(context.wasm, 'base64'))), out = [];
model.gpus.forEach(({ name }, gpu) => {
    const count = (kind, settings) => model.accesses[kind](settings).map(a => model.count(gpu, a));
    for (let bytes = 1; bytes <= 16; bytes *= 2) {
        for (let stride = 0; stride <= 40; stride++)
            for (let offset = 0; offset <= 32; offset += 3)
                for (let width = 4; width <= 32; width *= 2) {
                    const [g] = count('global', { stride, offset, width, bytes });
                    out.push(`global ${name} ${stride} ${offset} ${width} ${bytes} ${g.sectors} ${g.lines} ${g.moved} ${g.wavefronts}`);
                }
        for (let row = 0; row <= 48; row++) {
            const pad = Math.min(row, row % 9), [s] = count('shared', { stride: row - pad, pad, bytes });
            out.push(`shared ${name} ${row} ${bytes} ${s.wavefronts} ${s.conflicts}`);
        }
    }
    for (const block of ['32x32', '32x16', '32x8', '16x16', '16x8', '8x16', '8x8', '64x4'])
        for (let pad = 0; pad <= 16; pad++) {
            const [x, y] = block.split('x').map(Number), [load, store, sectors] = count('tile', { block, pad });
            const o = model.occupancy(gpu, x * y, 32, 4 * y * (x + pad));
            out.push(`tile ${name} ${x} ${y} ${pad} ${load.wavefronts} ${store.wavefronts} ${sectors.sectors} ${o.blocks} ${o.warps}`);
        }
});
for (let n = 1; n <= 6; n++)
    for (let copy = 100; copy <= 1500; copy += 140)
        for (let work = 100; work <= 1500; work += 140) {
            const { idle, end, step } = model.stages({ stages: n, copy, work, steps: 6 });
            out.push(`stages ${n} ${copy} ${work} ${idle} ${end} ${step.map(s => `${s.asked} ${s.there} ${s.begun}`).join(' ')}`);
        }
for (const [k, per] of [[8, 1], [8, 2], [16, 2]])
    for (const { name, rows, columns, held } of model.fragment(k, per)) {
        if (held.length !== rows * columns) out.push(`${name} has ${held.length} elements`);
        held.forEach(({ lane, reg }, at) => out.push(`fragment ${k} ${per} ${name} ${Math.floor(at / columns)} ${at % columns} ${lane} ${reg}`));
    }
console.log(out.join('\n'));
