"""Matches of the demo: of random moves, the same every time."""

import random

from django.db import transaction

from accounts.models import User
from games.bots.levels import RECRUIT
from games.house.playing.new_match import play_the_house
from games.play.commands import matches, moves
from games.play.models.match import Match, Player, Status
from games.play.record import match_view
from games.play.setups import arrangement
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation


def open_match(south: User, north: User, preset: str, *, rated: bool = False) -> Match:
    terms = Terms(preset, rated=rated)
    return matches.open_match(terms, {Seat.SOUTH: south, Seat.NORTH: north})


def running(
    dice: random.Random, south: User, north: User, preset: str, plies: int, temper: float = 0.4
) -> None:
    """Play a match of this many plies that is still running; replay it if it ended earlier."""
    while True:
        before = transaction.savepoint()
        match = play(dice, south, north, preset, plies, temper)
        if Match.objects.get(pk=match.pk).is_live:
            return
        transaction.savepoint_rollback(before)


def against_the_house(dice: random.Random, user: User) -> None:
    """Open a match in which the house is to move; it does once its worker runs."""
    match = play_the_house(user, preset="lattaque-en", level=RECRUIT.name, seat=Seat.SOUTH)
    moves.submit_move(match.pk, user, army(dice, match, user, Seat.SOUTH), None)
    view = match_view.view_match(match.pk, user)
    legal = [notation.write_move(match.rules, move) for move in view.observation.moves]
    moves.submit_move(match.pk, user, dice.choice(legal), view.number)


def army(dice: random.Random, match: Match, user: User, seat: Seat) -> str:
    """The text of a random set-up; in domino, with the tiles that the match has dealt."""
    rules = match.rules
    if arrangement.is_dealt(rules):
        return arrangement.to_text(rules, seat, moves.random_setup(match.pk, user))
    return notation.write_move(rules, rules.random_setup(seat, dice, rules.start(dice)))


def play(
    dice: random.Random,
    south: User,
    north: User,
    preset: str,
    plies: int,
    temper: float = 0.4,
    *,
    rated: bool = False,
) -> Match:
    """Play a match of random plies; `temper` is the probability of choosing a battle if any."""
    match = open_match(south, north, preset, rated=rated)
    set_up_and_move(dice, match, south, north, plies, temper)
    return match


def set_up_and_move(
    dice: random.Random, match: Match, south: User, north: User, plies: int, temper: float = 0.4
) -> None:
    """Set up both armies of a match and play random plies, see `play`."""
    for user, seat in ((south, Seat.SOUTH), (north, Seat.NORTH)):
        # In Assaut, the soldiers have no set-up.
        if Player.objects.filter(match=match, user=user, to_act=True).exists():
            moves.submit_move(match.pk, user, army(dice, match, user, seat), None)
    for ply in range(plies):
        view = match_view.view_match(match.pk, (south, north)[ply % 2])
        if view.match.status != Status.RUNNING:
            break
        legal = [notation.write_move(match.rules, move) for move in view.observation.moves]
        battles = [move for move in legal if "x" in move]
        chosen = dice.choice(battles if battles and dice.random() < temper else legal)
        moves.submit_move(match.pk, (south, north)[ply % 2], chosen, view.number)
