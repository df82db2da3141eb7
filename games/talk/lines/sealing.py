"""Sealing of talk, each line bound to its match and number."""

from typing import Any

from games.talk.models import PURPOSE, Line
from lib import sealing


def seal(match_id: int, number: int, text: str) -> bytes:
    """The sealed text of a line."""
    return sealing.seal_bytes(text, PURPOSE, _context(match_id, number))


def unseal(match_id: int, number: int, sealed: bytes | memoryview) -> str:
    """The text of a line; raises BrokenSealError."""
    return sealing.unseal_bytes(bytes(sealed), PURPOSE, _context(match_id, number))


def _context(match_id: int, number: int) -> str:
    field: Any = Line._meta.get_field("text")
    return str(field.context_of(match_id=match_id, number=number))
