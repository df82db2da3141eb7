"""Arena: plays pairs of matches with sides swapped, and prints shares as they come."""

import argparse
import shlex
import sys
from collections.abc import Sequence

from games.bots.arena.match import Played, Referee
from games.bots.arena.process import NoAnswer, PlayerProcess
from games.bots.arena.shares import Tally
from games.bots.levels import LEVELS
from games.rules.core.pieces import Seat
from games.rules.core.termination import BoardTermination
from games.rules.registry import presets, ruleset, systems

OTHER_HASH_SEED = 4_711  # of the process to which a match is replayed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("one", help="a level, or a command that speaks the protocol")
    parser.add_argument("other")
    parser.add_argument("presets", nargs="*", help="all editions unless some are named")
    parser.add_argument("--games", type=int, default=2, help="matches in each preset, both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", action="store_true", help="the first edition of each game only")
    parser.add_argument(
        "--wall", type=float, default=60.0, help="seconds until an answer is missing"
    )
    parser.add_argument("--twin", action="store_true", help="replay each match to fresh processes")
    parser.set_defaults(run=run)


def command_of(player: str) -> list[str]:
    """The command of a level of this project, or the one that was given."""
    if player in LEVELS:
        return [sys.executable, "-m", "games.bots", "play", "--level", player]
    return shlex.split(player)


def run(options: argparse.Namespace) -> int:
    """Play, print a row for each preset, and fail if anybody forfeited."""
    keys = options.presets or [
        rules.key for rules in presets() if not options.first or rules is systems[rules.family][0]
    ]
    commands = command_of(options.one), command_of(options.other)
    faults = 0
    for key in keys:
        tally = Tally()
        for number in range(options.games):
            _one_match(options, key, commands, number, tally)
            print(f"\r{tally.line(key)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        print(tally.line(key), flush=True)
        for forfeit in tally.forfeits:
            print(f"  forfeit, {forfeit}", flush=True)
        faults += len(tally.forfeits) + tally.untwinned
    return 1 if faults else 0


def _one_match(
    options: argparse.Namespace,
    key: str,
    commands: tuple[list[str], list[str]],
    number: int,
    tally: Tally,
) -> None:
    """Play one match; the first player sits South in every other one, with the same seeds."""
    seat = Seat(number % 2)
    seed = options.seed + number // 2
    seated = commands if seat is Seat.SOUTH else (commands[1], commands[0])
    seeds = [seed * 2 + (index ^ seat) for index in range(2)]
    south, north = (PlayerProcess(seated[side], key, seeds[side]) for side in Seat)
    players = (south, north)
    try:
        played = Referee(ruleset(key), players, options.wall).play(seed)
        _count(tally, played, seat, players)
    finally:
        for player in players:
            player.close()
    if options.twin:
        tally.untwinned += sum(
            not _twin_agrees(seated[side], key, seeds[side], played, side, options.wall)
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
    command: Sequence[str], key: str, seed: int, played: Played, side: Seat, wall: float
) -> bool:
    """Whether a fresh process with another order of hashes gives the same answers."""
    twin = PlayerProcess(command, key, seed, OTHER_HASH_SEED)
    try:
        for told, answer in zip(played.told[side], played.answers[side], strict=True):
            if twin.ask(told, wall) != answer:
                return False
    except NoAnswer:
        return False
    finally:
        twin.close()
    return True
