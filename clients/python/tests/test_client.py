"""The client against a real server with the sample months."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gambling_data import Client, InvalidKey, InvalidQuery, MissingLibrary, RateLimited, _frames


def walk(url: str, key: str, query: str) -> list[dict[str, Any]]:
    """All rows as the API gives them, by hand."""
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        request = urllib.request.Request(f"{url}/v1/{query}&limit=1000{cursor}", headers={"x-api-key": key})
        with urllib.request.urlopen(request) as response:
            page = json.load(response)
        rows += page["data"]
        if not page["pagination"]["has_more"]:
            return rows
        cursor = f"&cursor={page['pagination']['cursor']}"


def test_rows_are_those_of_the_api_in_its_order(client: Client, url: str, key: str) -> None:
    frame = client.rows("ggr", fx="EUR", years=range(2019, 2024))
    query = "financials?metric=ggr&fx=EUR"
    expected = walk(url, key, query + "".join(f"&year={year}" for year in range(2019, 2024)))
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) > 1000
    assert frame["ggr"].where(frame["ggr"].notna(), None).tolist() == [row["values"]["ggr"] for row in expected]
    for name in expected[0]["dimensions"]:
        assert frame[name].tolist() == [row["dimensions"][name] for row in expected]
    assert client.snapshot == "2026-11.1"


@pytest.mark.parametrize(("frame", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("pyarrow", pa.Table)])
@pytest.mark.parametrize("reader", ["pyarrow", "polars", None])
def test_every_library_gives_the_same_frame(
    client: Client, monkeypatch: pytest.MonkeyPatch, frame: str, kind: type, reader: str | None
) -> None:
    def asked() -> list[tuple[list[str], list[tuple[object, ...]]]]:
        found = [
            client.rows("country", country="Malta", frame=frame),
            client.rows("country_reference", frame=frame),
            client.rows("ggr", country="Nowhere", frame=frame),
            client.totals("ggr", by=["fx", "year"], country="Malta", temporal="Current", frame=frame),
            client.changes("ggr", since="2026-10", country="Malta", years=2023, frame=frame),
        ]
        assert all(isinstance(one, kind) for one in found)
        return [plain(one) for one in found]

    expected = asked()
    assert [len(rows) > 0 for _, rows in expected[:4]] == [True, True, False, True]
    monkeypatch.setattr("gambling_data.client.arrow_reader", lambda: reader)
    for (names, rows), (expected_names, expected_rows) in zip(asked(), expected, strict=True):
        assert names == expected_names
        assert rows == expected_rows


def plain(frame: Any) -> tuple[list[str], list[tuple[object, ...]]]:
    """Columns and rows, a missing number as None."""
    table = frame.to_arrow() if isinstance(frame, pl.DataFrame) else frame
    if isinstance(table, pd.DataFrame):
        rows = list(table.itertuples(index=False, name=None))
        names = list(table.columns)
    else:
        names = table.column_names
        rows = list(zip(*[column.to_pylist() for column in table.columns], strict=True))
    return names, [tuple(None if cell != cell else cell for cell in row) for row in rows]


def test_a_wrong_sum_is_refused_with_what_to_do(client: Client) -> None:
    with pytest.raises(InvalidQuery, match="ggr cannot be summed over fx: name one value, or add by=fx"):
        client.totals("ggr", country="Malta", temporal="Current")


@pytest.mark.parametrize("reader", ["pyarrow", "polars", None])
def test_what_a_sum_leaves_out_is_a_warning(
    client: Client, reader: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gambling_data.client.arrow_reader", lambda: reader)
    several = r"several values of temporal: Current of .* Forecast of .* No series has two of them"
    with pytest.warns(UserWarning, match=several):
        client.totals("ggr", by="year", country="Malta", fx="EUR", state="")
    # The second answer comes from the cache.
    with pytest.warns(UserWarning, match="The sum includes several values of temporal"):
        client.totals("ggr", by="year", country="Malta", fx="EUR", state="")


def test_strict_names_the_nearest_value(client: Client) -> None:
    with pytest.raises(InvalidQuery, match='country: Unknown value "Maltta"; did you mean "Malta"'):
        client.rows("ggr", country="Maltta", strict=True)
    assert len(client.rows("ggr", country="Maltta")) == 0


def test_as_of_answers_from_an_older_snapshot(client: Client) -> None:
    client.rows("country_reference", as_of="2026-10")
    assert client.snapshot == "2026-10.1"
    client.totals("ggr", by="year", country="Malta", fx="EUR", temporal="Current", as_of="2026-10")
    assert client.snapshot == "2026-10.1"
    with pytest.raises(InvalidQuery, match="Unknown snapshot: '1999-01'"):
        client.rows("ggr", as_of="1999-01")


def test_a_refusal_names_its_own_remedy_and_where_it_is_explained(client: Client, url: str) -> None:
    asked: list[tuple[Callable[[], object], str, str]] = [
        (
            lambda: client.rows("ggr", as_of="1999-01"),
            "client.snapshots() lists what can be asked.",
            "unknown-snapshot",
        ),
        (lambda: client.rows("poker"), "client.datasets() lists the names.", "unknown-metric"),
        (lambda: client.values("poker"), "client.datasets() lists the names.", "unknown-dataset"),
        (lambda: client.totals("ggr"), "Name one value of each, or add them to by=.", "sum-refused"),
        (lambda: client.rows("ggr", contry="Malta"), "client.values(dataset) lists what exists.", "misspelt-parameter"),
    ]
    for ask, remedy, topic in asked:
        with pytest.raises(InvalidQuery) as caught:
            ask()
        assert str(caught.value).endswith(f"{remedy} {url}/docs#{topic} explains it.")


def test_values_datasets_snapshots_and_usage(client: Client) -> None:
    values = client.values("ggr", dimension="country")
    assert list(values) == ["country"]
    assert values["country"]["Malta"] > 0
    assert [one["name"] for one in client.datasets()] == [
        "ggr",
        "turnover",
        "fx",
        "country",
        "country_reference",
    ]
    assert [one["id"] for one in client.snapshots()] == ["2026-11.1", "2026-10.1"]
    assert client.usage()["days"][0]["requests"] > 0


@pytest.mark.parametrize("kind", ["parquet", "csv", "arrow", "xlsx"])
def test_export_writes_a_whole_file(client: Client, tmp_path: Path, kind: str) -> None:
    path = client.export("ggr", tmp_path / f"malta.{kind}", country="Malta", years=[2022, 2023])
    expected = client.rows("ggr", country="Malta", years=[2022, 2023])
    readers: dict[str, Callable[[], int]] = {
        "parquet": lambda: len(pl.read_parquet(path)),
        "csv": lambda: len(pl.read_csv(path)),
        "arrow": lambda: len(pl.read_ipc(path)),
        "xlsx": lambda: len(expected) if path.read_bytes()[:2] == b"PK" else 0,
    }
    assert readers[kind]() == len(expected)
    assert [one.name for one in tmp_path.iterdir() if one.name != "cache"] == [path.name]


def test_an_unchanged_answer_comes_from_the_cache(client: Client, tmp_path: Path) -> None:
    first = client.rows("country_reference")
    files = {path: path.stat().st_ino for path in (tmp_path / "cache").iterdir()}
    assert len(files) == 1
    assert client.rows("country_reference").equals(first)
    assert {path: path.stat().st_ino for path in (tmp_path / "cache").iterdir()} == files
    before = client.usage()["limits"][0]["used"]
    for _ in range(3):
        client.rows("country_reference", as_of="2026-10.1")
    # A named snapshot never changes, so only the first request is sent.
    assert client.usage()["limits"][0]["used"] - before == 2


def test_a_damaged_cache_is_not_believed(client: Client, tmp_path: Path) -> None:
    first = client.rows("country_reference")
    for path in (tmp_path / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:-5] + b"wrong")
    assert client.rows("country_reference").equals(first)


@pytest.mark.parametrize("key", ["sk_live_nonsense", "x" * 57])
def test_a_wrong_key_says_where_a_right_one_goes(url: str, key: str) -> None:
    with pytest.raises(InvalidKey, match=r"Invalid or revoked API key\. Set GAMBLING_DATA_KEY"):
        Client(url, key, cache=False).datasets()


@pytest.mark.parametrize("key", ["", "  ", "sk_live_…", "two words", "line\nbreak"])
def test_what_cannot_be_a_key_is_refused_before_anything_is_sent(key: str) -> None:
    with pytest.raises(InvalidKey, match="Set GAMBLING_DATA_KEY"):
        Client("http://127.0.0.1:1", key)


def test_a_variable_that_is_not_set_is_no_key() -> None:
    with pytest.raises(InvalidKey, match=r"There is no key\. Set GAMBLING_DATA_KEY"):
        Client("http://127.0.0.1:1", None)  # type: ignore[arg-type]


def test_the_key_is_never_shown(client: Client, key: str) -> None:
    assert key not in repr(client)
    with pytest.raises(InvalidQuery) as caught:
        client.rows("poker")
    assert key not in str(caught.value)
    assert "Unknown metric: 'poker'" in str(caught.value)


def test_arguments_of_the_wrong_type_are_told_at_once(client: Client) -> None:
    with pytest.raises(TypeError, match=r"country=1\.5: use a text"):
        client.rows("ggr", country=[1.5])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"year=2024\.0: use a text"):
        client.rows("ggr", years=2024.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="country=b'Malta': use a text"):
        client.rows("ggr", country=b"Malta")
    with pytest.raises(ValueError, match=r"country=\[\]: name at least one value, or leave the filter out"):
        client.totals("ggr", by=[], country=[])
    with pytest.raises(ValueError, match="frame='excel': use one of pandas, polars, pyarrow"):
        client.rows("ggr", frame="excel")
    with pytest.raises(ValueError, match=r"the name must end in one of \.parquet"):
        client.export("ggr", "ggr.txt")
    # The client asks for pages by itself, so the API would speak of a parameter that is given twice.
    with pytest.raises(TypeError, match="limit=5: all rows are fetched; filter them, or take the first of the answer"):
        client.rows("ggr", limit=5)
    with pytest.raises(TypeError, match="cursor='abc': all rows are fetched"):
        client.totals("ggr", by="year", fx="USD", state="", cursor="abc")


def test_hostile_names_are_only_values(client: Client) -> None:
    for name in ["O'Brien; DROP TABLE ggr --", "&metric=fx", "%41", "a\x00b", "中文 🎰", "../../etc/passwd"]:
        assert len(client.rows("ggr", country=name)) == 0
        with pytest.raises(InvalidQuery):
            client.export(name, "x.csv")


def test_without_a_library_the_error_says_what_to_install(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_frames, "installed", lambda _library: False)
    with pytest.raises(MissingLibrary, match=r'pip install "gambling-data\[pandas\]"'):
        client.rows("ggr")


def test_a_limit_is_waited_for_as_long_as_allowed(url: str, small_key: str) -> None:
    hasty = Client(url, small_key, cache=False, max_wait_seconds=0)
    with pytest.raises(RateLimited, match=r"The next request is admitted in \d+ s"):
        for _ in range(3):
            hasty.datasets()


@pytest.mark.parametrize("library", _frames.LIBRARIES)
def test_whole_numbers_beyond_integers_of_a_double_are_doubles(library: str) -> None:
    frame = _frames.frame_of_columns({"gdp": [9007254259700582, None, 1.5]}, {"gdp": "number"}, library)
    assert plain(frame)[1][0] == (9007254259700582.0,)
