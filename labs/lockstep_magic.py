"""lockstep_magic.py - what labs/lockstep.ipynb adds to a notebook: the exercises of the labs in its cells.

    %%lockstep 01 add              the cell's text becomes labs/01-naive/add.cu; then `lockstep lab 01 add`
    %lockstep profile 01 add       what each line costs, with pictures
    %lockstep edit 02 matmul       a new cell with the file of another exercise
    %lockstep hint 01 add          any other command of `lockstep`, as in a terminal

The words after an exercise are options of that command, also as make takes them: STUDENT=my, DEVICE=sim:t4, WHY=1. Needs IPython
alone. A mistake is told in a line; no magic raises.
"""

import html
import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from IPython import get_ipython
from IPython.display import HTML, display

TOP = Path(__file__).resolve().parent.parent
PROGRAM = TOP / "build" / "lockstep"
written = {}  # path: what a cell put there last


class Mistake(Exception):
    """What is told instead of an answer: a line or two."""


def start():
    """Build the kit, with the packages it lacks, and add %lockstep to the notebook."""
    get_ipython().register_magic_function(answer, "line_cell", "lockstep")
    if not PROGRAM.exists():
        print("The kit is built now, once: it takes a minute or two.", flush=True)
    began, said = time.monotonic(), []
    make = subprocess.Popen(["make", "kit"], cwd=TOP, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in make.stdout:
        said.append(line)
        if line.startswith("lockstep: "):  # what common/setup.sh installs, or asks for
            print(line, end="", flush=True)
    if make.wait():
        print("".join(said[-10:]) + "The kit could not be built.", file=sys.stderr)
        return
    version = subprocess.run([PROGRAM, "--version"], text=True, capture_output=True).stdout.strip()
    print(f"{version}, in {TOP}: ready after {time.monotonic() - began:.0f} s")


def answer(line, cell=None):
    """Do what a magic says, and print its answer."""
    try:
        words = [option for word in shlex.split(line) for option in as_options(word)]
        if cell is not None:
            save(words, cell)
            run("lab", *words)
        elif words[:1] == ["profile"] and len(words) > 2 and not words[1].endswith(".cu"):
            profile(*words[1:])
        elif words[:1] == ["edit"]:
            edit(words[1:])
        else:
            run(*words)
    except Mistake as mistake:
        print(mistake, file=sys.stderr)
    except (OSError, ValueError) as problem:  # no such program or file; an open quote
        print(f"lockstep: {problem}", file=sys.stderr)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)


def as_options(word):
    """WHY=1 as --why 1, and MORE=1 as --more; any other word as it is."""
    name, equals, value = word.partition("=")
    if not equals or not re.fullmatch("[A-Z]+", name):
        return [word]
    return ["--more"] if name == "MORE" else [f"--{name.lower()}", value]


def run(*words):
    """Run the program, and print what it says as it comes."""
    child = subprocess.Popen(
        [PROGRAM, *words], cwd=TOP, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        for line in child.stdout:
            print(line, end="", flush=True)
    finally:
        child.kill()
        child.wait()


def ask(*words):
    """What the program prints as JSON; Mistake: what it says instead."""
    child = subprocess.run([PROGRAM, *words], cwd=TOP, text=True, stdin=subprocess.DEVNULL, capture_output=True)
    if child.returncode:
        raise Mistake(child.stderr.strip())
    return json.loads(child.stdout)


def path_of(words):
    """The file of the exercise that words begin with, in the folder of --student or in labs."""
    if len(words) < 2 or words[1].startswith("-"):
        raise Mistake("lockstep: which exercise? For example: 01 add")
    lab, exercise, *options = words
    student = options[options.index("--student") + 1] if "--student" in options[:-1] else "labs"
    for one in ask("labs", "--format", "json")["labs"]:
        name = one["lab"]
        if lab == name or lab.isdigit() and int(lab) == int(name.split("-")[0]):
            for x in one["exercises"]:
                if x["exercise"] == exercise:
                    if not (TOP / student).exists():  # lab makes it, with all skeletons
                        subprocess.run([PROGRAM, "lab", *words], cwd=TOP, capture_output=True)
                    return TOP / student / x["file"]
    # lab says which labs and exercises there are
    said = subprocess.run([PROGRAM, "lab", lab, exercise], cwd=TOP, text=True, capture_output=True).stderr
    raise Mistake(said.strip())


def save(words, text):
    """Make text the file of an exercise. A text that no cell and no author of the labs wrote is kept."""
    path = path_of(words)
    if not text.strip():
        raise Mistake(f"lockstep: the cell is empty; %lockstep edit {words[0]} {words[1]} makes a cell with the file as it is")
    old = path.read_text() if path.exists() else ""
    if old not in ("", text, written.get(path), given(path)):
        kept = TOP / "build" / "notebook" / path.relative_to(path.parents[1])
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(old)
        print(f"{path.relative_to(TOP)} had another text, which is now {kept.relative_to(TOP)}\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    written[path] = text


def given(path):
    """The file in labs as git has it; None: nobody knows."""
    name = "/".join(("labs", *path.parts[-2:]))
    git = subprocess.run(["git", "show", f"HEAD:./{name}"], cwd=TOP, text=True, capture_output=True)
    return None if git.returncode else git.stdout


def edit(words):
    """Put a cell below that holds the file of an exercise."""
    text = path_of(words).read_text()
    get_ipython().set_next_input(f"%%lockstep {shlex.join(words)}\n{text}")


PAPER = "background:#fff;color:#22262b;padding:0.6em 1em;overflow-x:auto;font:14px/1.5 sans-serif"
CODE = "text-align:left;white-space:pre;font-family:monospace;padding:0 0.6em;background:#fff;color:#22262b"
BAR = '<div style="width:6em;border:0"><div style="width:{:.0%};height:0.8em;background:#f2a35e"></div></div>'


def profile(lab, exercise, *options):
    """Show what each line of an exercise's kernels costs, and which lane touches what in the lines that cost most."""
    path_of((lab, exercise, *options))
    told = ask("profile", "--lab", lab, "--exercise", exercise, "--json", "--pictures", *options)
    source = told["text"].split("\n")
    display(HTML("".join(kernel_page(kernel, source, told) for kernel in told["kernels"])))


def kernel_page(kernel, source, told):
    """One kernel as HTML, on white: a notebook's theme may be light or dark."""
    share = {line["line"]: line["share"] for line in kernel["lines"]}
    out = [
        f'<div style="{PAPER}"><b>{html.escape(kernel["kernel"])}</b>, {html.escape(kernel["arguments"])}: '
        f'{kernel["time_ms"]:.4f} ms {kernel["time_is"]} on {html.escape(told["device"])}, '
        f'limited by: {html.escape(kernel["bottleneck"])}'
        '<table style="margin:0.6em 0;border-collapse:collapse">'
    ]
    for n in range(min(share, default=1) - 1, max(share, default=0) + 1):
        cost = share.get(n)
        cells = ("", "") if cost is None else (f"{cost:.0%}", BAR.format(cost))
        out.append("<tr>" + "".join(f'<td style="{CODE}">{c}</td>' for c in (*cells, n, html.escape(source[n - 1]))) + "</tr>")
    out.append("</table>")
    pictures = {picture["line"]: picture for picture in kernel["pictures"]}
    for cost in kernel["costs"]:
        text = re.sub(r"^([a-z])", lambda first: first[1].upper(), cost["text"])
        out.append(f'<p><b>Line {cost["line"]}, {cost["share"]:.0%} of the cost.</b> {html.escape(text)}</p>')
        if cost["line"] in pictures:
            out.append(pictures.pop(cost["line"])["svg"])
    for line, picture in pictures.items():
        out.append(f"<details><summary>Line {line}: which lane touches what</summary>{picture['svg']}</details>")
    return "".join(out) + "</div>"
