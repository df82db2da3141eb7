"""Ladders by e-mail: the table, and challenges."""

import pytest
from pytest_django import Settings

from games.competitions.ladders.models import Challenge
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.line_parser import read_line
from lib.db_clock import now
from tests.competitions.ladders import scene
from tests.mail import post
from tests.mail.reading.reader import is_command
from tests.notifications.email.reading import text
from tests.play.match_helpers import People


@pytest.fixture(autouse=True)
def _authenticated(settings: Settings) -> None:
    """The demo, where every sender counts as authenticated."""
    settings.DEMO = True
    settings.MAIL_AUTHSERV_ID = ""


@pytest.mark.parametrize(
    ("line", "verb", "argument"),
    [
        ("ladder lattaque", Verb.LADDER, "lattaque"),
        ("Rangliste Tactique", Verb.LADDER, "Tactique"),
        ("échelle L'Attaque", Verb.LADDER, "L'Attaque"),
        ("天梯 assaut", Verb.LADDER, "assaut"),
        ("challenge bob ladder lattaque", Verb.LADDER_CHALLENGE, "bob ladder lattaque"),
        ("fordere @bob rangliste tactique", Verb.LADDER_CHALLENGE, "@bob rangliste tactique"),
        ("défie bob échelle domino", Verb.LADDER_CHALLENGE, "bob échelle domino"),
        ("挑戰 bob 天梯 assaut", Verb.LADDER_CHALLENGE, "bob 天梯 assaut"),
        ("challenge bob lattaque", Verb.CHALLENGE, "bob lattaque"),
    ],
)
def test_the_commands_work_in_four_languages(line: str, verb: Verb, argument: str) -> None:
    assert read_line(line, vocabulary()) == Command(verb, argument=argument)


@pytest.mark.parametrize("line", ["ladder", "the ladder lattaque", "ladder of lattaque"])
def test_prose_is_no_command(line: str) -> None:
    assert read_line(line, vocabulary()) is None


def test_a_ladder_is_shown_and_a_member_challenged(who: People) -> None:
    scene.add_members(scene.open_ladder(), 3, now(), [who.bob, who.charlie, who.alice])
    first = post.answer(who.alice, "post@localhost", "hello")
    shown = post.answer(who.alice, first, "ladder lattaque")
    assert post.outcome(shown) == "shown"
    written = " ".join(text(shown).split())
    assert "Place 1: Bob, rating 1500? ± 350; running challenges: 0 received, 0 made." in written
    assert "Place 3: Alice" in written
    assert not [line for line in text(shown).splitlines() if is_command(line)]
    begun = post.answer(who.alice, shown, "challenge bob ladder lattaque")
    assert post.outcome(begun) == "accepted"
    assert Challenge.objects.get().challenged == who.bob
    again = post.answer(who.alice, shown, "challenge bob ladder lattaque")
    assert post.outcome(again) == "refused"
    assert "A challenge between you and Bob is running." in " ".join(text(again).split())


def test_a_game_without_a_ladder_is_refused_with_those_that_have_one(who: People) -> None:
    scene.open_ladder()
    first = post.answer(who.alice, "post@localhost", "hello")
    for line in ("ladder tactique", "challenge bob ladder tactique"):
        receipt = post.answer(who.alice, first, line)
        assert post.outcome(receipt) == "refused"
        assert "There is no ladder of “tactique”. Available: lattaque." in text(receipt)
