"""Shared links: signed URLs of imported records, valid while the owner shares the record.

The token is signed, so no secret is stored. It contains the link's serial number, so that a revoked
link stays invalid when the record is shared again.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from games.archive.models import ImportedRecord

SALT = "games.archive.shared_links"


def link_url(record: ImportedRecord) -> str:
    """The absolute URL of the shared link; "" if the record is not shared."""
    if not record.shared:
        return ""
    token = _signer().sign(f"{record.pk}-{record.link}")
    return f"{settings.SITE_URL}{reverse('archive:shared', args=[token])}"


def find_record(token: str) -> ImportedRecord | None:
    """The record of a token; None if its signature is wrong or the link was revoked."""
    try:
        record, link = map(int, _signer().unsign(token).split("-"))
    except (BadSignature, ValueError):
        return None
    shared = ImportedRecord.objects.defer("text")
    return shared.filter(pk=record, link=link, shared=True).first()


def share(record: ImportedRecord) -> None:
    """Share a record by a new link; no change if it is shared already."""
    if not record.shared:
        record.shared, record.link = True, record.link + 1
        record.save(update_fields=["shared", "link"])


def revoke(record: ImportedRecord) -> None:
    """Revoke the link."""
    record.shared = False
    record.save(update_fields=["shared"])


def _signer() -> Signer:
    return Signer(salt=SALT, sep=".")
