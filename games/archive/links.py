"""Links to imported records: a secret address each, as long as its owner shares it.

The secret is a signature, so nothing of it is stored. It is bound to the number of the link, so
that a link that was taken back stays worthless when the record is shared again.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.archive.models import ImportedRecord

SALT = "games.archive.links"


def address(record: ImportedRecord) -> str:
    """The whole link, for the owner to hand on; "" for a record that is not shared."""
    if not record.shared:
        return ""
    token = _signer().sign(f"{record.pk}-{record.link}")
    return f"{settings.SITE_URL}{reverse('archive:shared', args=[token])}"


def read(token: str) -> ImportedRecord | None:
    """The record that a token opens; None for one that was made up or taken back."""
    try:
        record, link = map(int, _signer().unsign(token).split("-"))
    except (BadSignature, ValueError):
        return None
    shared = ImportedRecord.objects.defer("text")
    return shared.filter(pk=record, link=link, shared=True).first()


def share(record: ImportedRecord) -> None:
    """Let whoever has the link see the record."""
    if not record.shared:
        record.shared, record.link = True, record.link + 1
        record.save(update_fields=["shared", "link"])


def take_back(record: ImportedRecord) -> None:
    """Make the link worthless."""
    record.shared = False
    record.save(update_fields=["shared"])


def _signer() -> Signer:
    return Signer(salt=SALT, sep=".")
