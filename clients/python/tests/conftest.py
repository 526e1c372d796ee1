"""The server for the tests. The environment names it, and it must run already."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gambling_data import Client

Answer = Callable[[BaseHTTPRequestHandler], None]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client.from_env(cache=tmp_path / "cache") as made:
        yield made


@pytest.fixture
def url() -> str:
    return os.environ["GAMBLING_DATA_URL"]


@pytest.fixture
def key() -> str:
    return os.environ["GAMBLING_DATA_KEY"]


class Broken:
    """A server that answers whatever a test wants."""

    def __init__(self, port: int = 0) -> None:
        self.answers: list[Answer] = []
        self.requests: list[BaseHTTPRequestHandler] = []
        broken = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                broken.requests.append(self)
                answer = broken.answers.pop(0) if len(broken.answers) > 1 else broken.answers[0]
                answer(self)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def broken() -> Iterator[Broken]:
    made = Broken()
    yield made
    made.close()


def answer(status: int, body: bytes, **headers: str) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in {"Content-Length": str(len(body)), **named}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return send


@pytest.fixture
def small_key() -> str:
    """A key that is admitted twice a minute."""
    return os.environ["GAMBLING_DATA_SMALL_KEY"]
