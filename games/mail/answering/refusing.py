"""Refusals as answers: which word a refusal has in a receipt, and what stands behind it."""

from django.utils.translation import gettext as _

from games.lobby.refusals import NoLongerOpen
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.notifications.policy.summaries import instant
from games.play.record.match_view import MatchView
from games.play.refusals import MatchIsOver, MatchMovedOn, TooLate
from games.play.words import narration
from games.play.words.wording import refusal_texts
from games.rules.core.basics.refusals import Refusal


def refused(
    case: Case, understood: str, *reasons: str, outcome: MessageOutcome = MessageOutcome.REFUSED
) -> Answer:
    """What was understood, and why it was not done."""
    return Answer(outcome, (not_done(understood), *reasons), case.match_id, case.invitation_id)


def not_done(understood: str) -> str:
    return _("Not done: %(what)s.") % {"what": understood}


def of(case: Case, understood: str, refusal: Refusal) -> Answer:
    """The answer to a command that was refused."""
    match refusal:
        case MatchIsOver():
            return over(case, understood)
        case NoLongerOpen():
            return refused(case, understood, *refusal_texts(refusal), outcome=MessageOutcome.OVER)
        case MatchMovedOn():
            # Where it has ended since, that is the news.
            return stale(case, understood) if case.view().match.is_live else over(case, understood)
        case TooLate():
            return _late(case, understood, refusal)
    return refused(case, understood, *refusal_texts(refusal))


def stale(case: Case, understood: str) -> Answer:
    """The match has moved on since the e-mail that was answered."""
    words = _(
        "The match has moved on since the e-mail you replied to. This e-mail shows the current "
        "board."
    )
    return refused(case, understood, words, outcome=MessageOutcome.STALE)


def over(case: Case, understood: str) -> Answer:
    """The match has ended; `overtaken` if the message arrived before the clock ended it."""
    view = case.view()
    match, lines = view.match, [not_done(understood), narration.ending(view)]
    overtaken = _was_overtaken(case, view)
    if overtaken and match.finished_at:
        facts = {"arrived": instant(case.arrived), "ended": instant(match.finished_at)}
        lines += [
            _("Your message arrived at %(arrived)s; the match ended on time at %(ended)s.") % facts,
            _("The administrators have been notified and can reopen the match."),
        ]
    return Answer(MessageOutcome.OVER, tuple(lines), match.pk, overtaken=overtaken)


def _was_overtaken(case: Case, view: MatchView) -> bool:
    """Whether the clock ended the match against whoever had sent this before."""
    match = view.match
    if not match.ended_by_time or match.finished_at is None or case.arrived >= match.finished_at:
        return False
    won = view.seat is not None and match.result == view.rules.seat_letters[view.seat]
    return not won


def _late(case: Case, understood: str, refusal: Refusal) -> Answer:
    me = case.view().me
    words = refusal_texts(refusal)
    if me is not None and me.deadline is not None:
        facts = {"arrived": instant(case.arrived), "due": instant(me.deadline)}
        words.append(_("It arrived at %(arrived)s; the time was up at %(due)s.") % facts)
    return refused(case, understood, *words, outcome=MessageOutcome.LATE)
