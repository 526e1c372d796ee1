"""The reference with polars for workbooks: calamine reads the rows, polars sorts and writes them, without checks.

At the end it writes its resource use to file descriptor 3, in the form of `reportUsage.ts`.
"""

import json
import os
import resource
import sys

import polars

source, target, *order = sys.argv[1:]
table = polars.read_excel(source, engine="calamine")
table = table.rename({name: name.lower().replace("-", "_") for name in table.columns})
table = table.with_columns(polars.col("state").fill_null("")).sort(order)
table.write_parquet(target, compression="zstd")
print(table.height, round(table["ggr"].sum() * 100))
used = resource.getrusage(resource.RUSAGE_SELF)
report = {"cpuMs": (used.ru_utime + used.ru_stime) * 1000, "peakBytes": used.ru_maxrss * 1024}
os.write(3, json.dumps(report).encode())
