"""Ports in tests: other implementations for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from lib.ports import Port

T = TypeVar("T")


@contextmanager
def connected(port: Port[T], *implementations: T) -> Iterator[tuple[T, ...]]:
    """Within the block, these implementations are connected; the others are yielded."""
    before = tuple(port)
    port.connect(*implementations)
    try:
        yield before
    finally:
        port.connect(*before)
