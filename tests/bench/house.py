"""House opponents: levels against each other in each game, and what their answers cost.

`python -m tests.bench.house` rewrites the table of docs/bots.md, each cell when it is measured.
With names (`marshal`, `tactique`, or both) it measures those rows and columns; the others stay.
"""

import argparse
import sys
from collections.abc import Sequence

from games.bots.arena.pairing import MatchOptions, tally_of
from games.bots.arena.tally import Tally, wilson_interval
from tests.bench.report import ROOT

PAGE = ROOT / "docs" / "bots.md"
BEGIN, END = "<!-- written by make bench -->", "<!-- end of what make bench writes -->"
GAMES = {"lattaque-en": "L'Attaque", "domino": "domino", "tactique": "Tactique", "assaut": "Assaut"}
# A level, whom it plays, and how many matches there are of it when nobody says: an even number.
PAIRINGS = {
    "recruit": ("random", "recruit against random moves", 10),
    "sergeant": ("recruit", "sergeant against recruit", 6),
    "marshal": ("sergeant", "marshal against sergeant", 4),
}
COSTS = {
    "drawn": "its draws by no progress",
    "cpu": "its processor time an answer, mean and most",
    "memory": "its memory at most",
}
UNKNOWN = "-"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.house", description=__doc__)
    names = [*PAIRINGS, *GAMES]
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(names))
    parser.add_argument("--games", type=int, help="matches for each cell, from both seats")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.names if name not in names]:
        parser.error(f"There is no {unknown[0]}; there are {', '.join(names)}.")
    levels = [level for level in PAIRINGS if level in options.names] or list(PAIRINGS)
    games = [game for game in GAMES if game in options.names] or list(GAMES)
    for level in levels:
        for game in games:
            measure(level, game, options.games or PAIRINGS[level][2], options.seed)
    return 0


def measure(level: str, game: str, matches: int, seed: int) -> None:
    """Play one cell's matches and write it."""
    tally = tally_of(game, level, PAIRINGS[level][0], matches, MatchOptions(seed=seed))
    print(tally.line(f"{level} {game}"), file=sys.stderr, flush=True)
    if tally.forfeits:
        raise SystemExit(f"{level} forfeited in {game}: {tally.forfeits[0]}")
    PAGE.write_text(with_cells(PAGE.read_text(), cells_of(level, game, tally)))


def cells_of(level: str, game: str, tally: Tally) -> dict[tuple[str, str], str]:
    """What a tally puts into the table, by the names of row and column."""
    column = GAMES[game]
    low, high = wilson_interval(tally.points, tally.games)
    share = f"{tally.points:g} of {tally.games} ({100 * low:.0f}-{100 * high:.0f})"
    cells = {(PAIRINGS[level][1], column): share}
    if level == "marshal":
        seconds = tally.seconds[0] or [0.0]
        mean = sum(seconds) / len(seconds)
        cells[COSTS["drawn"], column] = f"{tally.no_progress} of {tally.games}"
        cells[COSTS["cpu"], column] = f"{mean:.2f} s, {max(seconds):.2f} s"
        cells[COSTS["memory"], column] = f"{tally.peak_kilobytes[0] // 1024} MB"
    return cells


def with_cells(page: str, cells: dict[tuple[str, str], str]) -> str:
    """The page with some cells of its table changed."""
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    known = _read(table) | cells
    columns = list(GAMES.values())
    rows = [pairing[1] for pairing in PAIRINGS.values()] + list(COSTS.values())
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        row_cells = [known.get((row, column), UNKNOWN) for column in columns]
        lines.append(f"| {row} | " + " | ".join(row_cells) + " |")
    return f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}{after}"


def _read(table: str) -> dict[tuple[str, str], str]:
    """The cells of a table, by the names of row and column."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    parts = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if len(parts) < 2:
        return {}
    columns = parts[0][1:]
    return {
        (row[0], column): cell
        for row in parts[2:]
        for column, cell in zip(columns, row[1:], strict=True)
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
