"""A program that adds a term, "blindfold", and follows it from the form to a rematch.

It runs in its own process, since models and queries are built once per process.
"""

import sys
from dataclasses import dataclass

from games.play import terms

SENTENCE = "Both players play without looking at the board."


@dataclass(frozen=True)
class WithBlindfold(terms.Terms):
    blindfold: bool = False


# The field, before any module imports it.
terms.Terms = WithBlindfold  # type: ignore[misc]

import django  # noqa: E402
from django import forms  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.db.models.signals import class_prepared  # noqa: E402


def add_column(sender: type[models.Model], **_: object) -> None:
    if any(base.__name__ == "TermsColumns" for base in sender.__mro__):
        models.BooleanField(default=False).contribute_to_class(sender, "blindfold")


class_prepared.connect(add_column)
django.setup()
class_prepared.disconnect(add_column)

from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from games.lobby.forms.invitation import InvitationForm  # noqa: E402
from games.lobby.models import Invitation  # noqa: E402
from games.play.models.match import Match, Status  # noqa: E402
from games.play.words.terms import LINES, Line  # noqa: E402
from tests.play import match_helpers  # noqa: E402
from tests.play.forms import client_of  # noqa: E402

# The field of the form, and the sentence.
InvitationForm.base_fields["blindfold"] = forms.BooleanField(label="Blindfold", required=False)


def say(agreed: terms.Terms) -> Line | None:
    return Line("Blindfold", SENTENCE, on_match_page=True) if vars(agreed)["blindfold"] else None


LINES["blindfold"] = say


def follow() -> None:
    who = match_helpers.people()
    her, him = client_of(who.alice), client_of(who.bob)
    offered = {"preset": "lattaque-en", "kind": "challenge", "opponent": "Bob", "pace": "3d"}
    for choice in ({"blindfold": "on"}, {}):
        has_it = bool(choice)
        assert 'name="blindfold"' in page(her, "/lobby/new/")
        assert her.post("/lobby/new/", offered | choice).status_code == 302
        invitation = Invitation.objects.latest("pk")
        assert vars(invitation)["blindfold"] is has_it
        assert her.get("/lobby/new/").context["form"]["blindfold"].value() is has_it
        assert (SENTENCE in page(him, invitation.get_absolute_url())) is has_it
        him.post(f"{invitation.get_absolute_url()}accept/")
        match = match_helpers.set_up(Match.objects.latest("pk"))
        assert vars(match)["blindfold"] is has_it
        assert (SENTENCE in page(her, match.get_absolute_url())) is has_it
        Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
        him.post(f"/lobby/rematch/{match.pk}/")
        rematch = Invitation.objects.latest("pk")
        assert rematch.pk != invitation.pk
        assert vars(rematch)["blindfold"] is has_it


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


if __name__ == "__main__":
    setup_test_environment()
    with connection.schema_editor() as editor:
        for model in (Invitation, Match):
            editor.add_field(model, model._meta.get_field("blindfold"))  # type: ignore[misc]
    follow()
    sys.stdout.write("followed")
