"""Receipts: the e-mails that answer messages, sent from the outbox.

A receipt goes to the player's registered address, wherever the message came from. Its text is
sealed and stored with the message; the board is the one at the time of sending.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby.models import Invitation
from games.mail import sealing
from games.mail.answering import confirmation
from games.mail.answering.answer import Answer
from games.mail.models import IncomingMessage, MessageOutcome
from games.notifications.email.composing import match_emails, subjects, witness
from games.notifications.email.composing.message import compose
from games.notifications.email.composing.witness import NO_WITNESS, ReceiptOf, Receipts, no_receipt
from games.notifications.email.replies import hints, reply_addresses, shown_offers
from games.notifications.email.replies.reply_addresses import About
from games.notifications.email.sending import delivery
from games.notifications.email.sending.mime import Email
from games.notifications.models import Asks, Purpose
from games.notifications.policy import deliverability
from games.notifications.policy.kinds import Channel
from games.notifications.policy.localization import localized
from games.notifications.policy.relevance import InvitationView
from games.outbox.delivery.retries import GIVE_UP_AFTER
from games.outbox.handling import Batch, Later, Superseded
from games.outbox.models import Dispatch, Reason
from games.play.board import board_list
from games.play.lists.waiting import next_waiting
from games.play.models.match import Player, Status
from games.play.record.match_view import view_match
from games.play.words.times import with_zone
from lib.db_clock import now

MAX_LISTED = 30
HELD_FOR = timedelta(hours=6)  # until a held receipt is looked at again, if nothing wakes it


def deliver(dispatch: Dispatch, batch: Batch) -> None:
    """Outbox handler: send the receipt of a message."""
    row = IncomingMessage.objects.defer("sealed").filter(pk=dispatch.ref["message"]).first()
    if row is None or not row.receipt:
        raise Superseded
    reader = User.objects.filter(pk=row.user_id, is_active=True).first()
    if reader is None or not reader.email:
        raise Superseded(Reason.NO_READER)
    _hold_while_unreached(reader, dispatch)
    answer = Answer.from_json(sealing.unseal_json(row.receipt, "receipt", row.key))
    envelope = sealing.unseal_json(row.envelope, "envelope", row.key)
    delivery.connect(batch)
    of_setups = Receipts.for_batch(batch)
    with localized(reader):
        email = write(
            row, reader, answer, envelope["message_id"], dispatch.message_id, of_setups.of_view
        )
    delivery.send(email, reader, batch)
    of_setups.was_sent(email.witness)


def _hold_while_unreached(reader: User, dispatch: Dispatch) -> None:
    """Raise Later while e-mails to this reader are stopped, and Superseded after 72 hours.

    The refusal may prove to be our fault, or the reader may clear their mailbox; both make the row
    due at once. A receipt that was dropped could not be sent then. A reader who reported an e-mail
    as spam gets none.
    """
    if Channel.EMAIL not in reader.unreached.split():
        return
    at, until = now(), dispatch.created_at + GIVE_UP_AFTER
    if at >= until or deliverability.has_complained(reader):
        raise Superseded(Reason.UNREACHABLE)
    raise Later(min(at + HELD_FOR, until))


def write(
    row: IncomingMessage,
    reader: User,
    answer: Answer,
    in_reply_to: str,
    message_id: str,
    receipt_of: ReceiptOf = no_receipt,
) -> Email:
    """Compose the receipt in the active language and time zone.

    `receipt_of` finds the receipt of a set-up that it may have to bring.
    """
    about = About(
        dispatch_key=message_id,
        purpose=Purpose.LOBBY,
        user=reader,
        asks=answer.asks,
        proposal=answer.proposal,
    )
    context: dict[str, Any] = {
        "lines": answer.lines,
        "parts": answer.parts,
        "drawing": "\n".join(answer.drawing),
        "confirm": confirmation.page_url(row.pk)
        if answer.outcome == MessageOutcome.CONFIRM
        else "",
    }
    if answer.match_id is not None:
        thread, subject, about, more = _about_match(reader, answer, about, receipt_of)
    elif answer.invitation_id is not None:
        thread, subject, about, more = _about_invitation(reader, answer, about)
    else:
        thread, subject, about, more = _about_several(reader, answer, about)
    proof = more.pop("witness", NO_WITNESS)
    reply_to = reply_addresses.issue(about) if reply_addresses.replies_are_taken() else ""
    if answer.outcome == MessageOutcome.UNREAD and (issued := reply_addresses.find(reply_to)):
        IncomingMessage.objects.filter(pk=row.pk).update(issued=issued.pk)
    return compose(
        "receipt",
        reader,
        {**more, **context},
        kind="match",
        thread=thread,
        subject=subject,
        at=now(),
        message_id=message_id,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
        outcome=answer.outcome,
        witness=proof,
    )


Subject = tuple[str, str, About, dict[str, Any]]


def _about_match(reader: User, answer: Answer, about: About, receipt_of: ReceiptOf) -> Subject:
    assert answer.match_id is not None  # noqa: S101 - a command about a match
    view = view_match(answer.match_id, reader)
    context = match_emails.match_facts(reader, view)
    for name in ("board", "board_text", "legend", "board_list", "happened", "notes"):
        context.pop(name, None)
    # A player who has to set up gets the rows to fill in, without a board.
    if view.my_turn and view.match.status == Status.SETUP:
        pass
    elif answer.board == "list":
        context["board_list"] = board_list.paragraphs(view)
    elif answer.board:
        context |= match_emails.board_facts(reader, view)
    context["title"] = _("Match %(number)s") % {"number": view.match.pk}
    if answer.outcome == MessageOutcome.RESIGNED or context["result"]() in answer.lines:
        context.pop("result")  # It has been said above.
    if answer.asks == Asks.SETUP:
        # The dots of the proposal are no squares to fill in.
        context["answers"] = hints.about_proposal()
    context["status"] = [] if answer.outcome == MessageOutcome.CONFIRM else _status(reader, view)
    context["witness"] = witness.of_view(reader, view, receipt_of)
    about = replace(
        about,
        purpose=Purpose.MATCH,
        match_id=view.match.pk,
        ply=view.number,
        offers=shown_offers.open_in(view),
    )
    return f"match.{view.match.pk}", subjects.of_match(view), about, context


def _status(reader: User, view: Any) -> list[str]:
    """Whose turn it is, and which other match waits for the reader."""
    sentences = []
    if view.match.is_live and not view.my_turn:
        is_setup = view.match.status == Status.SETUP
        sentences.append(
            _("Your opponent is still setting up.") if is_setup else _("It's your opponent's turn.")
        )
    other = next_waiting(reader, after=view.match.pk)
    if other is not None and other.match.is_live:
        values: dict[str, object] = {"number": other.match_id}
        words = _("Match %(number)s is waiting for you as well; reply “next” to get it.")
        if other.deadline is not None:
            values["due"] = with_zone(other.deadline)
            words = _(
                "Match %(number)s is waiting for you as well, until %(due)s; reply “next” to get "
                "it."
            )
        sentences.append(words % values)
    return sentences


def _about_invitation(reader: User, answer: Answer, about: About) -> Subject:
    assert answer.invitation_id is not None  # noqa: S101 - a command about an invitation
    invitation = Invitation.objects.select_related("owner", "guest").get(pk=answer.invitation_id)
    view = InvitationView(invitation, now(), reader)
    context = {
        "title": _("Invitation %(number)s") % {"number": invitation.pk},
        "answers": hints.about_invitation(view),
    }
    about = replace(about, purpose=Purpose.INVITATION, invitation_id=invitation.pk)
    return f"invitation.{invitation.pk}", subjects.of_invitation(view), about, context


def _about_several(reader: User, answer: Answer, about: About) -> Subject:
    """A receipt about all running matches of the reader; a reply may move in each of them.

    It has the proof lines of those in which the message acted, and brings no receipt of a set-up.
    """
    players = Player.objects.filter(user=reader, live=True).order_by("-to_act", "deadline", "match")
    listed = dict(players.values_list("match", "match__ply")[:MAX_LISTED])
    context: dict[str, Any] = {"title": _("Your matches")}
    context["answers"] = hints.about_several(list(listed))
    views = [view_match(pk, reader) for pk in answer.several[:MAX_LISTED]]
    context["witness"] = witness.of_several(views)
    about = replace(about, matches=listed)
    return f"lobby.{reader.pk}", _("Your matches"), about, context
