"""Sealing of plies, drafts and saved set-ups, each bound to a context such as "ply/17/3".

The cipher is that of lib/sealing.py; only this module uses it for texts with ranks.
"""

from games.play.models.sealed import PURPOSE
from lib import sealing


def seal(text: str, context: str) -> bytes:
    """Encrypt a text for a context; 32 bytes longer than the text."""
    return sealing.seal_bytes(text, PURPOSE, context)


def unseal(sealed: bytes | memoryview, context: str) -> str:
    """Decrypt a text sealed by any of SEAL_KEYS for this context; raises BrokenSealError."""
    return sealing.unseal_bytes(bytes(sealed), PURPOSE, context)
