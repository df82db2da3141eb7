"""Judging: what becomes of a message that was read, by who wrote it and what it says.

Nothing is done for a program, a stranger or a list. For somebody who is not proved to be the player
nothing is done either, and the player is told, once a day and address.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games.mail.answering import confirming
from games.mail.answering.actions import choosing, showing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.authentication import sender
from games.mail.authentication.sender import Sender
from games.mail.models import MessageOutcome
from games.mail.reading.automatic_mail import Machine
from games.mail.reading.commands import Command, Verb
from games.mail.reading.message import Reading
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import Standing
from games.notifications.models import Purpose, ReplyAddress
from games.notifications.policy.localization import localized


class Verdict(NamedTuple):
    """What becomes of a message; without an answer nobody is told, and `why` says the reason."""

    user: User | None
    answer: Answer | None
    why: str = ""


class Post(NamedTuple):
    """A message as a worker has it before it is judged."""

    reading: Reading
    sender: str | None  # of the envelope
    arrived: datetime
    at: datetime
    signed: bool = False  # for its sender's domain, as we have checked ourselves


def judge_reply(post: Post, address: ReplyAddress) -> Verdict:
    """What becomes of an answer to an e-mail."""
    user, reading = address.user, post.reading
    if not user.is_active:
        return Verdict(user, None, "this player has left")
    if _is_own(reading):
        return Verdict(user, None, "it is an e-mail of ours")
    wrote = sender.judge(user, reading, post.sender, signed=post.signed)
    if wrote is Sender.MACHINE:
        return Verdict(user, None, wrote.value)
    standing = reply_addresses.standing(address, post.at)
    case = Case.of(
        address,
        arrived=post.arrived,
        now=post.at,
        proposal=reply_addresses.proposal(address),
        is_afterwards=standing is Standing.AFTERWARDS,
        own_lines=reading.own or reading.html_own,
    )
    with localized(user):
        return _judge(case, reading, wrote, is_closed=standing is Standing.CLOSED)


def _judge(case: Case, reading: Reading, wrote: Sender, *, is_closed: bool) -> Verdict:
    user = case.user
    if reading.problem:
        if not wrote.is_player:
            return Verdict(user, None, f"{reading.problem}; {wrote.value}")
        return Verdict(user, _unreadable(case, reading.problem), reading.problem)
    commands = reading.commands
    if not wrote.is_player:
        if not commands and not reading.conflict:
            return Verdict(user, None, wrote.value)
        return Verdict(user, confirming.question(case, reading, wrote), wrote.value)
    if is_closed:
        return Verdict(user, _closed(case), "its address is no longer valid")
    if reading.conflict:
        return Verdict(user, choosing.ambiguous(case, commands), "text and HTML differ")
    if wrote is Sender.ASKED and choosing.asks_for_actions(commands):
        return Verdict(user, confirming.question(case, reading, wrote), wrote.value)
    answer = choosing.act(case, commands)
    if answer is not None:
        return Verdict(user, answer)
    if reading.machine is Machine.PERHAPS:
        return Verdict(user, None, "no command, and perhaps a program's")
    return Verdict(user, _unread(case), "no command")


def judge_post(post: Post) -> Verdict:
    """What becomes of a message to the sender of all e-mails: a list of matches for a player."""
    reading = post.reading
    author = sender.only_author(reading)
    user = sender.player_with(author) if author else None
    if user is None:
        return Verdict(None, None, "nobody here wrote it")
    wrote = sender.judge(user, reading, post.sender, signed=post.signed)
    perhaps = reading.machine is Machine.PERHAPS
    if not wrote.is_player or _is_own(reading) or reading.problem or perhaps:
        return Verdict(user, None, wrote.value or reading.problem or "perhaps a program's")
    case = Case(user, Purpose.LOBBY, post.arrived, post.at)
    with localized(user):
        return Verdict(user, showing.matches(case, Command(Verb.MATCHES)))


def _is_own(reading: Reading) -> bool:
    """Whether this is one of our own e-mails, sent back by some program."""
    return bool(
        re.fullmatch(
            rf"<?o[0-9]+\.[0-9a-f]{{16}}@{re.escape(settings.MAIL_DOMAIN)}>?",
            reading.message_id,
            re.IGNORECASE,
        )
    )


def _unread(case: Case) -> Answer:
    words = _("No command was found: write each command on a line of its own.")
    answer = showing.help_with(case, Command(Verb.HELP))
    return Answer(
        MessageOutcome.UNREAD,
        (words,),
        case.match_id,
        case.invitation_id,
        board="" if case.match_id is None else "usual",
        parts=() if case.match_id is not None else answer.parts,
        lobby=answer.lobby,
    )


def _unreadable(case: Case, problem: str) -> Answer:
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
    lobby = case.match_id is None and case.invitation_id is None
    return Answer(
        MessageOutcome.UNREADABLE,
        (words, why),
        case.match_id,
        case.invitation_id,
        board="",
        lobby=lobby,
    )


def _closed(case: Case) -> Answer:
    words = _(
        "Nothing was done: the address you replied to is no longer valid. Reply addresses expire "
        "after 90 days, or when you change your e-mail address or password."
    )
    return Answer(MessageOutcome.CLOSED, (words,), lobby=True)
