"""Corrections by staff: take results out of the ratings and put them back, compute again.

Each only marks what is to be computed again; a task does so within a minute.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts.admin_actions import Declined
from games.idempotency.replay import command_transaction
from games.ratings.models import Unit
from games.ratings.numbering import replay_from


def take_out(unit_id: int, reason: str) -> None:
    """Take a rated result out of the ratings; both players read the reason. Raises Declined."""
    _set(unit_id, reason, taken_out=True)


def put_back(unit_id: int, reason: str) -> None:
    """Put it back, so that the rules decide again whether it counts. Raises Declined."""
    _set(unit_id, reason, taken_out=False)


def compute_again(family: str) -> None:
    """Have all ratings of a game computed again from the first result."""
    with command_transaction():
        replay_from(family, 1)


def _set(unit_id: int, reason: str, *, taken_out: bool) -> None:
    with command_transaction():
        known = Unit.objects.filter(pk=unit_id).values_list("family", "number").first()
        if known is None:
            raise Declined(_("the match goes on, so it is no result any more."))
        # The family's row is locked first, as a replay locks it.
        replay_from(*known)
        changed = Unit.objects.filter(pk=unit_id, taken_out=not taken_out)
        if not changed.update(taken_out=taken_out, taken_out_reason=reason):
            raise Declined(
                _("it is out of the ratings already.")
                if taken_out
                else _("nobody has taken it out of the ratings.")
            )
