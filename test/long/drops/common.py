"""What all drops share: the rows that a person means, and functions that write rows into files."""

import csv
import json
import pathlib
import sys

import openpyxl

BASE, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
with open(BASE, encoding="utf-8") as file:
    LONG, *TEXTS = csv.reader(file)
ROWS = [[int(t[0]), *(c or None for c in t[1:-1]), int(float(t[-1]))] for t in TEXTS]
ROWS.sort(key=lambda r: [str(c or "") for c in (*r[1:10], r[0])])
HEAD = ["Year", "Region", "Country", "State", "Category", "Product", "Channel", "Sub Channel", "FX", "Temporal", "GGR"]
YEARS = sorted({r[0] for r in ROWS})
KINDS = {}


def kind(function):
    KINDS[function.__name__] = function
    return function


def rows(where=lambda r: True):
    return [list(r) for r in ROWS if where(r)]


def wide(data=None):
    """The rows in wide form below their heading."""
    series = {}
    for r in data or rows():
        series.setdefault(tuple(r[1:10]), {})[r[0]] = r[10]
    return [[*HEAD[1:10], *YEARS], *([*key, *(values.get(y) for y in YEARS)] for key, values in series.items())]


class Drop:
    def __init__(self, name):
        self.folder = FOLDER / name
        self.folder.mkdir(parents=True)
        self.seen = ROWS

    def book(self, cells, name="ggr.xlsx", title="Data", edit=None, start=1):
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = title
        for i, line in enumerate(cells):
            for j, value in enumerate(line):
                if value is not None:
                    sheet.cell(start + i, 1 + j, value)
        if edit is not None:
            edit(sheet)
        book.save(self.folder / name)

    def text(self, cells, name="ggr.csv", sep=",", encoding="utf-8", end="\r\n", number=str, quote=None):
        def cell(value):
            said = "" if value is None else number(value) if isinstance(value, (int, float)) and value > 9999 else str(value)
            return f'"{said}"' if sep in said or quote else said

        lines = end.join(sep.join(cell(c) for c in line) for line in cells) + end
        (self.folder / name).write_bytes(lines.encode(encoding))


def col(sheet, letter):
    return [cell for cell in sheet[letter][1:]]
