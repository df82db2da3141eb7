"""Onboarding: the first-steps card on a new user's front page, and the hints beside the board.

The card is shown from sign-up until it is dismissed or all steps are done. It costs one query, and
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

    learnt: bool  # all lessons of one game
    set_up: bool  # an army, in a match or in the library
    matched: bool  # with any opponent

    @property
    def are_done(self) -> bool:
        return all(self)


def steps_done(user: User) -> FirstSteps:
    """Which steps the user has done."""
    seats = Player.objects.filter(user=OuterRef("pk"))
    has_set_up = Q(match__opening__isnull=False) | Q(live=True, to_act=False)
    saved = SavedSetup.objects.filter(user=OuterRef("pk"))
    row = User.objects.filter(pk=user.pk).values_list(
        Exists(saved), Exists(seats.filter(has_set_up)), Exists(seats)
    )
    saved_setup, placed, matched = row.get()
    learnt = progress.has_learnt_one(user, registry.games)
    return FirstSteps(learnt, saved_setup or placed, matched)


def end_guidance(user: User) -> None:
    """Stop showing hints beside the board."""
    User.objects.filter(pk=user.pk).update(guided=False)


def dismiss_card(user: User) -> None:
    """Stop showing the card."""
    User.objects.filter(pk=user.pk).update(first_steps=False)
    user.first_steps = False
