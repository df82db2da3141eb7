"""The hash chain over what everybody saw: each ply's head binds all that went before it."""

import json
from datetime import datetime
from hashlib import sha256


def first_head(match_id: int, preset: str, switches: dict[str, object]) -> bytes:
    """The head from which the chain of a match starts: which match, and under which rules."""
    return _digest(b"", ["estafette/match/1", match_id, preset, sorted(switches.items())])


def next_head(
    head: bytes, number: int, seat: int | None, kind: str, text: str, at: datetime
) -> bytes:
    """The head after one more ply; `at` counts to the microsecond, in UTC."""
    return _digest(head, [number, seat, kind, text, at.isoformat(timespec="microseconds")])


def _digest(head: bytes, public: list[object]) -> bytes:
    return sha256(head + json.dumps(public, separators=(",", ":")).encode()).digest()
