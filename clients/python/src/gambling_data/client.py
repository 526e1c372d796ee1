"""The client: each method sends a query to the server, and gives the answer as a data frame or as Python objects."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from operator import index
from pathlib import Path
from types import TracebackType
from typing import Any, SupportsIndex
from urllib.parse import parse_qs, quote, urlsplit

import httpx

from gambling_data._cache import MAX_BYTES, Cache
from gambling_data._frames import Columns, arrow_reader, choose_library, frame_of_arrow, frame_of_columns
from gambling_data._transport import ASK_AGAIN, Answer, Transport
from gambling_data.errors import BrokenAnswer, CannotWrite, InvalidKey

Value = str | int | Iterable[str] | Iterable[int]

ARROW = "application/vnd.apache.arrow.stream"
EXPORT_FORMATS = ("parquet", "csv", "arrow", "xlsx")
PAGE_ROWS = "1000"


class Client:
    """Asks one server with one key.

    ``rows``, ``totals`` and ``changes`` give a frame of pandas, polars or pyarrow: the first that is installed, or
    the one named by ``frame``. Filters are named as the dimensions: ``country="Malta"``, ``fx=["EUR", "USD"]``.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        frame: str | None = None,
        cache: Path | str | bool = True,
        cache_max_bytes: int = MAX_BYTES,
        timeout: float = 30,
        max_wait_seconds: float = 120,
    ) -> None:
        """Make a client; nothing is sent yet.

        ``cache`` is a folder, ``True`` for the user's cache folder or ``False`` for none. ``max_wait_seconds`` is the
        longest that one request waits when the server says "later".
        """
        # os.environ.get() gives None for a variable that is not set.
        key = (key or "").strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise InvalidKey(
                "There is no key" if not key else "The key holds characters that no key has",
                "Set GAMBLING_DATA_KEY, or key=, to your key, as the claim page showed it.",
            )
        self._frame = frame
        folder = _cache_folder() if cache is True else Path(cache) if cache else None
        stored = Cache(folder, cache_max_bytes) if folder else None
        self._transport = Transport(url.rstrip("/"), key, stored, timeout, max_wait_seconds)
        #: The snapshot that gave the last answer, such as ``2026-11.1``.
        self.snapshot: str | None = None

    @classmethod
    def from_env(cls, **options: Any) -> Client:
        """Make a client from ``GAMBLING_DATA_URL`` (default http://127.0.0.1:3000) and ``GAMBLING_DATA_KEY``."""
        url = os.environ.get("GAMBLING_DATA_URL") or "http://127.0.0.1:3000"
        key = os.environ.get("GAMBLING_DATA_KEY") or os.environ.get("API_KEY") or ""
        return cls(url, key, **options)

    def __repr__(self) -> str:
        """Show the address, never the key."""
        return f"Client({self._transport.url!r})"

    def __enter__(self) -> Client:
        """Use the client in a ``with`` statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def rows(
        self,
        dataset: str,
        *,
        years: Value | None = None,
        period: str | None = None,
        as_of: str | None = None,
        strict: bool = False,
        frame: str | None = None,
        **filters: Value | None,
    ) -> Any:
        """Give all rows that the filters select: one column per dimension and metric.

        ``as_of`` names an older snapshot, a month or a day; with ``strict`` a misspelt value is an error.
        """
        is_lookup = dataset == "country_reference"
        path = "/v1/reference" if is_lookup else "/v1/financials"
        selector = ("dataset" if is_lookup else "metric", dataset)
        parameters = [selector, *_parameters(years=years, period=period, **filters)]
        return self._paged(path, parameters, _headers(as_of, strict), dataset, frame)[1]

    def totals(
        self,
        dataset: str,
        *,
        by: str | Iterable[str] = (),
        years: Value | None = None,
        period: str | None = None,
        as_of: str | None = None,
        strict: bool = False,
        frame: str | None = None,
        **filters: Value | None,
    ) -> Any:
        """Add up exactly, grouped by the dimensions in ``by``. A sum that would be wrong is an ``InvalidQuery``.

        What the sums leave out, such as missing values and countries that have rows of states alone, is a
        ``UserWarning``.
        """
        parameters = [("dataset", dataset), *_parameters(by=by, years=years, period=period, **filters)]
        headers = _headers(as_of, strict)
        pages, table = self._paged("/v1/totals", parameters, headers, dataset, frame)
        _warn_of(self._left_out(pages[0], parameters, headers))
        return table

    def _left_out(
        self, page: Answer, parameters: list[tuple[str, str]], headers: Mapping[str, str]
    ) -> Mapping[str, Any]:
        """Give what the sums leave out: from the header of their first page, or else from ``meta`` of a JSON page."""
        meta = _json_object(page.headers.get("x-meta"))
        if meta is not None and "left_out" not in meta:
            return meta
        named = {**headers, "X-Snapshot": self.snapshot} if self.snapshot else headers
        body = self._json("/v1/totals", [*parameters, ("limit", "1")], named)
        try:
            return dict(body["meta"])
        except (KeyError, TypeError, ValueError) as error:
            raise _broken(error) from error

    def changes(
        self,
        dataset: str,
        *,
        since: str,
        until: str | None = None,
        change: str | Iterable[str] = (),
        years: Value | None = None,
        period: str | None = None,
        strict: bool = False,
        frame: str | None = None,
        **filters: Value | None,
    ) -> Any:
        """Give the rows that were added, removed or revised between two snapshots, before and after."""
        named = _parameters(since=since, until=until, change=change, years=years, period=period, **filters)
        return self._paged("/v1/changes", [("dataset", dataset), *named], _headers(None, strict), dataset, frame)[1]

    def values(
        self,
        dataset: str,
        *,
        dimension: str | Iterable[str] = (),
        years: Value | None = None,
        period: str | None = None,
        as_of: str | None = None,
        strict: bool = False,
        **filters: Value | None,
    ) -> dict[str, dict[str | int, int]]:
        """Give the values of each dimension and how many rows each has."""
        named = _parameters(dimension=dimension, years=years, period=period, **filters)
        body = self._json("/v1/values", [("dataset", dataset), *named], _headers(as_of, strict))
        try:
            return {name: {one["value"]: one["row_count"] for one in listed} for name, listed in body["values"].items()}
        except (KeyError, TypeError, AttributeError) as error:
            raise _broken(error) from error

    def datasets(self, *, as_of: str | None = None) -> list[dict[str, Any]]:
        """Describe the datasets: dimensions, metrics with units, years, sources, what does not add up."""
        return self._list("/v1/datasets", "datasets", _headers(as_of, strict=False))

    def snapshots(self) -> list[dict[str, Any]]:
        """List the retained snapshots, the newest publication first, and warn of those that cannot be read now."""
        return self._list("/v1/snapshots", "snapshots", {})

    def usage(self) -> dict[str, Any]:
        """Say what this key has used: its limits, and its requests by day."""
        body = self._json("/v1/usage", [], {})
        if not isinstance(body, dict):
            raise _broken(body)
        return body

    def export(
        self,
        dataset: str,
        path: Path | str,
        *,
        years: Value | None = None,
        period: str | None = None,
        as_of: str | None = None,
        strict: bool = False,
        **filters: Value | None,
    ) -> Path:
        """Download everything that the filters select as one file; its ending chooses the format.

        The file appears under its name when it is complete, and not before.
        """
        target = Path(path)
        kind = target.suffix.removeprefix(".").lower()
        if kind not in EXPORT_FORMATS:
            raise ValueError(f"{target.name}: the name must end in one of .{', .'.join(EXPORT_FORMATS)}")
        parameters = _parameters(years=years, period=period, **filters)
        address = f"/v1/export/{quote(dataset, safe='')}.{kind}"
        with self._transport.stream(address, parameters, _headers(as_of, strict)) as response:
            _save(response, target)
            self.snapshot = response.headers.get("x-snapshot")
        return target

    def _json(self, path: str, parameters: list[tuple[str, str]], headers: Mapping[str, str]) -> Any:
        return self._asked(path, parameters, headers).json()

    def _asked(self, path: str, parameters: list[tuple[str, str]], headers: Mapping[str, str]) -> Answer:
        answer = self._transport.get(path, parameters, headers)
        self.snapshot = answer.headers.get("x-snapshot")
        return answer

    def _list(self, path: str, name: str, headers: Mapping[str, str]) -> list[dict[str, Any]]:
        body = self._json(path, [], headers)
        listed = body.get(name) if isinstance(body, dict) else None
        if not isinstance(listed, list):
            raise _broken(name)
        unreadable = body.get("unreadable")
        if unreadable:
            warnings.warn(f"The server cannot read these now: {unreadable}", UserWarning, stacklevel=3)
        return listed

    def _paged(
        self,
        path: str,
        parameters: list[tuple[str, str]],
        headers: Mapping[str, str],
        dataset: str,
        frame: str | None,
    ) -> tuple[list[Answer], Any]:
        """Give all pages, and one frame with all their rows."""
        library = choose_library(frame or self._frame)
        reader = arrow_reader()
        pages = self._pages(path, parameters, headers, reader)
        if reader is not None:
            if any(not page.headers.get("content-type", "").startswith(ARROW) for page in pages):
                raise BrokenAnswer("A page is not an Arrow stream", ASK_AGAIN)
            return pages, frame_of_arrow([page.body for page in pages], reader, library)
        return pages, self._frame_of_json([page.json() for page in pages], dataset, library)

    def _pages(
        self,
        path: str,
        parameters: list[tuple[str, str]],
        headers: Mapping[str, str],
        reader: str | None,
    ) -> list[Answer]:
        """Give all pages in their order: as Arrow when ``reader`` names a library for it, otherwise as JSON."""
        pages: list[Answer] = []
        cursor: str | None = None
        while True:
            following = [] if cursor is None else [("cursor", cursor)]
            query = [*parameters, ("limit", PAGE_ROWS), *following]
            pages.append(self._asked(path, query, {**headers, **({"Accept": ARROW} if reader else {})}))
            # A month or a day may mean another snapshot by the time of the next page.
            if "X-Snapshot" in headers and self.snapshot is not None:
                headers = {**headers, "X-Snapshot": self.snapshot}
            following_cursor = _next_cursor(pages[-1])
            if following_cursor is None:
                return pages
            if following_cursor == cursor:
                raise BrokenAnswer("A page leads to itself", ASK_AGAIN)
            cursor = following_cursor

    def _frame_of_json(self, pages: list[Any], dataset: str, library: str) -> Any:
        """Make a frame of JSON pages."""
        snapshot = self.snapshot
        listed = self.datasets()
        self.snapshot = snapshot
        try:
            columns, kinds = _columns_of(pages, next(one for one in listed if one["name"] == dataset))
        except StopIteration as error:
            raise _broken(dataset) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise _broken(error) from error
        return frame_of_columns(columns, kinds, library)


def _columns_of(pages: list[Any], described: Mapping[str, Any]) -> tuple[Columns, dict[str, str]]:
    """Give the columns of JSON pages, and the kind of each, which the description of the dataset states."""
    metrics = [metric["name"] for metric in described["metrics"]]
    meta = pages[0]["meta"]
    by = meta.get("by")
    is_changes = "counts" in meta
    rows = [_flat(row, metrics) for page in pages for row in page["data"]]
    kinds = {"change": "text"} if is_changes else {}
    for one in described["dimensions"]:
        if by is None or one["name"] in by:
            kinds[one["name"]] = "integer" if one["type"] == "integer" else "text"
    if by is not None:
        kinds = {name: kinds[name] for name in by}
        metrics = [name for name in metrics if name not in meta.get("not_summed", [])]
    prefixes = ("before_", "after_") if is_changes else ("",)
    kinds.update({prefix + metric: "number" for prefix in prefixes for metric in metrics})
    if by is not None:
        kinds["rows_summed"] = "integer"
    return {name: [row.get(name) for row in rows] for name in kinds}, kinds


def _warn_of(meta: Mapping[str, Any]) -> None:
    """Warn of what sums leave out: the notes of the answer, and the lists that they refer to."""
    missing = [f"{value} missing values of {name}" for name, value in meta.get("missing", {}).items()]
    lists = ("states_alone", "currencies_alone", "temporal_alone")
    alone = [f"{name}: {', '.join(meta[name])}" for name in lists if meta.get(name)]
    remarks = [*meta.get("notes", []), *alone, *missing]
    if remarks:
        warnings.warn("; ".join(remarks), UserWarning, stacklevel=3)


def _json_object(text: str | None) -> dict[str, Any] | None:
    """Parse the JSON object of a header; None for anything else."""
    try:
        value = json.loads(text or "")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _flat(row: Mapping[str, Any], metrics: list[str]) -> dict[str, Any]:
    """Put dimensions and values of a row side by side. A row of the lookup is flat already."""
    flat = {name: value for name, value in row.items() if not isinstance(value, (dict, type(None)))}
    flat.update(row.get("dimensions", {}))
    flat.update(row.get("values") or {})
    for side in ("before", "after"):
        values = row.get(side) or {}
        flat.update({f"{side}_{metric}": values.get(metric) for metric in metrics})
    return flat


def _next_cursor(page: Answer) -> str | None:
    """Give the cursor of the page after this one, from its Link header."""
    for link in page.headers.get("link", "").split(","):
        target, _, relation = link.partition(";")
        if 'rel="next"' in relation:
            cursors = parse_qs(urlsplit(target.strip().strip("<>")).query).get("cursor")
            if not cursors:
                raise BrokenAnswer("The link to the next page has no cursor", ASK_AGAIN)
            return cursors[-1]
    return None


#: The arguments that may be an empty list. It means the same as leaving the argument out.
MAY_BE_EMPTY = ("by", "change", "dimension")
#: The parameters of a page, which the client sets itself.
OF_A_PAGE = ("limit", "cursor")


def _parameters(years: Value | None = None, **named: Value | None) -> list[tuple[str, str]]:
    """Give one pair for each value; ``years`` is the filter ``year``."""
    parameters: list[tuple[str, str]] = []
    for name, value in [("year", years), *named.items()]:
        if value is None:
            continue
        if name in OF_A_PAGE:
            raise TypeError(f"{name}={value!r}: all rows are fetched; filter them, or take the first of the answer")
        texts = [_text(name, one) for one in _listed(value)]
        if not texts and name not in MAY_BE_EMPTY:
            # The query string would not contain a filter without values, and the answer would have all rows.
            raise ValueError(f"{name}={value!r}: name at least one value, or leave the filter out to select all")
        parameters.extend((name, text) for text in texts)
    return parameters


def _listed(value: object) -> list[object]:
    """Give the values of a filter. Bytes are one value, not a list of numbers."""
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, Iterable):
        return [value]
    return list(value)


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return str(value)
    # numpy's integers are not instances of int, but of SupportsIndex.
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"{name}={value!r}: use a text, a whole number, or several of them")
    return str(index(value))


def _headers(as_of: str | None, strict: bool) -> dict[str, str]:
    headers = {} if as_of is None else {"X-Snapshot": as_of}
    return {**headers, "Prefer": "handling=strict"} if strict else headers


def _save(response: httpx.Response, target: Path) -> None:
    """Write a body into a temporary file in the same folder, then rename the file."""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise _cannot_write(target, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in response.iter_bytes():
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError) and not isinstance(error, httpx.TransportError):
            raise _cannot_write(target, error) from error
        raise


def _cannot_write(target: Path, error: OSError) -> CannotWrite:
    return CannotWrite(
        f"{target} cannot be written ({error.strerror or error})",
        "Check that the folder exists and is writable, and that the disk has space; nothing was left under that name.",
    )


def _broken(what: object) -> BrokenAnswer:
    return BrokenAnswer(f"The answer lacks something that it should have ({what})", ASK_AGAIN)


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or (Path.home() / ".cache")
    return Path(base) / "gambling-data"
