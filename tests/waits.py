#!/usr/bin/python3
"""waits.py - how long a learner waits for an answer: from a save to the first sentence on the screen, and to the cause.

Each file of tests/lab-mistakes takes the place of the one in labs/ of a copy of the project, and `lockstep lab` runs
on a terminal of 24 x 80. Times are those of the clock: run this on a machine that does nothing else. It is no test.
    python3 tests/waits.py [NAME]
"""

import os, pty, re, shutil, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MISTAKES = os.path.join(ROOT, "tests", "lab-mistakes")
# "matmul: the first words of what is wrong ... looking for the cause 0 s", which is followed by the answer
FIRST = re.compile(rb"looking for the cause|points|passed")


def rows():
    for line in open(os.path.join(MISTAKES, "expect.txt")):
        if line.strip() and line[0] != "#":
            name, exercise = [word.strip() for word in line.split("|")[:2]]
            yield name, exercise.split()


def answer(kit, lab, exercise):
    """Run the lab on a terminal. Returns the seconds to the first sentence and to the end."""
    began, first = time.time(), None
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(kit)
        os.execv("build/lockstep", ["lockstep", "lab", lab, exercise, "--seed", "7", "--why", "1"])
    seen = b""
    while True:
        try:
            some = os.read(terminal, 65536)
        except OSError:  # the program has ended
            some = b""
        if not some:
            break
        seen += some
        if first is None and FIRST.search(seen):
            first = time.time() - began
    os.waitpid(pid, 0)
    end = time.time() - began
    return first or end, end


def main():
    kit = tempfile.mkdtemp() + "/kit"
    shutil.copytree(ROOT, kit, ignore=shutil.ignore_patterns("build", ".git"))
    os.mkdir(kit + "/build")
    shutil.copy(ROOT + "/build/lockstep", kit + "/build/lockstep")
    first, whole = [], []
    for name, (lab, exercise) in rows():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        folder = os.listdir(os.path.join(MISTAKES, name))[0]
        place, before = f"{kit}/labs/{folder}", f"{kit}/before"
        shutil.copytree(place, before)
        if os.path.exists(f"{place}/{exercise}.cu"):
            os.remove(f"{place}/{exercise}.cu")
        shutil.copytree(os.path.join(MISTAKES, name, folder), place, dirs_exist_ok=True)
        times = answer(kit, lab, exercise)
        print(f"{times[0]:5.2f} {times[1]:5.2f}  {name}")
        first.append(times[0]), whole.append(times[1])
        shutil.rmtree(place), shutil.move(before, place)
    for what, seconds in ("to the first sentence", first), ("to the cause", whole):
        seconds.sort()
        print(f"{what}: {sum(seconds) / len(seconds):.2f} s in the mean, {seconds[len(seconds) * 9 // 10]:.2f} s at"
              f" the 90th percentile, {seconds[-1]:.2f} s at most")
    shutil.rmtree(os.path.dirname(kit))


main()
