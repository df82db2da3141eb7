"""E-mails about changed rules and about sets of two."""

from pytest_django import Settings

from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.play.commands import endings
from games.play.terms import Terms
from tests.notifications.email.reading import delivered, html, only, text
from tests.play import match_helpers
from tests.play.match_helpers import People

AGREED = "After 60 turns in a row without a battle the game is a draw."


def test_a_challenge_to_a_set_says_so_and_lists_changed_rules(who: People) -> None:
    lobby.offer(
        who.alice,
        Terms("lattaque-en", {"limit": 60}, as_set=True),
        kind=InvitationKind.CHALLENGE,
        guest=who.bob,
    )
    email = only(delivered(), who.bob)
    for words in (text(email), html(email)):
        assert AGREED in words.replace("\n", " ")
        assert "A set of two: two matches at once with sides swapped" in words.replace("\n", " ")
    assert "Your side: each side once." in text(email)


def test_the_first_email_names_the_terms_and_the_other_match(who: People) -> None:
    _first, second = match_helpers.open_set(who)
    bodies = [text(email) for email in delivered() if email.to == [who.alice.email]]
    assert len(bodies) == 2
    assert any(f"Set with match {second.pk} so far: Alice 0, Bob 0." in each for each in bodies)
    match_helpers.new_match(who, switches={"limit": 60})
    assert AGREED in text(only(delivered(), who.bob))


def test_the_last_email_gives_the_result_of_the_set(who: People, settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"
    pair = match_helpers.open_set(who)
    for match in pair:
        match_helpers.play(match_helpers.set_up(match), "d4-d5", "c7-c6")
    delivered()
    endings.resign(pair[0].pk, who.bob)
    email = only(delivered(), who.alice)
    assert f"Set with match {pair[1].pk} so far: Alice 1, Bob 0." in text(email)
    assert "rematch" not in text(email) + html(email)
    endings.resign(pair[1].pk, who.bob)
    email = only(delivered(), who.bob)
    for words in (text(email), html(email)):
        assert f"Alice won the set with match {pair[0].pk}, 2 to 0." in words
        assert "rematch" in words
