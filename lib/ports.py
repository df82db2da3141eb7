"""Ports: how a room calls functions of the rooms above it, which it may not import.

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
        """Connect these implementations; they replace those connected before."""
        self._connected = implementations

    def __iter__(self) -> Iterator[T]:
        return iter(self._connected)

    @property
    def one(self) -> T:
        """The only implementation; raises LookupError if there is none or more than one."""
        if len(self._connected) != 1:
            raise LookupError(f"{len(self._connected)} implementations are connected, not 1.")
        return self._connected[0]
