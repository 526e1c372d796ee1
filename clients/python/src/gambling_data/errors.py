"""The errors. Each states the problem in the server's words, and a remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class GamblingDataError(Exception):
    """The base of all errors of this package."""

    def __init__(self, problem: str, remedy: str, details: Mapping[str, Any] | None = None) -> None:
        """Join the problem and the remedy into the message."""
        stop = "" if problem.endswith("?") else "."
        super().__init__(f"{problem}{stop} {remedy}")
        self.problem = problem
        self.remedy = remedy
        #: The server's ``details``: ``formErrors`` and ``fieldErrors``.
        self.details: Mapping[str, Any] = details or {}


class InvalidKey(GamblingDataError):
    """The key is missing, mistyped, expired or revoked."""


class InvalidQuery(GamblingDataError):
    """The server refuses the query; the message names the parameter."""


class RateLimited(GamblingDataError):
    """The key's limit is used up for longer than ``max_wait_seconds``."""


class ServerUnavailable(GamblingDataError):
    """The server is reachable, but cannot answer now."""


class ServerUnreachable(GamblingDataError):
    """Nothing answers at the address."""


class BrokenAnswer(GamblingDataError):
    """The answer is cut off or is not what the server sends."""


class CannotWrite(GamblingDataError):
    """A file cannot be written; nothing is left under its name."""


class MissingLibrary(GamblingDataError):
    """No library for data frames is installed, or the wanted one is not."""
