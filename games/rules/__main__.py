"""Command line of the rules engine.

python -m games.rules list                              the editions
python -m games.rules legal EDITION POSITION            the legal moves of a position
python -m games.rules play EDITION [--seed S]           a game at the keyboard
python -m games.rules replay FILE                       a game record, played through
python -m games.rules proof BUNDLE                      an opened bundle, played through
python -m games.rules simulate EDITION [--games N] [--seed S]   random games, counted
python -m games.rules --batch                           questions and answers in JSON lines
"""

import argparse
import json
import os
import sys
from pathlib import Path
from random import Random

from games.rules import referee
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text import setup_aliases
from games.rules.core.text.game_record import check_ending, read_record, replay, result_of
from games.rules.core.text.notation import board_text, read_move, read_position, write_move
from games.rules.proof.bundle import BadBundle
from games.rules.proof.replay import Mismatch, replay_bundle
from games.rules.registry import editions, ruleset, ruleset_of
from games.rules.simulation import simulate

TICK_SECONDS = 0.01  # resolution of the clock that counts processor time


def main(arguments: list[str]) -> int:
    """Run one command; the result is the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.batch:
        options.run = answer_batch
    if not options.run:
        parser.print_help()
        return 2
    try:
        options.run(options)
    except BadBundle as fault:
        print(fault, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has closed the pipe. Without this Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Refusal, Mismatch, OSError, UnicodeDecodeError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def answer_batch(options: argparse.Namespace) -> None:
    """Answer each line of standard input with one line, in order."""
    for line in sys.stdin.buffer:
        print(json.dumps(referee.answer_line(line)), flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m games.rules", description="Referee for L'Attaque and the games around it."
    )
    parser.add_argument("--batch", action="store_true", help="answer JSON lines")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers()
    commands.add_parser("list", help="the presets").set_defaults(run=list_presets)
    legal = commands.add_parser("legal", help="the legal moves of a position")
    legal.add_argument("preset")
    legal.add_argument("position")
    legal.set_defaults(run=list_legal)
    play = commands.add_parser("play", help="a game at the keyboard")
    play.add_argument("preset")
    play.add_argument("--seed", type=int)
    play.set_defaults(run=play_here)
    again = commands.add_parser("replay", help="a game record, played through")
    again.add_argument("file")
    again.set_defaults(run=replay_file)
    proof = commands.add_parser("proof", help="an opened bundle, played through")
    proof.add_argument("file")
    proof.set_defaults(run=replay_proof)
    random = commands.add_parser("simulate", help="random games, counted")
    random.add_argument("preset")
    random.add_argument("--games", type=_count, default=100)
    random.add_argument("--seed", type=int, default=0)
    random.set_defaults(run=simulate_games)
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of games; write 1 or more.")
    return int(text)


def list_presets(options: argparse.Namespace) -> None:
    for rules in editions():
        print(f"{rules.key:28}{rules.title}")


def list_legal(options: argparse.Namespace) -> None:
    rules = ruleset(options.preset)
    position = read_position(rules, options.position)
    for text in sorted(
        write_move(rules, move) for move in rules.legal_moves(position, position.turn)
    ):
        print(text)


def replay_file(options: argparse.Namespace) -> None:
    text = sys.stdin.read() if options.file == "-" else Path(options.file).read_text("utf-8")
    record = read_record(text)
    rules = ruleset_of(record)
    for step in replay(rules, setup_aliases.in_canonical(rules, record)):
        print(f"\n{write_move(rules, step.move) if step.move else 'The set-ups'}")
        show(rules, step.position, Viewpoint.OPEN)
        for sighting in witness(step.events, Viewpoint.OPEN):
            print(sighting)
    outcome = step.position.outcome
    check_ending(rules, record, outcome)
    print(f"\n{result_of(rules, outcome) if outcome else record.result}")


def replay_proof(options: argparse.Namespace) -> None:
    print(replay_bundle(Path(options.file).read_text("utf-8")))


def simulate_games(options: argparse.Namespace) -> None:
    before = os.times()
    counts = simulate(ruleset(options.preset), options.games, options.seed)
    after = os.times()
    # A run may take less than one tick.
    seconds = max(after.user + after.system - before.user - before.system, TICK_SECONDS)
    speed = round(counts.plies / seconds)
    print(json.dumps(counts.summary(speed)))


def play_here(options: argparse.Namespace) -> None:
    """Interactive game of two people at one keyboard; the set-ups are random."""
    rules = ruleset(options.preset)
    # The seed makes games at the keyboard repeatable; no secret depends on it.
    rng = Random(options.seed)  # noqa: S311
    position = begin(rules, rng)
    for seat in position.to_act:
        position, _ = advance(rules, position, seat, rules.random_setup(seat, rng, position))
    while not position.outcome:
        seat = position.turn
        show(rules, position, Viewpoint.of_seat(seat))
        try:
            text = input(f"{rules.seat_names[seat]}> ").strip()
        except EOFError:
            return
        if text == "quit":
            return
        try:
            move = read_move(rules, position, seat, text)
            position, events = advance(rules, position, seat, move)
        except Refusal as refusal:
            print(refusal)
            continue
        for sighting in witness(events, Viewpoint.GALLERY):
            print(sighting)
    show(rules, position, Viewpoint.OPEN)


def show(rules: Ruleset, position: Position, viewpoint: Viewpoint) -> None:
    observation = observe(rules, position, viewpoint)
    for row in board_text(rules, observation).split("/"):
        print("   ", row)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
