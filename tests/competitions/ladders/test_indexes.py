"""The number of members of a ladder is read from an index."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.competitions.ladders.models import Ladder, Member
from lib.db_clock import now
from tests import tiers

pytestmark = pytest.mark.postgresql


@pytest.mark.parametrize("members", tiers.parameters((234, 2000), fast=(234,)))
def test_the_number_of_members_is_read_from_an_index(
    client: Client, db: None, members: int
) -> None:
    at = now()
    ladder = Ladder.objects.create(
        family="assaut", preset="assaut", pace="3d", setup_pace="5d", opened_at=at
    )
    people = User.objects.bulk_create(
        User(username=f"Rider{number}", handle_key=f"Rider{number}") for number in range(members)
    )
    Member.objects.bulk_create(
        Member(ladder=ladder, user=user, place=place, joined_at=at, check_at=at)
        for place, user in enumerate(people, start=1)
    )
    shown = {reverse("ladders:index"): str(members), reverse("ladders:ladder", args=["assaut"]): ""}
    for page, size in shown.items():
        with CaptureQueriesContext(connection) as queries:
            assert size in client.get(page).content.decode()
        statements = [query["sql"] for query in queries if "competitions_member" in query["sql"]]
        assert statements
        assert not [sql for sql in statements if "COUNT(" in sql]
    assert Member.last_place(ladder) == members
