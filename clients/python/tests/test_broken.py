"""The server, the connection or the disk fails."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from conftest import Broken, answer

from gambling_data import (
    BrokenAnswer,
    CannotWrite,
    Client,
    InvalidQuery,
    RateLimited,
    ServerUnavailable,
    ServerUnreachable,
)
from gambling_data._cache import Cache, Entry

KEY = "sk_live_" + "a" * 49
ERROR = json.dumps({"error": "Service temporarily unavailable — please try again later"}).encode()
DATASETS = json.dumps({"datasets": [{"name": "ggr"}]}).encode()


def ask(broken: Broken, **options: float) -> Client:
    return Client(broken.url, KEY, cache=False, **options)  # type: ignore[arg-type]


def test_a_server_that_is_away_is_named_with_the_setting() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(ServerUnreachable, match=rf"http://127\.0\.0\.1:{port} cannot be reached.*GAMBLING_DATA_URL"):
        Client(f"http://127.0.0.1:{port}", KEY, cache=False).datasets()


def test_snapshots_that_cannot_be_read_are_a_warning(broken: Broken) -> None:
    broken.answers = [answer(200, json.dumps({"snapshots": [], "unreadable": ["2026-10.1"]}).encode())]
    with pytest.warns(UserWarning, match=r"cannot read these now: \['2026-10.1'\]"):
        assert ask(broken).snapshots() == []


def test_a_server_that_restarts_is_asked_again_until_it_is_back() -> None:
    before = Broken()
    before.answers = [answer(200, DATASETS)]
    client = ask(before)
    client.datasets()
    before.close()
    begun: list[Broken] = []

    def begin() -> None:
        begun.append(Broken(before.port))
        begun[0].answers = before.answers

    timer = threading.Timer(0.5, begin)
    timer.start()
    assert client.datasets() == [{"name": "ggr"}]
    timer.join()
    begun[0].close()


@pytest.mark.parametrize("url", ["localhost:3000", "", "ftp://x", "http://"])
def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(ServerUnreachable, match="GAMBLING_DATA_URL"):
        Client(url, KEY, cache=False).datasets()


def test_a_503_is_asked_again_when_the_server_says(broken: Broken) -> None:
    later = answer(503, ERROR, Retry_After="1")
    broken.answers = [later, answer(200, DATASETS)]
    begun = time.monotonic()
    assert ask(broken).datasets() == [{"name": "ggr"}]
    assert time.monotonic() - begun >= 1
    assert len(broken.requests) == 2


def test_a_503_that_stays_is_an_error_within_the_wait(broken: Broken) -> None:
    broken.answers = [answer(503, ERROR, Retry_After="3600")]
    with pytest.raises(ServerUnavailable, match="Service temporarily unavailable"):
        ask(broken, max_wait_seconds=5).datasets()
    assert len(broken.requests) == 1


def test_a_429_without_a_wait_is_not_asked_without_end(broken: Broken) -> None:
    broken.answers = [answer(429, ERROR, Retry_After="0")] * 9
    with pytest.raises(RateLimited):
        ask(broken, max_wait_seconds=0.5).datasets()
    assert len(broken.requests) == 3


@pytest.mark.parametrize(
    ("status", "body"),
    [(502, b"<html>Bad gateway</html>"), (404, b""), (403, b"[]"), (400, b'{"error": 5}'), (302, b"")],
)
def test_what_is_not_our_server_is_recognised(broken: Broken, status: int, body: bytes) -> None:
    broken.answers = [answer(status, body)]
    with pytest.raises(BrokenAnswer, match=f"answers {status}, but not as the data API does.*GAMBLING_DATA_URL"):
        ask(broken, max_wait_seconds=0).datasets()


@pytest.mark.parametrize(
    "details", ["text", ["text"], {"fieldErrors": "text"}, {"formErrors": 5, "fieldErrors": {"a": 5}}]
)
def test_details_in_a_form_of_another_server_are_left_out(broken: Broken, details: object) -> None:
    broken.answers = [answer(400, json.dumps({"error": "Bad request", "details": details}).encode())]
    with pytest.raises(InvalidQuery, match=r"^Bad request\. ") as caught:
        ask(broken).datasets()
    assert caught.value.details == (details if isinstance(details, dict) else {})


@pytest.mark.parametrize(
    "described", [[5], [{}], [{"name": "ggr"}], [{"name": "ggr", "metrics": [], "dimensions": [5]}]]
)
def test_a_broken_description_of_a_dataset_is_recognised(
    broken: Broken, described: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gambling_data.client.arrow_reader", lambda: None)
    page = json.dumps({"meta": {}, "data": []}).encode()
    broken.answers = [answer(200, page), answer(200, json.dumps({"datasets": described}).encode())]
    with pytest.raises(BrokenAnswer, match="lacks something"):
        ask(broken).rows("ggr")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"datasets": 5}', b"\xff"])
def test_a_broken_answer_is_recognised(broken: Broken, body: bytes) -> None:
    broken.answers = [answer(200, body)]
    with pytest.raises(BrokenAnswer):
        ask(broken).datasets()


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"{}", {"Content_Type": "application/json"}),
        (b"no arrow", {"Content_Type": "application/vnd.apache.arrow.stream"}),
        (b"", {"Content_Type": "application/vnd.apache.arrow.stream"}),
        (b"x", {"Content_Type": "application/vnd.apache.arrow.stream", "Link": '</x?a=1>; rel="next"'}),
        (b"x", {"Content_Type": "application/vnd.apache.arrow.stream", "Link": '</x?cursor=a>; rel="next"'}),
    ],
)
def test_a_broken_page_is_recognised(broken: Broken, body: bytes, headers: dict[str, str]) -> None:
    broken.answers = [answer(200, body, **headers)]
    with pytest.raises(BrokenAnswer, match="Try again"):
        ask(broken).rows("ggr")


def test_a_month_means_one_snapshot_for_all_pages(broken: Broken) -> None:
    pa = pytest.importorskip("pyarrow")
    sink = pa.BufferOutputStream()
    table = pa.table({"country": ["Malta"], "ggr": [1.0]})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    page = sink.getvalue().to_pybytes()
    common = {"Content_Type": "application/vnd.apache.arrow.stream", "X_Snapshot": "2026-10.1"}
    broken.answers = [answer(200, page, Link='</x?cursor=a>; rel="next"', **common), answer(200, page, **common)]
    ask(broken).rows("ggr", as_of="2026-10", frame="pyarrow")
    assert [request.headers["X-Snapshot"] for request in broken.requests] == ["2026-10", "2026-10.1"]


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"x" * 100)
    handler.wfile.flush()
    handler.connection.close()


def test_an_interrupted_answer_is_asked_for_again(broken: Broken) -> None:
    broken.answers = [cut, cut, answer(200, DATASETS)]
    assert ask(broken).datasets() == [{"name": "ggr"}]
    assert len(broken.requests) == 3


def test_an_answer_that_is_always_interrupted_is_no_answer(broken: Broken) -> None:
    broken.answers = [cut]
    with pytest.raises(BrokenAnswer, match=r"broke off.*Try again"):
        ask(broken).datasets()
    assert len(broken.requests) == 3


def test_an_interrupted_download_leaves_the_old_file_and_nothing_else(broken: Broken, tmp_path: Path) -> None:
    broken.answers = [cut]
    target = tmp_path / "ggr.csv"
    target.write_text("of yesterday")
    with pytest.raises(BrokenAnswer, match="broke off"):
        ask(broken).export("ggr", target)
    assert target.read_text() == "of yesterday"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_is_not_there_is_named(broken: Broken, tmp_path: Path) -> None:
    broken.answers = [answer(200, b"year\r\n")]
    with pytest.raises(CannotWrite, match=r"nowhere/ggr\.csv cannot be written.*Check that the folder exists"):
        ask(broken).export("ggr", tmp_path / "nowhere" / "ggr.csv")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_leaves_nothing(broken: Broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken.answers = [answer(200, b"x" * 1_000_000)]
    made = os.fdopen

    def full(handle: int, mode: str) -> object:
        os.close(handle)
        return made(os.open("/dev/full", os.O_WRONLY), mode)

    monkeypatch.setattr("gambling_data.client.os.fdopen", full)
    with pytest.raises(CannotWrite, match=r"No space left on device.*has space"):
        ask(broken).export("ggr", tmp_path / "ggr.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_done_without(broken: Broken) -> None:
    broken.answers = [answer(200, DATASETS, ETag='"a"')]
    client = Client(broken.url, KEY, cache="/proc/nowhere")
    assert client.datasets() == [{"name": "ggr"}]


def test_a_server_that_never_answered_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("gambling_data._transport.time.sleep", pauses.append)
    with pytest.raises(ServerUnreachable):
        Client("http://127.0.0.1:1", KEY, cache=False).datasets()
    assert pauses == []


@pytest.mark.parametrize(("control", "asked"), [("max-age=3600", 3), ("max-age=3600, immutable", 1)])
def test_only_an_answer_that_cannot_change_is_not_asked_for_again(
    control: str, asked: int, broken: Broken, tmp_path: Path
) -> None:
    other = json.dumps({"datasets": [{"name": "fx"}]}).encode()
    broken.answers = [
        answer(200, DATASETS, ETag='"a"', Cache_Control=control),
        answer(200, other, ETag='"b"', Cache_Control=control),
        answer(304, b"", ETag='"b"', Cache_Control=control),
    ]
    client = Client(broken.url, KEY, cache=tmp_path)
    names = [client.datasets()[0]["name"] for _ in range(3)]
    assert names == (["ggr", "fx", "fx"] if asked == 3 else ["ggr"] * 3)
    etags = [request.headers["If-None-Match"] for request in broken.requests]
    assert etags == [None, '"a"', '"b"'][:asked]


def test_the_folder_of_the_cache_is_made_with_those_above_it_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    cache = Cache(folder, 40_000)
    for name in ("one", "two"):
        cache.put(name, Entry('"a"', {}, b"x", 0))
        assert cache.get(name) is not None
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_cache_stays_within_its_size_and_forgets_what_is_used_least(tmp_path: Path) -> None:
    cache = Cache(tmp_path, 40_000)
    for i in range(20):
        cache.put(f"{i}", Entry('"a"', {}, b"x" * 5000, 0))
        os.utime(max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime), (i, i))
        if i > 0:
            assert cache.get("0") is not None, i
            zero = next(path for path in tmp_path.iterdir() if b'"name": "0"' in path.read_bytes()[:200])
            os.utime(zero, (1000, 1000))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 40_000
    assert cache.get("1") is None
    cache.put("large", Entry('"a"', {}, b"x" * 20_000, 0))
    assert cache.get("large") is None


# A server or proxy may leave the header out, and a long list does not fit into it. JSON has it then.
@pytest.mark.parametrize("header", ["whole", "cut", "absent"])
def test_countries_and_values_that_sums_leave_out_are_named_in_a_warning(
    header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gambling_data.client.arrow_reader", lambda: None)
    meta = {"by": [], "states_alone": ["Canada", "United Kingdom"], "missing": {"ggr": 3}, "notes": ["A note"]}
    totals = {"meta": meta, "data": [{"dimensions": {}, "values": {"ggr": 1.5}, "rows_summed": 2}]}
    described = {"datasets": [{"name": "ggr", "dimensions": [], "metrics": [{"name": "ggr"}]}]}
    server = Broken()
    headers = {"whole": {"X_Meta": json.dumps(meta)}, "cut": {"X_Meta": '{"left_out": ["states_alone"]}'}, "absent": {}}
    body = json.dumps(totals).encode()
    server.answers = [answer(200, body, **headers[header]), answer(200, json.dumps(described).encode())]
    server.answers += [] if header == "whole" else [answer(200, body)]
    told = "A note; states_alone: Canada, United Kingdom; 3 missing values of ggr"
    with pytest.warns(UserWarning, match=told):
        assert len(ask(server).totals("ggr", state="")) == 1
    assert len(server.requests) == (2 if header == "whole" else 3)
    server.close()
