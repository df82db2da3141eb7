"""What a move over the API costs: no more queries than the same move by the form of the page."""

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.idempotency.replay import new_key
from games.play.models.match import Match
from tests.api.client import Program
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People


def by_form(who: People, match: Match, text: str) -> int:
    """The queries of a move by the form of Alice's page."""
    client = client_of(who.alice)
    fields = {"move": text, "ply": match.ply, "idempotency_key": new_key(who.alice)}
    with CaptureQueriesContext(connection) as queries:
        answer = client.post(reverse("play:move", args=[match.pk]), fields)
    assert answer.status_code == 302
    return len(queries)


def by_program(program: Program, match: Match, text: str, key: str) -> int:
    """The queries of a move over the API."""
    body = {"move": text, "ply": match.ply}
    headers = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    with CaptureQueriesContext(connection) as queries:
        answer = program.send("POST", f"/matches/{match.pk}/moves", body, **headers)
    assert answer.status_code == 200
    return len(queries)


def test_a_move_over_the_api_needs_no_more_queries_than_by_form(
    who: People, alice_program: Program
) -> None:
    # The first request of a token notes the day of its use.
    alice_program.read("/account")
    match = match_helpers.running_match(who)
    form = by_form(who, match, "a4-a5")
    for key in ("a-key-of-a-move", ""):
        match = match_helpers.running_match(who)
        assert by_program(alice_program, match, "a4-a5", key) <= form


def test_a_repeated_response_plays_nothing(who: People, alice_program: Program) -> None:
    alice_program.read("/account")
    match = match_helpers.running_match(who)
    by_program(alice_program, match, "a4-a5", "a-key-of-a-move")
    assert by_program(alice_program, match, "a4-a5", "a-key-of-a-move") <= 3
