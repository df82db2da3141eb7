"""Confirmation: a message waits for its player to log in and say that it is theirs."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.mail.answering.incoming_message import Answer, Case
from games.mail.authentication.sender import Sender
from games.mail.models import MessageOutcome
from games.mail.reading.message import Reading


def question(case: Case, reading: Reading, wrote: Sender) -> Answer:
    """The notice to the registered address, without a word of the message."""
    reasons = {
        Sender.NOBODY: _("It has no sender, or more than one."),
        Sender.STRANGER: _("It was not sent from an address that you have confirmed."),
        Sender.UNPROVED: _("We could not verify that it came from its sender's address."),
        Sender.ASKED: _("You have chosen to confirm everything on the site."),
    }
    return Answer(
        MessageOutcome.CONFIRM,
        (
            _(
                "A message was sent to the reply address of one of your e-mails; nothing has been "
                "done yet."
            ),
            reasons[wrote],
            _("Sign in to see what it says, and to confirm it if it is yours:"),
        ),
        case.match_id,
        case.invitation_id,
        board="",
        lobby=case.match_id is None and case.invitation_id is None,
    )


def link(message_id: int) -> str:
    """The page that asks; it acts for nobody but the player, and only on a form."""
    return f"{settings.SITE_URL}{reverse('mail:confirm', args=[message_id])}"
