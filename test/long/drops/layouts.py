"""Headers, tables and sheets in the layouts that people give them."""

from openpyxl.comments import Comment
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from common import HEAD, ROWS, YEARS, kind, rows, wide


@kind
def merged_country(d):
    def edit(s):
        start = 2
        for row in range(3, s.max_row + 2):
            if row > s.max_row or s.cell(row, 3).value != s.cell(start, 3).value:
                if row - start > 1:
                    s.merge_cells(f"C{start}:C{row - 1}")
                start = row
    d.book([HEAD, *rows()], edit=edit)


@kind
def merged_country_and_value(d):
    def edit(s):
        s.merge_cells("K2:K3")
    d.book([HEAD, *rows()], edit=edit)


def grouped():
    """The rows with each label only in the first row of its group."""
    out, before = [], [None] * 11
    for r in rows():
        out.append([r[0], r[1] if r[1] != before[1] else None, r[2] if r[2] != before[2] else None, r[3], r[4] if r[2:5] != before[2:5] else None, *r[5:]])
        before = r
    return out


@kind
def grouped_labels(d):
    d.book([HEAD, *grouped()])


@kind
def grouped_state(d):
    """The state only in the first row of its group, although an empty state means the whole country."""
    out, before = [], None
    for r in rows():
        key = (r[2], r[3], r[5], r[8])
        out.append([*r[:3], r[3] if key != before else None, *r[4:]])
        before = key
    d.book([HEAD, *out])


@kind
def pivot_export(d):
    head, *lines = wide()
    out, before = [], [None] * 9
    for line in lines:
        out.append([c if line[: j + 1] != before[: j + 1] else None for j, c in enumerate(line[:9])] + line[9:])
        before = line
    d.book([["Sum of GGR", *[None] * 8, "Column Labels"], head, *out])


@kind
def pivot_with_totals(d):
    head, *lines = wide()
    out, before = [], [None] * 9
    for line in lines:
        out.append([c if line[: j + 1] != before[: j + 1] else None for j, c in enumerate(line[:9])] + line[9:] + [sum(v or 0 for v in line[9:])])
        before = line
    d.book([["Sum of GGR", *[None] * 8, "Column Labels"], [*head, "Grand Total"], *out, ["Grand Total", *[None] * 8, *(sum(l[9 + i] or 0 for l in lines) for i in range(4))]])


@kind
def two_row_header(d):
    head, *lines = wide()
    def edit(s):
        for j in range(1, 10):
            s.merge_cells(start_row=1, end_row=2, start_column=j, end_column=j)
        s.merge_cells("J1:M1")
    d.book([[*head[:9], "GGR"], [None] * 9 + YEARS, *lines], edit=edit)


@kind
def two_tables_below(d):
    a, b = rows(lambda r: r[2] != "Italy"), rows(lambda r: r[2] == "Italy")
    d.book([HEAD, *a, [None], HEAD, *b])


@kind
def two_tables_beside(d):
    a, b = rows(lambda r: r[2] != "Italy"), rows(lambda r: r[2] == "Italy")
    lines = [[*a[i], None, *(b[i] if i < len(b) else [])] for i in range(len(a))]
    d.book([[*HEAD, None, *HEAD], *lines])


@kind
def second_table_other(d):
    d.book([HEAD, *rows(), [None], [None], ["Country", "Population"], ["Italy", 59_000_000]])


@kind
def country_per_sheet(d):
    def edit(s):
        for c in ["Philippines", "United Kingdom", "United States"]:
            sheet = s.parent.create_sheet(c)
            for r in [HEAD, *rows(lambda r: r[2] == c)]:
                sheet.append(r)
    d.book([HEAD, *rows(lambda r: r[2] == "Italy")], edit=edit, title="Italy")


@kind
def country_per_sheet_without_column(d):
    def edit(s):
        for c in ["Philippines", "United Kingdom", "United States"]:
            sheet = s.parent.create_sheet(c)
            for r in [HEAD, *rows(lambda r: r[2] == c)]:
                sheet.append(r[:2] + r[3:])
    d.book([r[:2] + r[3:] for r in [HEAD, *rows(lambda r: r[2] == "Italy")]], edit=edit, title="Italy")


@kind
def year_per_sheet(d):
    def edit(s):
        for y in YEARS[1:]:
            sheet = s.parent.create_sheet(str(y))
            for r in [HEAD, *rows(lambda r: r[0] == y)]:
                sheet.append(r[1:])
    d.book([r[1:] for r in [HEAD, *rows(lambda r: r[0] == YEARS[0])]], edit=edit, title=str(YEARS[0]))


@kind
def copy_sheet(d):
    def edit(s):
        s.parent.copy_worksheet(s).title = "Data (2)"
    d.book([HEAD, *rows()], edit=edit)


@kind
def draft_sheet_differs(d):
    """A second visible sheet without a header that fits."""
    def edit(s):
        s.parent.create_sheet("Pivot").append(["x", 1])
    d.book([HEAD, *rows()], edit=edit)


@kind
def country_headings_as_columns(d):
    """A column for each country."""
    out = {}
    for r in rows():
        out.setdefault((r[0], *r[3:10]), {})[r[2]] = r[10]
    countries = sorted({r[2] for r in ROWS})
    d.book([["Year", *HEAD[3:10], *countries], *([*k, *(v.get(c) for c in countries)] for k, v in out.items())])


@kind
def fx_as_columns(d):
    out = {}
    for r in rows():
        out.setdefault((*r[:8], r[9]), {})[r[8]] = r[10]
    fxs = ["EUR", "USD"]
    d.book([[*HEAD[:8], HEAD[9], *(f"GGR {f}" for f in fxs)], *([*k, *(v.get(c) for c in fxs)] for k, v in out.items())])


@kind
def transposed(d):
    lines = wide()
    d.book([list(c) for c in zip(*lines)])


@kind
def shifted_column(d):
    """One row whose cells stand a column too far to the right."""
    d.book([HEAD, *([None, *r] if i == 7 else r for i, r in enumerate(rows()))])


@kind
def shifted_left_state(d):
    """Rows whose empty state was deleted, so that the later cells stand a column too far to the left."""
    d.book([HEAD, *([*r[:3], *r[4:]] if r[3] is None and i > 100 else r for i, r in enumerate(rows()))])


@kind
def shifted_values_down(d):
    """The figures sorted without the other columns."""
    values = sorted(r[10] for r in ROWS)
    d.book([HEAD, *([*r[:10], v] for r, v in zip(rows(), values))])


@kind
def swapped_columns_heading(d):
    """Category and product exchanged below their headings."""
    d.book([HEAD, *([*r[:4], r[5], r[4], *r[6:]] for r in rows())])


@kind
def sorted_with_header(d):
    lines = rows()
    d.book([lines[0], lines[1], HEAD, *lines[2:]])


@kind
def duplicated_header_column(d):
    d.book([[*HEAD, "GGR"], *([*r, r[10]] for r in rows())])


@kind
def duplicated_rows(d):
    d.book([HEAD, *rows(), *rows()[:3]])


@kind
def header_repeated(d):
    d.book([HEAD, *rows()[:50], HEAD, *rows()[50:]])


@kind
def unknown_extra_column(d):
    d.book([[*HEAD, "Source"], *([*r, "regulator"] for r in rows())])


@kind
def missing_column(d):
    d.book([[h for h in HEAD if h != "Temporal"], *(r[:9] + r[10:] for r in rows())])


@kind
def german_headings(d):
    d.book([["Jahr", "Region", "Land", "Staat", "Kategorie", "Produkt", "Kanal", "Unterkanal", "Währung", "Temporal", "GGR"], *rows()])


@kind
def heading_gross_gaming_revenue(d):
    d.book([[*HEAD[:10], "Gross Gaming Revenue"], *rows()])


@kind
def comments_on_cells(d):
    def edit(s):
        s["K2"].comment = Comment("estimate", "me")
    d.book([HEAD, *rows()], edit=edit)


@kind
def line_breaks_in_cells(d):
    d.book([HEAD, *([*r[:5], "Casino\nSlots" if r[5] == "Casino Slots" and r[2] == "Italy" else r[5], *r[6:]] for r in rows())])


@kind
def empty_rows_between(d):
    d.book([HEAD, *(line for i, r in enumerate(rows()) for line in ([r] if i % 40 else [[None], r]))])


@kind
def section_rows(d):
    """The name of each country in a row above its rows, in the first column."""
    out, before = [], None
    for r in rows():
        if r[2] != before:
            out.append([r[2]])
        before = r[2]
        out.append(r)
    d.book([HEAD, *out])


@kind
def preamble(d):
    d.book([["Gross gaming revenue 2025"], ["Source: regulators"], [None], HEAD, *rows()])


@kind
def starts_at_c5(d):
    d.book([[None, None, *r] for r in [HEAD, *rows()]], start=5)


@kind
def excel_table(d):
    def edit(s):
        s.add_table(Table(displayName="Revenue", ref=s.dimensions))
    d.book([HEAD, *rows()], edit=edit)


@kind
def excel_table_row_below(d):
    def edit(s):
        s.add_table(Table(displayName="Revenue", ref=f"A1:K{s.max_row - 1}"))
    d.book([HEAD, *rows()], edit=edit)


@kind
def excel_table_totals_row(d):
    last = len(ROWS) + 2
    def edit(s):
        t = Table(displayName="Revenue", ref=f"A1:K{last}")
        t.totalsRowCount = 1
        s.add_table(t)
    d.book([HEAD, *rows(), ["Total", *[None] * 9, sum(r[10] for r in ROWS)]], edit=edit)


@kind
def drop_downs(d):
    def edit(s):
        rule = DataValidation(type="list", formula1='"Italy,Philippines"')
        s.add_data_validation(rule)
        rule.add("C2:C400")
    d.book([HEAD, *rows()], edit=edit)
