"""Web Push encryption and VAPID: messages that only one browser can read (RFC 8291, 8292).

Libraries do the cryptography: http-ece encrypts (RFC 8291, with the encoding of RFC 8188), and
py-vapid signs the Authorization header (RFC 8292).
"""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from hashlib import sha256
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from py_vapid import Vapid02, VapidException

RECORD_BYTES = 4096  # the limit of push services
MAX_PLAINTEXT_BYTES = RECORD_BYTES - 16 - 1 - 86  # less tag, delimiter and header
SIGNATURE_SECONDS = 12 * 3600  # for which a signature is valid


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """The body of a push for the browser with this key and secret, both in base64url.

    Raises ValueError for a wrong key or secret, or if the message is too long.
    """
    secret = decode(auth)
    if len(message) > MAX_PLAINTEXT_BYTES or len(secret) != 16:
        raise ValueError("The message is too long, or the secret of the wrong length.")
    body: bytes = http_ece.encrypt(
        message,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=decode(p256dh),
        auth_secret=secret,
        rs=RECORD_BYTES,
        version="aes128gcm",
    )
    return body


def vapid_header(endpoint: str) -> str:
    """The Authorization header that identifies this server to the push service.

    Raises ValueError for an endpoint that cannot be signed.
    """
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNATURE_SECONDS,
        "sub": settings.SITE_URL if settings.HTTPS else f"mailto:post@{settings.MAIL_DOMAIN}",
    }
    try:
        header: str = _own_key(settings.VAPID_KEY).sign(claims)["Authorization"]
    except VapidException as error:
        raise ValueError(str(error)) from None
    return header


def public_key() -> str:
    """This server's public key for subscriptions, in base64url."""
    key = _own_key(settings.VAPID_KEY).public_key
    return encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def key_digest() -> str:
    """A digest of this server's public key, 16 characters, to tell subscriptions of another key."""
    return sha256(public_key().encode()).hexdigest()[:16]


def encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@cache
def _own_key(text: str) -> Vapid02:
    try:
        if len(decode(text)) != 32:
            raise ValueError
        key = Vapid02.from_raw(text.encode())
    except ValueError:
        raise ImproperlyConfigured(
            "VAPID_KEY is no private key of the curve P-256: 32 bytes in base64url are wanted."
            " Take the one out of the environment, or the file vapid_key out of VAR_DIR, and a new"
            " one is made."
        ) from None
    # The library's check of `sub` rejects ports, and hosts without a dot.
    key.conf = {"no-strict": True}
    return key
