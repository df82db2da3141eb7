"""What travels to a browser through somebody else's push service: sealed for that browser alone.

RFC 8291 (message encryption), RFC 8188 (its form) and RFC 8292 (who sends it).
"""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

RECORD = 4096  # bytes; push services take no more
MOST = RECORD - 16 - 1 - 86  # bytes of a message: tag, end mark and head are needed too
LIFE = 12 * 3600  # seconds for which a signature holds
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256


def seal(message: bytes, p256dh: str, auth: str) -> bytes:
    """The body that only the browser with this key and secret opens; ValueError for bad ones."""
    their_key, secret = decode(p256dh), decode(auth)
    if len(message) > MOST or len(secret) != 16:
        raise ValueError("The message is too long, or the secret of the wrong length.")
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), their_key)
    once = ec.generate_private_key(ec.SECP256R1())
    our_key = _point(once.public_key())
    shared = once.exchange(ec.ECDH(), theirs)
    salt = os.urandom(16)
    material = _derive(shared, secret, b"WebPush: info\0" + their_key + our_key, 32)
    key = _derive(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(our_key)]) + our_key
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)


def voucher(endpoint: str) -> str:
    """The Authorization header by which the push service knows who sends."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + LIFE,
        "sub": settings.SITE_URL if settings.HTTPS else f"mailto:post@{settings.MAIL_DOMAIN}",
    }
    head = {"typ": "JWT", "alg": "ES256"}
    signed = ".".join(encode(json.dumps(part).encode()) for part in (head, claims))
    r, s = decode_dss_signature(_own_key().sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={public_key()}"


def public_key() -> str:
    """Our key as browsers want it when they subscribe, base64url."""
    return encode(_point(_own_key().public_key()))


def encode(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _own_key() -> ec.EllipticCurvePrivateKey:
    return _key_from(settings.VAPID_KEY)


@cache
def _key_from(text: str) -> ec.EllipticCurvePrivateKey:
    """Any long secret makes a key, always the same: 384 bits of it, so that no key is likelier."""
    raw = HKDF(hashes.SHA256(), 48, salt=None, info=b"estafette vapid").derive(text.encode())
    return ec.derive_private_key(int.from_bytes(raw, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt=salt, info=info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
