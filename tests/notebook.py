"""notebook.py NOTEBOOK FOLDER OUT [ID=FILE...] - run a notebook with FOLDER as its working folder, the source of cell ID taken from FILE; a
cell that the notebook does not have comes at its end. OUT/ID has what cell ID printed, OUT/ID.html what it displayed."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

book = nbformat.read(sys.argv[1], as_version=4)
folder, out = sys.argv[2], Path(sys.argv[3])
out.mkdir(parents=True)
cells = {cell["id"]: cell for cell in book.cells}
for word in sys.argv[4:]:
    name, _, file = word.partition("=")
    if name not in cells:
        cells[name] = nbformat.v4.new_code_cell(id=name)
        book.cells.append(cells[name])
    cells[name].source = Path(file).read_text()
NotebookClient(book, timeout=500, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": folder}}).execute()
for name, cell in cells.items():
    for output in cell.get("outputs", []):
        text = output.get("text", "") or "\n".join(output.get("traceback", []))
        with open(out / name, "a") as file:
            file.write(text)
        if "data" in output:
            (out / f"{name}.html").write_text(output.data.get("text/html", ""))
