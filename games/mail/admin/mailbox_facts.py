"""Facts about a person's mailbox and preferences that decide whether e-mails are sent to them."""

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games.notifications.models import Mailbox
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Channel


class Fact(NamedTuple):
    """A line about a person's mailbox; `problem` if it can be why no e-mail came."""

    name: str
    value: str | datetime
    problem: bool = False


def facts(person: User) -> list[Fact]:
    """What decides whether e-mails are sent to a person."""
    mailbox = Mailbox.objects.filter(user=person.pk).first() or Mailbox(user=person)
    lines = [
        Fact(_("E-mail address"), person.email or _("none"), problem=not person.email),
        *_account(person),
        *_wishes(person),
        *_bounces(person, mailbox),
    ]
    if settings.HOLD_EMAILS:
        lines.append(Fact("HOLD_EMAILS", _("E-mails to everybody are held."), problem=True))
    return lines


def _account(person: User) -> list[Fact]:
    lines = []
    if person.pending:
        lines.append(Fact(_("Account"), _("The address is not confirmed yet."), problem=True))
    if not person.is_active:
        lines.append(Fact(_("Account"), _("It is blocked or closed."), problem=True))
    return lines


def _wishes(person: User) -> list[Fact]:
    preferred = preferences.read(person)
    lines = [
        Fact(_("Frequency"), str(preferences.Frequency(preferred.frequency).label)),
        Fact(_("Time zone"), person.zone),
    ]
    if not person.match_emails:
        lines.append(Fact(_("E-mails about matches"), _("turned off"), problem=True))
    if not person.reminder_emails:
        lines.append(Fact(_("Reminders"), _("turned off"), problem=True))
    if preferred.quiet_from is not None:
        hours = _("%(start)s:00 to %(end)s:00")
        values = {"start": preferred.quiet_from, "end": preferred.quiet_until}
        lines.append(Fact(_("Quiet hours"), hours % values))
    if person.hushed:
        words = _("Notified and not seen since: the next e-mail about a turn follows a visit.")
        lines.append(Fact(_("Frequency"), words, problem=True))
    unwanted = [way.split()[-1] for way in preferred.unwanted if way.startswith(Channel.EMAIL)]
    if unwanted:
        lines.append(Fact(_("Not wanted by e-mail"), ", ".join(sorted(unwanted)), problem=True))
    return lines


def _bounces(person: User, mailbox: Mailbox) -> list[Fact]:
    lines = []
    if Channel.EMAIL in person.unreached.split():
        words = _("E-mails bounce, so no more are sent until the person writes or confirms.")
        lines.append(Fact(_("Mailbox"), words, problem=True))
    for name, value in (
        (_("Last e-mail sent at"), mailbox.sent_at),
        (_("Last bounce at"), mailbox.bounced_at),
        (_("Last refusal by the mail server at"), mailbox.refused_at),
        (_("Last bounce by our fault at"), mailbox.reported_at),
    ):
        if value:
            lines.append(Fact(name, value))
    if mailbox.why or mailbox.reported:
        lines.append(Fact(_("Reason for the bounce"), mailbox.why or mailbox.reported))
    return lines
