"""`manage.py api_token`: prints a token alone, or revokes one."""

from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from accounts.models import AccessToken, User
from accounts.tokens import finding, making

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("api_token", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_it_prints_a_valid_token(ann: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    text = printed("annabel", "--name", "cron").removesuffix("\n")
    token = finding.find(text)
    assert token is not None
    assert (token.user, token.name, token.scopes) == (ann, "cron", "read")
    assert not mail.outbox
    assert f"made token {token.pk}" in caplog.text
    assert text not in caplog.text


def test_scopes_and_expiry_can_be_given(ann: User) -> None:
    arguments = ("--scopes", "read,play,challenge", "--expires", "2020-01-01T00:00:00Z")
    text = printed("Annabel", "--name", "old", *arguments).strip()
    assert AccessToken.objects.get().scopes == "read play challenge"
    assert finding.find(text) is None


def test_a_token_is_revoked_by_its_name(ann: User) -> None:
    making.create(ann, "cron")
    assert printed("Annabel", "--revoke", "cron") == ""
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("Nobody", "--name", "x"), "Nobody has the username Nobody."),
        (("Annabel", "--revoke", "x"), "has no token called x"),
        (("Annabel", "--name", "x", "--scopes", "read,admin"), "There is no scope admin"),
        (("Annabel", "--name", "x", "--expires", "soon"), "soon is no instant"),
        (("Annabel", "--name", ""), "1 to 60"),
        (("Annabel", "--name", "taken"), "called taken already"),
        (("House-Recruit", "--name", "x"), "can have no tokens"),
    ],
)
def test_an_unknown_user_or_token_is_reported(
    ann: User, arguments: tuple[str, ...], sentence: str
) -> None:
    making.create(ann, "taken")
    User.objects.create_confirmed("House-Recruit", "", house_level="recruit")
    with pytest.raises(CommandError, match=sentence):
        printed(*arguments)
    assert AccessToken.objects.count() == 1
