"""Writes workbooks with openpyxl and xlsxwriter as people do: python written.py FOLDER."""

import datetime
import pathlib
import sys

import openpyxl
import xlsxwriter
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.worksheet.table import Table

FOLDER = pathlib.Path(sys.argv[1])
DIMENSIONS = ["Region", "Country", "State", "Category", "Product", "Channel", "Sub Channel", "FX", "Temporal"]
VALUES = ["Europe", "Malta", None, "Betting", "Sport Betting", "Online", "Onshore", "EUR", "Current"]
LONG = ["Year", *DIMENSIONS, "GGR"]


def row(year=2024, ggr=5, **changes):
    cells = dict(zip(DIMENSIONS, VALUES)) | changes
    return [year, *cells.values(), ggr]


class ByOpenpyxl:
    name = "openpyxl"

    def __init__(self, kind):
        self.path = FOLDER / f"{kind}-{self.name}.xlsx"
        self.book = openpyxl.Workbook()
        self.sheet = self.book.active
        self.sheet.title = "Data"

    def write(self, rows, first=1):
        for r, cells in enumerate(rows):
            for c, value in enumerate(cells):
                if value is not None:
                    self.sheet.cell(first + r, c + 1, value)

    def raised(self, r, c, text, mark):
        raised = TextBlock(InlineFont(vertAlign="superscript"), mark)
        self.sheet.cell(r, c).value = CellRichText(text, raised)

    def year(self, r, c, date):
        self.sheet.cell(r, c, date).number_format = "yyyy"

    def formula(self, r, c, formula):
        self.sheet.cell(r, c, formula)

    def merge(self, reference):
        self.sheet.merge_cells(reference)

    def hide_row(self, r):
        self.sheet.row_dimensions[r].hidden = True

    def hide_column(self, letter):
        self.sheet.column_dimensions[letter].hidden = True

    def filter(self, reference, column, value):
        self.sheet.auto_filter.ref = reference
        self.sheet.auto_filter.add_filter_column(column, [value])

    def hidden_sheet(self, rows):
        sheet = self.book.create_sheet("Old")
        sheet.sheet_state = "hidden"
        for cells in rows:
            sheet.append(cells)

    def table(self, reference, headings):
        self.sheet.add_table(Table(displayName="Revenue", ref=reference))

    def close(self):
        self.book.save(self.path)


class ByXlsxwriter:
    name = "xlsxwriter"

    def __init__(self, kind):
        self.book = xlsxwriter.Workbook(str(FOLDER / f"{kind}-{self.name}.xlsx"))
        self.sheet = self.book.add_worksheet("Data")

    def write(self, rows, first=1):
        for r, cells in enumerate(rows):
            for c, value in enumerate(cells):
                if value is not None:
                    self.sheet.write(first + r - 1, c, value)

    def raised(self, r, c, text, mark):
        self.sheet.write_rich_string(r - 1, c - 1, text, self.book.add_format({"font_script": 1}), mark)

    def year(self, r, c, date):
        self.sheet.write_datetime(r - 1, c - 1, date, self.book.add_format({"num_format": "yyyy"}))

    def formula(self, r, c, formula):
        self.sheet.write_formula(r - 1, c - 1, formula)

    def merge(self, reference):
        first = reference.split(":")[0]
        column, number = ord(first[0]) - 65, int(first[1:]) - 1
        value = {(1, 0): "Region", (1, 9): "GGR"}[(number, column)]
        self.sheet.merge_range(reference, value)

    def hide_row(self, r):
        self.sheet.set_row(r - 1, None, None, {"hidden": True})

    def hide_column(self, letter):
        self.sheet.set_column(f"{letter}:{letter}", None, None, {"hidden": True})

    def filter(self, reference, column, value):
        self.sheet.autofilter(reference)
        self.sheet.filter_column(column, f"x == {value}")

    def hidden_sheet(self, rows):
        sheet = self.book.add_worksheet("Old")
        sheet.hide()
        for r, cells in enumerate(rows):
            sheet.write_row(r, 0, cells)

    def table(self, reference, headings):
        self.sheet.add_table(reference, {"name": "Revenue", "columns": [{"header": h} for h in headings]})

    def close(self):
        self.book.close()


def write_all(by):
    book = by("plain")
    book.write([LONG, row(), row(2025, 6.5)])
    book.close()

    book = by("raised-number")
    book.write([LONG, row(ggr=None)])
    book.raised(2, 11, "4012360", "2")
    book.close()

    book = by("raised-product")
    book.write([LONG, row(Product=None)])
    book.raised(2, 6, "Sport Betting", "1")
    book.close()

    book = by("formula")
    book.write([LONG, row(ggr=None)])
    book.formula(2, 11, "=2*3")
    book.close()

    book = by("year-dates")
    book.write([LONG, row(year=None)])
    book.year(2, 1, datetime.date(2024, 12, 31))
    book.close()

    book = by("two-row-header")
    book.write([["Gross gaming revenue"], [*DIMENSIONS, "GGR"], [None] * 9 + [2024, 2025], [*VALUES, 5, 6]])
    book.merge("A2:A3")
    book.merge("J2:K2")
    book.close()

    book = by("hidden-row")
    book.write([LONG, row(), row(2025)])
    book.hide_row(3)
    book.close()

    book = by("filtered")
    book.write([LONG, row(), row(2025)])
    book.filter("A1:K3", 0, "2024")
    book.hide_row(3)
    book.close()

    book = by("hidden-column")
    book.write([LONG, row()])
    book.hide_column("J")
    book.close()

    book = by("hidden-sheet")
    book.write([LONG, row()])
    book.hidden_sheet([LONG, row(2023)])
    book.close()

    book = by("table")
    book.write([LONG, row()])
    book.table("A1:K2", LONG)
    book.close()

    book = by("table-below")
    book.write([LONG, row(), row(2025)])
    book.table("A1:K2", LONG)
    book.close()


write_all(ByOpenpyxl)
write_all(ByXlsxwriter)
