"""hand_in.py KIT CLASS: a class in CLASS, packed as people and platforms pack it. KIT is a clone of the project with a learner's right work
in labs/. Prints a line a submission: its name in the report, and the points that it is to have in lab 01, where 44 is all but the detectives'."""
import io, json, os, shutil, subprocess, sys, tarfile, unicodedata, zipfile

kit, to = sys.argv[1], sys.argv[2]
POINTS = {"aat.cu": 10, "add.cu": 4, "copy.cu": 10, "matmul.cu": 10, "transpose.cu": 10}
work = {f: open(f"{kit}/labs/01-naive/{f}", "rb").read() for f in POINTS}
skeleton = {f: subprocess.run(["git", "-C", kit, "show", f"HEAD:labs/01-naive/{f}"], capture_output=True, check=True).stdout for f in work}
solution = {f: open(f"{kit}/solutions/01-naive/{f}", "rb").read() for f in work}
rows = []


def expect(student, points, file):
    rows.append((student, points))
    return os.path.join(to, file)


def folder(path, files):
    for name, data in files.items():
        os.makedirs(os.path.dirname(f"{path}/{name}"), exist_ok=True)
        open(f"{path}/{name}", "wb").write(data)


def below(prefix, files=None):
    return {f"{prefix}{name}": data for name, data in (files or work).items()}


def zipped(files, flag=None):
    """flag: bytes to put in place of the ~ of "~bung" in names, as a system's own code page has them."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            z.writestr(name, data)
    return out.getvalue().replace(b"~bung", flag + b"bung") if flag else out.getvalue()


def tarred(files, mode, form=tarfile.GNU_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=form) as t:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            t.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def clone(files):
    """The whole clone, with these files in labs/01-naive."""
    names = subprocess.run(["git", "-C", kit, "ls-files"], capture_output=True, check=True, text=True).stdout.split("\n")
    keep = [n for n in names if n.endswith((".cu", ".c", ".md")) and not n.startswith("labs/01-naive/")]
    return {**{n: open(f"{kit}/{n}", "rb").read() for n in keep}, **below("labs/01-naive/", files)}


def save(path, data):
    open(path, "wb").write(data)


# ---- as platforms hand it out ----
save(expect("adal", 44, "adal_101_5001_labs.zip"), zipped(below("labs/01-naive/")))
save(expect("bobb", 44, "bobb_LATE_102_5002_labs.zip"), zipped(below("01-naive/")))
folder(expect("Zoë Müller", 44, "Zoë Müller_994_assignsubmission_file"), below("01-naive/"))
folder(expect("李 小龍", 44, "李 小龍_995_assignsubmission_file"), {"labs.zip": zipped(below("labs/01-naive/"))})
folder(expect("submission_12345", 44, "submission_12345"), below("01-naive/"))
for name, data in work.items():
    save(os.path.join(to, f"caro_107_{6000 + len(name)}_{name}"), data)
rows.append(("caro", 44))
# ---- as people pack it ----
classroom = expect("lab01-dora", 44, "lab01-dora")
folder(classroom, clone(work))
folder(classroom, {".git/HEAD": b"ref: refs/heads/main\n", ".git/01-naive/copy.cu": b"x"})
save(expect("clone_zip", 44, "clone_zip.zip"), zipped({**below("solutions/01-naive/", solution), **clone(work)}))
save(expect("clone_tar", 44, "clone_tar.tar.gz"), tarred(below("kit-main/", clone(work)), "w:gz"))
save(expect("tgz", 44, "tgz.tgz"), tarred(below("./01-naive/"), "w:gz"))
save(expect("xz", 44, "xz.tar.xz"), tarred(below("labs/01-naive/"), "w:xz"))
save(expect("explorer", 44, "explorer.zip"), zipped({k.replace("/", "\\"): v.replace(b"\n", b"\r\n") for k, v in below("labs/01-naive/").items()}))
save(expect("codepage", 44, "codepage.zip"), zipped(below("~bung/01-naive/"), b"\x9a"))
finder = below("Übung 1/01-naive/")
finder = {unicodedata.normalize("NFD", n): d for n, d in finder.items()}
marks = {f"__MACOSX/{os.path.dirname(n)}/._{os.path.basename(n)}": b"\0\5\x16\7" for n in finder}
save(expect("finder", 44, "finder.zip"), zipped({"Übung 1/": b"", **finder, **marks, "Übung 1/.DS_Store": b"\0"}))
save(expect("pax", 44, "pax.tar"), tarred({"Lösung.txt": b"x", **below("Übung/01-naive/")}, "w", tarfile.PAX_FORMAT))
folder(expect("nested", 44, "nested"), below("a/b/c/labs/01-naive/"))
beside = expect("beside", 44, "beside")
folder(beside, {**below("01-naive/"), **below("backup/01-naive/", skeleton), **below(".old/01-naive/", skeleton), **below(".vscode/01-naive/", skeleton)})
# ---- as people name and write it ----
folder(expect("flat", 44, "flat"), work)
renamed = {"add.cu": "Lab 1/add (1).cu", "copy.cu": "Lab 1/copy_final.cu", "matmul.cu": "lab01/Matmul.cu", "transpose.cu": "01_naive/transpose v2.cu", "aat.cu": "aat.cu.txt"}
folder(expect("misnamed", 44, "misnamed"), {renamed[n]: d for n, d in work.items()})
def notebook(path, data):
    source = [f"%%writefile {path}\n"] + data.decode().splitlines(keepends=True)
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}


cells = [{"cell_type": "markdown", "source": "# mine"}, notebook("01-naive/copy.cu", b"not yet\n")]
cells += [notebook(f"01-naive/{n}", d) for n, d in work.items()] + [{"cell_type": "code", "source": "!make lab LAB=01"}]
ipynb = json.dumps({"cells": cells, "nbformat": 4}).encode()
folder(expect("notebook", 44, "notebook"), {**below("01-naive/"), "plots.ipynb": b'{"cells": []}'})
folder(expect("colab", 44, "colab"), {"work.ipynb": ipynb})
save(expect("colab_zip", 44, "colab_zip.zip"), zipped({"work.ipynb": ipynb}))
folder(expect("utf16", 44, "utf16"), below("01-naive/", {n: b"\xff\xfe" + d.decode().encode("utf-16-le") for n, d in work.items()}))
folder(expect("latin1", 44, "latin1"), below("01-naive/", {n: "// für\n".encode("latin-1") + d for n, d in work.items()}))
folder(expect("twin-a", 44, "twin-a"), below("01-naive/"))
folder(expect("twin-b", 44, "twin-b"), below("01-naive/"))
# ---- what earns less ----
helper = dict(work, **{"copy.cu": b'#include "helpers.h"\n' + work["copy.cu"]})
folder(expect("helper", 34, "helper"), {**below("01-naive/", helper), "01-naive/helpers.h": b"typedef int own;\n"})
save(expect("untouched_zip", 0, "untouched_zip.zip"), zipped({**below("solutions/01-naive/", solution), **clone(skeleton)}))
no_labs = {n: d for n, d in clone(skeleton).items() if not n.startswith("labs/")}
folder(expect("labs_deleted", 0, "labs_deleted"), {**no_labs, **below("solutions/01-naive/", solution)})
folder(expect("copied", 44, "copied"), below("01-naive/", dict(solution, **{"add.cu": b"/* mine */\n" + solution["add.cu"]})))
folder(expect("skeleton", 0, "skeleton"), below("01-naive/", skeleton))
os.makedirs(expect("empty", 0, "empty"))
folder(expect("near", 0, "near"), {"01-naive/coppy.cu": work["copy.cu"]})
save(expect("rar", 0, "rar.rar"), b"Rar!\x1a\7\1\0")
whole = tarred(dict(sorted(below("01-naive/").items())), "w:gz")
plain = tarred(dict(sorted(below("01-naive/").items())), "w")
import gzip
half = gzip.compress(plain, 0)
cut = half[: 10 + half.index(b"01-naive/matmul.cu") + 600]
save(expect("cut", sum(POINTS[n] for n in ("aat.cu", "add.cu", "copy.cu")), "cut.tar.gz"), cut)
packed = zipped(below("01-naive/"))
os.makedirs(expect("half", 24, "half_77_assignsubmission_file"))
save(f"{to}/half_77_assignsubmission_file/labs.zip", packed[: packed.index(b"01-naive/matmul.cu") + 200])
named = zipped({"~bung/notes.txt": b"x", "~bung/\u00fc.txt": b"x", **below("01-naive/")})
save(expect("unnamed", 44, "unnamed.zip"), named.replace(b"\xc3\xbc.txt", b"\xff\xfc.txt"))
for student, points in rows:
    print(f"{points}\t{student}")
