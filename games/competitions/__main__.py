"""Command line of tournaments: rounds, groups and tables, without a database."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

from games.competitions.draw import berger
from games.competitions.draw.groups import MAX_GROUP, MIN_GROUP, Entrant, Grouping, deal
from games.competitions.ranking import tables
from games.competitions.ranking.tables import BadTableError

MAX_ENTRIES = 1000
MAX_SEED_CHARACTERS = 200
MAX_FILE_BYTES = 1_000_000


class BadInputError(ValueError):
    """Input cannot be read; the text says what would be right."""


def main(arguments: list[str]) -> int:
    """Run one command; the result is the exit status, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m games.competitions", description=__doc__)
    commands = parser.add_subparsers(required=True)
    pairs = commands.add_parser("pair", help="the rounds of a group, a line each")
    pairs.add_argument("players")
    pairs.set_defaults(run=pair)
    draws = commands.add_parser("groups", help="groups and lots, from entries in a JSON file")
    draws.add_argument("file")
    draws.set_defaults(run=groups)
    ranks = commands.add_parser("table", help="the standings of a cross table in a JSON file")
    ranks.add_argument("file")
    ranks.set_defaults(run=table)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe. Without this Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (BadInputError, BadTableError, OSError, UnicodeDecodeError) as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


def pair(options: argparse.Namespace) -> None:
    """Print a line for each round, such as "1: 1-4 2-3"."""
    text = options.players
    least, most = berger.MIN_PLAYERS, berger.MAX_PLAYERS
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    if not least <= number <= most:
        raise BadInputError(f"{text!r}: a number of players from {least} to {most} is expected.")
    for count, pairs in enumerate(berger.rounds(number), 1):
        print(f"{count}: {' '.join(f'{south}-{north}' for south, north in pairs)}")


def groups(options: argparse.Namespace) -> None:
    """Print the groups as lists of user ids, by lot."""
    given = _read(options.file)
    if not isinstance(given, dict):
        raise BadInputError("The file has no object with size, grouping, seed and entries.")
    size, grouping, seed = given.get("size"), given.get("grouping"), given.get("seed")
    if type(size) is not int or not MIN_GROUP <= size <= MAX_GROUP:
        raise BadInputError(f"size is a whole number from {MIN_GROUP} to {MAX_GROUP}.")
    if grouping not in list(Grouping):
        raise BadInputError(f"grouping is one of {', '.join(Grouping)}.")
    if not isinstance(seed, str) or not 0 < len(seed) <= MAX_SEED_CHARACTERS:
        raise BadInputError(f"seed is a text of 1 to {MAX_SEED_CHARACTERS} characters.")
    entries = given.get("entries")
    if not isinstance(entries, list) or not 0 < len(entries) <= MAX_ENTRIES:
        raise BadInputError(f"entries is a list of 1 to {MAX_ENTRIES} users with ratings.")
    entrants = [_entrant(entry, f"Entry {number}") for number, entry in enumerate(entries, 1)]
    if len({entrant.user for entrant in entrants}) != len(entrants):
        raise BadInputError("A user has two entries.")
    dealt = deal(entrants, size, Grouping(grouping), seed)
    print(json.dumps({"groups": [[entrant.user for entrant in group] for group in dealt]}))


def table(options: argparse.Namespace) -> None:
    """Print the standings as a list of objects."""
    print(json.dumps(tables.rank(_read(options.file)), ensure_ascii=False))


def _entrant(given: object, where: str) -> Entrant:
    user: Any
    rating: Any
    user, rating = (given.get(k) for k in ("user", "rating")) if isinstance(given, dict) else (0, 0)
    if type(user) is not int or not 0 < user < 2**63:
        raise BadInputError(f"{where}: user is a whole number above 0.")
    if type(rating) not in (int, float) or not math.isfinite(rating) or abs(rating) > 1e6:
        raise BadInputError(f"{where}: rating is a number.")
    return Entrant(user, rating)


def _read(name: str) -> Any:
    with Path(name).open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise BadInputError(f"{name} has more than {MAX_FILE_BYTES} bytes.")
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadInputError(f"{name} is no JSON.") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
