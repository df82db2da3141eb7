"""Bitboards of Assaut: positions as two integers, and fast generation of their turns.

A test plays them against the rules.
"""

from functools import lru_cache
from typing import NamedTuple

from games.bots.boards.bitboards import single_bits
from games.rules.systems.assaut.game import Assaut
from games.rules.systems.assaut.geometry import (
    BOARD,
    CAPTURES_TO_WIN,
    DISTANCE,
    FORTRESS,
    JUMPS,
    NEIGHBOURS,
)

SOLDIERS, OFFICERS = 0, 1  # sides
ARMY = 24
LOST_SOLDIERS = ARMY - CAPTURES_TO_WIN  # left when the officers have won

BIT = {cell: 1 << number for number, cell in enumerate(BOARD.cells)}
NAME = {bit: BOARD.names[cell] for cell, bit in BIT.items()}
BIT_BY_NAME = {name: bit for bit, name in NAME.items()}
FORTRESS_MASK = sum(BIT[cell] for cell in FORTRESS)
STEPS_FROM = {
    BIT[cell]: tuple(BIT[other] for other in others) for cell, others in NEIGHBOURS.items()
}
JUMPS_FROM = {
    BIT[cell]: tuple((BIT[over], BIT[land]) for over, land in jumps)
    for cell, jumps in JUMPS.items()
}


class Node(NamedTuple):
    """A position. `quiet` counts the turns without progress."""

    soldiers: int
    officers: int
    huffable: int  # officers that may be huffed
    turn: int
    quiet: int


# The officer that is huffed, or 0, then the points that a piece touches, all as bits.
Turn = tuple[int, tuple[int, ...]]
NO_TURN: Turn = (0, ())


class EditionTables:
    """The steps of soldiers in one edition, and its switches.

    `soldier_steps`: source, target, whether the step leads nearer to the fortress, the turn.
    """

    def __init__(self, rules: Assaut) -> None:
        self.huffing = rules.capture == "huff"
        self.blocked_officers_win = rules.block == "win"
        self.limit = rules.limit
        self.soldier_steps = tuple(
            (
                BIT[source],
                BIT[target],
                DISTANCE[target] < DISTANCE[source],
                (0, (BIT[source], BIT[target])),
            )
            for target in BOARD.cells
            for source, _ in rules.soldier_steps_to[target]
        )


@lru_cache(maxsize=64)
def edition_tables(rules: Assaut) -> EditionTables:
    """The tables of an edition, made once a process."""
    return EditionTables(rules)


def text_of(turn: Turn) -> str:
    """A turn as canonical text."""
    huffed, points = turn
    names = [NAME[point] for point in points]
    jump = len(points) > 2 or (len(points) == 2 and points[1] not in STEPS_FROM[points[0]])
    move = ("x" if jump else "-").join(names)
    if not huffed:
        return move
    return f"*{NAME[huffed]}" + (f",{move}" if move else "")


def can_capture(officer: int, soldiers: int, occupied: int) -> bool:
    """Whether an officer can capture a soldier."""
    for over, land in JUMPS_FROM[officer]:  # noqa: SIM110 - a loop starts faster than a generator.
        if soldiers & over and not occupied & land:
            return True
    return False


def capturing_officers(soldiers: int, officers: int) -> int:
    """The officers that can capture, as bits."""
    occupied = soldiers | officers
    first = officers & -officers
    capturing = first if first and can_capture(first, soldiers, occupied) else 0
    second = officers ^ first
    if second and can_capture(second, soldiers, occupied):
        capturing |= second
    return capturing


def successors(tables: EditionTables, node: Node) -> list[tuple[Node, Turn]]:
    """Every position after a legal turn, with one turn that leads to it."""
    if node.turn == SOLDIERS:
        return _soldier_turns(tables, node)
    return _officer_turns(tables, node)


def _soldier_turns(tables: EditionTables, node: Node) -> list[tuple[Node, Turn]]:
    soldiers, officers = node.soldiers, node.officers
    turns: list[tuple[Node, Turn]] = []
    if node.huffable:
        for huffed in single_bits(node.huffable & officers):
            left = officers ^ huffed
            if not left:
                turns.append((Node(soldiers, 0, 0, OFFICERS, 0), (huffed, ())))
                continue
            occupied = soldiers | left
            for source, target, _, turn in tables.soldier_steps:
                if soldiers & source and not occupied & target:
                    after = soldiers ^ source ^ target
                    turns.append((Node(after, left, 0, OFFICERS, 0), (huffed, turn[1])))
    occupied = soldiers | officers
    quiet = node.quiet + 1
    turns += [
        (Node(soldiers ^ source ^ target, officers, 0, OFFICERS, 0 if nearer else quiet), turn)
        for source, target, nearer, turn in tables.soldier_steps
        if soldiers & source and not occupied & target
    ]
    return turns


def _officer_turns(tables: EditionTables, node: Node) -> list[tuple[Node, Turn]]:
    soldiers, officers = node.soldiers, node.officers
    capturing = capturing_officers(soldiers, officers)
    turns = captures(tables, node, capturing) if capturing else []
    if capturing and not tables.huffing:
        return turns
    occupied = soldiers | officers
    quiet = node.quiet + 1
    for officer in single_bits(officers):
        other = officers ^ officer
        for target in STEPS_FROM[officer]:
            if occupied & target:
                continue
            # The officer that moved may be huffed on its new point, if it could capture before.
            huffable = capturing & other | (target if capturing & officer else 0)
            if not tables.huffing:
                huffable = 0
            after = Node(soldiers, other | target, huffable, SOLDIERS, quiet)
            turns.append((after, (0, (officer, target))))
    return turns


def captures(tables: EditionTables, node: Node, capturing: int) -> list[tuple[Node, Turn]]:
    """The positions after captures by some officers, each with one turn that leads to it."""
    turns: list[tuple[Node, Turn]] = []
    for officer in single_bits(capturing):
        other = node.officers ^ officer
        seen: set[tuple[int, int]] = set()
        chains: list[tuple[int, tuple[int, ...]]] = [(node.soldiers, (officer,))]
        while chains:
            soldiers, points = chains.pop()
            for over, land in JUMPS_FROM[points[-1]]:
                if not soldiers & over or (soldiers | other) & land:
                    continue
                left = soldiers ^ over
                if (left, land) in seen:
                    continue
                seen.add((left, land))
                chain = (*points, land)
                has_won = left.bit_count() <= LOST_SOLDIERS
                continues = not has_won and can_capture(land, left, left | other)
                if continues:
                    chains.append((left, chain))
                if not continues or tables.huffing:
                    huffable = land if continues and tables.huffing else 0
                    after = Node(left, other | land, huffable, SOLDIERS, 0)
                    turns.append((after, (0, chain)))
    turns.sort(key=lambda pair: pair[0].soldiers.bit_count())
    return turns


def result_by_pieces(node: Node) -> int | None:
    """The result for the soldiers, 1 or -1, if the pieces on the board decide it (A14)."""
    soldiers = node.soldiers
    if not node.officers or soldiers & FORTRESS_MASK == FORTRESS_MASK:
        return 1
    return -1 if soldiers.bit_count() <= LOST_SOLDIERS else None


def result_when_blocked(tables: EditionTables, node: Node) -> int:
    """The result for the soldiers, 1 or -1, if the side to move has no turn (A14)."""
    if node.turn == SOLDIERS:
        return -1
    return -1 if tables.blocked_officers_win else 1
