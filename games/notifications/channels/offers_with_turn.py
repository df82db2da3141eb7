"""Offers and the turn that comes with them: a push or webhook message reports both."""

from django.db.models import Q
from django.utils.translation import gettext as _

from games.notifications import catalogue
from games.notifications.policy.relevance import View, supersede_unless
from games.outbox import publishing
from games.outbox.models import PENDING, Dispatch, Reason
from games.play.events import DrawOffered, PauseOffered, TurnCame
from games.play.record.match_view import MatchView

OFFERS = (DrawOffered.name, PauseOffered.name)
ADDRESSES = ("device", "webhook")  # ids of the rows of these channels alone


def supersede_if_reported(dispatch: Dispatch, view: View) -> None:
    """Raise Superseded for an offer that the message about the turn to this address reports.

    That message waits to be sent, or was sent after the offer was made.
    """
    if dispatch.event not in OFFERS or not isinstance(view, MatchView) or not view.my_turn:
        return
    address = {name: dispatch.ref[name] for name in ADDRESSES if name in dispatch.ref}
    offer = {name: value for name, value in dispatch.ref.items() if name not in ADDRESSES}
    reader = dispatch.user_id
    made = publishing.rows_with(catalogue.NOTIFY, dispatch.event, reader, offer)
    offered_at = made.values_list("created_at", flat=True).first() or dispatch.created_at
    turn = {"match": view.match.pk, "ply": view.match.turn_ply, **address}
    turns = publishing.rows_with(dispatch.handler, TurnCame.name, reader, turn)
    is_reported = turns.filter(PENDING | Q(sent_at__gte=offered_at)).exists()
    supersede_unless(not is_reported, Reason.WITH_TURN)


def sentences(dispatch: Dispatch, view: View) -> list[str]:
    """Sentences about the open offers of the opponent, for a message about the turn."""
    if dispatch.event != TurnCame.name or not isinstance(view, MatchView) or not view.opponent:
        return []
    match, other = view.match, view.opponent
    sentences = []
    if match.draw_offer == other.seat:
        sentences.append(_("%(opponent)s offers you a draw.") % {"opponent": other.user})
    if match.pause_offer == other.seat:
        sentences.append(_("%(opponent)s offers you a pause.") % {"opponent": other.user})
    return sentences
