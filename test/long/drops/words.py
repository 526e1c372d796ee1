"""Words in place of values, and rows that are sums of others."""

from common import HEAD, KINDS, ROWS, YEARS, kind, rows, wide


# Words that may be real values.
VALUES = {"category_various", "sub_channel_unknown"}


def placeholder(word, at, is_value=False):
    def make(d):
        cells = [[*r[:at], word, *r[at + 1 :]] if i < 4 else r for i, r in enumerate(rows())]
        if is_value:
            d.seen = cells
        d.book([HEAD, *cells])
    return make


for name, word, at in [
    ("state_na", "n/a", 3), ("state_dash", "–", 3), ("state_zero", "0", 3), ("state_zero_number", 0, 3), ("state_all", "All", 3),
    ("state_national", "National", 3), ("state_country_name", "Italy", 3), ("product_blank", "(blank)", 5), ("product_null", "NULL", 5),
    ("product_all", "All", 5), ("product_all_products", "All Products", 5), ("channel_total", "Total", 6), ("sub_channel_none", "None", 7),
    ("sub_channel_not_specified", "not specified", 7), ("sub_channel_unknown", "Unknown", 7), ("country_world", "World", 2), ("category_various", "Various", 4),
    ("state_statewide", "Statewide", 3), ("product_total_betting", "Total Betting", 5), ("temporal_na", "n/a", 9), ("fx_all", "ALL", 8), ("fx_dollar", "US$", 8), ("fx_lcu", "LCU", 8),
]:
    KINDS[name] = placeholder(word, at, name in VALUES)


def totals(name_of, at):
    """Rows with the sums over the column `at`; `name_of` gives their value of this column."""
    sums = {}
    for r in rows(lambda r: r[3] is None):
        key = tuple(c for j, c in enumerate(r[:10]) if j != at)
        sums.setdefault(key, []).append(r)
    return [[*g[0][:at], name_of(g[0]), *g[0][at + 1 : 10], sum(r[10] for r in g)] for g in sums.values() if len(g) > 1]


@kind
def total_rows_product(d):
    d.book([HEAD, *rows(), *totals(lambda r: "Total " + r[4], 5)])


@kind
def total_rows_named_like_value(d):
    d.book([HEAD, *rows(), *totals(lambda r: "Casino", 5)])


@kind
def total_rows_sub_channel(d):
    d.book([HEAD, *rows(), *totals(lambda r: "Onshore and Offshore", 7)])


@kind
def grand_total_last_row(d):
    d.book([HEAD, *rows(), ["Grand Total", *[None] * 9, sum(r[10] for r in ROWS)]])


@kind
def total_below_gap(d):
    d.book([HEAD, *rows(), [None], ["Total", *[None] * 9, sum(r[10] for r in ROWS)]])


@kind
def sum_without_label(d):
    d.book([HEAD, *rows(), [None] * 10 + [sum(r[10] for r in ROWS)]])


@kind
def wide_total_row(d):
    head, *lines = wide()
    d.book([head, *lines, ["Total", *[None] * 8, *(sum(l[9 + i] or 0 for l in lines) for i in range(len(YEARS)))]])


@kind
def wide_total_column(d):
    head, *lines = wide()
    d.book([[*head, "Total"], *([*l, sum(v or 0 for v in l[9:])] for l in lines)])


@kind
def wide_unnamed_total_column(d):
    head, *lines = wide()
    d.book([head, *([*l, sum(v or 0 for v in l[9:])] for l in lines)])


@kind
def wide_growth_column(d):
    head, *lines = wide()
    d.book([[*head, "CAGR"], *([*l, 0.05] for l in lines)])


@kind
def wide_subtotals(d):
    head, *lines = wide()
    out = [head]
    for i, line in enumerate(lines):
        out.append(line)
        if i + 1 == len(lines) or lines[i + 1][1:5] != line[1:5]:
            group = [l for l in lines if l[1:5] == line[1:5]]
            if len(group) > 1:
                out.append([*line[:4], f"{line[4]} Total", None, None, None, None, *(sum(l[9 + k] or 0 for l in group) for k in range(len(YEARS)))])
    d.book(out)


@kind
def country_total_of_states(d):
    """A correct file. Rows without a state are the whole country, so they are no wrong totals."""
    d.book([HEAD, *rows()])
