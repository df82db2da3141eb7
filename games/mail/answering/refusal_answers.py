"""Answers to refused commands: the outcome, and the reasons that the receipt gives."""

from dataclasses import replace

from django.utils.translation import gettext as _

from games.lobby.refusals import NoLongerOpen
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.notifications.email.composing.line_wrapping import with_short_words
from games.notifications.email.replies import shown_offers
from games.people.moderation.silence import Silenced
from games.play import time_controls
from games.play.record.match_view import MatchView
from games.play.refusals import MatchIsOver, MatchMovedOn, TooLate
from games.play.words import narration
from games.play.words.times import with_zone
from games.play.words.wording import refusal_texts
from games.rules.core.basics.refusals import Refusal


def refused(
    context: MessageContext,
    understood: str,
    *reasons: str,
    outcome: MessageOutcome = MessageOutcome.REFUSED,
) -> Answer:
    """The answer: what was understood, and why it was not done."""
    return Answer(
        outcome, (_not_done(understood), *reasons), context.match_id, context.invitation_id
    )


def _not_done(understood: str) -> str:
    return _("Not done: %(what)s.") % {"what": understood}


def from_refusal(context: MessageContext, understood: str, refusal: Refusal) -> Answer:
    """The answer for a Refusal that a command raised."""
    match refusal:
        case MatchIsOver():
            return over(context, understood)
        case NoLongerOpen():
            return refused(
                context, understood, *refusal_texts(refusal), outcome=MessageOutcome.OVER
            )
        case MatchMovedOn():
            # If the match has ended, say that instead.
            return (
                stale(context, understood)
                if context.view().match.is_live
                else over(context, understood)
            )
        case TooLate():
            return _late(context, understood, refusal)
        case Silenced():
            words = map(with_short_words, refusal_texts(refusal))
            return refused(context, understood, *words)
    return refused(context, understood, *refusal_texts(refusal))


def stale(context: MessageContext, understood: str) -> Answer:
    """The answer if the match has moved on since the e-mail that was answered."""
    words = _(
        "The match has moved on since the e-mail you replied to. This e-mail shows the "
        "current board."
    )
    return refused(context, understood, words, outcome=MessageOutcome.STALE)


def other_offer(context: MessageContext, understood: str) -> Answer:
    """The answer if only offers are open that the answered e-mail did not show."""
    view = context.view()
    standing = shown_offers.open_to(view.match, view.seat)
    opponent = {"opponent": view.opponent and view.opponent.user}
    words = [_("The e-mail you replied to did not show the offer that is open now.")]
    if standing.draw:
        words.append(_("%(opponent)s offers you a draw.") % opponent)
    if standing.pause:
        words.append(_("%(opponent)s offers you a pause.") % opponent)
    words.append(_("To answer the offer, please reply to this e-mail."))
    return refused(context, understood, *words, outcome=MessageOutcome.STALE)


def question_closed(context: MessageContext, understood: str) -> Answer:
    """The answer to a late confirmation: the question has been answered with "no"."""
    words = _(
        "You have already answered “no” to this question. If you want it after all, send the "
        "first command again."
    )
    return refused(context, understood, words)


def over(context: MessageContext, understood: str) -> Answer:
    """The answer if the match has ended."""
    view = context.view()
    lines = _not_done(understood), with_short_words(narration.ending(view))
    return Answer(MessageOutcome.OVER, lines, view.match.pk)


def with_overtaken(context: MessageContext, answer: Answer) -> Answer:
    """The answer to what plays a turn; `overtaken` if it arrived before the deadline it missed."""
    view = context.view()
    match = view.match
    if match.finished_at is None or not _was_in_time(context, view):
        return answer
    times = {"arrived": with_zone(context.arrived), "ended": with_zone(match.finished_at)}
    more = (
        _("Your message arrived at %(arrived)s; the clock ended the match at %(ended)s.") % times,
        _("The administrators have been notified and can reopen the match."),
    )
    return replace(answer, lines=(*answer.lines, *more), overtaken=True)


def _was_in_time(context: MessageContext, view: MatchView) -> bool:
    """Whether the player lost on time although the message had arrived before the deadline."""
    if not view.match.ended_by_time or view.me is None or view.me.missed_deadline is None:
        return False
    return not time_controls.is_late(context.arrived, view.me.missed_deadline)


def _late(context: MessageContext, understood: str, refusal: Refusal) -> Answer:
    me = context.view().me
    words = refusal_texts(refusal)
    if me is not None and me.deadline is not None:
        times = {"arrived": with_zone(context.arrived), "due": with_zone(me.deadline)}
        words.append(_("It arrived at %(arrived)s; the time was up at %(due)s.") % times)
    return refused(context, understood, *words, outcome=MessageOutcome.LATE)
