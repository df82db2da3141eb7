"""Second factors: allauth's MFA adapter, which seals secrets, and checks for the admin."""

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

from lib.database.batches import batches
from lib.resealing import Progress
from lib.sealing import reseal, seal, unseal

PURPOSE = "mfa"
# By the type of a factor: the key of its data under which a sealed secret is kept.
SEALED_KEYS = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}
FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]


def used_a_factor(request: HttpRequest) -> bool:
    """Whether this session has authenticated by a second factor that still exists."""
    records = get_authentication_records(request, request.user)
    used = [record.get("id") for record in records if record.get("method") == "mfa"]
    factors = Authenticator.objects.filter(user=request.user.pk, pk__in=used)
    return bool(used) and factors.exists()


def reauthentication_page(user: AbstractBaseUser) -> str:
    """The URL name of the page that asks this user for a factor: a passkey, else a code."""
    has_passkey = is_mfa_enabled(user, [Authenticator.Type.WEBAUTHN])
    return "mfa_reauthenticate_webauthn" if has_passkey else "mfa_reauthenticate"


def note_enrolment(request: HttpRequest, factor: Authenticator) -> None:
    """Record a new factor as used by the session that has enrolled it."""
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
    """Our MFA adapter, named by MFA_ADAPTER."""

    def encrypt(self, text: str) -> str:
        """Seal a secret, so that nobody can sign in with a dump of the database."""
        return seal(text, PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text, PURPOSE)

    def build_totp_svg(self, url: str) -> str:
        """The QR code as SVG on white, so that cameras can read it in dark mode."""
        picture = BytesIO()
        qrcode.make(url, image_factory=SvgPathFillImage).save(picture)
        return picture.getvalue().decode()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": context.request.get_host().partition(":")[0], "name": "Estafette"}

    def _get_user_identifier(self, user: AbstractBaseUser) -> str:
        return user.get_username()
