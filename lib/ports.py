"""Ports: what a room asks of the rooms above it, which it may not import.

A room declares a `Protocol` and a `Port` for it; `config/ports.py` connects the implementations
when the service starts.
"""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Port(Generic[T]):
    """The implementations of a protocol, in the order in which they were connected."""

    def __init__(self) -> None:
        self._connected: tuple[T, ...] = ()

    def connect(self, *implementations: T) -> None:
        """Connect these in place of what was connected before."""
        self._connected = implementations

    def __iter__(self) -> Iterator[T]:
        return iter(self._connected)

    @property
    def one(self) -> T:
        """The only implementation; raises LookupError where there is none or another."""
        if len(self._connected) != 1:
            raise LookupError(f"{len(self._connected)} implementations are connected, not 1.")
        return self._connected[0]
