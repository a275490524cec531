#!/usr/bin/env python3
"""repositories.py - build and run the CUDA programs of other people's repositories.

    python3 tests/repositories.py [-s SECONDS] [-o RESULTS] [-a EARLIER] [-I HEADERS]... FOLDER...

Each FOLDER is a checkout. A program is a .cu file with a function main. It is built from its own folder by build/lockstep-nvcc: alone
or, if that does not link, with the sources that have no main of its folder and of those of its headers. Headers are looked for in the
repository's folders of headers, then wherever the repository has one of that name, the nearest first, and in the folders of -I, such as
CCCL's. The program is run there without arguments.

EARLIER is a file of results: what ended well or warned there is not run again.

One row a program goes to RESULTS: built, ended well, warned, stopped by the kit, too slow, failed, and what was said. A total for each
folder is printed. Whether a program that ends well printed what it should is for people to see.
"""
import argparse, concurrent.futures, os, re, subprocess, sys, tempfile

NVCC = os.path.abspath('build/lockstep-nvcc')
HEADERS = re.compile(r'(?i)(^|/)(common|include|includes|inc|headers?|utils?|helpers?)$')


def text(path):
    with open(path, errors='replace') as f:
        return f.read()


def has_main(path):
    return re.search(r'^\s*(int|void|auto)?\s*main\s*\(', text(path), re.M) is not None


def run(words, folder, seconds):
    """Exit status, or None if it did not end in time; and what it wrote."""
    env = dict(os.environ, LOCKSTEP_DEVICE='sim:h200', CI='true')
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, errors='replace', env=env, start_new_session=True)
    try:
        out, said = process.communicate(timeout=seconds)
        return process.returncode, out, said
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, said = process.communicate()
        return None, out, said


def build(program, folders, more, to):
    """folders: the repository's, the nearest first; more: folders of headers that the user named."""
    folder, name = os.path.split(program)
    near = sorted(folders, key=lambda d: -len(os.path.commonpath([d, folder])))
    headers, homes = [d for d in near if HEADERS.search(d)] + more, [folder]
    words = [NVCC, '-O2', '-o', to, '-lcublas', '-lcufft', '-lcurand', '-rdc=true']
    words += ['-Xcompiler', '-fopenmp'] if 'omp.h' in text(program) else []
    for _ in range(8):
        status, _, said = run(words + ['-I' + h for h in headers] + [name], folder, 300)
        missing = re.search("'([^']+)' file not found", said)
        home = missing and next((d for d in near if os.path.exists(os.path.join(d, missing[1]))), None)
        if not home or home in headers:
            break
        headers.append(home), homes.append(home)
    others = [os.path.join(d, f) for d in homes for f in sorted(os.listdir(d)) if f.endswith(('.cu', '.cpp', '.cc', '.c'))
              and (d, f) != (folder, name) and not has_main(os.path.join(d, f))]
    if status and 'undefined reference' in said and others:
        status, _, said = run(words + ['-I' + h for h in headers] + [name] + others, folder, 300)
    return status == 0, said


def line_of(said):
    """The line that says why: the first with an error, else the last."""
    lines = [l.strip() for l in said.splitlines() if l.strip()]
    return next((l for l in lines if 'error' in l or 'undefined reference' in l), lines[-1] if lines else '')[:200]


def attempt(program, folders, more, seconds):
    with tempfile.TemporaryDirectory() as scratch:
        to = os.path.join(scratch, 'program')
        built, said = build(program, folders, more, to)
        if not built:
            return 'not built', line_of(said)
        status, out, said = run([to], os.path.dirname(program), seconds)
    kit = [l for l in said.splitlines() if l.startswith('lockstep: ')]
    if status is None:
        return 'slow', ''
    if kit and status:
        return 'stopped', kit[0][:200]
    if status:
        return 'failed', f'exit status {status}: ' + line_of(said or out)
    return ('warned', kit[0][:200]) if kit else ('well', '')


def main():
    options = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    options.add_argument('-s', type=float, default=60, help='seconds that a program may run')
    options.add_argument('-o', default=os.devnull, help='file of one row a program')
    options.add_argument('-a', help='results of an earlier run: what ended well there is taken from it')
    options.add_argument('-I', action='append', default=[], type=os.path.abspath, help='folder of headers for all')
    options.add_argument('folders', nargs='+')
    asked = options.parse_args()
    kinds = ['well', 'warned', 'stopped', 'slow', 'failed', 'not built']
    print(f'{"":32}{"programs":>9}' + ''.join(f'{k:>10}' for k in kinds))
    earlier = [l.split('\t') for l in text(asked.a).splitlines()] if asked.a else []
    done = {name: (kind, why) for kind, name, why in earlier if kind in ('well', 'warned')}
    found = []
    with open(asked.o, 'w') as rows, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for root in map(os.path.abspath, asked.folders):
            folders = [d for d, _, _ in os.walk(root) if '/.git' not in d]
            programs = sorted(os.path.join(d, f) for d in folders for f in os.listdir(d)
                              if f.endswith('.cu') and has_main(os.path.join(d, f)))
            named = [(os.path.relpath(p, os.path.dirname(root)), p) for p in programs]
            found.append((root, [(name, None if name in done else pool.submit(attempt, p, folders, asked.I, asked.s))
                                 for name, p in named]))
        for root, programs in found:
            count = dict.fromkeys(kinds, 0)
            for name, result in programs:
                kind, why = result.result() if result else done[name]
                count[kind] += 1
                print(kind, name, why, sep='\t', file=rows, flush=True)
            print(f'{os.path.basename(root)[:31]:32}{len(programs):9}' + ''.join(f'{count[k]:10}' for k in kinds), flush=True)


if __name__ == '__main__':
    sys.exit(main())
