"""Sealing of messages: set-ups and addresses stand in them, so a dump must open none."""

import json
from typing import Any

from games.mail.models import PURPOSE
from lib import sealing


def seal_message(raw: bytes, key: str) -> bytes:
    """Encrypt a message, bound to the key of its row."""
    # Every byte has a character of its own there, so that none is lost.
    return sealing.seal_bytes(raw.decode("latin-1"), PURPOSE, f"message/{key}")


def unseal_message(sealed: bytes | memoryview, key: str) -> bytes:
    """The message as it came; raises BrokenSealError."""
    return sealing.unseal_bytes(bytes(sealed), PURPOSE, f"message/{key}").encode("latin-1")


def seal_facts(facts: dict[str, Any], kind: str, key: str) -> bytes:
    """Encrypt facts of one kind ("envelope", "receipt") about a message."""
    return sealing.seal_bytes(json.dumps(facts), PURPOSE, f"{kind}/{key}")


def unseal_facts(sealed: bytes | memoryview, kind: str, key: str) -> dict[str, Any]:
    """What `seal_facts` encrypted; raises BrokenSealError."""
    facts: dict[str, Any] = json.loads(
        sealing.unseal_bytes(bytes(sealed), PURPOSE, f"{kind}/{key}")
    )
    return facts


def envelope_of(row: Any) -> dict[str, Any]:
    """The envelope of a message for a list; with question marks where no key opens it."""
    try:
        return unseal_facts(row.envelope, "envelope", row.key)
    except sealing.BrokenSealError:
        return {"recipient": "?", "sender": "?", "message_id": "?"}
