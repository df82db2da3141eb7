"""Rank assignment: which ranks pieces can have if each piece gets one and no rank is left over.

Pieces that may have the same ranks form a group. Sets of ranks are integers with a bit for each
rank. A flow from groups to ranks assigns all pieces; a piece of a group can have a rank in some
assignment if and only if the residual graph of the flow leads from the rank back to the group.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

RankSet: TypeAlias = int  # bit i stands for rank i

# The ranks that a group can have in no assignment, each with a set of ranks that contains it and
# that other groups use up: exactly as many pieces can have nothing else.
Excluded: TypeAlias = dict[int, RankSet]


def members(ranks: RankSet) -> list[int]:
    """The ranks of a set, lowest first."""
    listed = []
    while ranks:
        lowest = ranks & -ranks
        listed.append(lowest.bit_length() - 1)
        ranks ^= lowest
    return listed


def excluded_ranks(
    groups: Mapping[RankSet, int], left: Sequence[int]
) -> dict[RankSet, Excluded] | None:
    """For each group the ranks that none of its pieces can have; None if no assignment exists.

    `groups` gives the number of pieces by the set of their possible ranks, `left` the number of
    pieces of each rank; both have the same sum.
    """
    # Ranks that are in the same groups are as one, which leaves a few of them.
    parts = [(1 << len(left)) - 1]
    for group in groups:
        parts = [part for whole in parts for part in (whole & group, whole & ~group) if part]
    numbers = [sum(left[rank] for rank in members(part)) for part in parts]
    joined = {
        sum(1 << place for place, part in enumerate(parts) if part & group): group
        for group in groups
    }
    flow = _assignment({each: groups[group] for each, group in joined.items()}, numbers)
    if flow is None:
        return None
    reached = _reached(flow, len(parts))
    excluded: dict[RankSet, Excluded] = {}
    for each, assigned in flow.items():
        used = sum(1 << place for place, number in assigned.items() if number)
        for place in members(each):
            if not reached[place] & used:
                used_up = sum(parts[other] for other in members(reached[place]))
                of_group = excluded.setdefault(joined[each], {})
                of_group |= dict.fromkeys(members(parts[place]), used_up)
    return excluded


def _assignment(
    groups: Mapping[RankSet, int], left: Sequence[int]
) -> dict[RankSet, dict[int, int]] | None:
    """How many pieces of each group get each rank; None if not every piece can get one."""
    spare = list(left)
    flow: dict[RankSet, dict[int, int]] = {}
    for group in sorted(groups, key=int.bit_count):
        number, assigned = groups[group], flow.setdefault(group, {})
        for rank in members(group):
            taken = min(number, spare[rank])
            if taken:
                assigned[rank] = taken
                spare[rank] -= taken
                number -= taken
        for _ in range(number):
            if not _augment(flow, group, spare):
                return None
    return flow


def _augment(flow: dict[RankSet, dict[int, int]], group: RankSet, spare: list[int]) -> bool:
    """Give one more piece of a group a rank; False if no change of other pieces frees one."""
    came_from: dict[int, tuple[int, RankSet] | None] = dict.fromkeys(members(group))
    queue = list(came_from)
    for rank in queue:
        if spare[rank]:
            break
        for other, assigned in flow.items():
            if assigned.get(rank):
                for further in members(other):
                    if further not in came_from:
                        came_from[further] = (rank, other)
                        queue.append(further)
    else:
        return False
    spare[rank] -= 1
    while (step := came_from[rank]) is not None:
        before, other = step
        flow[other][before] -= 1
        flow[other][rank] = flow[other].get(rank, 0) + 1
        rank = before
    flow[group][rank] = flow[group].get(rank, 0) + 1
    return True


def _reached(flow: Mapping[RankSet, Mapping[int, int]], ranks: int) -> list[RankSet]:
    """By rank, the ranks that its pieces could change to, directly or through others."""
    reached = [1 << rank for rank in range(ranks)]
    for group, assigned in flow.items():
        for rank, number in assigned.items():
            if number:
                reached[rank] |= group
    for middle in range(ranks):
        through, bit = reached[middle], 1 << middle
        for rank in range(ranks):
            if reached[rank] & bit:
                reached[rank] |= through
    return reached
