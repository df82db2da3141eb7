"""The tokens of an account are found by an index, however many others have."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import AccessToken, User
from accounts.tokens import revoking
from lib.db_clock import now

pytestmark = pytest.mark.postgresql

PEOPLE = 500


def test_the_tokens_of_an_account_are_found_by_an_index(db: None) -> None:
    people = User.objects.bulk_create(
        User(username=f"Rider{number}", handle_key=f"Rider{number}") for number in range(PEOPLE)
    )
    at = now()
    AccessToken.objects.bulk_create(
        AccessToken(
            user=user,
            name="bench",
            digest=str(user.pk).encode(),
            created_at=at,
            expires_at=at + timedelta(days=9),
        )
        for user in people
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert "token_one_of_a_name" in revoking.valid_of(people[7]).explain()
