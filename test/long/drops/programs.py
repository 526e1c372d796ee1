"""Files as Google Sheets, Numbers and Excel write them, made by hand, because no library writes these forms."""

import re
import zipfile
from xml.sax.saxutils import escape

from common import HEAD, LONG, ROWS, kind, rows, wide

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def name_of(column, row):
    return f"{chr(65 + column)}{row}"


def pack(path, sheets, styles="", strings=(), workbook=""):
    """Writes a workbook. Each sheet is given as its name and the XML inside its worksheet element."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        parts = [*(f"worksheets/sheet{i + 1}" for i in range(len(sheets))), "styles", "sharedStrings"]
        kinds = [*["worksheet"] * len(sheets), "styles", "sharedStrings"]
        media = "application/vnd.openxmlformats-officedocument.spreadsheetml"
        file.writestr("[Content_Types].xml", f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{media}.sheet.main+xml"/>' + "".join(f'<Override PartName="/xl/{p}.xml" ContentType="{media}.{k}+xml"/>' for p, k in zip(parts, kinds)) + "</Types>")
        file.writestr("_rels/.rels", f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        file.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}/relationships">' + "".join(f'<Relationship Id="rId{i + 1}" Type="{RELATED}/{k}" Target="{p}.xml"/>' for i, (p, k) in enumerate(zip(parts, kinds))) + "</Relationships>")
        file.writestr("xl/workbook.xml", f'<workbook {MAIN} xmlns:r="{RELATED}"><sheets>' + "".join(f'<sheet state="visible" name="{n}" sheetId="{i + 1}" r:id="rId{i + 1}"/>' for i, (n, _) in enumerate(sheets)) + f"</sheets>{workbook}</workbook>")
        file.writestr("xl/styles.xml", f"<styleSheet {MAIN}>{styles}</styleSheet>")
        file.writestr("xl/sharedStrings.xml", f'<sst {MAIN} count="{len(strings)}" uniqueCount="{len(strings)}">' + "".join(f"<si><t>{escape(t)}</t></si>" for t in strings) + "</sst>")
        for i, (_, xml) in enumerate(sheets):
            file.writestr(f"xl/worksheets/sheet{i + 1}.xml", f"<worksheet {MAIN}>{xml}</worksheet>")


# --- Google Sheets ------------------------------------------------------------------------------------------------
STYLES = (
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy"/></numFmts>'
    '<fonts count="1"><font><sz val="10.0"/><color rgb="FF000000"/><name val="Arial"/><scheme val="minor"/></font></fonts>'
    '<cellStyleXfs count="1"><xf borderId="0" fillId="0" fontId="0" numFmtId="0"/></cellStyleXfs>'
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" xfId="0"/><xf numFmtId="3" fontId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="164" fontId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
)


def google(d, cells, year_style=0, odd=None):
    """Writes a workbook as Google Sheets does: with a decimal in whole numbers, styled empty cells, and a thousand rows."""
    strings, lines = {}, []
    for i, line in enumerate(cells):
        out = []
        for j, value in enumerate(line):
            at = name_of(j, i + 1)
            style = year_style if j == 0 and i > 0 else 1
            if odd is not None and odd(i, j):
                out.append(f'<c r="{at}" s="1" t="e"><v>#N/A</v></c>')
            elif value is None:
                out.append(f'<c r="{at}" s="1"/>')
            elif isinstance(value, str):
                out.append(f'<c r="{at}" s="1" t="s"><v>{strings.setdefault(value, len(strings))}</v></c>')
            else:
                out.append(f'<c r="{at}" s="{style}"><v>{float(value)}</v></c>')
        lines.append(f'<row r="{i + 1}" ht="15.75" customHeight="1">{"".join(out)}</row>')
    lines += [f'<row r="{r}" ht="15.75" customHeight="1"/>' for r in range(len(cells) + 1, 1001)]
    xml = '<sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/><sheetData>' + "".join(lines) + "</sheetData><drawing r:id=\"rId1\" xmlns:r=\"" + RELATED + '"/>'
    pack(d.folder / "ggr.xlsx", [("Sheet1", xml)], STYLES, list(strings))


@kind
def google_sheets(d):
    google(d, [HEAD, *rows()])


@kind
def google_sheets_wide(d):
    google(d, wide())


@kind
def google_sheets_na(d):
    google(d, [HEAD, *rows()], odd=lambda i, j: i in (3, 4) and j == 10)


@kind
def google_sheets_year_dates(d):
    def serial(year):
        return (year - 1900) * 365 + (year - 1901) // 4 + 366

    google(d, [HEAD, *([serial(r[0]), *r[1:]] for r in rows())], year_style=3)


@kind
def google_sheets_csv(d):
    """A csv with numbers as the sheet shows them, in quotes."""
    d.text([HEAD, *rows()], number=lambda v: f"{v:,}")


@kind
def google_sheets_csv_na(d):
    d.text([HEAD, *([*r[:10], "#N/A" if i in (3, 4) else r[10]] for i, r in enumerate(rows()))])


@kind
def google_sheets_csv_ref(d):
    d.text([HEAD, *([*r[:10], "#REF!" if i == 3 else r[10]] for i, r in enumerate(rows()))])


@kind
def google_sheets_csv_loading(d):
    d.text([HEAD, *([*r[:10], "Loading..." if i == 3 else r[10]] for i, r in enumerate(rows()))])


# --- Numbers ------------------------------------------------------------------------------------------------------
@kind
def numbers_export(d):
    """The first sheet lists the tables. Each table has a sheet of its own, whose title is merged over the first row."""
    def edit(s):
        s.merge_cells("A1:K1")
        summary = s.parent.create_sheet("Export Summary", 0)
        summary.append(["This document was exported from Numbers. Each table was converted to an Excel worksheet."])
        summary.append([])
        summary.append(["Numbers Sheet Name", "Numbers Table Name", "Excel Worksheet Name"])
        summary.append(["ggr", "Table 1", "ggr - Table 1"])
    d.book([["Table 1"], HEAD, *rows()], title="ggr - Table 1", edit=edit)


@kind
def numbers_csv(d):
    """A csv with semicolons, as in countries with a decimal comma, and with the title above the table."""
    d.text([["Table 1", *[None] * 10], LONG, *rows()], sep=";")


# --- Excel --------------------------------------------------------------------------------------------------------
def excel(d, cell, workbook=""):
    """Writes a workbook with inline texts. `cell` gives the XML of each figure's cell."""
    lines = []
    for i, line in enumerate([HEAD, *rows()]):
        out = []
        for j, value in enumerate(line):
            at = name_of(j, i + 1)
            if isinstance(value, str):
                out.append(f'<c r="{at}" t="inlineStr"><is><t>{escape(value)}</t></is></c>')
            elif value is not None:
                out.append(cell(at, value, i) if j == 10 else f'<c r="{at}"><v>{value}</v></c>')
        lines.append(f'<row r="{i + 1}" spans="1:11">{"".join(out)}</row>')
    pack(d.folder / "ggr.xlsx", [("Data", f'<sheetData>{"".join(lines)}</sheetData>')], workbook=workbook)


@kind
def excel_shared_formula(d):
    """Figures from a shared formula over a pivot table, which only Excel can compute."""
    text = 'GETPIVOTDATA("ggr",$N$1,"row",L2)'
    excel(d, lambda at, v, i: f'<c r="{at}"><f t="shared" si="0"{" ref=" + chr(34) + "K2:K400" + chr(34) if i == 1 else ""}>{text if i == 1 else ""}</f><v>{v}</v></c>')


@kind
def excel_dynamic_array(d):
    excel(d, lambda at, v, i: f'<c r="{at}" cm="1"><f t="array" ref="{at}">{v}*1</f><v>{v}</v></c>')


@kind
def excel_long_decimals(d):
    excel(d, lambda at, v, _: f'<c r="{at}"><v>{v}.00000000000000</v></c>')


@kind
def excel_exponent(d):
    excel(d, lambda at, v, _: f'<c r="{at}"><v>{v / 10:.15E}</v></c>' if False else f'<c r="{at}"><v>{v}E0</v></c>')


@kind
def excel_linked_type(d):
    """A cell with a data type such as stocks or currencies. The file holds an error for programs that do not know it."""
    excel(d, lambda at, v, i: f'<c r="{at}" t="e" vm="1"><v>#VALUE!</v></c>' if i == 5 else f'<c r="{at}"><v>{v}</v></c>')


@kind
def excel_manual_calculation(d):
    excel(d, lambda at, v, _: f'<c r="{at}"><f>{v}*1</f><v>{v}</v></c>', workbook='<calcPr calcId="191029" calcMode="manual"/>')


@kind
def excel_strict(d):
    """A workbook in Excel's format "Strict Open XML", which has other namespaces."""
    d.book([HEAD, *rows()], name="loose.xlsx")
    loose, strict = d.folder / "loose.xlsx", d.folder / "ggr.xlsx"
    with zipfile.ZipFile(loose) as old, zipfile.ZipFile(strict, "w") as new:
        for part in old.namelist():
            text = old.read(part).decode()
            text = text.replace("http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main")
            text = re.sub(r"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships", text)
            new.writestr(part, text)
    loose.unlink()


@kind
def excel_lock_file(d):
    """The lock file of Excel beside the workbook, as it is copied while somebody has the workbook open."""
    d.book([HEAD, *rows()])
    (d.folder / "~$ggr.xlsx").write_bytes(b"\x05Somebody" + b"\0" * 150)


@kind
def excel_crore_format(d):
    """A number format that divides by a million. The stored figure is right."""
    def edit(s):
        for cell in s["K"][1:]:
            cell.number_format = '#,##0.00,,"m"'
    d.book([HEAD, *rows()], edit=edit)
    d.seen = ROWS
