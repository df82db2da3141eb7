"""Evaluation of Assaut: how good a position is for the soldiers, in points."""

from games.bots.brains.assaut.board import ARMY, INSIDE, LINES, STEPS, Node
from games.bots.brains.masks import bits

# Where soldiers are dearer, they are never risked, and twice as many matches end by no progress.
LOST_SOLDIER = 60  # each soldier that is gone
SCARCE = 3  # and by how much each further one weighs more
HOLDER = 34  # a soldier in the fortress
NEARNESS = 9  # a soldier, for each line that it is nearer than the farthest
OFFICER_GONE = 420  # what remains cannot hold the fortress alone
OFFICER_STEP = 16  # each point that an officer can step to
SHUT_IN = 60  # an officer that cannot step
FARTHEST = 4

NEAR = {bit: NEARNESS * (FARTHEST - lines) for bit, lines in LINES.items()}
# Soldiers advance over all points, so their nearness is looked up for parts of the board at once.
PART_BITS = 11
PARTS = tuple(
    tuple(
        sum(
            NEAR.get(1 << (part * PART_BITS + bit), 0)
            for bit in range(PART_BITS)
            if mask >> bit & 1
        )
        for mask in range(1 << PART_BITS)
    )
    for part in range(3)
)
PART_MASK = (1 << PART_BITS) - 1


def evaluate(node: Node) -> int:
    """The worth of a position to the soldiers."""
    soldiers, officers = node.soldiers, node.officers
    gone = ARMY - soldiers.bit_count()
    value = -LOST_SOLDIER * gone - SCARCE * gone * gone
    value += HOLDER * (soldiers & INSIDE).bit_count()
    low, middle, high = PARTS
    value += low[soldiers & PART_MASK]
    value += middle[soldiers >> PART_BITS & PART_MASK]
    value += high[soldiers >> 2 * PART_BITS]
    taken = soldiers | officers
    number = 0
    for officer in bits(officers):
        number += 1
        steps = 0
        for target in STEPS[officer]:
            if not taken & target:
                steps += 1
        value -= OFFICER_STEP * steps if steps else -SHUT_IN
    if number < 2:
        value += OFFICER_GONE
    return value
