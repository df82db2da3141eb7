"""Triage: decides whether a message is acted on, confirmed on the site, refused or dropped.

Messages of programs, strangers and mailing lists are dropped. If a message to a reply address is
not authenticated, nothing is done and the player is asked to confirm it, once a day per address.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games.mail.addresses import player_with_address, single_author
from games.mail.answering import confirmation
from games.mail.answering.actions import argument_sentences, dispatch, queries, talk
from games.mail.answering.answer import Answer
from games.mail.answering.game_vocabulary import vocabulary
from games.mail.answering.message_context import MessageContext
from games.mail.authentication import sender_status
from games.mail.authentication.sender_status import SenderStatus
from games.mail.intake import STRANGER
from games.mail.models import MessageOutcome, RecipientKind
from games.mail.reading.automatic_mail import Automatic
from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.line_parser import read_line
from games.mail.reading.grammar.near_commands import incomplete_command, near_commands
from games.mail.reading.parsed_message import ParsedMessage
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.answer_words import in_marks
from games.notifications.email.replies.reply_addresses import Standing
from games.notifications.models import Purpose, ReplyAddress
from games.notifications.policy.localization import localized

NO_BREAK_SPACE = "\u00a0"


class Decision(NamedTuple):
    """The decision on a message: the answer, None for no receipt, and `why` as a reason."""

    user: User | None
    answer: Answer | None
    why: str = ""


class ReceivedMessage(NamedTuple):
    """A parsed message with its envelope sender and arrival time."""

    parsed: ParsedMessage
    envelope_sender: str | None
    arrived: datetime
    at: datetime
    way_in: str  # a WayIn, or "" if it is not known
    dkim_verified: bool = False  # by our own check


def triage_header(head: ReceivedMessage, kind: str) -> Decision | None:
    """Decide by the header alone whether to drop a message; None if its body has to be parsed.

    `kind` is the RecipientKind. Anybody may write to the general address, so only a player's own
    message to it is parsed.
    """
    if sender_status.is_automatic(head.parsed, head.envelope_sender):
        return Decision(None, None, SenderStatus.AUTOMATIC.value)
    if kind == RecipientKind.SERVICE:
        user = _author(head)
        status = _status(user, head) if user else None
        if user is None or status is None or not status.is_player:
            return Decision(user, None, status.value if status else STRANGER)
    return None


def triage_reply(message: ReceivedMessage, address: ReplyAddress) -> Decision:
    """Decide on a message to a reply address."""
    user, parsed = address.user, message.parsed
    if not user.is_active:
        return Decision(user, None, "this player has left")
    if _is_own(parsed):
        return Decision(user, None, "it is an e-mail of ours")
    status = _status(user, message)
    if status is SenderStatus.AUTOMATIC:
        return Decision(user, None, status.value)
    standing = reply_addresses.standing(address, message.at)
    context = MessageContext.from_reply_address(
        address,
        arrived=message.arrived,
        now=message.at,
        proposal=reply_addresses.proposal(address),
        is_long_over=standing is Standing.AFTERWARDS,
        own_lines=parsed.own_lines or parsed.html_own_lines,
    )
    with localized(user):
        return _triage(context, parsed, status, is_closed=standing is Standing.CLOSED)


def _triage(
    context: MessageContext, parsed: ParsedMessage, status: SenderStatus, *, is_closed: bool
) -> Decision:
    user = context.user
    if parsed.problem:
        if not status.is_player:
            return Decision(user, None, f"{parsed.problem}; {status.value}")
        return Decision(user, _unreadable(context, parsed.problem), parsed.problem)
    commands = parsed.commands
    if not status.is_player:
        if not commands and not parsed.conflict:
            return Decision(user, None, status.value)
        return Decision(user, confirmation.request(context, status), status.value)
    if is_closed:
        return Decision(user, _closed(), "its address is no longer valid")
    if parsed.conflict:
        return Decision(user, dispatch.differing(context, commands), "text and HTML differ")
    if status is SenderStatus.CONFIRMATION_WANTED and dispatch.asks_for_actions(commands):
        return Decision(user, confirmation.request(context, status), status.value)
    answer = dispatch.act(context, commands)
    if answer is not None:
        return Decision(user, answer)
    if parsed.automatic is Automatic.POSSIBLE:
        return Decision(user, None, "no command, and perhaps a program's")
    return Decision(user, _unread(context), "no command")


def triage_service_message(message: ReceivedMessage) -> Decision:
    """Decide on a message to the From address of all e-mails: a player gets a list of matches."""
    parsed = message.parsed
    user = _author(message)
    if user is None:
        return Decision(None, None, STRANGER)
    status = _status(user, message)
    may_be_automatic = parsed.automatic is Automatic.POSSIBLE
    if not status.is_player or _is_own(parsed) or parsed.problem or may_be_automatic:
        return Decision(user, None, status.value or parsed.problem or "perhaps a program's")
    context = MessageContext(user, Purpose.LOBBY, message.arrived, message.at)
    with localized(user):
        return Decision(user, queries.show_matches(context, Command(Verb.MATCHES)))


def _author(message: ReceivedMessage) -> User | None:
    """The player whose address is in From."""
    author = single_author(message.parsed)
    return player_with_address(author) if author else None


def _status(user: User, message: ReceivedMessage) -> SenderStatus:
    return sender_status.determine(
        user,
        message.parsed,
        message.envelope_sender,
        way_in=message.way_in,
        dkim_verified=message.dkim_verified,
    )


def _is_own(parsed: ParsedMessage) -> bool:
    """Whether this is one of our own e-mails, returned by a program."""
    return bool(
        re.fullmatch(
            rf"<?o[0-9]+\.[0-9a-f]{{16}}@{re.escape(settings.MAIL_DOMAIN)}>?",
            parsed.message_id,
            re.IGNORECASE,
        )
    )


def _unread(context: MessageContext) -> Answer:
    words = [_("No command was found: write each command on a line of its own.")]
    if verb := incomplete_command(context.own_lines):
        words += argument_sentences.sentences(
            verb, in_lobby=context.purpose in (Purpose.LOBBY, Purpose.DIGEST)
        )
    elif near := _near_command(context):
        words = [_("No command was found."), near]
    help_answer = queries.show_help(context, Command(Verb.HELP))
    return Answer(
        MessageOutcome.UNREAD,
        tuple(words),
        context.match_id,
        context.invitation_id,
        board="usual" if context.match_id is not None else "",
        parts=() if context.match_id is not None else help_answer.parts,
    )


def _near_command(context: MessageContext) -> str:
    """A sentence that names the line that was probably meant as a command; "" if there is none.

    A line of our e-mail is not named, nor one that would be a command if the receipt is quoted.
    """
    near = near_commands(context.own_lines)
    line = next(iter(talk.without_ours(context, near)), "") if near else ""
    if not line:
        return ""
    sentence = _("%(line)s is not a command; a line with a command has nothing else on it.")
    # A part of the line may be a command, so no program may wrap it there.
    sentence %= {"line": in_marks(line.replace(" ", NO_BREAK_SPACE))}
    words, known = sentence.split(" "), vocabulary()
    parts = {" ".join(words[:place]) for place in range(1, len(words) + 1)}
    parts |= {" ".join(words[place:]) for place in range(len(words))}
    return "" if any(read_line(part, known) for part in parts) else sentence


def _unreadable(context: MessageContext, problem: str) -> Answer:
    reasons = {
        "too large": _("It is too large."),
        "too deep": _("It contains messages nested too deeply."),
        "too many parts": _("It has too many parts."),
        "header too large": _("Its headers are too large."),
    }
    words = _(
        "Your message could not be read. Please write the command in a new plain-text message."
    )
    why = reasons.get(problem, _("It is not a valid e-mail."))
    return Answer(
        MessageOutcome.UNREADABLE,
        (words, why),
        context.match_id,
        context.invitation_id,
        board="",
    )


def _closed() -> Answer:
    words = _(
        "Nothing was done: the address you replied to is no longer valid. Reply addresses "
        "expire after 90 days, or when you change your e-mail address or password."
    )
    return Answer(MessageOutcome.CLOSED, (words,))
