"""Frequent queries of the lobby use an index."""

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.lobby.invitations import received
from games.lobby.models import (
    EXPIRY_WARNING,
    INVITATION_LIFETIME,
    OPEN,
    Invitation,
    InvitationKind,
    InvitationStatus,
)
from lib.db_clock import now
from tests.shared_rows import shared_rows

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture(scope="module", autouse=True)
def _long_table(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with shared_rows(django_db_blocker):
        fill()
        yield


def fill() -> None:
    """Write rows as after some years: few invitations are open, and none is near its expiry."""
    people = User.objects.bulk_create(
        User(username=f"Rider{number}", handle_key=f"Rider{number}") for number in range(100)
    )
    instant = now()
    invitations = (
        Invitation(
            owner=people[number % 100],
            kind=InvitationKind.CHALLENGE if number % 20 else InvitationKind.SEAT,
            guest=people[(number + 1) % 100] if number % 20 else None,
            status=InvitationStatus.EXPIRED if number % 5 else InvitationStatus.OPEN,
            preset="lattaque-en",
            pace="3d",
            setup_pace="3d",
            created_at=instant,
            expires_at=instant + INVITATION_LIFETIME,
            warn_at=None if number % 5 else instant + INVITATION_LIFETIME - EXPIRY_WARNING,
        )
        for number in range(4000)
    )
    Invitation.objects.bulk_create(invitations, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def test_the_sweep_for_expired_invitations_uses_an_index() -> None:
    due = Invitation.objects.filter(OPEN, expires_at__lte=now()).order_by("expires_at")[:100]
    assert "invitation_due" in due.explain()


def test_the_sweep_for_warnings_uses_an_index() -> None:
    due = Invitation.objects.filter(OPEN, warn_at__lte=now()).order_by("warn_at")[:100]
    assert "invitation_warn" in due.explain()


def test_the_limit_of_challenges_to_one_player_uses_an_index() -> None:
    guest = User.objects.filter(username="Rider1").get()
    lately = Invitation.objects.filter(guest=guest, created_at__gt=now())
    assert "invitation_to_lately" in lately.explain()


def test_a_page_of_open_seats_uses_an_index() -> None:
    seats = Invitation.objects.filter(OPEN, kind=InvitationKind.SEAT).order_by("-pk")[:50]
    assert "invitation_seats" in seats.explain()


def test_the_challenges_to_a_player_use_an_index() -> None:
    player = User.objects.get(username="Rider6")
    assert "invitation_to" in received._challenges.build(player.pk).explain()
    assert "invitation_to" in Invitation.objects.filter(OPEN, guest=player).explain()


def test_the_invitations_of_a_player_use_an_index() -> None:
    player = User.objects.get(username="Rider6")
    latest = Invitation.objects.filter(owner=player).order_by("-created_at")[:1]
    assert "invitation_from" in latest.explain()


def test_the_search_for_someone_of_my_strength_uses_an_index() -> None:
    seats = Invitation.objects.filter(OPEN, kind=InvitationKind.SEAT, preset="domino", pace="3d")
    assert "invitation_seats_alike" in seats.order_by("pk")[:200].explain()
