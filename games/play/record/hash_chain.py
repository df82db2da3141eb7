"""Hash chain over the public part of a record: each head covers all plies before it (SHA-256)."""

import json
from datetime import datetime
from hashlib import sha256


def first_head(match_id: int, preset: str, switches: dict[str, object]) -> bytes:
    """The first head, 32 bytes: covers the match id and its rules."""
    return _digest(b"", ["estafette/match/1", match_id, preset, sorted(switches.items())])


def next_head(
    head: bytes, number: int, seat: int | None, kind: str, text: str, at: datetime
) -> bytes:
    """The head after one more ply, 32 bytes; `at` in UTC, to the microsecond."""
    return _digest(head, [number, seat, kind, text, at.isoformat(timespec="microseconds")])


def _digest(head: bytes, public: list[object]) -> bytes:
    return sha256(head + json.dumps(public, separators=(",", ":")).encode()).digest()
