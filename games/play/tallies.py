"""Lists beside the board: what has fallen, and the moves in turns of two."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.play.boards import emblem
from games.play.models.ply import Kind
from games.play.sight import Entry, Look
from games.rules.core import notation
from games.rules.core.army import Rank, Seat


class Fallen(NamedTuple):
    """So many lost pieces of one rank; `emblem` is the piece drawn."""

    emblem: SafeString
    times: int


class Cell(NamedTuple):
    """A move in the list: its text and the ply as people count."""

    text: str
    ply: int
    here: bool  # the ply that is looked at


class Turn(NamedTuple):
    """A line of the move list: its number and a move of each side, or none."""

    number: int
    south: Cell | None
    north: Cell | None

    @property
    def cells(self) -> tuple[Cell | None, Cell | None]:
        return self.south, self.north


class Battle(NamedTuple):
    """The two pieces of the battle at the ply looked at."""

    attacker: SafeString
    defender: SafeString


def battle(look: Look) -> Battle | None:
    """The battle of the ply looked at; both pieces were shown to everybody."""
    entry = look.entry
    if entry.kind != Kind.MOVE or entry.seat is None:
        return None
    done = notation.read_annotated(look.rules, entry.text)
    if done.battle is None or done.result is None:
        return None
    attacker, defender = done.battle
    return Battle(
        emblem(look.rules, entry.seat, attacker, fallen=done.result[0] in "-="),
        emblem(look.rules, entry.seat.other, defender, fallen=done.result[0] in "+=#"),
    )


def losses(look: Look) -> dict[Seat, list[Fallen]]:
    """The lost pieces of each side as far as the reader knows them, the strongest first."""
    return {seat: _group(look, seat, look.observation.fallen[seat]) for seat in look.players}


def turns(look: Look, entries: Iterable[Entry] | None = None) -> list[Turn]:
    """The moves around the ply looked at, or the given entries, newest turn first."""
    opening = look.match.opening
    if opening is None:
        return []
    lines: dict[int, dict[int, Cell]] = {}
    for entry in look.entries if entries is None else entries:
        ply = entry.number - opening
        if entry.kind == Kind.MOVE and ply > 0:
            cell = Cell(entry.text, ply, entry.number == look.number)
            lines.setdefault((ply + 1) // 2, {})[(ply - 1) % 2] = cell
    return [
        Turn(number, cells.get(Seat.SOUTH), cells.get(Seat.NORTH))
        for number, cells in sorted(lines.items(), reverse=True)
    ]


def _group(look: Look, seat: Seat, ranks: Iterable[Rank | None]) -> list[Fallen]:
    order = [troop.rank for troop in look.rules.army]
    counted = Counter(ranks)
    known = sorted(counted, key=lambda rank: order.index(rank) if rank in order else len(order))
    return [Fallen(emblem(look.rules, seat, rank), counted[rank]) for rank in known]
