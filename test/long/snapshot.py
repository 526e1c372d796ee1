"""Reads a published snapshot as other people's tools do, and says as JSON what they found."""

import json
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow.parquet
from frictionless import Checklist, Package

snapshot = Path(sys.argv[1])


def by_duckdb(file):
    pairs = duckdb.execute("SELECT decode(key), decode(value) FROM parquet_kv_metadata(?)", [str(file)])
    return dict(pairs.fetchall())


def by_pyarrow(file):
    return {key.decode(): value.decode() for key, value in pyarrow.parquet.read_schema(file).metadata.items()}


# frictionless counts no bytes of Parquet files, so it reports every `bytes` as wrong. It does check the hashes.
report = Package(str(snapshot / "datapackage.json")).validate(Checklist(skip_errors=["byte-count"]))
found = {
    "package": {"valid": report.valid, "errors": report.flatten(["title", "type", "message"])},
    "rows": {task.name: task.stats["rows"] for task in report.tasks},
    "metadata": {
        file.stem: {"duckdb": by_duckdb(file), "polars": polars.read_parquet_metadata(file), "pyarrow": by_pyarrow(file)}
        for file in sorted(snapshot.glob("*.parquet"))
    },
}
json.dump(found, sys.stdout)
