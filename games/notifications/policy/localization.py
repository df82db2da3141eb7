"""Language and time zone of a reader, for whatever is written to them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone, translation

from accounts.models import User


@contextmanager
def localized(reader: User) -> Iterator[None]:
    """Within the block, texts are in the reader's language and instants by their clocks."""
    with translation.override(reader.email_language), timezone.override(reader.zoneinfo):
        yield
