"""Sends requests: waits when the server asks for it, uses the cache, and turns refusals into errors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx

from gambling_data._cache import Cache, Entry
from gambling_data.errors import (
    BrokenAnswer,
    GamblingDataError,
    InvalidKey,
    InvalidQuery,
    RateLimited,
    ServerUnavailable,
    ServerUnreachable,
)

Parameters = Sequence[tuple[str, str]]

#: How often a request is repeated when the connection breaks or the server is unavailable.
RETRIES = 4

#: How often a request is repeated when the connection breaks in the middle of an answer.
RETRIES_OF_CUTS = 2

ASK_AGAIN = "Try again; if it happens again, tell the people who run the server."


@dataclass(frozen=True)
class Answer:
    """A complete answer."""

    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """Parse the body."""
        try:
            return httpx.Response(200, content=self.body).json()
        except ValueError as error:
            raise BrokenAnswer("The answer is not JSON", ASK_AGAIN) from error


class Transport:
    """One connection pool to one server."""

    def __init__(self, url: str, key: str, cache: Cache | None, timeout: float, max_wait_seconds: float) -> None:
        """Open nothing yet: the first request connects."""
        self.url = url
        self._cache = cache
        self._max_wait_seconds = max_wait_seconds
        self._has_answered = False
        self._http = httpx.Client(headers={"x-api-key": key}, timeout=timeout)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str, parameters: Parameters, headers: Mapping[str, str]) -> Answer:
        """Give the answer of a GET, from the cache where the server says that it has not changed."""
        url = self._address(path, parameters)
        name = "\n".join([url, *(f"{key}: {value}" for key, value in sorted(headers.items()))])
        known = self._cache.get(name) if self._cache else None
        if known and time.time() < known.fixed_until:
            return Answer(known.headers, known.body)
        conditional = {**headers, "If-None-Match": known.etag} if known else headers
        for cuts in range(1, RETRIES_OF_CUTS + 1):
            try:
                return self._read(url, name, conditional, known)
            except BrokenAnswer as error:
                if not isinstance(error.__cause__, (httpx.NetworkError, httpx.RemoteProtocolError)):
                    raise
            time.sleep(0.2 * 2**cuts)
        return self._read(url, name, conditional, known)

    def _read(self, url: str, name: str, headers: Mapping[str, str], known: Entry | None) -> Answer:
        with self._answered(url, headers) as response:
            if known and response.status_code == httpx.codes.NOT_MODIFIED:
                return Answer({**known.headers, **dict(response.headers)}, known.body)
            body = response.read()
            kept = {key: value for key, value in response.headers.items() if key in KEPT_HEADERS}
            etag = response.headers.get("etag")
            control = response.headers.get("cache-control", "")
            if self._cache and etag and "no-store" not in control:
                self._cache.put(name, Entry(etag, kept, body, _fixed_until(control)))
            return Answer(dict(response.headers), body)

    @contextmanager
    def stream(self, path: str, parameters: Parameters, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Give an answer whose body has not been read yet."""
        with self._answered(self._address(path, parameters), headers) as response:
            yield response

    def _address(self, path: str, parameters: Parameters) -> str:
        return f"{self.url}{path}?{urlencode(parameters)}" if parameters else f"{self.url}{path}"

    @contextmanager
    def _answered(self, url: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        response = self._send(url, headers)
        try:
            yield response
        except httpx.TransportError as error:
            raise BrokenAnswer(
                f"The answer of {self.url} broke off ({error})",
                "Try again: the server, or a proxy in between, ended the connection.",
            ) from error
        except httpx.DecodingError as error:
            raise BrokenAnswer(f"The answer of {self.url} cannot be unpacked ({error})", ASK_AGAIN) from error
        finally:
            response.close()

    def _send(self, url: str, headers: Mapping[str, str]) -> httpx.Response:
        """Send a request. Wait and repeat it while the server answers 429 or 5xx, within the limits."""
        waited = 0.0
        tries = 0
        while True:
            tries += 1
            try:
                response = self._http.send(self._http.build_request("GET", url, headers=headers), stream=True)
            except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
                raise ServerUnreachable(
                    f"{self.url} is not an address ({error})",
                    "Set GAMBLING_DATA_URL, or url=, to the server's address, such as http://127.0.0.1:3000.",
                ) from error
            except httpx.TransportError as error:
                # A server that has never answered probably has another address. A server that has answered is probably
                # being restarted.
                is_elsewhere = isinstance(error, httpx.ConnectError) and not self._has_answered
                if tries > RETRIES or is_elsewhere:
                    raise self._unreachable(error) from error
                pause = 0.2 * 2**tries
            else:
                self._has_answered = True
                if response.status_code in (httpx.codes.OK, httpx.codes.NOT_MODIFIED):
                    return response
                error_body = self._read_refusal(response)
                pause = _retry_after(response)
                refusal = _refusal(response, error_body, pause, self.url)
                is_later = isinstance(refusal, (RateLimited, ServerUnavailable))
                is_tried = isinstance(refusal, ServerUnavailable) and tries > RETRIES
                if not is_later or is_tried or waited + pause > self._max_wait_seconds:
                    raise refusal
            time.sleep(pause)
            waited += pause

    def _read_refusal(self, response: httpx.Response) -> Any:
        try:
            response.read()
            return response.json()
        except (httpx.HTTPError, ValueError):
            return None
        finally:
            response.close()

    def _unreachable(self, error: httpx.TransportError) -> ServerUnreachable:
        return ServerUnreachable(
            f"{self.url} cannot be reached ({error})",
            "Check that the server runs, and that GAMBLING_DATA_URL, or url=, is its address.",
        )


#: The headers of an answer that are stored with its body.
KEPT_HEADERS = frozenset({"link", "x-snapshot", "x-meta", "content-type"})


def _fixed_until(control: str) -> float:
    """Give the epoch second until which an answer cannot change; 0 without one.

    The server marks only the answers of a snapshot that the request names as immutable.
    """
    directives = dict(part.strip().partition("=")[::2] for part in control.split(","))
    if "immutable" not in directives or not directives.get("max-age", "").isdigit():
        return 0
    return time.time() + int(directives["max-age"])


#: A proxy may ask for a wait of 0 s. Such waits would never add up to ``max_wait_seconds``.
SHORTEST_PAUSE_SECONDS = 0.25


def _retry_after(response: httpx.Response) -> float:
    text = response.headers.get("retry-after", "")
    return max(float(text), SHORTEST_PAUSE_SECONDS) if text.isdigit() else 1.0


def _refusal(response: httpx.Response, body: Any, pause: float, url: str) -> GamblingDataError:
    """Turn an error of the server into an exception with the server's message."""
    status = response.status_code
    problem = body.get("error") if isinstance(body, dict) else None
    if not isinstance(problem, str):
        return BrokenAnswer(
            f"{url} answers {status}, but not as the data API does",
            "Check that GAMBLING_DATA_URL, or url=, is the address of the data API and of nothing else.",
        )
    details = _object(body.get("details"))
    problems = [str(message) for message in _list(details.get("formErrors"))]
    for name, messages in _object(details.get("fieldErrors")).items():
        problems.extend(f"{name}: {message}" for message in _list(messages))
    text = "; ".join([problem.rstrip("."), *problems])
    if status == httpx.codes.UNAUTHORIZED:
        return InvalidKey(
            text, "Set GAMBLING_DATA_KEY, or key=, to your key; ask the team for a new invite if it is lost."
        )
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return RateLimited(
            text, f"The next request is admitted in {pause:.0f} s; raise max_wait_seconds to wait that long."
        )
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return ServerUnavailable(text, "Try again in a few minutes.")
    if status == httpx.codes.NOT_FOUND:
        return InvalidQuery(text, "See client.datasets() for the names, and that the address ends before /v1.")
    remedy, explained = _help(response, url)
    return InvalidQuery(text, f"{remedy} {explained} explains it." if explained else remedy, details)


def _object(value: Any) -> dict[str, Any]:
    """Give ``value`` if it is a JSON object, and an empty one otherwise: another server may send anything."""
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    """Give ``value`` if it is a JSON list, and an empty one otherwise."""
    return value if isinstance(value, list) else []


#: What to do about a refused argument, by the topic of the documentation that the server's answer names.
REMEDIES = {
    "unknown-snapshot": "client.snapshots() lists what can be asked.",
    "snapshot-day": "client.snapshots() lists what can be asked.",
    "since-missing": "client.snapshots() lists what can be asked.",
    "unknown-metric": "client.datasets() lists the names.",
    "unknown-dataset": "client.datasets() lists the names.",
    "nothing-to-sum": "client.datasets() says which metrics add up.",
    "sum-refused": "Name one value of each, or add them to by=.",
}


def _help(response: httpx.Response, url: str) -> tuple[str, str]:
    """Give the remedy for a refused argument, and the address that explains the refusal if the server names one."""
    target = response.links.get("help", {}).get("url", "")
    remedy = REMEDIES.get(target.partition("#")[2], "Correct the argument; client.values(dataset) lists what exists.")
    return remedy, f"{url}{target}" if target.startswith("/") else target
