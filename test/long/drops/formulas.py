"""Formulas with and without a stored value, and cells with errors."""

import xlsxwriter

from common import HEAD, LONG, ROWS, col, kind, rows


@kind
def xlsxwriter_formulas(d):
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("Data")
    sheet.write_row(0, 0, HEAD)
    for i, r in enumerate(rows()):
        for j, c in enumerate(r[:10]):
            if c is not None:
                sheet.write(i + 1, j, c)
        sheet.write_formula(i + 1, 10, f"={r[10]}*1")
    book.close()


@kind
def xlsxwriter_one_formula(d):
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("Data")
    sheet.write_row(0, 0, HEAD)
    for i, r in enumerate(rows()):
        for j, c in enumerate(r):
            if c is not None:
                sheet.write(i + 1, j, c)
    sheet.write_formula(4, 10, "=K3+K4")
    book.close()


@kind
def openpyxl_formulas(d):
    def edit(s):
        for c in col(s, "K"):
            c.value = f"={c.value}*1"
    d.book([HEAD, *rows()], edit=edit)


@kind
def formula_in_dimension(d):
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("Data")
    sheet.write_row(0, 0, HEAD)
    for i, r in enumerate(rows()):
        for j, c in enumerate(r):
            if c is not None:
                sheet.write(i + 1, j, c)
    sheet.write_formula(2, 2, "=C2")
    book.close()


@kind
def external_link_value(d):
    """A formula that refers to another workbook, with the value of its last calculation."""
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("Data")
    sheet.write_row(0, 0, HEAD)
    for i, r in enumerate(rows()):
        for j, c in enumerate(r):
            if c is not None:
                sheet.write(i + 1, j, c)
    sheet.write_formula(1, 10, "='[other.xlsx]Sheet1'!A1", None, ROWS[0][10])
    book.close()


@kind
def error_cells(d):
    d.book([HEAD, *([*r[:10], "#REF!" if i == 3 else "#DIV/0!" if i == 4 else r[10]] for i, r in enumerate(rows()))])


@kind
def error_na_csv(d):
    d.text([LONG, *([*r[:10], "#N/A" if i == 3 else r[10]] for i, r in enumerate(rows()))])
