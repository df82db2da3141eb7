"""Endings by mail: resigning and aborting are asked back; draws are offered, accepted, declined."""

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.actions import setups
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.models import Asks
from games.play.commands import courtesies, endings
from games.play.record.match_view import MatchView
from games.play.refusals import DrawAlreadyOffered
from games.play.words.wording import refusal_texts
from games.rules.core.basics.refusals import Refusal


def resign(case: Case, command: Command) -> Answer:
    """Ask whether the player resigns; do it if that was asked. Before the first move, abort."""
    view = case.view()
    if not view.match.is_live:
        return refusing.over(case, "resign")
    if case.asks == Asks.RESIGN:
        return _resign(case, view)
    if _unplayed(view):
        return _ask_to_abort(case, view)
    words = _(
        "Resign match %(number)s? %(opponent)s would win. Reply “yes” to confirm; nothing has "
        "been done yet."
    )
    return Answer(
        MessageOutcome.ASKED, (words % _named(view),), view.match.pk, board="", asks=Asks.RESIGN
    )


def abort(case: Case, command: Command) -> Answer:
    """Ask whether the player aborts a match before its first move; do it if that was asked."""
    view = case.view()
    if not view.match.is_live:
        return refusing.over(case, "abort")
    if case.asks == Asks.ABORT:
        return _abort(case, view)
    if not _unplayed(view):
        words = _(
            "A match can only be aborted before the first move; you can still reply “resign”."
        )
        return refusing.refused(case, "abort", words)
    return _ask_to_abort(case, view)


def agree(case: Case, command: Command) -> Answer:
    """A "yes" to what the e-mail asked."""
    match case.asks:
        case Asks.RESIGN:
            return resign(case, command)
        case Asks.ABORT:
            return abort(case, command)
        case Asks.SETUP:
            return setups.keep(case, command)
    words = _("The e-mail you replied to did not ask for a “yes”.")
    return refusing.refused(case, "yes", words)


def disagree(case: Case, command: Command) -> Answer:
    """A "no" to what the e-mail asked."""
    if case.asks == Asks.NOTHING:
        return decline(case, command)
    return Answer(MessageOutcome.DECLINED, (_("Understood: nothing was done."),), case.match_id)


def offer_draw(case: Case, command: Command) -> Answer:
    """Offer a draw; accept the one that the opponent has offered."""
    assert case.match_id is not None  # noqa: S101 - asked about a match
    try:
        endings.offer_draw(case.match_id, case.user)
    except DrawAlreadyOffered as standing:
        return Answer(MessageOutcome.REPEATED, tuple(refusal_texts(standing)), case.match_id)
    except Refusal as refusal:
        return refusing.of(case, "draw?", refusal)
    if not case.view().match.is_live:
        return Answer(
            MessageOutcome.ACCEPTED,
            (_("You both offered a draw, so the match is drawn."),),
            case.match_id,
        )
    words = _("Draw offered. The offer is valid until your next turn.")
    return Answer(MessageOutcome.OFFERED, (words,), case.match_id)


def accept(case: Case, command: Command) -> Answer:
    """Accept the draw or the pause that the e-mail's ply had on offer."""
    view = case.view()
    if view.match.is_live and case.ply != view.number:
        return refusing.stale(case, "accept")
    try:
        if view.opponent is not None and view.match.pause_offer == view.opponent.seat:
            if view.match.draw_offer == view.opponent.seat:
                words = _("Both a draw and a pause have been offered; please answer on the site.")
                return refusing.refused(case, "accept", words)
            courtesies.accept_pause(view.match.pk, case.user)
            return Answer(MessageOutcome.ACCEPTED, (_("Pause accepted."),), view.match.pk)
        endings.accept_draw(view.match.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "accept", refusal)
    return Answer(
        MessageOutcome.ACCEPTED, (_("Draw accepted: the match is a draw."),), view.match.pk
    )


def decline(case: Case, command: Command) -> Answer:
    """Decline the draw or the pause that is on offer."""
    view = case.view()
    if not view.match.is_live:
        return refusing.over(case, "decline")
    if case.ply != view.number:
        return refusing.stale(case, "decline")
    offered = view.opponent is not None and view.match.pause_offer == view.opponent.seat
    try:
        if offered:
            courtesies.decline_pause(view.match.pk, case.user)
        if not offered or (view.opponent and view.match.draw_offer == view.opponent.seat):
            endings.decline_draw(view.match.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "decline", refusal)
    return Answer(
        MessageOutcome.DECLINED, (_("You declined your opponent's offer."),), view.match.pk
    )


def _resign(case: Case, view: MatchView) -> Answer:
    if case.ply != view.number:
        return refusing.stale(case, "resign")
    try:
        endings.resign(view.match.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "resign", refusal)
    words = _("You have resigned match %(number)s: %(opponent)s wins.")
    return Answer(MessageOutcome.RESIGNED, (words % _named(view),), view.match.pk)


def _abort(case: Case, view: MatchView) -> Answer:
    if case.ply != view.number:
        return refusing.stale(case, "abort")
    try:
        endings.abort(view.match.pk, case.user)
    except Refusal as refusal:
        return refusing.of(case, "abort", refusal)
    words = _("Match %(number)s against %(opponent)s is aborted, without a result.")
    return Answer(MessageOutcome.RESIGNED, (words % _named(view),), view.match.pk)


def _ask_to_abort(case: Case, view: MatchView) -> Answer:
    words = _(
        "Abort match %(number)s against %(opponent)s? No move has been played yet, so it would "
        "end without a result. Reply “yes” to confirm; nothing has been done yet."
    )
    return Answer(
        MessageOutcome.ASKED, (words % _named(view),), view.match.pk, board="", asks=Asks.ABORT
    )


def _unplayed(view: MatchView) -> bool:
    return view.match.opening is None or view.match.ply == view.match.opening


def _named(view: MatchView) -> dict[str, object]:
    return {"number": view.match.pk, "opponent": view.opponent and view.opponent.user}
