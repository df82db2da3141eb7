"""Sealing of plies, drafts and saved set-ups, each bound to a context such as "ply/17/3".

The cipher is the one of lib/sealing.py; this module alone uses it for what holds ranks.
"""

from games.play.models.sealed import PURPOSE
from lib import sealing


def seal(text: str, context: str) -> bytes:
    """Encrypt a text for a context; 32 bytes more than the text."""
    return sealing.seal_bytes(text, PURPOSE, context)


def unseal(sealed: bytes | memoryview, context: str) -> str:
    """Decrypt what any key of SEAL_KEYS has sealed for this context; raises BrokenSealError."""
    return sealing.unseal_bytes(bytes(sealed), PURPOSE, context)
