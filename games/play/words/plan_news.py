"""What a match page and the e-mail about a turn say of the reader's own plan, in sentences."""

from collections.abc import Callable
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.record import own_plan
from games.play.record.match_view import MatchView
from games.play.record.own_plan import News, OwnPlan
from games.play.words.times import clock_time, with_zone
from games.rules.core.text.notation import read_annotated
from lib.sentences import without_blanks

SENTENCES = {
    News.HELD_BY_OFFER: gettext_noop(
        "An offer holds your plan. If you decline it, the plan answers; a move by hand ends the "
        "plan."
    ),
    News.HELD_BY_PAUSE: gettext_noop(
        "The pause holds your plan until it is over; a move by hand ends the plan."
    ),
    News.NO_LINE: gettext_noop("No line of your plan fits this turn, so the plan was dropped."),
    News.NOT_LEGAL: gettext_noop(
        "What your plan answers to this turn is not possible here, so the plan was dropped."
    ),
    News.FAILED: gettext_noop(
        "Your plan could not answer because of a fault of this service. Please move by hand."
    ),
    News.ENDED: gettext_noop("Your plan has played its last answer, and has ended."),
}


def sentence(plan: OwnPlan, now: datetime) -> str:
    """What the reader has to know of their plan; times are in their time zone."""
    return _sentence(plan, lambda at: clock_time(at, now))


def sentence_by_email(plan: OwnPlan, stop: str) -> str:
    """As `sentence`, with the time zone; `stop`: the reply that stops an answer, or ""."""
    text = _sentence(plan, with_zone)
    if plan.news is not News.WAITS or not stop:
        return text
    ends = _("To stop it, reply %(stop)s; a move by hand ends the plan, too.") % {"stop": stop}
    return without_blanks(f"{text} {ends}")


def _sentence(plan: OwnPlan, written: Callable[[datetime], str]) -> str:
    if plan.news is not News.WAITS or plan.row.counts_at is None:
        return _(SENTENCES[plan.news])
    values = {"move": plan.answer, "time": written(plan.row.counts_at)}
    return _("Your plan answers %(move)s at about %(time)s.") % values


def just_played(view: MatchView, ply: int) -> str:
    """The sentence for a reader who moves at a ply that their plan has answered; "" for others."""
    played = own_plan.answer_to(view, ply)
    if played is None:
        return ""
    move = read_annotated(view.rules, played.text).text
    return _("Your plan has just played %(move)s.") % {"move": move}
