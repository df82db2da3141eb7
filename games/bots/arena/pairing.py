"""Pairings: matches of two players in one edition, over pipes, with sides changed in turn."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.bots.arena.match import Played, Referee
from games.bots.arena.player_process import NoAnswer, PlayerProcess
from games.bots.arena.tally import Tally
from games.bots.levels import LEVELS
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import BoardTermination
from games.rules.registry import ruleset

OTHER_HASH_SEED = 4_711  # of the process to which a match is replayed
WALL_SECONDS = 60.0  # after which an answer is missing

Command = Sequence[str]


@dataclass(frozen=True, slots=True)
class Terms:
    """How matches are played: `plies` is where they are broken off, None is to their end."""

    seed: int = 1
    wall_seconds: float = WALL_SECONDS
    plies: int | None = None
    twin: bool = False


def command_of(player: str) -> list[str]:
    """The command of a level of this project, or the one that was given."""
    if player in LEVELS:
        return [sys.executable, "-m", "games.bots", "play", "--level", player]
    return shlex.split(player)


def matches(key: str, one: str, other: str, games: int, terms: Terms) -> Iterator[Tally]:
    """Play matches in one edition; gives the tally of the first player after each."""
    commands = command_of(one), command_of(other)
    tally = Tally()
    for number in range(games):
        _one_match(key, commands, number, terms, tally)
        yield tally


def tally_of(key: str, one: str, other: str, games: int, terms: Terms) -> Tally:
    """The tally of matches in one edition, when all are played."""
    tally = Tally()
    for after in matches(key, one, other, games, terms):
        tally = after
    return tally


def _one_match(
    key: str, commands: tuple[Command, Command], number: int, terms: Terms, tally: Tally
) -> None:
    """Play one match; the first player sits South in every other one, with the same seeds."""
    seat = Seat(number % 2)
    seed = terms.seed + number // 2
    seated = commands if seat is Seat.SOUTH else (commands[1], commands[0])
    seeds = [seed * 2 + (index ^ seat) for index in range(2)]
    south, north = (PlayerProcess(seated[side], key, seeds[side]) for side in Seat)
    players = (south, north)
    try:
        played = Referee(ruleset(key), players, terms.wall_seconds).play(seed, terms.plies)
        _count(tally, played, seat, players)
    finally:
        for player in players:
            player.close()
    if terms.twin:
        tally.untwinned += sum(
            not _twin_agrees(seated[side], key, seeds[side], played, side, terms.wall_seconds)
            for side in Seat
        )


def _count(
    tally: Tally, played: Played, seat: Seat, players: tuple[PlayerProcess, PlayerProcess]
) -> None:
    points = 0.5 if played.winner is None else float(played.winner is seat)
    tally.games += 1
    tally.points += points
    tally.by_seat[seat] += points
    tally.games_by_seat[seat] += 1
    tally.plies += played.plies
    tally.no_progress += played.reason == BoardTermination.NO_PROGRESS
    if played.forfeit:
        tally.forfeits.append(played.forfeit)
    for index, side in enumerate((seat, seat.other)):
        tally.seconds[index].extend(players[side].seconds[1:])
        tally.peak_kilobytes[index] = max(
            tally.peak_kilobytes[index], players[side].peak_kilobytes()
        )


def _twin_agrees(
    command: Command, key: str, seed: int, played: Played, side: Seat, wall_seconds: float
) -> bool:
    """Whether a fresh process with another order of hashes gives the same answers."""
    twin = PlayerProcess(command, key, seed, OTHER_HASH_SEED)
    try:
        for told, answer in zip(played.told[side], played.answers[side], strict=True):
            if twin.ask(told, wall_seconds) != answer:
                return False
    except NoAnswer:
        return False
    finally:
        twin.close()
    return True
