"""Closing an account: the page lists the matches that end with it."""

from unittest.mock import patch

from pytest_django import DjangoAssertNumQueries

from accounts.people.erasure import losses
from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People


def test_matches_that_would_end_are_listed_with_their_results(who: People) -> None:
    played = match_helpers.running_match(who, "a4-a5", "j7-j6")
    begun = match_helpers.new_match(who)
    match_helpers.finished_match(who)
    assert losses(who.alice) == [
        (f"You would resign match {played.pk} against Bob.", f"/match/{played.pk}/"),
        (f"Match {begun.pk} against Bob would be aborted.", f"/match/{begun.pk}/"),
    ]
    assert losses(who.charlie) == []


def test_the_closing_page_lists_them(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    page = client_of(who.alice).get("/people/leave/", follow=True).content.decode()
    assert "If you close the account now, 1 match or event of yours ends:" in page
    assert f'<a href="/match/{match.pk}/">You would resign match {match.pk}' in page


def test_the_query_count_does_not_depend_on_their_number(
    who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        match_helpers.new_match(who)
    # One more reads the bots of the account, which it closes too.
    with django_assert_num_queries(4), patch.object(Match, "from_db") as made:
        assert len(losses(who.alice)) == 3
    assert not made.called
