"""Wrong values in files of a correct form."""

import datetime

from common import HEAD, ROWS, YEARS, kind, rows, wide


@kind
def missing_words(d):
    d.book([HEAD, *([*r[:10], ["n/a", "–", ".."][i % 3] if i < 9 else r[10]] for i, r in enumerate(rows()))])


@kind
def zeros_for_missing(d):
    d.book([HEAD, *([*r[:10], 0 if r[0] == 2025 else r[10]] for r in rows())])


@kind
def very_large(d):
    d.book([HEAD, *([*r[:10], r[10] * 10**6 if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def very_small(d):
    d.book([HEAD, *([*r[:10], 0.0000004 if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def year_two_digits(d):
    d.book([HEAD, *([r[0] - 2000, *r[1:]] for r in rows())])


@kind
def year_future(d):
    d.book([HEAD, *([r[0] + 200 if i == 3 else r[0], *r[1:]] for i, r in enumerate(rows()))])


@kind
def year_fiscal(d):
    d.book([HEAD, *([f"{r[0]}/{r[0] % 100 + 1}", *r[1:]] for r in rows())])


@kind
def year_decimal(d):
    d.book([HEAD, *([float(r[0]) + 0.5 if i == 3 else r[0], *r[1:]] for i, r in enumerate(rows()))])


@kind
def boolean_value(d):
    d.book([HEAD, *([*r[:10], True if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def date_value(d):
    """Excel turned 1.2 into a date."""
    d.book([HEAD, *([*r[:10], datetime.date(2026, 2, 1) if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def near_twin_series(d):
    extra = [[*r[:5], "Casino-Slot", *r[6:]] for r in rows(lambda r: r[2] == "Italy" and r[5] == "Casino Slots")]
    d.book([HEAD, *rows(), *extra])


@kind
def homoglyph_country(d):
    d.book([HEAD, *([*r[:2], "Itаly" if r[2] == "Italy" else r[2], *r[3:]] for r in rows())])


@kind
def homoglyph_product(d):
    d.book([HEAD, *([*r[:5], r[5].replace("i", "і") if i == 0 else r[5], *r[6:]] for i, r in enumerate(rows()))])


@kind
def zero_width_space(d):
    d.book([HEAD, *([*r[:5], r[5] + "\u200b" if i == 0 else r[5], *r[6:]] for i, r in enumerate(rows()))])


@kind
def wrong_year_label(d):
    """Every year in the file is one too late."""
    d.book([HEAD, *([r[0] + 1, *r[1:]] for r in rows())])


@kind
def years_reversed(d):
    head, *lines = wide()
    d.book([[*head[:9], *reversed(YEARS)], *lines])


@kind
def gap_year(d):
    d.seen = rows(lambda r: not (r[2] == "Italy" and r[0] == 2023))
    d.book([HEAD, *d.seen])


@kind
def missing_country(d):
    d.seen = rows(lambda r: r[2] != "Italy")
    d.book([HEAD, *d.seen])


@kind
def wrong_currency_label(d):
    """The figures in EUR are labelled as USD, and those in USD as EUR."""
    swap = {"EUR": "USD", "USD": "EUR"}
    d.book([HEAD, *([*r[:8], swap.get(r[8], r[8]) if r[2] == "Philippines" else r[8], *r[9:]] for r in rows())])


@kind
def local_currency_as_usd(d):
    """The figures in PHP are also in the rows of USD."""
    php = {tuple(r[:8]): r[10] for r in ROWS if r[8] == "PHP"}
    d.book([HEAD, *([*r[:10], php.get(tuple(r[:8]), r[10]) if r[8] == "USD" else r[10]] for r in rows())])


@kind
def empty_file(d):
    d.book([HEAD])
