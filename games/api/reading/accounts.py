"""The asker's account, what waits for it, and the editions that can be played."""

from typing import Any

from django.utils.translation import gettext

from games.api.gate import limits
from games.api.gate.callers import READ, Request, TokenRequest
from games.api.interface import api
from games.api.schemas.accounts import Account, Limits, Token
from games.api.schemas.basics import kind_of, person
from games.api.schemas.invitations import invitation_of
from games.api.schemas.presets import Preset, Presets
from games.api.schemas.waiting import Turn, Waiting
from games.lobby.invitations import received
from games.play.lists import turns
from games.play.lists.waiting import count_waiting
from games.play.models.match import Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from lib.db_clock import now


@api.get("/account", auth=READ, response=Account)
def account(request: TokenRequest) -> Account:
    """The account of the token"""
    user, token = request.user, request.token
    return Account(
        name=user.username,
        kind=kind_of(user.username),
        owner=None if user.owner is None else user.owner.username,
        token=Token(name=token.name, scopes=token.scopes.split(), expires_at=token.expires_at),
        waiting=count_waiting(user),
        limits=Limits(read=limits.most("read"), write=limits.most("write")),
    )


@api.get("/waiting", auth=READ, response=Waiting)
def waiting(request: TokenRequest) -> Waiting:
    """What waits for the asker

    Poll this, with the header `If-None-Match`, every 15 seconds at most.
    """
    challenges = received.open_challenges(request.user.pk)
    at = now() if challenges else None
    return Waiting(
        matches=[_turn(each) for each in turns.turns(request.user.pk)],
        invitations=[invitation_of(each, at) for each in challenges if at],
    )


@api.get("/presets", auth=None, response=Presets)
def presets(request: Request) -> Presets:
    """The editions that can be played"""
    return Presets(presets=[_preset(rules) for rules in registry.editions()])


def _turn(turn: turns.Turn) -> Turn:
    seat = Seat(turn.seat)
    return Turn(
        match=turn.match,
        preset=turn.preset,
        seat=registry.ruleset(turn.preset).seat_letters[seat],
        ask="setup" if turn.status == Status.SETUP else "move",
        ply=turn.ply,
        opponent=person(turn.opponent),
        deadline=turn.deadline,
        draw_offered=turn.draw_offer == seat.other,
        pause_offered=turn.pause_offer == seat.other,
    )


def _preset(rules: Ruleset) -> Preset:
    letters: Any = rules.seat_letters
    return Preset(
        preset=rules.key,
        family=rules.family,
        title=gettext(rules.title),
        hidden=rules.hidden,
        files=rules.board.files,
        ranks=rules.board.ranks,
        seats=list(letters),
        sets_up=[letters[seat] for seat in rules.seats_setting_up],
        switches=dict(rules.options),
    )
