"""Text files as programs and people save them."""

from common import HEAD, LONG, ROWS, kind, rows


@kind
def csv_plain(d):
    d.text([LONG, *rows()])


@kind
def csv_bom(d):
    d.text([LONG, *rows()], encoding="utf-8-sig")


@kind
def csv_utf16_tab(d):
    """The format "Unicode Text" of Excel."""
    d.text([LONG, *rows()], sep="\t", encoding="utf-16")


@kind
def csv_utf16be_semicolon(d):
    (d.folder / "ggr.csv").write_bytes(b"\xfe\xff" + ("\r\n".join(";".join(str(c or "") if c != 0 else "0" for c in r) for r in [LONG, *rows()])).encode("utf-16-be"))


@kind
def csv_windows_1252(d):
    d.text([["Año", *LONG[1:]], *rows()], sep=";", encoding="cp1252")


@kind
def csv_windows_1252_value(d):
    d.text([LONG, *([*r[:5], "Casino – Slots" if r[5] == "Casino Slots" else r[5], *r[6:]] for r in rows())], encoding="cp1252")


@kind
def csv_macroman(d):
    d.text([LONG, *([*r[:5], "Café Slots" if r[5] == "Casino Slots" else r[5], *r[6:]] for r in rows())], encoding="mac-roman")


@kind
def csv_german_excel(d):
    d.text([LONG, *([*r[:10], r[10] + 0.5] for r in rows())], sep=";", number=lambda v: str(v).replace(".", ","), encoding="utf-8-sig")
    d.seen = [[*r[:10], r[10] + 0.5] for r in ROWS]


@kind
def csv_german_excel_thousands(d):
    d.text([LONG, *rows()], sep=";", number=lambda v: f"{v:,}".replace(",", "."), encoding="utf-8-sig")


@kind
def csv_english_excel_thousands(d):
    d.text([LONG, *rows()], number=lambda v: f"{v:,}")


@kind
def csv_german_comma_separated(d):
    """Figures with decimal commas, not quoted, in a csv with commas: each row has one field too many."""
    d.text([LONG, *([*r[:10], f"{r[10]},5"] for r in rows())], quote=False, sep=",") if False else (
        d.folder / "ggr.csv").write_text("\n".join(",".join(str(c if c is not None else "") for c in [*r[:10], f"{r[10]},5" if r[0] != "year" else "ggr"]) for r in [LONG, *rows()]))


@kind
def csv_sep_line(d):
    d.text([["sep=;"], LONG, *rows()], sep=";")


@kind
def csv_quoted_all(d):
    d.text([LONG, *rows()], quote=True)


@kind
def csv_pipe(d):
    d.text([LONG, *rows()], sep="|")


@kind
def csv_trailing_separators(d):
    """Excel writes a separator for each column of the sheet, empty columns included."""
    d.text([[*LONG, "", ""], *([*r, None, None] for r in rows())])


@kind
def csv_blank_lines_end(d):
    d.text([LONG, *rows(), *[[None] * 11] * 5])


@kind
def csv_classic_mac(d):
    d.text([LONG, *rows()], end="\r")


@kind
def csv_currency_accounting(d):
    d.text([LONG, *rows()], number=lambda v: f' "{v:,.2f}" '.replace('"', ""))


@kind
def csv_currency_symbol(d):
    d.text([LONG, *rows()], number=lambda v: f"£{v:,.2f}")


@kind
def csv_as_xlsx_name(d):
    d.text([LONG, *rows()], name="ggr.xlsx")


@kind
def xlsx_as_csv_name(d):
    d.book([HEAD, *rows()], name="ggr.csv")


@kind
def html_as_xls(d):
    (d.folder / "ggr.xls").write_text("<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) + "</tr>" for r in rows()) + "</table>")


@kind
def tsv_file(d):
    d.text([LONG, *rows()], name="ggr.tsv", sep="\t")


@kind
def txt_file(d):
    d.text([LONG, *rows()], name="ggr.txt", sep="\t")


@kind
def csv_excel_dates(d):
    d.text([LONG, *(["31.12.%d" % r[0], *r[1:]] for r in rows())], sep=";")


@kind
def two_files_overlap(d):
    d.book([HEAD, *rows()])
    d.text([LONG, *rows(lambda r: r[2] == "Italy")], name="ggr-italy.csv")


@kind
def file_copy_name(d):
    d.book([HEAD, *rows(lambda r: r[2] == "Italy")], name="ggr (1).xlsx")
    d.book([HEAD, *rows(lambda r: r[2] != "Italy")])


@kind
def file_wrong_name(d):
    d.book([HEAD, *rows()], name="GGR_final_v2.xlsx")


@kind
def file_unrelated_name(d):
    d.book([HEAD, *rows()], name="revenue 2026-11.xlsx")


@kind
def strict_xlsx_text_numbers_spaces(d):
    d.book([HEAD, *([*r[:10], f" {r[10]} "] for r in rows())])


@kind
def full_width_digits(d):
    d.book([HEAD, *([*r[:10], "".join(chr(0xFF10 + int(c)) for c in str(r[10]))] for r in rows())])


@kind
def plus_sign(d):
    d.book([HEAD, *([*r[:10], f"+{r[10]}" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def approx_sign(d):
    d.book([HEAD, *([*r[:10], f"~{r[10]}" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def indian_grouping(d):
    d.book([HEAD, *([*r[:10], "12,34,567"] if i == 3 else r for i, r in enumerate(rows()))])


@kind
def swiss_grouping(d):
    d.book([HEAD, *([*r[:10], f"{r[10]:,}".replace(",", "’")] for r in rows())])


@kind
def fractions_of_cents(d):
    d.seen = [[*r[:10], r[10] + 0.1 + 0.2] for r in ROWS]
    d.book([HEAD, *d.seen])
