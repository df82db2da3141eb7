"""ETags: a response that the client has is not sent again."""

import pytest

from games.play.models.match import Match
from tests.api.client import Program
from tests.play import match_helpers

pytestmark = pytest.mark.postgresql


def test_a_response_that_the_client_has_is_not_sent_again(
    alice_program: Program, match: Match
) -> None:
    first = alice_program.get("/waiting")
    tag = first["ETag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}', f'W/"x",W/{tag}', "*", " * "):
        again = alice_program.get("/waiting", HTTP_IF_NONE_MATCH=known)
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag), known
        assert "Content-Type" not in again
    for unknown in ('"other"', tag.strip('"'), "", f'{tag[:-2]}"', "W/"):
        assert alice_program.get("/waiting", HTTP_IF_NONE_MATCH=unknown).status_code == 200, unknown
    match_helpers.play(match, "a4-a5")
    changed = alice_program.get("/waiting", HTTP_IF_NONE_MATCH=tag)
    assert changed.status_code == 200
    assert changed["ETag"] != tag


def test_problems_have_no_etag(visitor: Program) -> None:
    answer = visitor.get("/nothing", HTTP_IF_NONE_MATCH="*")
    assert answer.status_code == 404
    assert "ETag" not in answer
