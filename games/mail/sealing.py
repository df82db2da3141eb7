"""Seals messages: they contain set-ups and addresses, which a database dump must not reveal."""

import json
from typing import Any

from games.mail.models import PURPOSE, IncomingMessage
from lib import sealing


def seal_message(raw: bytes, key: str) -> bytes:
    """Encrypt a message, bound to the key of its row."""
    # Latin-1 maps every byte to a character, so nothing is lost.
    return sealing.seal_bytes(raw.decode("latin-1"), PURPOSE, f"message/{key}")


def unseal_message(sealed: bytes | memoryview, key: str) -> bytes:
    """The raw message; raises BrokenSealError."""
    return sealing.unseal_bytes(bytes(sealed), PURPOSE, f"message/{key}").encode("latin-1")


def seal_json(values: dict[str, Any], kind: str, key: str) -> bytes:
    """Encrypt JSON data of one kind ("envelope", "receipt") about a message."""
    return sealing.seal_bytes(json.dumps(values), PURPOSE, f"{kind}/{key}")


def unseal_json(sealed: bytes | memoryview, kind: str, key: str) -> dict[str, Any]:
    """Decrypt what `seal_json` encrypted; raises BrokenSealError."""
    values: dict[str, Any] = json.loads(
        sealing.unseal_bytes(bytes(sealed), PURPOSE, f"{kind}/{key}")
    )
    return values


def open_message(row: IncomingMessage) -> tuple[dict[str, Any], bytes]:
    """The envelope and the raw message of a row; raises BrokenSealError."""
    sealed = (("envelope", row.envelope), ("message", row.sealed))
    envelope, raw = (
        sealing.unseal_bytes(bytes(value), PURPOSE, f"{kind}/{row.key}") for kind, value in sealed
    )
    return json.loads(envelope), raw.encode("latin-1")


def envelope_of(row: Any) -> dict[str, Any]:
    """The envelope of a message, for a list; question marks if no key opens it."""
    try:
        return unseal_json(row.envelope, "envelope", row.key)
    except sealing.BrokenSealError:
        return {"recipient": "?", "sender": "?", "message_id": "?"}
