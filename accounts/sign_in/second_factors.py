"""allauth's MFA adapter: encrypts the secrets of second factors, names the site to devices.

Also which sessions used a factor, for the admin.
"""

from io import BytesIO

import qrcode
from allauth.account.internal.flows.login import (
    get_authentication_records,
    record_authentication,
)
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from qrcode.image.svg import SvgPathFillImage

from lib.batches import batches
from lib.resealing import Progress
from lib.sealing import reseal, seal, unseal

PURPOSE = "mfa"
# By the type of a factor: the key of its data under which a sealed secret is kept.
SEALED_KEYS = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def used_a_factor(request: HttpRequest) -> bool:
    """Whether this session signed in, or confirmed who it is, by a factor that is still there."""
    records = get_authentication_records(request, request.user)
    used = [record.get("id") for record in records if record.get("method") == "mfa"]
    mine = Authenticator.objects.filter(user=request.user.pk, pk__in=used)
    return bool(used) and mine.exists()


def prove_factor(user: AbstractBaseUser) -> str:
    """The name of the page on which this user shows a factor anew: a passkey, else a code."""
    has_passkey = is_mfa_enabled(user, [Authenticator.Type.WEBAUTHN])
    return "mfa_reauthenticate_webauthn" if has_passkey else "mfa_reauthenticate"


def note_enrolment(request: HttpRequest, factor: Authenticator) -> None:
    """Count a factor as used by the session that has just enrolled it."""
    record_authentication(request, factor.user, "mfa", id=factor.pk, type=factor.type)


def reseal_all() -> Progress:
    """Reseal the secrets of all factors, batch by batch; raises BrokenSealError."""
    for batch in batches(Authenticator.objects.filter(type__in=SEALED_KEYS)):
        yield "second factors", len(batch), sum(map(_reseal, batch))


def _reseal(factor: Authenticator) -> int:
    """How many rows were updated; what was noted in it meanwhile, such as a used code, stays."""
    with transaction.atomic():
        row = Authenticator.objects.select_for_update().filter(pk=factor.pk).first()
        if row is None:
            return 0
        key = SEALED_KEYS[Authenticator.Type(row.type)]
        sealed = row.data[key]
        row.data[key] = reseal(sealed, PURPOSE)
        row.save(update_fields=["data"])
        return int(row.data[key] != sealed)


class Adapter(DefaultMFAAdapter):
    """Our choices where allauth's MFA asks for them; named by MFA_ADAPTER."""

    def encrypt(self, text: str) -> str:
        """Encrypt a secret, so that a dump of the database lets nobody sign in."""
        return seal(text, PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text, PURPOSE)

    def build_totp_svg(self, url: str) -> str:
        """The QR code as SVG on white, so that a camera reads it in dark mode too."""
        picture = BytesIO()
        qrcode.make(url, image_factory=SvgPathFillImage).save(picture)
        return picture.getvalue().decode()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": context.request.get_host().partition(":")[0], "name": "Estafette"}

    def _get_user_identifier(self, user: AbstractBaseUser) -> str:
        return user.get_username()
