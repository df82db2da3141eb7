"""Handlers: accept, decline and withdraw invitations; show their rules; offer a rematch."""

from django.utils.translation import gettext as _

from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationStatus
from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted
from games.play.words.terms import describe
from games.rules.core.basics.refusals import Refusal


def accept(context: MessageContext, command: Command) -> Answer:
    """Accept the invitation of the e-mail; the receipt shows the new match."""
    assert context.invitation_id is not None  # noqa: S101 - a command about an invitation
    before = Invitation.objects.get(pk=context.invitation_id)
    try:
        match = lobby.accept(before.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted(command.verb.value), refusal)
    if before.status == InvitationStatus.ACCEPTED:
        words = _("You have already accepted this invitation: match %(number)s has begun.")
        return Answer(MessageOutcome.REPEATED, (words % {"number": match.pk},), match.pk)
    words = _("Accepted: match %(number)s begins.") % {"number": match.pk}
    return Answer(MessageOutcome.ACCEPTED, (words,), match.pk)


def decline(context: MessageContext, command: Command) -> Answer:
    """Decline the invitation of the e-mail."""
    assert context.invitation_id is not None  # noqa: S101 - see above
    before = Invitation.objects.get(pk=context.invitation_id)
    try:
        lobby.decline(before.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted(command.verb.value), refusal)
    outcome = (
        MessageOutcome.REPEATED
        if before.status == InvitationStatus.DECLINED
        else MessageOutcome.DECLINED
    )
    return Answer(outcome, (_("Invitation declined."),))


def withdraw(context: MessageContext, command: Command) -> Answer:
    """Withdraw the player's own invitation: that of the e-mail, or the given number."""
    number = int(command.argument) if command.argument else context.invitation_id
    try:
        if number is None:
            raise Invitation.DoesNotExist
        lobby.withdraw(number, context.user)
    except Invitation.DoesNotExist:
        words = _("You have no open invitation with that number.")
        example = _("“withdraw 12” withdraws the one with the number 12.")
        return refusal_answers.refused(context, quoted("withdraw"), words, example)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("withdraw"), refusal)
    return Answer(MessageOutcome.DECLINED, (_("Your invitation was withdrawn."),))


def show_rules(context: MessageContext, command: Command) -> Answer:
    """Show the terms of the invitation."""
    assert context.invitation_id is not None  # noqa: S101 - see above
    invitation = Invitation.objects.select_related("owner", "guest").get(pk=context.invitation_id)
    agreed = describe(invitation.terms)
    lines = (*agreed.changed, *agreed.edition, *agreed.common)
    return Answer(
        MessageOutcome.SHOWN,
        (_("The rules of this invitation:"),),
        invitation_id=invitation.pk,
        parts=((agreed.title, lines),),
    )


def rematch(context: MessageContext, command: Command) -> Answer:
    """Offer a rematch, or accept the opponent's offer of one."""
    assert context.match_id is not None  # noqa: S101 - a command about a match
    repeated = Invitation.objects.filter(rematch_of=context.match_id, owner=context.user).exists()
    try:
        offered = lobby.rematch(context.match_id, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("rematch"), refusal)
    if offered.match_id is not None:
        words = _("Rematch accepted: it begins as match %(number)s.")
        return Answer(
            MessageOutcome.ACCEPTED, (words % {"number": offered.match_id},), offered.match_id
        )
    words = _("Rematch offered. You will get an e-mail when it begins.")
    outcome = MessageOutcome.REPEATED if repeated else MessageOutcome.OFFERED
    return Answer(outcome, (words,), context.match_id, board="")
