"""Turns pages into data frames of pandas, polars or pyarrow, whichever is installed."""

from __future__ import annotations

import importlib
import importlib.util
import io
from collections.abc import Mapping, Sequence
from typing import Any

from gambling_data.errors import BrokenAnswer, MissingLibrary

LIBRARIES = ("pandas", "polars", "pyarrow")

Columns = dict[str, list[Any]]


def installed(library: str) -> bool:
    """Whether a library can be imported."""
    return importlib.util.find_spec(library) is not None


def choose_library(wanted: str | None) -> str:
    """Give the wanted library; with None, the first that is installed."""
    if wanted is not None and wanted not in LIBRARIES:
        raise ValueError(f"frame={wanted!r}: use one of {', '.join(LIBRARIES)}")
    for library in LIBRARIES if wanted is None else (wanted,):
        if installed(library):
            return library
    missing = wanted or "none of pandas, polars and pyarrow"
    raise MissingLibrary(
        f"{missing} is {'not ' if wanted else ''}installed",
        f'Install it: pip install "gambling-data[{wanted or "pandas"}]"',
    )


def arrow_reader() -> str | None:
    """Give the library that reads pages as Arrow; None where only JSON can be read."""
    return next((library for library in ("pyarrow", "polars") if installed(library)), None)


def frame_of_arrow(pages: Sequence[bytes], reader: str, library: str) -> Any:
    """Join Arrow streams with the same columns into one frame."""
    try:
        table = _read_with_pyarrow(pages) if reader == "pyarrow" else _read_with_polars(pages)
    except Exception as error:
        raise BrokenAnswer(
            f"A page is not an Arrow stream ({error})",
            "Try again; if it happens again, something between here and the server changes its answers.",
        ) from error
    return _convert(table, reader, library)


def _read_with_pyarrow(pages: Sequence[bytes]) -> Any:
    pa = importlib.import_module("pyarrow")
    ipc = importlib.import_module("pyarrow.ipc")
    tables = [ipc.open_stream(page).read_all() for page in pages]
    # Each page has its own dictionaries, so texts are cast to plain strings before the pages are joined.
    plain = pa.schema(
        [
            (field.name, pa.string() if pa.types.is_dictionary(field.type) else _wide(pa, field.type))
            for field in tables[0].schema
        ]
    )
    return pa.concat_tables([table.cast(plain) for table in tables])


def _wide(pa: Any, kind: Any) -> Any:
    return pa.int64() if pa.types.is_integer(kind) else kind


def _read_with_polars(pages: Sequence[bytes]) -> Any:
    pl = importlib.import_module("polars")
    tables = [pl.read_ipc_stream(io.BytesIO(page)) for page in pages]
    plain = [
        pl.col(name).cast(pl.Int64 if kind.is_integer() else pl.String)
        for name, kind in tables[0].schema.items()
        if kind.is_integer() or not kind.is_numeric()
    ]
    return pl.concat([table.with_columns(plain) for table in tables])


def _convert(table: Any, reader: str, library: str) -> Any:
    if library == reader:
        return table
    if reader == "pyarrow":
        if library == "pandas":
            return table.to_pandas()
        return importlib.import_module("polars").from_arrow(table)
    columns = table.to_dict(as_series=False)
    return frame_of_columns(columns, {name: _kind(str(kind)) for name, kind in table.schema.items()}, library)


def _kind(name: str) -> str:
    if name.startswith("Int"):
        return "integer"
    return "number" if name.startswith("Float") else "text"


def frame_of_columns(columns: Columns, kinds: Mapping[str, str], library: str) -> Any:
    """Make a frame of columns; ``kinds`` are ``integer``, ``number`` or ``text``."""
    module = importlib.import_module(library)
    # JSON writes whole doubles like integers, and pyarrow refuses integers beyond 2^53 for a column of doubles.
    columns = {name: _doubles(values) if kinds[name] == "number" else values for name, values in columns.items()}
    if library == "pandas":
        types = {"integer": "int64", "number": "float64", "text": "str"}
        return module.DataFrame(
            {name: module.Series(values, dtype=types[kinds[name]]) for name, values in columns.items()}
        )
    if library == "polars":
        types = {"integer": module.Int64, "number": module.Float64, "text": module.String}
        return module.DataFrame(columns, schema={name: types[kinds[name]] for name in columns})
    types = {"integer": module.int64(), "number": module.float64(), "text": module.string()}
    return module.table({name: module.array(values, types[kinds[name]]) for name, values in columns.items()})


def _doubles(values: list[Any]) -> list[float | None]:
    return [None if value is None else float(value) for value in values]
