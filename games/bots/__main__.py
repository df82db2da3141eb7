"""Command line of the bots.

python -m games.bots play PRESET --seed N [--level LEVEL]    a player on standard input and output
python -m games.bots arena ONE OTHER [PRESET ...]            matches of two players
python -m games.bots forfeits [PRESET ...]                   every edition, to find illegal answers
python -m games.bots connect URL [options] -- COMMAND        plays on a site, over its API
"""

import argparse
import json
import sys
import traceback

from games.bots import connect
from games.bots.arena import commands
from games.bots.levels import DEFAULT, LEVELS
from games.bots.player import Player
from games.protocol.lines import Line
from games.rules import registry
from games.rules.core.basics.refusals import UnknownRuleset


def main(arguments: list[str]) -> int:
    """Run one command; the result is the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games.bots", description="House opponents of the games of hidden armies."
    )
    subparsers = parser.add_subparsers(required=True)
    play = subparsers.add_parser("play", help="answer the lines of the protocol (docs/bots.md)")
    play.add_argument("preset", type=known_preset)
    play.add_argument("--seed", type=int, default=0)
    play.add_argument("--level", choices=sorted(LEVELS), default=DEFAULT.name)
    play.set_defaults(run=answer_lines)
    commands.add_arena_arguments(
        subparsers.add_parser("arena", help="matches between levels or commands")
    )
    commands.add_forfeits_arguments(
        subparsers.add_parser("forfeits", help="every edition, for answers that are no legal move")
    )
    subparsers.add_parser("connect", help="play on a site, over its API (docs/api/first-bot.md)")
    if arguments[:1] == ["connect"]:
        return connect.main(arguments[1:])
    options = parser.parse_args(arguments)
    return int(options.run(options) or 0)


def known_preset(key: str) -> str:
    """The key of a preset, checked before any line, so that a program cannot wait for nothing."""
    try:
        return registry.ruleset(key).key
    except UnknownRuleset as refusal:
        raise argparse.ArgumentTypeError(str(refusal)) from None


def answer_lines(options: argparse.Namespace) -> int:
    """Answer each line of standard input with a line, until the match ends."""
    player = Player(options.seed, LEVELS[options.level])
    for text in sys.stdin:
        line = json.loads(text)
        if line["ask"] == "end":
            break
        answer = _answer(player, line)
        if answer is not None:
            print(answer, flush=True)
    return 0


def _answer(player: Player, line: Line) -> str | None:
    """A player's answer, None to a line that asks for none.

    If its brain fails, a traceback on standard error and any legal move: a crash would forfeit the
    whole match.
    """
    try:
        return player.answer(line)
    except Exception:
        traceback.print_exc()
        if not line.get("legal"):
            raise
        return str(line["legal"][0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
