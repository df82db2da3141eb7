"""allauth's MFA adapter: encrypts the secrets of second factors, names the site to devices."""

from io import BytesIO

import qrcode
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib.auth.base_user import AbstractBaseUser
from qrcode.image.svg import SvgPathFillImage

from accounts.sealing import seal, unseal

PURPOSE = "factors"


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
