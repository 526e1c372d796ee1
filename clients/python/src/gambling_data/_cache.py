"""Stores answers on disk with their ETags, so that the server does not send an unchanged answer again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 256 * 2**20


@dataclass(frozen=True)
class Entry:
    """A stored answer."""

    etag: str
    headers: Mapping[str, str]
    body: bytes
    #: The time until which the server promises that the answer stays the same, in epoch seconds.
    fixed_until: float


class Cache:
    """A folder with one file for each answer. If the folder cannot be used, requests are only slower."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        """Use ``folder``; it is created with the first answer."""
        self._folder = folder
        self._max_bytes = max_bytes

    def get(self, name: str) -> Entry | None:
        """Give the answer stored under ``name``; None when there is none, or its file is damaged."""
        path = self._path(name)
        try:
            head, body = path.read_bytes().split(b"\n", 1)
            facts = json.loads(head)
            if facts["name"] != name or facts["sha256"] != hashlib.sha256(body).hexdigest():
                raise ValueError(name)
            entry = Entry(facts["etag"], facts["headers"], body, facts["fixed_until"])
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        return entry

    def put(self, name: str, entry: Entry) -> None:
        """Store an answer, and remove the least recently used ones when there is no room."""
        facts = {
            "name": name,
            "etag": entry.etag,
            "headers": dict(entry.headers),
            "fixed_until": entry.fixed_until,
            "sha256": hashlib.sha256(entry.body).hexdigest(),
        }
        content = json.dumps(facts).encode() + b"\n" + entry.body
        if len(content) > self._max_bytes // 4:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(content))
            write_whole(self._path(name), content)

    def _path(self, name: str) -> Path:
        return self._folder / hashlib.sha256(name.encode()).hexdigest()

    def _make_room(self, needed: int) -> None:
        files = []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                stat = path.stat()
                # A temporary file that another process left behind.
                if path.name.startswith(".") and stat.st_mtime < time.time() - 3600:
                    path.unlink()
                else:
                    files.append((stat.st_mtime, stat.st_size, path))
        total = needed + sum(size for _, size, _ in files)
        for _, size, path in sorted(files, key=lambda file: file[0]):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size


def write_whole(path: Path, content: bytes) -> None:
    """Write under a temporary name, then rename, so that no reader ever finds half a file."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
