"""What was received in a world, entry by entry, and where two transcripts first differ."""

from dataclasses import dataclass, field
from itertools import zip_longest

CONTEXT = 120  # bytes shown around a difference


@dataclass(frozen=True)
class Entry:
    """What came by a channel: all bytes of a page, or the message of an e-mail."""

    channel: str
    viewer: str
    ply: int
    what: str  # the request, the subject, the table ...
    data: bytes

    @property
    def place(self) -> str:
        return f"ply {self.ply}, {self.channel}, received by {self.viewer} ({self.what})"


@dataclass
class Transcript:
    entries: list[Entry] = field(default_factory=list)
    # Errors of the program itself. A crash proves nothing, in either world.
    crashes: list[str] = field(default_factory=list)

    def add(self, channel: str, viewer: str, ply: int, what: str, data: bytes) -> None:
        self.entries.append(Entry(channel, viewer, ply, what, data))


class Leak(AssertionError):  # noqa: N818 - a leak is what it is called.
    """A viewer could distinguish two worlds that must look the same."""

    def __init__(self, entry: Entry, words: str, crashes: list[str]) -> None:
        super().__init__(words)
        self.entry = entry
        self.crashes = crashes


class Crash(Exception):  # noqa: N818 - it is no failure of the secret.
    """The program, or the harness, failed; nothing has been shown about secrets."""


def compare(one: Transcript, other: Transcript, story: str) -> None:
    """Raise Leak at the first byte that differs, and Crash if none does but something failed."""
    crashes = one.crashes + other.crashes
    for first, second in zip_longest(one.entries, other.entries):
        if first == second:
            continue
        differing = first or second
        if first is None or second is None:
            words = f"only one world has this: {differing.data[:CONTEXT]!r}"
        elif first.place != second.place or first.data == second.data:
            words = f"in the other world it is: {second.place}"
        else:
            words = difference(first.data, second.data)
        raise Leak(differing, f"{story}: {differing.place}: {words}", crashes)
    if crashes:
        raise Crash(f"{story}: {crashes[0]}")


def difference(one: bytes, other: bytes) -> str:
    """The first bytes that differ, with the bytes around them."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    at = min(len(one), len(other)) if at is None else at
    shown = slice(max(0, at - CONTEXT), at + CONTEXT)
    return f"byte {at} of {len(one)} and {len(other)}:\n  {one[shown]!r}\n  {other[shown]!r}"
