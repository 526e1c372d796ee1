"""Honest months in the forms in which people write years and numbers, and forms that only look like them."""

import datetime

import openpyxl

from common import HEAD, LONG, ROWS, col, kind, rows, wide


@kind
def plain_long(d):
    d.book([HEAD, *rows()])


@kind
def plain_wide(d):
    d.book(wide())


@kind
def years_as_text(d):
    d.book([HEAD, *([str(r[0]), *r[1:]] for r in rows())])


@kind
def wide_years_as_text(d):
    head, *lines = wide()
    d.book([[str(h) for h in head], *lines])


@kind
def year_headings_with_words(d):
    head, *lines = wide()
    d.book([[f"FY {h}" if isinstance(h, int) else h for h in head], *lines])


@kind
def year_headings_estimate(d):
    head, *lines = wide()
    d.book([["2025E" if h == 2025 else h for h in head], *lines])


@kind
def year_as_date(d):
    def edit(s):
        for c in col(s, "A"):
            c.value = datetime.date(c.value, 12, 31)
            c.number_format = "yyyy"
    d.book([HEAD, *rows()], edit=edit)


@kind
def year_as_date_1904(d):
    def edit(s):
        s.parent.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        for c in col(s, "A"):
            c.value = datetime.date(c.value, 1, 1)
            c.number_format = "yyyy"
    d.book([HEAD, *rows()], edit=edit)


@kind
def year_as_full_date(d):
    def edit(s):
        for c in col(s, "A"):
            c.value = datetime.date(c.value, 12, 31)
            c.number_format = "dd/mm/yyyy"
    d.book([HEAD, *rows()], edit=edit)


@kind
def trailing_spaces(d):
    d.book([[h + " " for h in HEAD], *([f"{c}  " if isinstance(c, str) else c for c in r] for r in rows())])


@kind
def nbsp_in_values(d):
    d.book([HEAD, *([c.replace(" ", "\u00a0") if isinstance(c, str) else c for c in r] for r in rows())])


@kind
def double_spaces(d):
    d.book([HEAD, *([c.replace(" ", "  ") if isinstance(c, str) and i % 9 == 0 else c for c in r] for i, r in enumerate(rows()))])


@kind
def upper_case_country(d):
    d.book([HEAD, *([c.upper() if j == 2 and i > 300 else c for j, c in enumerate(r)] for i, r in enumerate(rows()))])


@kind
def lower_case_fx(d):
    d.book([HEAD, *([c.lower() if j == 8 else c for j, c in enumerate(r)] for r in rows())])


@kind
def numbers_as_text(d):
    d.book([HEAD, *([*r[:10], str(r[10])] for r in rows())])


@kind
def numbers_with_apostrophe(d):
    def edit(s):
        for c in col(s, "K"):
            c.value = str(c.value)
            c.quotePrefix = True
    d.book([HEAD, *rows()], edit=edit)


@kind
def some_numbers_as_text(d):
    d.book([HEAD, *([*r[:10], str(r[10]) if i % 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def thousands_comma_text(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}"] for r in rows())])


@kind
def thousands_nbsp_text(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}".replace(",", "\u00a0")] for r in rows())])


@kind
def thousands_space_wide(d):
    head, *lines = wide()
    d.book([head, *([f"{c:,}".replace(",", " ") if isinstance(c, int) else c for c in line] for line in lines)])


@kind
def thousands_dot_text(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}".replace(",", ".")] for r in rows())])


@kind
def thousands_in_k_dots(d):
    # All amounts are below a million, so each has the form 404.021.
    small = [[*r[:10], r[10] % 900_000 + 1000] for r in rows()]
    d.seen = small
    d.text([LONG, *([*r[:10], f"{r[10]:,}".replace(",", ".")] for r in small)])


@kind
def dots_beside_real_numbers(d):
    """Excel in an English locale made numbers of some cells: 404.021 as a number, 1.404.021 as text."""
    small = [[*r[:10], (r[10] % 1_999_000) + 1000] for r in rows()]
    d.seen = small
    d.book([HEAD, *([*r[:10], f"{r[10]:,}".replace(",", ".") if r[10] >= 1e6 else r[10] / 1000] for r in small)])


@kind
def mixed_decimal_styles(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}.5" if i % 2 else f"{r[10]:,}".replace(",", ".") + ",5"] for i, r in enumerate(rows()))])


@kind
def ambiguous_thousand(d):
    small = [[*r[:10], r[10] % 900_000 + 1000] for r in rows()]
    d.text([LONG, *([*r[:10], f"{r[10]:,}"] for r in small)])


@kind
def currency_symbol_text(d):
    d.book([HEAD, *([*r[:10], f"${r[10]:,}"] for r in rows())])


@kind
def currency_number_format(d):
    def edit(s):
        for c in col(s, "K"):
            c.number_format = '"£"#,##0;[Red]("£"#,##0)'
    d.book([HEAD, *rows()], edit=edit)


@kind
def format_in_thousands(d):
    """A cell that holds 1234567 shows 1,235. The stored figure is right."""
    def edit(s):
        for c in col(s, "K"):
            c.number_format = "#,##0,"
    d.book([HEAD, *rows()], edit=edit)


@kind
def format_in_millions_m(d):
    def edit(s):
        for c in col(s, "K"):
            c.number_format = '0.0,,"m"'
    d.book([HEAD, *rows()], edit=edit)


@kind
def format_says_millions(d):
    """A cell that holds 404.0 shows 404.0m, because its format adds the m. The stored figure is in millions."""
    def edit(s):
        for c in col(s, "K"):
            c.value = round(c.value / 1e6, 3)
            c.number_format = '#,##0.0" m"'
    d.seen = [[*r[:10], round(r[10] / 1e6, 3) * 1e6] for r in ROWS]
    d.book([HEAD, *rows()], edit=edit)


@kind
def format_says_thousands(d):
    def edit(s):
        for c in col(s, "K"):
            c.value = c.value // 1000
            c.number_format = '#,##0"k"'
    d.seen = [[*r[:10], r[10] // 1000 * 1000] for r in ROWS]
    d.book([HEAD, *rows()], edit=edit)


@kind
def text_with_m(d):
    d.book([HEAD, *([*r[:10], f"{r[10] / 1e6:.3f}m"] for r in rows())])


@kind
def percent_ggr(d):
    def edit(s):
        for c in col(s, "K"):
            c.number_format = "0%"
    d.book([HEAD, *rows()], edit=edit)


@kind
def negative_parentheses_format(d):
    d.seen = [[*r[:10], -r[10]] if i == 5 else r for i, r in enumerate(ROWS)]
    def edit(s):
        for c in col(s, "K"):
            c.number_format = "#,##0_);(#,##0)"
    d.book([HEAD, *d.seen], edit=edit)


@kind
def negative_parentheses_text(d):
    d.seen = [[*r[:10], -r[10]] if i == 5 else r for i, r in enumerate(ROWS)]
    d.book([HEAD, *([*r[:10], f"({-r[10]})" if r[10] < 0 else r[10]] for r in d.seen)])


@kind
def sign_behind(d):
    d.seen = [[*r[:10], -r[10]] if i == 5 else r for i, r in enumerate(ROWS)]
    d.text([LONG, *([*r[:10], f"{-r[10]}-" if r[10] < 0 else r[10]] for r in d.seen)])


@kind
def hidden_sign_format(d):
    """A number format shows -5 as 5."""
    d.seen = [[*r[:10], -r[10]] if i == 5 else r for i, r in enumerate(ROWS)]
    def edit(s):
        for c in col(s, "K"):
            c.number_format = "#,##0;#,##0"
    d.book([HEAD, *d.seen], edit=edit)


@kind
def scientific_number(d):
    def edit(s):
        for c in col(s, "K"):
            c.number_format = "0.00E+00"
    d.book([HEAD, *rows()], edit=edit)


@kind
def scientific_csv(d):
    d.text([LONG, *([*r[:10], f"{r[10]:.2E}"] for r in rows())])


@kind
def scientific_csv_five(d):
    d.text([LONG, *([*r[:10], f"{r[10]:.5E}"] for r in rows())])


@kind
def scientific_csv_printf(d):
    """Figures as `%g` writes them, with six digits."""
    d.text([LONG, *([*r[:10], f"{r[10]:g}"] for r in rows())])


@kind
def title_draft(d):
    d.book([["DRAFT"], [None], HEAD, *rows()])
