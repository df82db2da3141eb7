"""Looks: two members of staff agree to open both armies of a running match, for one of them.

The agreement appends a ply of its own to the record, so that the players, the chain and every
bundle know of it. Only the admin may import this module.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q

from accounts.models import User as Account
from games.idempotency.replay import command_transaction
from games.play import refusals
from games.play.models.kind import PlyKind
from games.play.models.look import Look
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import hash_chain, match_store, match_view
from games.play.record.match_view import MatchView
from games.play.refusals import NotNow
from games.rules.core.basics.refusals import Refusal, gettext_noop
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.proof.chain import look_extra
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User

PERMISSION = "play.break_seal"


class MayNotLook(Refusal):
    """Somebody may not ask for a look, agree to it, or see the position."""


def ask(match_id: int, user: User, reason: str) -> Look:
    """Ask to see both armies of a running match, for a reason that both players will read.

    Raises Match.DoesNotExist, MayNotLook, or NotNow if the match has nothing to see.
    """
    match = Match.objects.get(pk=match_id)
    _check(match, user)
    return Look.objects.create(match=match, asker=user, reason=reason, asked_at=now())


def agree(look_id: int, user: User) -> int:
    """Agree to somebody else's request; appends the look to the record and returns its ply.

    Raises Look.DoesNotExist, MayNotLook, NotNow, or MatchMovedOn.
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        look = Look.objects.select_related("asker").get(pk=look_id)
        state = match_store.load_match(look.match_id)
        if user.pk == look.asker_id:
            raise MayNotLook(gettext_noop("You asked for it, so somebody else has to agree."))
        _check(state.match, user)
        _check(state.match, look.asker)
        if not look.waits(state.at):
            raise NotNow(
                gettext_noop(
                    "It can no longer be agreed to: somebody has agreed already, or 24 hours have "
                    "passed. Ask for it again."
                )
            )
        extra = look_extra(look.asker.username, user.username, look.reason)
        with command_transaction():
            number = match_store.append_ply(state, PlyKind.LOOK, None, extra=extra)
            if number is None:
                continue
            agreed = {"agreed_by": user, "agreed_at": state.at, "ply": number}
            if Look.objects.filter(pk=look.pk, agreed_at=None).update(**agreed):
                return number
            raise refusals.MatchMovedOn
    raise refusals.MatchMovedOn


def position(look_id: int, user: User) -> tuple[Look, MatchView]:
    """The request, and both armies at the ply of its agreement, for an hour, for the asker.

    Raises Look.DoesNotExist, MayNotLook, or NotNow if the position cannot be read.
    """
    look = Look.objects.select_related("match", "agreed_by").get(pk=look_id)
    if user.pk != look.asker_id:
        raise MayNotLook(gettext_noop("Only who asked for it can see the position."))
    _check_person(look.match, user)
    if look.ply is None:
        raise MayNotLook(gettext_noop("Nobody has agreed yet."))
    if not look.is_open(now()):
        raise MayNotLook(gettext_noop("The hour for which it was open is over."))
    try:
        view = match_view.view_match(look.match_id, None, ply=look.ply)
        plies = Ply.objects.filter(match=look.match_id, number=look.ply)
        sealed = plies.values_list("sealed", flat=True).get()
        opened = match_store.unseal_ply(look.match_id, look.ply, sealed).read(view.rules)
    except match_store.UNREADABLE:
        raise NotNow(
            gettext_noop(
                "The position cannot be read: the record of the match was damaged or changed, or a "
                "key of this service is missing."
            )
        ) from None
    seen = observe(view.rules, opened, Viewpoint.OPEN)
    return look, replace(view, observation=seen, viewpoint=Viewpoint.OPEN)


def _check(match: Match, user: User) -> None:
    """Refuse a match without anything to see, or a member of staff who may not see it."""
    _check_person(match, user)
    if not match.is_live:
        raise NotNow(gettext_noop("The match is over, so there is nothing to look at."))
    if not match.rules.hidden:
        raise NotNow(gettext_noop("Nothing is hidden in this game, so there is nothing to open."))
    if match.chain != hash_chain.WITH_PROOFS:
        raise NotNow(
            gettext_noop(
                "The match began before there were proofs, so a look would leave no trace in it."
            )
        )


def _check_person(match: Match, user: User) -> None:
    if not (user.is_active and user.is_staff and user.has_perm(PERMISSION)):
        raise MayNotLook(gettext_noop("This needs the permission to break the seal."))
    own = set(Account.objects.filter(Q(pk=user.pk) | Q(owner=user)).values_list("pk", flat=True))
    seats = Player.objects.filter(match=match).values_list("user", "user__owner")
    seated = {pk for seat in seats for pk in seat if pk is not None}
    if own & seated:
        raise MayNotLook(gettext_noop("Players of the match may not look into it."))
    own_matches = Player.objects.filter(user__in=own, live=True).values("match")
    others = Q(user__in=seated) | Q(user__owner__in=seated)
    if Player.objects.filter(others, match__in=own_matches).exists():
        raise MayNotLook(
            gettext_noop("Opponents of its players in other matches may not look into this one.")
        )
