"""Footnote marks, and text that is struck out."""

import openpyxl
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from common import HEAD, ROWS, kind, rows


@kind
def superscript_run_number(d):
    def edit(s):
        s["K2"].value = CellRichText(str(s["K2"].value), TextBlock(InlineFont(vertAlign="superscript"), "2"))
    d.book([HEAD, *rows()], edit=edit)


@kind
def superscript_run_product(d):
    def edit(s):
        s["F2"].value = CellRichText(s["F2"].value, TextBlock(InlineFont(vertAlign="superscript"), "1"))
    d.book([HEAD, *rows()], edit=edit)


@kind
def superscript_digit_country(d):
    d.book([HEAD, *([*r[:2], r[2] + "¹" if r[2] == "Italy" else r[2], *r[3:]] for r in rows())])


@kind
def asterisk_country(d):
    d.book([HEAD, *([*r[:2], r[2] + "*" if r[2] == "Italy" and i % 3 else r[2], *r[3:]] for i, r in enumerate(rows()))])


@kind
def asterisk_product(d):
    d.book([HEAD, *([*r[:5], r[5] + "*" if r[2] == "Italy" else r[5], *r[6:]] for r in rows())])


@kind
def mark_in_brackets_product(d):
    d.book([HEAD, *([*r[:5], r[5] + " (1)" if r[2] == "Italy" else r[5], *r[6:]] for r in rows())])


@kind
def asterisk_number(d):
    d.book([HEAD, *([*r[:10], f"{r[10]}*" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def provisional_p_number(d):
    d.book([HEAD, *([*r[:10], f"{r[10]} (p)" if r[0] == 2025 else r[10]] for r in rows())])


@kind
def whole_cell_superscript_number(d):
    """The font of the whole cell is superscript: the number itself, not a footnote mark."""
    def edit(s):
        s["K2"].font = openpyxl.styles.Font(vertAlign="superscript")
    d.book([HEAD, *rows()], edit=edit)


@kind
def strikethrough(d):
    """A row that is struck out: a person does not count it."""
    def edit(s):
        for c in s[2]:
            c.font = openpyxl.styles.Font(strike=True)
    d.seen = ROWS[1:]
    d.book([HEAD, *rows()], edit=edit)


@kind
def strikethrough_replaced(d):
    """A cell with the old value struck out and the new value behind it."""
    def edit(s):
        s["K2"].value = CellRichText(TextBlock(InlineFont(strike=True), "100"), "250")
    d.seen = [[*ROWS[0][:10], 250], *ROWS[1:]]
    d.book([HEAD, *rows()], edit=edit)
