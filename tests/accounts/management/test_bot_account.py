"""`manage.py bot_account`: makes a bot and prints its name alone."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from accounts.models import User

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("bot_account", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_prints_the_name_of_the_bot(ann: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    assert printed("Anna", "--owner", "annabel") == "Bot-Anna\n"
    bot = User.objects.get(username="Bot-Anna")
    assert bot.owner == ann
    assert not mail.outbox
    assert f"made bot {bot.pk}" in caplog.text


@pytest.mark.parametrize(
    ("name", "owner", "sentence"),
    [
        ("Anna", "Nobody", "Nobody has the username Nobody."),
        ("-", "Annabel", "2 to 16 letters"),
        ("Two", "Bot-One", "Only a person"),
        ("One", "Annabel", "is taken"),
    ],
)
def test_an_unknown_owner_is_reported(ann: User, name: str, owner: str, sentence: str) -> None:
    printed("One", "--owner", "Annabel")
    with pytest.raises(CommandError, match=sentence):
        printed(name, "--owner", owner)
    assert User.objects.filter(owner=ann).count() == 1
