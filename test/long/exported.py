"""Reads exports as other people's programs do, and prints as JSON what they found.

usage: exported.py URL KEY FOLDER, where FOLDER has ggr.xlsx, ggr-by-libreoffice.xlsx, ggr.csv and ggr.arrow
"""

import csv
import json
import sys
from pathlib import Path

import fsspec
import openpyxl
import pandas
import polars
import pyarrow.feather
import pyarrow.parquet

url, key, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])


def workbook(file):
    sheets = openpyxl.load_workbook(file, read_only=True)
    rows = list(sheets["ggr"].iter_rows(values_only=True))
    column = rows[0].index("ggr")
    numbers = [row[column] for row in rows[1:]]
    return {
        "rows": len(numbers),
        "sum": sum(number for number in numbers if number is not None),
        "types": sorted({type(cell).__name__ for cell in rows[1]}),
        "about": len(list(sheets["About"].iter_rows())),
    }


def table(frame):
    return {"rows": len(frame), "sum": float(frame["ggr"].sum())}


remote = fsspec.filesystem("http", client_kwargs={"headers": {"x-api-key": key}}, block_size=2**16)
with remote.open(f"{url}/v1/export/ggr.parquet", cache_type="bytes", block_size=2**16) as file:
    parquet = pyarrow.parquet.ParquetFile(file)
    last = parquet.read_row_group(parquet.num_row_groups - 1, columns=["year"])
    partly = {"rows": parquet.metadata.num_rows, "last": last.num_rows}

with open(folder / "ggr.csv", newline="", encoding="utf-8") as file:
    lines = list(csv.DictReader(file))

json.dump(
    {
        "partly": partly,
        "openpyxl": workbook(folder / "ggr.xlsx"),
        "libreoffice": workbook(folder / "ggr-by-libreoffice.xlsx") if (folder / "ggr-by-libreoffice.xlsx").exists() else None,
        "pandas": table(pandas.read_excel(folder / "ggr.xlsx", sheet_name="ggr", keep_default_na=False, na_values={"ggr": [""]})),
        "polars": table(polars.read_ipc(folder / "ggr.arrow")),
        "feather": table(pyarrow.feather.read_table(folder / "ggr.arrow").to_pandas()),
        "csv": {"rows": len(lines), "sum": sum(float(line["ggr"]) for line in lines if line["ggr"])},
    },
    sys.stdout,
)
