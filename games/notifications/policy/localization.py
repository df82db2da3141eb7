"""Language and time zone of a reader, for texts that are sent to them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone, translation

from accounts.models import User


@contextmanager
def localized(reader: User) -> Iterator[None]:
    """Within the block, the reader's language and time zone are active."""
    with translation.override(reader.email_language), timezone.override(reader.zoneinfo):
        yield
