"""Compact board of Assaut: points as bits of two numbers, so that a search may be deep.

It follows the rules' engine turn for turn; a test plays both side by side.
"""

from functools import lru_cache
from typing import NamedTuple

from games.bots.boards.bitboards import bits
from games.rules.systems.assaut.game import Assaut
from games.rules.systems.assaut.geometry import (
    BOARD,
    CAPTURES_TO_WIN,
    DISTANCE,
    FORTRESS,
    JUMPS,
    NEIGHBOURS,
)

SOLDIERS, OFFICERS = 0, 1  # the side to move
ARMY = 24
LOSING = ARMY - CAPTURES_TO_WIN  # soldiers left when the officers have won

BIT = {cell: 1 << number for number, cell in enumerate(BOARD.cells)}
NAME = {bit: BOARD.names[cell] for cell, bit in BIT.items()}
AT = {name: bit for bit, name in NAME.items()}
INSIDE = sum(BIT[cell] for cell in FORTRESS)
STEPS = {BIT[cell]: tuple(BIT[other] for other in others) for cell, others in NEIGHBOURS.items()}
LEAPS = {
    BIT[cell]: tuple((BIT[over], BIT[land]) for over, land in jumps)
    for cell, jumps in JUMPS.items()
}


class Node(NamedTuple):
    """A position: soldiers, officers, officers that may be huffed, whose turn, turns in quiet."""

    soldiers: int
    officers: int
    offenders: int
    turn: int
    quiet: int


# A turn: the officer huffed, then the points that a piece touches; bits all.
Turn = tuple[int, tuple[int, ...]]
NO_TURN: Turn = (0, ())


class Tables:
    """The soldiers' steps in one edition, and what its switches say."""

    def __init__(self, rules: Assaut) -> None:
        self.huffing = rules.capture == "huff"
        self.blocked_officers_win = rules.block == "win"
        self.limit = rules.limit
        # Source, target, whether it leads nearer, and the turn itself.
        self.walks = tuple(
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
def tables_of(rules: Assaut) -> Tables:
    """The tables of an edition, made once."""
    return Tables(rules)


def text_of(turn: Turn) -> str:
    """A turn in the notation's canonical text."""
    huffed, points = turn
    names = [NAME[point] for point in points]
    jump = len(points) > 2 or (len(points) == 2 and points[1] not in STEPS[points[0]])
    move = ("x" if jump else "-").join(names)
    if not huffed:
        return move
    return f"*{NAME[huffed]}" + (f",{move}" if move else "")


def can_jump(officer: int, soldiers: int, taken: int) -> bool:
    """Whether an officer can capture; `taken` are the points on which anything stands."""
    for over, land in LEAPS[officer]:  # noqa: SIM110 - a loop starts faster than a generator.
        if soldiers & over and not taken & land:
            return True
    return False


def jumpers(soldiers: int, officers: int) -> int:
    """The officers that can capture."""
    taken = soldiers | officers
    first = officers & -officers
    found = first if first and can_jump(first, soldiers, taken) else 0
    second = officers ^ first
    if second and can_jump(second, soldiers, taken):
        found |= second
    return found


def following(tables: Tables, node: Node) -> list[tuple[Node, Turn]]:
    """Every position after a legal turn, with one turn that leads there."""
    if node.turn == SOLDIERS:
        return _marches(tables, node)
    return _sorties(tables, node)


def _marches(tables: Tables, node: Node) -> list[tuple[Node, Turn]]:
    soldiers, officers = node.soldiers, node.officers
    found: list[tuple[Node, Turn]] = []
    if node.offenders:
        for huffed in bits(node.offenders & officers):
            left = officers ^ huffed
            if not left:
                found.append((Node(soldiers, 0, 0, OFFICERS, 0), (huffed, ())))
                continue
            taken = soldiers | left
            for source, target, _, turn in tables.walks:
                if soldiers & source and not taken & target:
                    after = soldiers ^ source ^ target
                    found.append((Node(after, left, 0, OFFICERS, 0), (huffed, turn[1])))
    taken = soldiers | officers
    quiet = node.quiet + 1
    found += [
        (Node(soldiers ^ source ^ target, officers, 0, OFFICERS, 0 if nearer else quiet), turn)
        for source, target, nearer, turn in tables.walks
        if soldiers & source and not taken & target
    ]
    return found


def _sorties(tables: Tables, node: Node) -> list[tuple[Node, Turn]]:
    soldiers, officers = node.soldiers, node.officers
    able = jumpers(soldiers, officers)
    found = captures(tables, node, able) if able else []
    if able and not tables.huffing:
        return found
    taken = soldiers | officers
    quiet = node.quiet + 1
    for officer in bits(officers):
        other = officers ^ officer
        for target in STEPS[officer]:
            if taken & target:
                continue
            # The mover counts at its new point, if it was able before.
            offenders = able & other | (target if able & officer else 0)
            if not tables.huffing:
                offenders = 0
            node_after = Node(soldiers, other | target, offenders, SOLDIERS, quiet)
            found.append((node_after, (0, (officer, target))))
    return found


def captures(tables: Tables, node: Node, able: int) -> list[tuple[Node, Turn]]:
    """The positions after captures; chains that leave the same one are found once."""
    found: list[tuple[Node, Turn]] = []
    for officer in bits(able):
        other = node.officers ^ officer
        seen: set[tuple[int, int]] = set()
        waiting: list[tuple[int, tuple[int, ...]]] = [(node.soldiers, (officer,))]
        while waiting:
            soldiers, points = waiting.pop()
            here = points[-1]
            for over, land in LEAPS[here]:
                if not soldiers & over or (soldiers | other) & land:
                    continue
                left = soldiers ^ over
                if (left, land) in seen:
                    continue
                seen.add((left, land))
                chain = (*points, land)
                done = left.bit_count() <= LOSING
                more = not done and can_jump(land, left, left | other)
                if more:
                    waiting.append((left, chain))
                if not more or tables.huffing:
                    offender = land if more and tables.huffing else 0
                    after = Node(left, other | land, offender, SOLDIERS, 0)
                    found.append((after, (0, chain)))
    found.sort(key=lambda one: one[0].soldiers.bit_count())
    return found


def decided(tables: Tables, node: Node) -> int | None:
    """The result for the soldiers, 1, 0 or -1, where pieces alone decide; else None (A14)."""
    soldiers = node.soldiers
    if not node.officers or soldiers & INSIDE == INSIDE:
        return 1
    return -1 if soldiers.bit_count() <= LOSING else None


def stuck(tables: Tables, node: Node) -> int:
    """The result for the soldiers when the side to move has no turn (A14)."""
    if node.turn == SOLDIERS:
        return -1
    return -1 if tables.blocked_officers_win else 1
