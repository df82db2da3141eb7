"""The forfeits command: plays every edition, to find illegal, unreadable or missing answers."""

import argparse

from games.bots.arena.pairing import WALL_SECONDS, MatchOptions, tally_of
from games.bots.arena.tally import wilson_interval
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.rules.registry import editions

EVERY_LEVEL = [MARSHAL.name, SERGEANT.name, RECRUIT.name]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("presets", nargs="*", help="all editions unless some are named")
    parser.add_argument(
        "--player",
        action="append",
        help="a level or a command, as often as you like; all levels unless some are named",
    )
    parser.add_argument("--games", type=int, default=2, help="matches of each player and edition")
    parser.add_argument("--plies", type=int, help="break matches off here; they go to their end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--wall", type=float, default=WALL_SECONDS, help="seconds until an answer is missing"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play each player against a recruit from both seats; 1 if there was a forfeit."""
    match_options = MatchOptions(seed=options.seed, wall_seconds=options.wall, plies=options.plies)
    played = forfeits = 0
    for key in options.presets or [rules.key for rules in editions()]:
        for player in options.player or EVERY_LEVEL:
            tally = tally_of(key, player, RECRUIT.name, options.games, match_options)
            count = len(tally.forfeits)
            print(f"{key:24} {player:10} matches {tally.games:3}  forfeits {count}", flush=True)
            for forfeit in tally.forfeits:
                print(f"  forfeit, {forfeit}", flush=True)
            played += tally.games
            forfeits += count
    at_most = 100 * wilson_interval(forfeits, played)[1]
    print(f"{forfeits} forfeits in {played} matches: at most {at_most:.1f} % with 95 % confidence")
    return 1 if forfeits else 0
