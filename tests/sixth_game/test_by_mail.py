"""The sixth game by mail: offered, set up and played by answers to e-mails."""

import pytest
from pytest_django import Settings

from accounts.models import User
from games.lobby.models import Invitation
from games.mail.answering.actions.turns.submitted_setups import setup_text
from games.mail.reading.commands import Verb
from games.play.models.match import Match, Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests.mail import post
from tests.mail.reading.reader import read_blocks, read_line
from tests.mail.test_a_whole_match import Mailboxes
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

MOVES = ("a2 a3", "a5-a4", "a3xa4", "b5 b4", "a4-a5", "b4-b3", "a5xa6")
SOUTH = "HHHGGG/1III1F"
NORTH = """\
   f e d c b a
 5 H H H G G G 5
 6 . I I I . F 6"""


@pytest.fixture(autouse=True)
def _authenticated(settings: Settings) -> None:
    settings.DEMO = True
    settings.MAIL_AUTHSERV_ID = ""
    settings.MAIL_ANSWERS_PER_HOUR = 1000


# tests/mail has the parts, with other games.
@pytest.mark.soak
def test_a_match_is_played_by_replies_only(who: People) -> None:
    boxes = Mailboxes()
    match_helpers.running_match(who)  # So that each has an e-mail to answer.
    boxes.fetch()
    boxes.answer(who.alice, "lobby")
    offered = boxes.answer(who.alice, "challenge bob outpost 3d")
    assert post.outcome(offered) == "offered", text(offered)
    assert Invitation.objects.get().preset == "outpost"
    assert post.outcome(boxes.answer(who.bob, "accept")) == "accepted"
    match = Match.objects.get(preset="outpost")
    players = {player.seat: player.user for player in match.players.select_related("user")}
    set_up(boxes, players[Seat.SOUTH], SOUTH)
    set_up(boxes, players[Seat.NORTH], NORTH)
    for ply, move in enumerate(MOVES):
        receipt = boxes.answer(players[Seat(ply % 2)], move)
        assert post.outcome(receipt) == "played", text(receipt)
    match.refresh_from_db()
    assert (match.status, match.reason) == (Status.FINISHED, "outpost taken")


def set_up(boxes: Mailboxes, user: User, rows: str) -> None:
    receipt = boxes.answer(user, rows)
    assert post.outcome(receipt) == "set-up", text(receipt)


def test_a_seat_is_offered_by_the_games_name() -> None:
    for line in ("seat outpost 2d", "seat Outpost-faceup", "place outpost"):
        command = read_line(line)
        assert command and command.verb is Verb.SEAT, line
    assert read_line("seat rampart 2d") is None


def test_rows_of_six_squares_are_a_set_up_and_prose_is_none() -> None:
    (command,) = read_blocks(NORTH.splitlines())
    rules = registry.ruleset("outpost")
    assert setup_text(rules, Seat.NORTH, command) == "F1III1/GGGHHH"
    assert not read_blocks(["See you", "then, and", "good luck"])
    assert read_line("12/11/2026") is None


def test_without_the_game_its_rows_are_prose() -> None:
    registry.withdraw("outpost")
    try:
        assert read_line("seat outpost 2d") is None
        assert read_line(SOUTH) is None
        assert read_blocks(NORTH.splitlines()) == []
    finally:
        from tests.sixth_game.outpost import EDITIONS

        registry.register(EDITIONS)
