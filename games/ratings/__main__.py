"""Command line of the rating formula, without a database.

`update` answers JSON lines of single players; `rate` rates a table of a family's results.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
from pathlib import Path
from typing import Any

from games.ratings.glicko import tables
from games.ratings.glicko.counting import rate
from games.ratings.glicko.formula import MAX_DEVIATION, Result, State, update
from games.ratings.glicko.tables import BadTableError

# Far beyond these the formula would overflow, or divide by zero.
MAX_RATING = 10_000  # of either sign
MIN_DEVIATION = 0.01
MIN_VOLATILITY, MAX_VOLATILITY = 0.000001, 10
MAX_PERIODS = 1e6


class BadInputError(ValueError):
    """A line of input cannot be read; the text says what would be right."""


def main(arguments: list[str]) -> int:
    """Run one command; the result is the exit status, 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m games.ratings", description=__doc__)
    commands = parser.add_subparsers(required=True)
    updates = commands.add_parser("update", help="answer JSON lines: a player after some results")
    updates.set_defaults(run=answer_lines)
    rates = commands.add_parser("rate", help="rate a table of results")
    rates.add_argument("file")
    rates.set_defaults(run=rate_file)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except BrokenPipeError:
        # The reader has closed the pipe. Without this Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnicodeDecodeError:
        print("The input is no text in UTF-8.", file=sys.stderr)
        return 2
    except (BadInputError, BadTableError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    return 0


def answer_lines(_options: argparse.Namespace) -> None:
    """Answer each line of standard input with one line."""
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            print(json.dumps(_answer(line, f"Line {number}")), flush=True)


def rate_file(options: argparse.Namespace) -> None:
    """Print the table in a file with what counts, and the ratings."""
    with Path(options.file).open(encoding="utf-8-sig", newline="") as file:
        rows = tables.read(file)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(tables.HEADER)
    for (columns, _facts), rated in zip(
        rows, rate(unit_facts for _, unit_facts in rows), strict=True
    ):
        out.writerow(tables.line(columns, rated))


def _answer(line: str, where: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInputError(f"{where} is no JSON.") from None
    if not isinstance(question, dict):
        raise BadInputError(f'{where} is no object such as {{"player": [1500, 350, 0.06]}}.')
    rating, deviation, volatility = _three(question.get("player"), f"{where}, player")
    _check_state(rating, deviation, f"{where}, player")
    if not MIN_VOLATILITY <= volatility <= MAX_VOLATILITY:
        raise BadInputError(
            f"{where}: a volatility is from {MIN_VOLATILITY:f} to {MAX_VOLATILITY}."
        )
    (periods,) = _numbers([question.get("periods", 1)], 1, f"{where}, periods")
    if not 0 <= periods <= MAX_PERIODS:
        raise BadInputError(f"{where}: periods are from 0 to {MAX_PERIODS:.0f}.")
    given = question.get("results", [])
    if not isinstance(given, list):
        raise BadInputError(f"{where}: results are a list of [rating, deviation, score].")
    results = [_result(each, f"{where}, result {n}") for n, each in enumerate(given, 1)]
    state = update(State(rating, deviation, volatility), results, periods)
    return {"player": [state.rating, state.deviation, state.volatility]}


def _result(given: object, where: str) -> Result:
    rating, deviation, score = _three(given, where)
    _check_state(rating, deviation, where)
    if not 0 <= score <= 1:
        raise BadInputError(f"{where}: a score is from 0 to 1.")
    return Result(rating, deviation, score)


def _check_state(rating: float, deviation: float, where: str) -> None:
    if abs(rating) > MAX_RATING:
        raise BadInputError(f"{where}: a rating is from -{MAX_RATING} to {MAX_RATING}.")
    if not MIN_DEVIATION <= deviation <= MAX_DEVIATION:
        raise BadInputError(f"{where}: a deviation is from {MIN_DEVIATION} to {MAX_DEVIATION:.0f}.")


def _three(given: object, where: str) -> list[float]:
    return _numbers(given, 3, where)


def _numbers(given: object, count: int, where: str) -> list[float]:
    """This many finite numbers."""
    numbers = given if isinstance(given, list) and len(given) == count else []
    fine = [n for n in numbers if isinstance(n, int | float) and not isinstance(n, bool)]
    try:
        values = [float(n) for n in fine]
    except OverflowError:
        values = []
    if len(values) != count or not all(map(math.isfinite, values)):
        raise BadInputError(f"{where}: {count} number{'s' if count > 1 else ''} expected.")
    return values


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
