"""Runs the Python and SQL of a page of documentation, in the order of the page.

The programs call the server at API_URL in place of the server that the page names.
"""

import os
import re
import sys
from pathlib import Path

import duckdb

names = {}
exec("import polars as pl, pyarrow.parquet as pq", names)
blocks = re.findall(r"^```(python|sql)\n(.*?)^```", Path(sys.argv[1]).read_text(), re.MULTILINE | re.DOTALL)
for language, documented in blocks:
    text = documented.replace("http://127.0.0.1:3000", os.environ["API_URL"])
    if language == "python":
        exec(text, names)
    else:
        assert duckdb.sql(text).fetchall(), f"no rows from: {text}"
print(len(blocks), "blocks")
