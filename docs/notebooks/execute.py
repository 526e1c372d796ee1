"""Runs the notebooks of this folder and writes their outputs into them; --check only compares the outputs.

The exit code is 1 when a notebook stops with an error or its outputs differ from the committed ones. The notebooks
read the environment variables DATA_DIR, API_URL and API_KEY.
"""

import argparse
import base64
import io
import sys
from pathlib import Path

import matplotlib.image
import nbformat
import numpy
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

HERE = Path(__file__).parent
# Machines draw fonts a little differently. A changed chart differs by far more than this mean of the pixels.
LARGEST_IMAGE_DIFFERENCE = 0.01


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; name the cells whose output differs")
    check = parser.parse_args().check
    differences = []
    for path in sorted(HERE.glob("*.ipynb")):
        committed = nbformat.read(path, as_version=4)
        try:
            executed = execute(committed)
        except CellExecutionError as error:
            differences.append(f"{path.name} stopped with {error.ename}: {error.evalue}")
            continue
        if check:
            differences += [f"{path.name}, cell {cell}: {what}" for cell, what in compare(committed, executed)]
        else:
            nbformat.write(executed, path)
    for difference in differences:
        print(difference)
    return 1 if differences else 0


def execute(notebook):
    """A copy with new outputs, without metadata that depend on the machine or the time."""
    fresh = nbformat.from_dict(notebook)
    NotebookClient(fresh, kernel_name="python3", resources={"metadata": {"path": str(HERE)}}).execute()
    fresh.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in fresh.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "metadata" in output:
                output.metadata = {}
    return fresh


def compare(committed, executed):
    """Yields the id of each cell whose outputs differ, with a text about the first difference."""
    for old, new in zip(committed.cells, executed.cells, strict=True):
        before, after = outputs_of(old), outputs_of(new)
        if len(before) != len(after):
            yield new.id, f"{len(before)} outputs are committed, and it gives {len(after)}"
            continue
        for was, now in zip(before, after):
            if not is_same(was, now):
                yield new.id, f"committed is {shown(was)}\n  and it gives {shown(now)}"
                break


def outputs_of(cell):
    """The outputs of a cell, as pairs of kind and content."""
    return [
        (kind, content)
        for output in cell.get("outputs", [])
        for kind, content in sorted((output.get("data") or {output.get("name"): output.get("text")}).items())
    ]


def is_same(before, after) -> bool:
    if before[0] != after[0] or before[0] != "image/png":
        return before == after
    old, new = pixels(before[1]), pixels(after[1])
    return old.shape == new.shape and numpy.abs(old - new).mean() < LARGEST_IMAGE_DIFFERENCE


def pixels(png: str):
    return matplotlib.image.imread(io.BytesIO(base64.b64decode(png)))


def shown(output) -> str:
    kind, content = output
    return "another picture" if kind == "image/png" else f"{kind}\n{content}"


if __name__ == "__main__":
    sys.exit(main())
