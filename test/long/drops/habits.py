"""Habits of people and their scripts: indexes, notes, marks, months in place of years, other spellings."""

import datetime
import unicodedata
import zipfile

import openpyxl
import xlsxwriter
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter

from common import HEAD, LONG, ROWS, YEARS, col, kind, rows, wide


def each(change):
    """The rows with changed cells: `change` gets the column's name, the cell and the row's number."""
    return [[change(name, c, i) for name, c in zip(LONG, r)] for i, r in enumerate(rows())]


# --- What libraries add -------------------------------------------------------------------------------------------
@kind
def pandas_index(d):
    """`frame.to_excel(path)`: a first column without a name that counts the rows."""
    d.book([[None, *LONG], *([i, *r] for i, r in enumerate(rows()))])


@kind
def pandas_csv_index(d):
    d.text([["", *LONG], *([i, *r] for i, r in enumerate(rows()))])


@kind
def pandas_unnamed_zero(d):
    """A workbook with an index that pandas read and wrote once more: the index has a heading of pandas."""
    d.book([["Unnamed: 0", *LONG], *([i, *r] for i, r in enumerate(rows()))])


@kind
def pandas_years_as_floats(d):
    d.text([LONG, *([f"{r[0]}.0", *r[1:10], f"{r[10]}.0"] for r in rows())])


@kind
def pandas_multiindex_columns(d):
    """`pivot_table(...).to_excel()`: the metric is above the years, and the index names have a row of their own."""
    head, *lines = wide()
    d.book([[*[None] * 9, "ggr", *[None] * (len(YEARS) - 1)], [*[None] * 8, "year", *YEARS], [*LONG[1:10]], *lines])


@kind
def pandas_nan(d):
    d.text([LONG, *([*(("NaN" if c is None else c) for c in r)] for r in rows())])


@kind
def r_write_csv(d):
    """`write.csv(frame, "ggr.csv")` of R: row names, NA for missing values, every text in quotes."""
    lines = [["", *LONG], *([i + 1, *("NA" if c is None else c for c in r)] for i, r in enumerate(rows()))]
    said = ["," .join(str(c) if isinstance(c, int) or c == "NA" else f'"{c}"' for c in line) for line in lines]
    (d.folder / "ggr.csv").write_text("\n".join(said) + "\n")


@kind
def postgres_copy(d):
    r"""`COPY … TO` of Postgres, which writes \N for missing values."""
    d.text([LONG, *([*("\\N" if c is None else c for c in r)] for r in rows())], sep="\t", name="ggr.tsv")


@kind
def sql_null_values(d):
    d.text([LONG, *([*r[:10], "NULL" if i == 5 else r[10]] for i, r in enumerate(rows()))])


@kind
def xlsxwriter_constant_memory(d):
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"), {"constant_memory": True})
    sheet = book.add_worksheet("ggr")
    for i, line in enumerate([HEAD, *rows()]):
        for j, value in enumerate(line):
            if value is not None:
                sheet.write(i, j, value)
    book.close()


@kind
def xlsxwriter_ignore_errors_text(d):
    """Numbers written as texts, without Excel's green triangle that would warn of them."""
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("ggr")
    for i, line in enumerate([HEAD, *rows()]):
        for j, value in enumerate(line):
            if value is not None:
                sheet.write_string(i, j, str(value))
    sheet.ignore_errors({"number_stored_as_text": "A1:K400"})
    book.close()


# --- Beside and around the table ------------------------------------------------------------------------------------
@kind
def comment_lines_csv(d):
    d.text([["# exported 2026-11-20 from the warehouse"], ["# contact: finance"], LONG, *rows()])


@kind
def row_numbers_column(d):
    d.book([["#", *HEAD], *([i + 1, *r] for i, r in enumerate(rows()))])


@kind
def source_notes_below(d):
    d.book([["Gross gaming revenue, November 2026"], ["Prepared by finance"], [None], HEAD, *rows(), [None], ["Source: regulators' annual reports"], ["Last updated: 3 November 2026"]])


@kind
def note_directly_below(d):
    d.book([HEAD, *rows(), ["Note: 2025 is provisional"]])


@kind
def check_column_beside(d):
    """A column of checks next to the table, without a heading."""
    d.book([HEAD, *([*r, "ok"] for r in rows())])


@kind
def comments_column(d):
    d.book([[*HEAD, "Comment"], *([*r, "restated" if i == 4 else None] for i, r in enumerate(rows()))])


@kind
def side_calculation(d):
    """A sum that somebody left far to the right."""
    def edit(s):
        s["P3"] = "Total Italy"
        s["Q3"] = 123456789
    d.book([HEAD, *rows()], edit=edit)


@kind
def units_row_below_header(d):
    d.book([HEAD, [*[None] * 10, "local currency units"], *rows()])


@kind
def letters_row_below_header(d):
    """Columns numbered (1), (2) … below their names, as in statistical tables."""
    d.book([HEAD, [f"({i + 1})" for i in range(11)], *rows()])


@kind
def list_sheets(d):
    def edit(s):
        lists = s.parent.create_sheet("Lists")
        for line in [["Product", "Channel"], ["Sport Betting", "Online"], ["Casino Slots", "Land-based"]]:
            lists.append(line)
    d.book([HEAD, *rows()], edit=edit)


@kind
def last_month_sheet(d):
    """A further sheet with last month's rows, whose figures are 2 % lower."""
    def edit(s):
        old = s.parent.create_sheet("ggr Oct")
        for line in [HEAD, *([*r[:10], int(r[10] * 0.98)] for r in rows())]:
            old.append(line)
    d.book([HEAD, *rows()], edit=edit, title="ggr Nov")


# --- Headings ---------------------------------------------------------------------------------------------------------
@kind
def headings_wrapped(d):
    def edit(s):
        s["H1"] = "Sub\nChannel"
        s["H1"].alignment = Alignment(wrap_text=True)
    d.book([HEAD, *rows()], edit=edit)


@kind
def headings_upper_case_underscores(d):
    d.book([[h.upper().replace(" ", "_") for h in HEAD], *rows()])


@kind
def headings_shuffled(d):
    order = [10, 8, 2, 0, 9, 1, 3, 5, 4, 7, 6]
    d.book([[HEAD[i] for i in order], *([r[i] for i in order] for r in rows())])


@kind
def heading_star(d):
    d.book([[*HEAD[:10], "GGR*"], *rows(), [None], ["* net of bonuses"]])


@kind
def heading_currency(d):
    """The heading says that the figures are in local currency; the column FX names it."""
    d.book([[*HEAD[:10], "GGR (local currency)"], *rows()])


@kind
def heading_colon(d):
    d.book([[h + ":" for h in HEAD], *rows()])


@kind
def years_with_f(d):
    """`2024A` and `2025F`, as bankers write actuals and forecasts."""
    head, *lines = wide()
    d.book([[f"{h}A" if isinstance(h, int) and h < 2025 else f"{h}F" if isinstance(h, int) else h for h in head], *lines])


@kind
def years_as_month_ends(d):
    """`Dec-24` in the headings."""
    head, *lines = wide()
    def edit(s):
        for c in s[1][9:]:
            c.value = datetime.date(int(c.value), 12, 1)
            c.number_format = "mmm-yy"
    d.book([head, *lines], edit=edit)


@kind
def temporal_above_years(d):
    """The temporal Current stands above the years, in place of a column of its own."""
    head, *lines = wide()
    d.book([[*head[:8], None, *["Current"] * len(YEARS)], [*head[:8], None, *YEARS], *([*l[:8], None, *l[9:]] for l in lines)])


# --- Words and spellings ------------------------------------------------------------------------------------------------
@kind
def country_short_names(d):
    short = {"United Kingdom": "UK", "United States": "USA"}
    d.book([HEAD, *each(lambda n, c, i: short.get(c, c) if n == "country" else c)])


@kind
def decomposed_accents(d):
    """A name as the file system of a Mac writes it: the accent is a letter of its own."""
    data = each(lambda n, c, i: "Café Slots" if c == "Casino Slots" else c)
    d.seen = data
    d.text([LONG, *([unicodedata.normalize("NFD", c) if isinstance(c, str) else c for c in r] for r in data)])


@kind
def mixed_case_products(d):
    d.book([HEAD, *each(lambda n, c, i: c.lower() if n == "product" and i % 2 else c)])


@kind
def channel_upper_case(d):
    d.book([HEAD, *each(lambda n, c, i: c.upper() if n == "channel" else c)])


@kind
def en_dash_in_words(d):
    """A dash between the words of products, as Word makes it of a hyphen, in every second row."""
    d.book([HEAD, *each(lambda n, c, i: c.replace(" ", "–") if n == "product" and i % 2 else c)])


@kind
def drag_filled_product(d):
    """Somebody dragged a cell down by its corner, so that it counts: `Sport Betting 1`, `Sport Betting 2` …"""
    count = iter(range(1, 10_000))
    d.book([HEAD, *each(lambda n, c, i: f"Sport Betting {next(count)}" if c == "Sport Betting" and i < 12 and n == "product" else c)])


@kind
def drag_filled_year(d):
    """Somebody dragged a year down by its corner, so that it counts: 2022, 2023, 2024 … 2057."""
    d.book([HEAD, *([2022 + i, *r[1:]] for i, r in enumerate(rows(lambda r: r[2] == "Italy" and r[8] == "EUR")))])


@kind
def temporal_actual(d):
    d.book([HEAD, *each(lambda n, c, i: "Actual" if n == "temporal" else c)])


@kind
def state_codes(d):
    """AZ and NV in place of the names of states, in the rows of the last two years."""
    short = {"Arizona": "AZ", "Nevada": "NV"}
    d.book([HEAD, *([*r[:3], short.get(r[3], r[3]) if r[0] >= 2024 else r[3], *r[4:]] for r in rows())])


# --- Values ---------------------------------------------------------------------------------------------------------------
@kind
def percent_of_text(d):
    d.book([HEAD, *([*r[:10], "12%" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def time_value(d):
    def edit(s):
        s["K5"] = datetime.time(12, 30)
    d.book([HEAD, *rows()], edit=edit)


@kind
def less_than(d):
    """`<1000`, as offices hide small figures."""
    d.book([HEAD, *([*r[:10], "<1000" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def confidential_c(d):
    d.book([HEAD, *([*r[:10], "c" if i in (3, 9) else r[10]] for i, r in enumerate(rows()))])


@kind
def quoted_numbers_with_nbsp_behind(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}\u202f"] for r in rows())])


@kind
def decimals_of_floats(d):
    d.seen = [[*r[:10], r[10] + 0.07] for r in ROWS]
    d.book([HEAD, *([*r[:10], r[10] + 0.07 + 1e-7] for r in rows())])
    d.seen = [[*r[:10], r[10] + 0.07 + 1e-7] for r in ROWS]


@kind
def leading_zeros(d):
    d.text([LONG, *([*r[:10], f"{r[10]:012d}"] for r in rows())])


@kind
def bn_words(d):
    d.text([LONG, *([*r[:10], f"{r[10] / 1e9:.4f} bn"] for r in rows())])


@kind
def value_beside_its_unit(d):
    """The currency of each figure in a further column without a heading."""
    d.book([[*HEAD, None], *([*r, r[8]] for r in rows())])


@kind
def zero_rows_for_missing_years(d):
    """Years without data written as rows of zeros."""
    more = [[2021, *r[1:10], 0] for r in rows(lambda r: r[0] == 2022)]
    d.book([HEAD, *rows(), *more])


@kind
def sorted_column_alone(d):
    """Somebody sorted the figures without the other columns."""
    amounts = sorted((r[10] for r in rows()), reverse=True)
    d.book([HEAD, *([*r[:10], amounts[i]] for i, r in enumerate(rows()))])


# --- Files --------------------------------------------------------------------------------------------------------------------
@kind
def files_by_region(d):
    """One file a region, each in another format."""
    europe = rows(lambda r: r[1] == "Europe")
    d.book([HEAD, *europe], name="ggr-europe.xlsx")
    d.text([LONG, *rows(lambda r: r[1] != "Europe")], name="ggr-others.csv", sep=";")


@kind
def macro_workbook(d):
    d.book([HEAD, *rows()], name="ggr.xlsm")


@kind
def workbook_in_a_zip(d):
    d.book([HEAD, *rows()])
    with zipfile.ZipFile(d.folder / "ggr.zip", "w") as file:
        file.write(d.folder / "ggr.xlsx", "ggr.xlsx")
    (d.folder / "ggr.xlsx").unlink()


@kind
def encrypted_workbook(d):
    """A workbook with a password, which Excel writes as an OLE container and not as a zip file."""
    (d.folder / "ggr.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 4096)


@kind
def very_wide_format_area(d):
    """A number format in the last cell that a sheet can have."""
    def edit(s):
        s.cell(1_048_576, 16_384).number_format = "0.00"
    d.book([HEAD, *rows()], edit=edit)


@kind
def chart_sheet(d):
    book = xlsxwriter.Workbook(str(d.folder / "ggr.xlsx"))
    sheet = book.add_worksheet("ggr")
    for i, line in enumerate([HEAD, *rows()]):
        sheet.write_row(i, 0, line)
    chart = book.add_chart({"type": "line"})
    chart.add_series({"values": "=ggr!$K$2:$K$20"})
    book.add_chartsheet("Chart").set_chart(chart)
    book.close()


@kind
def two_tables_objects(d):
    """Two table objects of Excel on one sheet: ggr, and a list of currencies beside it."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "ggr"
    for line in [HEAD, *rows()]:
        sheet.append(line)
    for i, line in enumerate([["Code", "Name"], ["EUR", "Euro"], ["USD", "US dollar"]]):
        for j, value in enumerate(line):
            sheet.cell(1 + i, 14 + j, value)
    from openpyxl.worksheet.table import Table
    sheet.add_table(Table(displayName="Facts", ref=f"A1:{get_column_letter(11)}{len(ROWS) + 1}"))
    sheet.add_table(Table(displayName="Codes", ref="N1:O3"))
    book.save(d.folder / "ggr.xlsx")
