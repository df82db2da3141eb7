"""The demo has a match that the house answers when its worker runs."""

from io import StringIO
from typing import Any

from django.core.management import call_command

from accounts.models import User
from games.house.models import HouseSeat
from games.house.playing import queue
from games.play.record.match_view import view_match


def test_the_house_answers_in_the_demo(db: None, settings: Any) -> None:
    settings.DEMO = True
    call_command("demo", stdout=StringIO())
    match = HouseSeat.objects.get().player.match
    assert queue.work() == 1
    view = view_match(match.pk, User.objects.get(username="anna"))
    assert view.my_turn
    assert view.match.ply == match.ply + 1
