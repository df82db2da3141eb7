"""Invitations by mail: accept and decline; the rematch of a match that is over."""

from django.utils.translation import gettext as _

from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationStatus
from games.lobby.terms import terms
from games.mail.answering import refusing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.rules.core.basics.refusals import Refusal


def accept(case: Case, command: Command) -> Answer:
    """Accept the invitation of the e-mail; the receipt shows the match that begins."""
    assert case.invitation_id is not None  # noqa: S101 - asked about an invitation
    before = Invitation.objects.get(pk=case.invitation_id)
    try:
        match = lobby.accept(before.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "accept", refusal)
    if before.status == InvitationStatus.ACCEPTED:
        words = _("You have already accepted this invitation: match %(number)s has begun.")
        return Answer(MessageOutcome.REPEATED, (words % {"number": match.pk},), match.pk)
    words = _("Accepted: match %(number)s begins.") % {"number": match.pk}
    return Answer(MessageOutcome.ACCEPTED, (words,), match.pk)


def decline(case: Case, command: Command) -> Answer:
    """Decline the invitation of the e-mail."""
    assert case.invitation_id is not None  # noqa: S101 - as above
    before = Invitation.objects.get(pk=case.invitation_id)
    try:
        lobby.decline(before.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "decline", refusal)
    outcome = (
        MessageOutcome.REPEATED
        if before.status == InvitationStatus.DECLINED
        else MessageOutcome.DECLINED
    )
    return Answer(outcome, (_("Invitation declined."),), lobby=True)


def withdraw(case: Case, command: Command) -> Answer:
    """Withdraw an invitation of one's own: the one of the e-mail, or one by its number."""
    number = int(command.argument) if command.argument else case.invitation_id
    try:
        if number is None:
            raise Invitation.DoesNotExist
        lobby.withdraw(number, case.user)
    except Invitation.DoesNotExist:
        words = _("You have no open invitation with that number.")
        return refusing.refused(case, "withdraw", words)
    except Refusal as refusal:
        return refusing.of(case, "withdraw", refusal)
    return Answer(MessageOutcome.DECLINED, (_("Your invitation was withdrawn."),), lobby=True)


def rules(case: Case, command: Command) -> Answer:
    """The terms that whoever accepts agrees to."""
    assert case.invitation_id is not None  # noqa: S101 - as above
    invitation = Invitation.objects.select_related("owner", "guest").get(pk=case.invitation_id)
    agreed = terms(invitation)
    lines = (*agreed.changed, *agreed.edition, *agreed.common)
    return Answer(
        MessageOutcome.SHOWN,
        (_("The rules of this invitation:"),),
        invitation_id=invitation.pk,
        parts=((agreed.title, lines),),
    )


def rematch(case: Case, command: Command) -> Answer:
    """Offer a rematch, or accept the opponent's offer of one."""
    assert case.match_id is not None  # noqa: S101 - asked about a match
    before = Invitation.objects.filter(rematch_of=case.match_id, owner=case.user).exists()
    try:
        offered = lobby.rematch(case.match_id, case.user)
    except Refusal as refusal:
        return refusing.of(case, "rematch", refusal)
    if offered.match_id is not None:
        words = _("Rematch accepted: it begins as match %(number)s.")
        return Answer(
            MessageOutcome.ACCEPTED, (words % {"number": offered.match_id},), offered.match_id
        )
    words = _("Rematch offered. You will get an e-mail when it begins.")
    outcome = MessageOutcome.REPEATED if before else MessageOutcome.OFFERED
    return Answer(outcome, (words,), case.match_id, board="")
