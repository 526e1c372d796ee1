"""The reference with Python's fastest reader of workbooks: fastexcel reads the rows, DuckDB sorts and writes them.

Nothing is checked. At the end it writes its resource use to file descriptor 3, in the form of `reportUsage.ts`.
"""

import json
import os
import resource
import sys

import duckdb
import fastexcel

source, target, *order = sys.argv[1:]
sheet = fastexcel.read_excel(source).load_sheet(0).to_arrow()
names = [name.lower().replace("-", "_") for name in sheet.column_names]
sheet = sheet.rename_columns(names)
years = [name for name in names if name.isdigit()]
connection = duckdb.connect()
rows = "FROM sheet"
if years:
    columns = ", ".join(f'"{name}"' for name in years)
    rows = f"FROM (UNPIVOT sheet ON {columns} INTO NAME year VALUE ggr)"
connection.execute(
    f"""COPY (SELECT * REPLACE (year::INTEGER AS year, coalesce(state, '') AS state) {rows}
    ORDER BY {", ".join(order)}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)"""
)
written = f"SELECT count(*), sum(round(ggr * 100)::BIGINT) FROM '{target}'"
print(*connection.execute(written).fetchone())
used = resource.getrusage(resource.RUSAGE_SELF)
report = {"cpuMs": (used.ru_utime + used.ru_stime) * 1000, "peakBytes": used.ru_maxrss * 1024}
os.write(3, json.dumps(report).encode())
