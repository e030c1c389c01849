"""
Runs notebooks and writes them with their outputs: python3 scripts/runNotebooks.py NOTEBOOK...

Needs `pip install nbclient ipykernel duckdb pandas altair`, and for TypeScript the kernel of Deno. What differs from run to run
and says nothing (times of cells, the version of the kernel) is left out, so that the files differ where answers do.
"""
import os
import sys

import nbformat
from nbclient import NotebookClient

for path in sys.argv[1:]:
    notebook = nbformat.read(path, 4)
    metadata = dict(notebook.metadata)
    NotebookClient(notebook, resources={"metadata": {"path": os.path.dirname(os.path.abspath(path))}}).execute()
    notebook.metadata = metadata
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, path)
    print(path, os.path.getsize(path), "bytes")
