"""Pairings: matches of two player processes in one edition, with sides changed each time."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.bots.arena.match import Played, Referee
from games.bots.arena.player_process import NoAnswer, PlayerProcess
from games.bots.arena.tally import Tally
from games.bots.levels import LEVELS
from games.protocol.writing import hear_line
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import BoardTermination
from games.rules.registry import ruleset

REPLAY_HASH_SEED = 4_711  # PYTHONHASHSEED of the process to which a match is replayed
WALL_SECONDS = 60.0  # after which an answer counts as missing

Command = Sequence[str]


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """How matches are played.

    They are broken off after `plies`, None for never. `replay` sends each match to fresh processes
    as well, from its beginning and from its middle, which must answer alike.
    """

    seed: int = 1
    wall_seconds: float = WALL_SECONDS
    plies: int | None = None
    replay: bool = False


def command_of(player: str) -> list[str]:
    """The command for a level's name; anything else is a command itself."""
    if player in LEVELS:
        return [sys.executable, "-m", "games.bots", "play", "--level", player]
    return shlex.split(player)


def matches(key: str, one: str, other: str, games: int, options: MatchOptions) -> Iterator[Tally]:
    """Play matches in one edition; yields the first player's tally after each."""
    commands = command_of(one), command_of(other)
    tally = Tally()
    for number in range(games):
        _play_match(key, commands, number, options, tally)
        yield tally


def tally_of(key: str, one: str, other: str, games: int, options: MatchOptions) -> Tally:
    """The first player's tally after all matches in one edition."""
    tally = Tally()
    for after in matches(key, one, other, games, options):
        tally = after
    return tally


def _play_match(
    key: str, commands: tuple[Command, Command], number: int, options: MatchOptions, tally: Tally
) -> None:
    """Play one match.

    The first player sits South in every other match; both matches of a pair have the same seeds.
    """
    seat = Seat(number % 2)
    seed = options.seed + number // 2
    by_seat = commands if seat is Seat.SOUTH else (commands[1], commands[0])
    seeds = [seed * 2 + (index ^ seat) for index in range(2)]
    south, north = (PlayerProcess(by_seat[side], key, seeds[side]) for side in Seat)
    players = (south, north)
    try:
        played = Referee(ruleset(key), players, options.wall_seconds).play(seed, options.plies)
        _count(tally, played, seat, players)
    finally:
        for player in players:
            player.close()
    if options.replay:
        tally.differing_replays += sum(
            not _replay_agrees(by_seat[side], key, seeds[side], played, side, options.wall_seconds)
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


def _replay_agrees(
    command: Command, key: str, seed: int, played: Played, side: Seat, wall_seconds: float
) -> bool:
    """Whether fresh processes with another hash seed give the same answers.

    One answers all lines; another hears the first half and answers the others.
    """
    turns = list(zip(played.lines[side], played.answers[side], strict=True))
    return all(
        _answers_again(PlayerProcess(command, key, seed, REPLAY_HASH_SEED), turns, *part)
        for part in ((0, wall_seconds), (len(turns) // 2, wall_seconds))
    )


def _answers_again(
    process: PlayerProcess,
    turns: Sequence[tuple[dict[str, Any], str]],
    heard: int,
    wall_seconds: float,
) -> bool:
    """Whether a process answers as before after it has heard some turns; closes the process."""
    try:
        for line, answer in turns[:heard]:
            if line["ask"] == "move":
                process.tell(hear_line(line, answer))
        return all(process.ask(line, wall_seconds) == answer for line, answer in turns[heard:])
    except NoAnswer:
        return False
    finally:
        process.close()
