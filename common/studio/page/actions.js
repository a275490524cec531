// actions.js - requests that several views make.
import { simulated } from './main.js';
import { run } from './net.js';
import { isPlay, state } from './state.js';

export function runStep() {
    const kernel = isPlay() ? '' : state.profile?.kernels[state.kernel]?.kernel;
    run(isPlay() ? 'playstep' : 'step', { file: state.file, device: simulated(), kernel, warp: 0 });
}
