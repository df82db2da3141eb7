"""All operations: importing this module registers them."""

from collections.abc import Iterator

from django.urls import URLPattern
from ninja.operation import Operation

from games.api.interface import api
from games.api.playing import answering, lines, moves, offering
from games.api.reading import accounts, archive, boards, invitations, matches, receipts

# An operation is registered when its module is imported.
MODULES = (
    *(accounts, archive, boards, invitations, matches, receipts),
    *(lines, moves, offering, answering),
)


def patterns() -> Iterator[URLPattern]:
    """The URL patterns of the operations."""
    for pattern in api.urls[0]:
        # django-ninja adds a placeholder for its own page.
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            yield pattern


def operations() -> Iterator[Operation]:
    """The operations as django-ninja holds them."""
    for router in api._get_bound_routers():
        for path in router.path_operations.values():
            yield from path.operations
