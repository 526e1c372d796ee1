"""Gross gaming revenue, turnover, exchange rates and country indicators as data frames."""

from gambling_data.client import Client
from gambling_data.errors import (
    BrokenAnswer,
    CannotWrite,
    GamblingDataError,
    InvalidKey,
    InvalidQuery,
    MissingLibrary,
    RateLimited,
    ServerUnavailable,
    ServerUnreachable,
)

__all__ = [
    "BrokenAnswer",
    "CannotWrite",
    "Client",
    "GamblingDataError",
    "InvalidKey",
    "InvalidQuery",
    "MissingLibrary",
    "RateLimited",
    "ServerUnavailable",
    "ServerUnreachable",
]
