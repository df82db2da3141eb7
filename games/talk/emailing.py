"""Talk in e-mails: which lines an e-mail contains, and what changes once it was sent."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from games.outbox import publishing
from games.outbox.events import Person
from games.people.blocking.blocks import has_blocked
from games.play.models.match import Player
from games.talk.events import TalkCame
from games.talk.lines import reading
from games.talk.lines.reading import ShownLine
from games.talk.lines.text import MARK, quoted_rows
from games.talk.models import EmailedTalk

LINES_WITH_A_TURN = 5  # in an e-mail about a turn
LINES_OF_TALK = 20  # in an e-mail about talk
PAUSE = timedelta(minutes=10)  # between two e-mails about talk to a reader who plays by mail
DAY = timedelta(days=1)
MAX_A_DAY = 6  # e-mails about the talk of one match


class TalkInEmail(NamedTuple):
    """The talk in an e-mail: its first unread lines, and how many more there are."""

    player: Player  # the reader's seat
    lines: list[ShownLine]
    more: int

    @property
    def rows(self) -> list[str]:
        """The lines as rows that no mail program makes into a command."""
        rows: list[str] = []
        for line in self.lines:
            rows += [MARK.strip()] if rows else []
            rows += quoted_rows(line.text or _("removed"))
        return rows


def lines_for_email(me: Player, opponent: Player, count: int) -> TalkInEmail | None:
    """At most `count` unread lines for an e-mail to the player `me`.

    None if there are none, if the player has muted the match or blocks the opponent. No query
    without unread lines.
    """
    if not may_be_notified(me, opponent):
        return None
    lines = reading.unread(me, count)
    return TalkInEmail(me, lines, max(0, me.talk_unread - len(lines))) if lines else None


def may_be_notified(me: Player, opponent: Player) -> bool:
    """Whether the player `me` has unread lines that they may be notified of."""
    if not me.talk_unread or me.talk_muted:
        return False
    return not has_blocked(me.user_id, opponent.user_id)


def was_emailed(me: Player, number: int) -> bool:
    """Whether an e-mail to the player has had the line with this number, or counted it."""
    return EmailedTalk.objects.filter(player=me.pk, number__gte=number).exists()


def earliest(me: Player, *, by_mail: bool, at: datetime) -> datetime | None:
    """When the next e-mail about the talk of the match may be sent; None: now."""
    state = EmailedTalk.objects.filter(player=me.pk).first()
    if state is None:
        return None
    if by_mail and state.sent_at is not None and state.sent_at + PAUSE > at:
        return state.sent_at + PAUSE
    if state.counted_since is None or state.count < MAX_A_DAY:
        return None
    end = state.counted_since + DAY
    return end if end > at else None


def handed_over(emailed: TalkInEmail, *, about_talk: bool, by_mail: bool, at: datetime) -> None:
    """Store that an e-mail with these lines was handed to the mail server.

    For a reader who plays by mail, the lines count as read; if there are more, another
    e-mail follows. `about_talk`: the e-mail was sent because of talk.
    """
    last = emailed.lines[-1].number
    with transaction.atomic():
        me = Player.objects.select_for_update().get(pk=emailed.player.pk)
        theirs = reading.visible(me).exclude(writer=me.user_id)
        newest = theirs.order_by("-number").values_list("number", flat=True).first() or last
        # The e-mail says how many more there are; who opens pages needs no other one.
        _note(me, last if by_mail or not emailed.more else newest, about_talk=about_talk, at=at)
        if not by_mail:
            return
        left = min(me.talk_unread, theirs.filter(number__gt=last).count())
        Player.objects.filter(pk=me.pk).update(talk_unread=left)
        if left:
            event = TalkCame(match=me.match_id, line=newest, people=(Person(me.user_id),))
            publishing.publish(event)


def _note(me: Player, number: int, *, about_talk: bool, at: datetime) -> None:
    state, _made = EmailedTalk.objects.select_for_update().get_or_create(player=me)
    state.number = max(state.number, number)
    if about_talk:
        state.sent_at = at
        if state.counted_since is None or state.counted_since + DAY <= at:
            state.counted_since, state.count = at, 0
        state.count += 1
    state.save()
