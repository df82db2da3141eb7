"""Web Push encryption and VAPID: messages that one browser alone can read (RFC 8291, 8292).

The libraries do the cryptography: http-ece seals (RFC 8291, in the form of RFC 8188), and py-vapid
signs who sends (RFC 8292).
"""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from py_vapid import Vapid02, VapidException

RECORD_BYTES = 4096  # bytes; push services take no more
MAX_PLAINTEXT_BYTES = (
    RECORD_BYTES - 16 - 1 - 86
)  # bytes of a message: tag, end mark and head are needed too
SIGNATURE_SECONDS = 12 * 3600  # seconds for which a signature holds


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """The body that only the browser with this key and secret opens; ValueError for bad ones."""
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
    """The Authorization header by which the push service knows who sends.

    Raises ValueError for an address that no signature can name.
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
    """Our key as browsers want it when they subscribe, base64url."""
    key = _own_key(settings.VAPID_KEY).public_key
    return encode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


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
    # The library's own idea of an address of ours knows no port, and no host without a dot.
    key.conf = {"no-strict": True}
    return key
