"""Rows, columns, sheets and values that a person who looks at the sheet does not see."""

import openpyxl

from common import HEAD, ROWS, col, kind, rows


@kind
def hidden_rows(d):
    def edit(s):
        s.row_dimensions[3].hidden = True
    d.book([HEAD, *rows()], edit=edit)


@kind
def hidden_column(d):
    def edit(s):
        s.column_dimensions["J"].hidden = True
    d.book([HEAD, *rows()], edit=edit)


@kind
def filtered_rows(d):
    def edit(s):
        s.auto_filter.ref = s.dimensions
        s.auto_filter.add_filter_column(2, ["Italy"])
        for row in range(2, s.max_row + 1):
            if s.cell(row, 3).value != "Italy":
                s.row_dimensions[row].hidden = True
    d.book([HEAD, *rows()], edit=edit)


@kind
def hidden_sheet_with_data(d):
    def edit(s):
        s.parent.create_sheet("Old")
        for r in [HEAD, *rows()]:
            s.parent["Old"].append(r)
        s.parent["Old"].sheet_state = "hidden"
    d.book([HEAD, *rows()], edit=edit)


@kind
def hidden_sheet_named_ggr(d):
    def edit(s):
        s.parent.create_sheet("GGR US")
        for r in [HEAD, *rows(lambda r: r[2] == "United States")]:
            s.parent["GGR US"].append(r)
        s.parent["GGR US"].sheet_state = "veryHidden"
    d.book([HEAD, *rows(lambda r: r[2] != "United States")], edit=edit)


@kind
def grouped_outline_rows(d):
    def edit(s):
        s.row_dimensions.group(3, 6, hidden=True)
    d.book([HEAD, *rows()], edit=edit)


@kind
def white_font(d):
    def edit(s):
        s["K2"].font = openpyxl.styles.Font(color="FFFFFF")
    d.book([HEAD, *rows()], edit=edit)


@kind
def hiding_format(d):
    """The number format ;;; shows nothing."""
    def edit(s):
        s["K2"].number_format = ";;;"
    d.seen = ROWS[1:]
    d.book([HEAD, *rows()], edit=edit)


@kind
def zero_as_dash_format(d):
    d.seen = [[*r[:10], 0] if i == 2 else r for i, r in enumerate(ROWS)]
    def edit(s):
        for c in col(s, "K"):
            c.number_format = '#,##0;-#,##0;"–"'
    d.book([HEAD, *d.seen], edit=edit)
