"""Figures in thousands and millions, and the places where people state the unit."""

from openpyxl.comments import Comment

from common import HEAD, KINDS, ROWS, kind, rows


M = [[*r[:10], round(r[10] / 1e6, 1)] for r in ROWS]


def stated(d, title=None, head=None, sheet="Data", below=None, cells=None):
    d.seen = [[*r[:10], r[10] * 1e6] for r in M]
    lines = [HEAD if head is None else [*HEAD[:10], head], *(cells or M)]
    d.book([*([[title], [None]] if title else []), *lines, *([[None], [below]] if below else [])], title=sheet)


for name, more in {
    "unit_title_usd_m": {"title": "Gross gaming revenue, USD m"}, "unit_title_in_millions": {"title": "GGR (in millions)"},
    "unit_header_m": {"head": "GGR (m)"}, "unit_header_usd_m": {"head": "GGR USD m"}, "unit_header_mio": {"head": "GGR (Mio. EUR)"},
    "unit_header_000": {"head": "GGR '000"}, "unit_header_eur_000": {"head": "GGR (€ 000)"}, "unit_header_x1000": {"head": "GGR x1,000"}, "unit_sheet": {"sheet": "GGR USD m"},
    "unit_footnote": {"below": "All figures in millions."}, "unit_title_dollar_m": {"title": "GGR, $m"}, "unit_title_mm": {"title": "GGR ($MM)"},
    "unit_title_tsd": {"title": "Angaben in Tsd. EUR"}, "unit_title_lakh": {"title": "Figures in lakh"}, "unit_title_crore": {"title": "INR crore"}, "unit_title_10e6": {"title": "Unit: 10^6 USD"},
    "unit_title_milliers": {"title": "en milliers d'euros"}, "unit_title_millones": {"title": "Millones de euros"}, "unit_none_stated": {}, "unit_title_million_word": {"title": "Values: million GBP"}, "unit_header_eurm": {"head": "GGR €m"}, "unit_header_gbpm": {"head": "GGR GBPm"}, "unit_header_musd": {"head": "GGR (MUSD)"},
}.items():
    KINDS[name] = (lambda more: lambda d: stated(d, **more))(more)


@kind
def unit_comment(d):
    """The unit in a comment of the heading."""
    def edit(s):
        s["K1"].comment = Comment("in millions", "me")
    d.seen = [[*r[:10], r[10] * 1e6] for r in M]
    d.book([HEAD, *M], edit=edit)


@kind
def unit_notes_sheet(d):
    def edit(s):
        s.parent.create_sheet("Notes")["A1"] = "All amounts in USD million"
    d.seen = [[*r[:10], r[10] * 1e6] for r in M]
    d.book([HEAD, *M], edit=edit)


@kind
def unit_column(d):
    d.seen = [[*r[:10], r[10] * 1e6] for r in M]
    d.book([[*HEAD, "Unit"], *([*r, "m"] for r in M)])


@kind
def unit_file_name(d):
    d.seen = [[*r[:10], r[10] * 1e6] for r in M]
    d.book([HEAD, *M], name="ggr USD m.xlsx")


@kind
def unit_one_country(d):
    """The figures of one country in thousands."""
    d.book([HEAD, *([*r[:10], r[10] // 1000 if r[2] == "Italy" else r[10]] for r in rows())])


@kind
def unit_one_year(d):
    d.book([HEAD, *([*r[:10], r[10] // 1000 if r[0] == 2025 else r[10]] for r in rows())])
