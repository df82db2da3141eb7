"""The arena command: matches between two players, with a report for each edition."""

import argparse
import sys

from games.bots.arena.pairing import WALL_SECONDS, MatchOptions, matches
from games.rules.registry import editions, first_edition


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("one", help="a level, or a command that speaks the protocol")
    parser.add_argument("other")
    parser.add_argument("presets", nargs="*", help="all editions unless some are named")
    parser.add_argument("--games", type=int, default=2, help="matches in each preset, both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", action="store_true", help="the first edition of each game only")
    parser.add_argument(
        "--wall", type=float, default=WALL_SECONDS, help="seconds until an answer is missing"
    )
    parser.add_argument(
        "--replay", action="store_true", help="replay each match to fresh processes"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play, and print a row for each preset; 1 after a forfeit or a replay that differs."""
    keys = options.presets or [
        rules.key for rules in editions() if not options.first or rules is first_edition(rules)
    ]
    match_options = MatchOptions(
        seed=options.seed, wall_seconds=options.wall, replay=options.replay
    )
    faults = 0
    for key in keys:
        for tally in matches(key, options.one, options.other, options.games, match_options):
            print(f"\r{tally.line(key)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        print(tally.line(key), flush=True)
        for forfeit in tally.forfeits:
            print(f"  forfeit, {forfeit}", flush=True)
        faults += len(tally.forfeits) + tally.differing_replays
    return 1 if faults else 0
