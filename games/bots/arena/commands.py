"""The commands arena and forfeits: plays matches between players and prints a report."""

import argparse
import sys

from games.bots.arena.pairing import WALL_SECONDS, MatchOptions, matches, tally_of
from games.bots.arena.tally import wilson_interval
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.rules.registry import editions, first_edition

EVERY_LEVEL = [MARSHAL.name, SERGEANT.name, RECRUIT.name]


def add_arena_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command arena."""
    parser.add_argument("one", help="a level, or a command that speaks the protocol")
    parser.add_argument("other")
    parser.add_argument("--games", type=int, default=2, help="matches in each preset, both seats")
    parser.add_argument("--first", action="store_true", help="the first edition of each game only")
    parser.add_argument("--replay", action="store_true", help="replay matches to fresh processes")
    _add_common_arguments(parser)
    parser.set_defaults(run=run_arena)


def add_forfeits_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command forfeits."""
    parser.add_argument(
        "--player",
        action="append",
        help="a level or a command, as often as you like; all levels unless some are named",
    )
    parser.add_argument("--games", type=int, default=2, help="matches of each player and edition")
    parser.add_argument("--plies", type=int, help="break matches off here; they go to their end")
    _add_common_arguments(parser)
    parser.set_defaults(run=run_forfeits)


def _add_common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("presets", nargs="*", help="all editions unless some are named")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--wall", type=float, default=WALL_SECONDS, help="seconds until an answer is missing"
    )


def run_arena(arguments: argparse.Namespace) -> int:
    """Play, and print a row for each preset; 1 after a forfeit or a replay that differs."""
    keys = arguments.presets or [
        rules.key for rules in editions() if not arguments.first or rules is first_edition(rules)
    ]
    options = MatchOptions(arguments.seed, arguments.wall, replay=arguments.replay)
    faults = 0
    for key in keys:
        for tally in matches(key, arguments.one, arguments.other, arguments.games, options):
            print(f"\r{tally.line(key)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        print(tally.line(key), flush=True)
        for forfeit in tally.forfeits:
            print(f"  forfeit, {forfeit}", flush=True)
        faults += len(tally.forfeits) + tally.differing_replays
    return 1 if faults else 0


def run_forfeits(arguments: argparse.Namespace) -> int:
    """Play each player against a recruit from both seats; 1 if there was a forfeit."""
    options = MatchOptions(arguments.seed, arguments.wall, arguments.plies)
    played = forfeits = 0
    for key in arguments.presets or [rules.key for rules in editions()]:
        for player in arguments.player or EVERY_LEVEL:
            tally = tally_of(key, player, RECRUIT.name, arguments.games, options)
            count = len(tally.forfeits)
            print(f"{key:24} {player:10} matches {tally.games:3}  forfeits {count}", flush=True)
            for forfeit in tally.forfeits:
                print(f"  forfeit, {forfeit}", flush=True)
            played += tally.games
            forfeits += count
    at_most = 100 * wilson_interval(forfeits, played)[1]
    print(f"{forfeits} forfeits in {played} matches: at most {at_most:.1f} % with 95 % confidence")
    return 1 if forfeits else 0
