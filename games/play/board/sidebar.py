"""Lists next to the board: the last battle, captured pieces, and the moves in turns of two."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from games.play.board.pieces import emblem
from games.play.models.kind import PlyKind
from games.play.record.move_numbers import numbered
from games.play.record.snapshot import Entry, Snapshot
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.text import notation


class Battle(NamedTuple):
    """The two pieces of the battle at the ply shown."""

    attacker: SafeString
    defender: SafeString


def battle(view: Snapshot) -> Battle | None:
    """The battle of the ply shown; both pieces were revealed to everyone."""
    entry = view.entry
    if entry.kind != PlyKind.MOVE or entry.seat is None:
        return None
    done = notation.read_annotated(view.rules, entry.text)
    if done.battle is None or done.result is None:
        return None
    attacker, defender = done.battle
    lost, taken = done.result in ("-", "="), done.result in ("+", "=")
    if done.result == "#":
        # The deciding piece may be of either side, so look at the board.
        lost = not _stands(view, entry.seat, done.source, done.target)
        taken = not _stands(view, entry.seat.other, done.target)
    return Battle(
        emblem(view.rules, entry.seat, attacker, fallen=lost),
        emblem(view.rules, entry.seat.other, defender, fallen=taken),
    )


def set_aside(view: Snapshot) -> dict[Seat, SafeString]:
    """The tiles that were not dealt, for each side of which the reader may know them (D2)."""
    return {
        seat: _items(emblem(view.rules, seat, rank) for rank in aside)
        for seat, aside in zip(Seat, view.observation.aside, strict=True)
        if aside
    }


def losses(view: Snapshot) -> dict[Seat, SafeString]:
    """The captured pieces of each side as far as the reader knows them, the strongest first."""
    return {
        seat: _items(
            f"{emblem(view.rules, seat, rank)} <span>×{times}</span>"
            for rank, times in _count(view, view.observation.fallen[seat])
        )
        for seat in view.sides
    }


def move_list(view: Snapshot, aloud: Callable[[Snapshot, Entry], str]) -> SafeString:
    """The moves around the ply shown, newest turn first, each a link to its ply.

    The visible text is the notation; `aloud` has each move in words, for screen readers.

    Joined in Python: 60 moves take 0.08 ms of processor time, and 0.6 ms as a template
    (`python -m tests.bench.html_in_python`).
    """
    if view.opening is None:
        return SafeString()
    lines: dict[int, list[str]] = {}
    for entry, turn in numbered(view, view.entries):
        link = _move_link(view, entry, aloud(view, entry), is_shown=entry.number == view.number)
        lines.setdefault(move_number(turn), ["<span></span>"] * 2)[(turn - 1) % 2] = link
    return mark_safe(  # noqa: S308 - joined from escaped parts
        "".join(
            f"<li><span>{number}</span> {south} {north}</li>"
            for number, (south, north) in sorted(lines.items(), reverse=True)
        )
    )


def move_lines(
    view: Snapshot, aloud: Callable[[Snapshot, Entry], str]
) -> Iterator[dict[str, object]]:
    """The same moves one by one, for a script: ply, move number, column in its turn, and link."""
    for entry, turn in numbered(view, view.entries):
        yield {
            "ply": entry.number - (view.opening or 0),
            "move": move_number(turn),
            "column": (turn - 1) % 2,
            "html": _move_link(view, entry, aloud(view, entry)),
        }


def _move_link(view: Snapshot, entry: Entry, aloud: str, *, is_shown: bool = False) -> str:
    ply, current = entry.number - (view.opening or 0), ' aria-current="step"' * is_shown
    return (
        f'<a class="notation" href="?ply={ply}" aria-label="{escape(aloud)}"{current}>'
        f"{escape(entry.text)}</a>"
    )


def _stands(view: Snapshot, seat: Seat, *squares: str | None) -> bool:
    pieces = view.observation.pieces
    return any(square in pieces and pieces[square].seat is seat for square in squares)


def _count(view: Snapshot, ranks: Iterable[Rank | None]) -> list[tuple[Rank | None, int]]:
    order = [troop.rank for troop in view.rules.army]
    counted = Counter(ranks)
    known = sorted(counted, key=lambda rank: order.index(rank) if rank in order else len(order))
    return [(rank, counted[rank]) for rank in known]


def _items(lines: Iterable[str]) -> SafeString:
    return mark_safe("".join(f"<li>{line}</li>" for line in lines))  # noqa: S308 - escaped parts
