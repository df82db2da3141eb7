"""First steps: the card on a newcomer's front page, which ticks itself off.

It is there from sign-up until it is put away or every step has been ticked; it costs one query, and
none once it is gone.
"""

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.guide import progress
from games.play.models.match import Player
from games.play.models.setup import SavedSetup
from games.rules import registry


class FirstSteps(NamedTuple):
    """Which steps are done."""

    learnt: bool  # all lessons of some game
    set_up: bool  # an army, in a match or in the library
    matched: bool  # a match with anybody

    @property
    def are_done(self) -> bool:
        return all(self)


def first_steps(user: User) -> FirstSteps:
    """How far a newcomer is."""
    seats = Player.objects.filter(user=OuterRef("pk"))
    sent = Q(match__opening__isnull=False) | Q(live=True, to_act=False)
    saved = SavedSetup.objects.filter(user=OuterRef("pk"))
    row = User.objects.filter(pk=user.pk).values_list(
        Exists(saved), Exists(seats.filter(sent)), Exists(seats)
    )
    kept, placed, matched = row.get()
    return FirstSteps(progress.has_learnt_one(user, registry.games), kept or placed, matched)


def end_guidance(user: User) -> None:
    """Show no more hints beside the board."""
    User.objects.filter(pk=user.pk).update(guided=False)


def put_away(user: User) -> None:
    """Show the card no more."""
    User.objects.filter(pk=user.pk).update(first_steps=False)
    user.first_steps = False
