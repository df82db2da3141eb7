"""Transcript of a game: what changed for each viewpoint at each ply, side by side.

It contains all that a viewpoint sees. A row of the board is written when it changes
for anybody, the rest of an observation when it changes, under the names of those who see it so.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event, Sighting
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import result_of
from games.rules.core.text.notation import annotate
from tests.rules.golden import games

Seen = dict[Viewpoint, Observation]


def transcript(rules: Ruleset) -> str:
    """The transcript of a preset's golden game."""
    return "\n".join(chain(_heading(rules), _turns(rules), [""]))


def _heading(rules: Ruleset) -> Iterator[str]:
    yield f"{rules.key}: {rules.title}"
    for name, value in rules.options.items():
        yield f"    {name} = {value!r}"


def _turns(rules: Ruleset) -> Iterator[str]:
    rng = Random(f"{rules.key} {games.SEEDS[rules.key]}")
    before: Seen = {}
    for seat, move, position, events in games.game(rules, rng):
        text = annotate(rules, move, witness(events, Viewpoint.OPEN))
        who = rules.seat_names[seat]
        does = f"{who} sets up:" if isinstance(move, Setup) else f"{position.ply}. {who}"
        yield f"\n{does} {text}"
        now = _look(rules, position)
        yield from _story(rules, before, now, events)
        before = now
    assert position.outcome
    yield f"\n{result_of(rules, position.outcome)}: {position.outcome.reason}"


def _look(rules: Ruleset, position: Position) -> Seen:
    return {viewpoint: observe(rules, position, viewpoint) for viewpoint in Viewpoint}


def _story(rules: Ruleset, before: Seen, now: Seen, events: tuple[Event, ...]) -> Iterator[str]:
    sightings = {
        viewpoint: "; ".join(_sighting(rules, seen) for seen in witness(events, viewpoint))
        for viewpoint in Viewpoint
    }
    yield from _by_those_who_see("learned", sightings)
    yield from _rows(rules, before, now)
    for name, words in _facts(rules, now).items():
        if not before or words != _facts(rules, before)[name]:
            yield from _by_those_who_see(name, words)


def _rows(rules: Ruleset, before: Seen, now: Seen) -> Iterator[str]:
    """The rows that have changed for anybody, highest first."""
    new, old = ({v: _board(rules, seen[v]) for v in seen} for seen in (now, before))
    widths = {viewpoint: max(map(len, new[viewpoint])) for viewpoint in Viewpoint}
    heads = [f"{viewpoint:<{max(widths[viewpoint], 7)}}" for viewpoint in Viewpoint]
    lines = []
    for number, rows in enumerate(zip(*new.values(), strict=True)):
        if before and rows == tuple(old[viewpoint][number] for viewpoint in Viewpoint):
            continue
        cells = [f"{row:<{len(head)}}" for row, head in zip(rows, heads, strict=True)]
        lines.append(f"    {rules.board.ranks - number:>2}  " + "   ".join(cells).rstrip())
    if lines:
        yield "        " + "   ".join(heads).rstrip()
        yield from lines


def _board(rules: Ruleset, seen: Observation) -> list[str]:
    """The rows of a board, highest first, a dot for an empty square."""
    width = max(len(rules.face(seat, None, marked)) for seat in Seat for marked in (False, True))
    return [
        " ".join(
            f"{_square(rules, seen, rules.board.names[cell]):<{width}}"
            for cell in rules.board.row(row)
        ).rstrip()
        for row in range(rules.board.ranks, 0, -1)
    ]


def _square(rules: Ruleset, seen: Observation, square: str) -> str:
    if not rules.board.playable(square):
        return "~"
    piece = seen.pieces.get(square)
    if piece is None:
        return "."
    face = rules.face(piece.seat, piece.rank, bool(piece.marks))
    # The board text writes a hidden piece alike for both sides; a reader wants to know whose it is.
    return face.replace("?", "¿", 1) if face[0] == "?" and piece.seat is Seat.NORTH else face


def _facts(rules: Ruleset, seen: Seen) -> dict[str, dict[Viewpoint, str]]:
    """The rest of what is seen, by its name."""
    return {
        "fallen": {v: _pair(seen[v].fallen) for v in Viewpoint},
        "in hand": {v: _pair(seen[v].hand) for v in Viewpoint},
        "set aside": {v: _pair(seen[v].aside) for v in Viewpoint},
        "notes": {v: " ".join(str(note) for note in seen[v].notes) for v in Viewpoint},
        "may move": {v: f"{len(seen[v].moves)} ways" if seen[v].moves else "" for v in Viewpoint},
    }


def _pair(ranks: Iterable[tuple[str | None, ...] | None]) -> str:
    south, north = (
        "unknown" if side is None else " ".join(rank or "?" for rank in side) for side in ranks
    )
    return f"{south or '-'} / {north or '-'}"


def _sighting(rules: Ruleset, sighting: Sighting) -> str:
    """One sighting as a line: `clashed South c4 c5 M R +`."""
    values = [
        _word(rules, getattr(sighting, field.name))
        for field in dataclasses.fields(sighting)  # type: ignore[arg-type]
    ]
    return " ".join([type(sighting).__name__.lower(), *values])


def _word(rules: Ruleset, value: object) -> str:
    if isinstance(value, Seat):
        return str(rules.seat_names[value])
    if isinstance(value, bool):
        return "removed" if value else "demoted"
    if isinstance(value, tuple):
        return " ".join(_word(rules, part) for part in value)
    return "nobody" if value is None else str(value)


def _by_those_who_see(name: str, words: dict[Viewpoint, str]) -> Iterator[str]:
    """A line for each thing that is seen, under the names of all who see it so."""
    for text in dict.fromkeys(words.values()):
        who = [str(viewpoint) for viewpoint in Viewpoint if words[viewpoint] == text]
        if text and text != "- / -":
            yield f"    {name} ({'all' if len(who) == len(Viewpoint) else ', '.join(who)}): {text}"
