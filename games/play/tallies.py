"""Lists beside the board: the last battle, what has fallen, and the moves in turns of two."""

from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from games.play.boards import emblem
from games.play.models.kind import Kind
from games.play.scene import Scene
from games.rules.core import notation
from games.rules.core.army import Rank, Seat


class Battle(NamedTuple):
    """The two pieces of the battle at the ply looked at."""

    attacker: SafeString
    defender: SafeString


def battle(look: Scene) -> Battle | None:
    """The battle of the ply looked at; both pieces were shown to everybody."""
    entry = look.entry
    if entry.kind != Kind.MOVE or entry.seat is None:
        return None
    done = notation.read_annotated(look.rules, entry.text)
    if done.battle is None or done.result is None:
        return None
    attacker, defender = done.battle
    lost, taken = done.result in ("-", "="), done.result in ("+", "=")
    if done.result == "#":
        # What decides a match may have fallen on either side; the board tells.
        lost = not _stands(look, entry.seat, done.source, done.target)
        taken = not _stands(look, entry.seat.other, done.target)
    return Battle(
        emblem(look.rules, entry.seat, attacker, fallen=lost),
        emblem(look.rules, entry.seat.other, defender, fallen=taken),
    )


def set_aside(look: Scene) -> dict[Seat, SafeString]:
    """The tiles that were not dealt, of each side where the reader may know them (D2)."""
    return {
        seat: _items(emblem(look.rules, seat, rank) for rank in aside)
        for seat, aside in zip(Seat, look.observation.aside, strict=True)
        if aside
    }


def losses(look: Scene) -> dict[Seat, SafeString]:
    """The lost pieces of each side as far as the reader knows them, the strongest first."""
    return {
        seat: _items(
            f"{emblem(look.rules, seat, rank)} <span>×{times}</span>"
            for rank, times in _count(look, look.observation.fallen[seat])
        )
        for seat in look.sides
    }


def move_list(look: Scene) -> SafeString:
    """The moves around the ply looked at, newest turn first, each a link to its ply.

    Joined in Python: in a template, the list would cost more than the board.
    """
    opening = look.opening
    if opening is None:
        return SafeString()
    lines: dict[int, list[str]] = {}
    for entry in look.entries:
        ply = entry.number - opening
        if entry.kind == Kind.MOVE and ply > 0:
            here = ' aria-current="step"' if entry.number == look.number else ""
            link = f'<a class="notation" href="?ply={ply}"{here}>{escape(entry.text)}</a>'
            lines.setdefault((ply + 1) // 2, ["<span></span>"] * 2)[(ply - 1) % 2] = link
    return mark_safe(  # noqa: S308 - joined from escaped parts
        "".join(
            f"<li><span>{number}</span> {south} {north}</li>"
            for number, (south, north) in sorted(lines.items(), reverse=True)
        )
    )


def _stands(look: Scene, seat: Seat, *squares: str | None) -> bool:
    pieces = look.observation.pieces
    return any(square in pieces and pieces[square].seat is seat for square in squares)


def _count(look: Scene, ranks: Iterable[Rank | None]) -> list[tuple[Rank | None, int]]:
    order = [troop.rank for troop in look.rules.army]
    counted = Counter(ranks)
    known = sorted(counted, key=lambda rank: order.index(rank) if rank in order else len(order))
    return [(rank, counted[rank]) for rank in known]


def _items(lines: Iterable[str]) -> SafeString:
    return mark_safe("".join(f"<li>{line}</li>" for line in lines))  # noqa: S308 - escaped parts
