"""Handlers: resign and abort, which have to be confirmed; yes and no; draw and pause offers."""

from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.actions.turns import submitted_setups
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies import reply_addresses, shown_offers
from games.notifications.email.replies.answer_words import quoted
from games.notifications.models import Asks
from games.play.commands import courtesies, endings
from games.play.record.match_view import MatchView
from games.play.refusals import DrawAlreadyOffered
from games.play.words import sets
from games.play.words.wording import refusal_texts
from games.rules.core.basics.refusals import Refusal


def resign(context: MessageContext, command: Command) -> Answer:
    """Ask for confirmation, or resign if the e-mail asked for it. Before the first move, abort."""
    view = context.view()
    if not view.match.is_live:
        return refusal_answers.over(context, quoted("resign"))
    if context.asks == Asks.RESIGN:
        return _resign(context, view, quoted(command.verb.value))
    if _is_unplayed(view):
        return _ask_to_abort(view)
    words = _(
        "Resign match %(number)s? %(opponent)s would win. Reply “yes” to confirm; nothing "
        "has been done yet."
    )
    return Answer(
        MessageOutcome.ASKED,
        (words % _match_values(view),),
        view.match.pk,
        board="",
        asks=Asks.RESIGN,
    )


def abort(context: MessageContext, command: Command) -> Answer:
    """Ask for confirmation, or abort the match before its first move if the e-mail asked for it."""
    view = context.view()
    if not view.match.is_live:
        return refusal_answers.over(context, quoted("abort"))
    if context.asks == Asks.ABORT:
        return _abort(context, view, quoted(command.verb.value))
    if not _is_unplayed(view):
        words = _(
            "A match can only be aborted before the first move; you can still reply “resign”."
        )
        return refusal_answers.refused(context, quoted("abort"), words)
    return _ask_to_abort(view)


def answer_yes(context: MessageContext, command: Command) -> Answer:
    """Yes to the question of the e-mail; without one, accept the offer that it shows."""
    match context.asks:
        case Asks.RESIGN:
            return resign(context, command)
        case Asks.ABORT:
            return abort(context, command)
        case Asks.SETUP:
            return submitted_setups.keep(context, command)
        case Asks.CLOSED:
            return refusal_answers.question_closed(context, quoted("yes"))
    if any(context.shown_offers):
        return accept(context, command)
    words = _("The e-mail you replied to did not ask for a “yes”.")
    return refusal_answers.refused(context, quoted("yes"), words)


def answer_no(context: MessageContext, command: Command) -> Answer:
    """No to the question of the e-mail, which closes it; without one, decline the offer."""
    if context.asks == Asks.NOTHING or context.address_id is None:
        return decline(context, command)
    is_repeated = context.asks == Asks.CLOSED
    reply_addresses.close_question(context.address_id)
    outcome = MessageOutcome.REPEATED if is_repeated else MessageOutcome.DECLINED
    return Answer(outcome, (_("Understood: nothing was done."),), context.match_id)


def offer_draw(context: MessageContext, command: Command) -> Answer:
    """Offer a draw, or accept the opponent's offer."""
    assert context.match_id is not None  # noqa: S101 - a command about a match
    try:
        endings.offer_draw(context.match_id, context.user)
    except DrawAlreadyOffered as refusal:
        return Answer(MessageOutcome.REPEATED, tuple(refusal_texts(refusal)), context.match_id)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("draw?"), refusal)
    if not context.view().match.is_live:
        return Answer(
            MessageOutcome.ACCEPTED,
            (_("You both offered a draw, so the match is drawn."),),
            context.match_id,
        )
    words = _("Draw offered. The offer is valid until your next turn.")
    return Answer(MessageOutcome.OFFERED, (words,), context.match_id)


def accept(context: MessageContext, command: Command) -> Answer:
    """Accept the draw or the pause that the e-mail showed, if it is still open."""
    view, written = context.view(), quoted(command.verb.value)
    if view.match.is_live and not view.match.is_at(context.ply):
        return refusal_answers.stale(context, written)
    standing = shown_offers.open_to(view.match, view.seat)
    meant = standing.common(context.shown_offers)
    if all(meant):
        words = _("Both a draw and a pause have been offered; please answer on the site.")
        return refusal_answers.refused(context, written, words)
    if any(standing) and not any(meant):
        return refusal_answers.other_offer(context, written)
    try:
        if meant.pause:
            courtesies.accept_pause(view.match.pk, context.user)
            return Answer(MessageOutcome.ACCEPTED, (_("Pause accepted."),), view.match.pk)
        endings.accept_draw(view.match.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, written, refusal)
    return Answer(
        MessageOutcome.ACCEPTED, (_("Draw accepted: the match is a draw."),), view.match.pk
    )


def decline(context: MessageContext, command: Command) -> Answer:
    """Decline the draw or the pause that the e-mail showed, or both, if still open."""
    view, written = context.view(), quoted(command.verb.value)
    if not view.match.is_live:
        return refusal_answers.over(context, written)
    if not view.match.is_at(context.ply):
        return refusal_answers.stale(context, written)
    standing = shown_offers.open_to(view.match, view.seat)
    meant = standing.common(context.shown_offers)
    if any(standing) and not any(meant):
        return refusal_answers.other_offer(context, written)
    try:
        if meant.pause:
            courtesies.decline_pause(view.match.pk, context.user)
        if meant.draw or not meant.pause:
            endings.decline_draw(view.match.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, written, refusal)
    return Answer(
        MessageOutcome.DECLINED, (_("You declined your opponent's offer."),), view.match.pk
    )


def _resign(context: MessageContext, view: MatchView, written: str) -> Answer:
    if not view.match.is_at(context.ply):
        return refusal_answers.stale(context, written)
    try:
        endings.resign(view.match.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, written, refusal)
    words = _("You have resigned match %(number)s: %(opponent)s wins.")
    return Answer(MessageOutcome.RESIGNED, (words % _match_values(view),), view.match.pk)


def _abort(context: MessageContext, view: MatchView, written: str) -> Answer:
    if not view.match.is_at(context.ply):
        return refusal_answers.stale(context, written)
    try:
        endings.abort(view.match.pk, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, written, refusal)
    words = _("Match %(number)s against %(opponent)s is aborted, without a result.")
    return Answer(MessageOutcome.RESIGNED, (words % _match_values(view),), view.match.pk)


def _ask_to_abort(view: MatchView) -> Answer:
    words = _(
        "Abort match %(number)s against %(opponent)s? No move has been played yet, so it "
        "would end without a result. Reply “yes” to confirm; nothing has been done yet."
    )
    lines = (words % _match_values(view), sets.abort_warning(view.match))
    return Answer(
        MessageOutcome.ASKED,
        tuple(filter(None, lines)),
        view.match.pk,
        board="",
        asks=Asks.ABORT,
    )


def _is_unplayed(view: MatchView) -> bool:
    return view.match.unplayed


def _match_values(view: MatchView) -> dict[str, object]:
    return {"number": view.match.pk, "opponent": view.opponent and view.opponent.user}
