"""Cross tables of a tournament as they stand: read in a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from games.competitions.ranking.standings import Line, standings
from games.competitions.tournaments.models import Group, Lot, Pairing, Tournament

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True)
class Row:
    """A line of a group's table: the lot, its numbers, and its cells by the others' lots."""

    lot: Lot
    line: Line
    cells: list[Pairing | None]  # None: the diagonal

    def sign(self, pairing: Pairing) -> str:
        """The signs in this row's cell of a pairing."""
        return pairing.of_south if pairing.south_id == self.lot.pk else pairing.of_north


class Placing(NamedTuple):
    """A player's place, None for none, and in what: the final, one of several groups, or all."""

    place: int | None
    in_final: bool
    in_group: bool


class Won(NamedTuple):
    """Who has the first place in the final or in a group; several share it."""

    group: Group
    users: list[User]


@dataclass(frozen=True)
class GroupTable:
    """A group with its pairings, by round and board, and its lines, by place."""

    group: Group
    pairings: list[Pairing]
    rows: list[Row]


def groups_of(tournament: Tournament, stage: int | None = None) -> list[GroupTable]:
    """The groups of a stage, or of all stages, in order; three queries."""
    groups = Group.objects.filter(stage__tournament=tournament).select_related("stage")
    if stage is not None:
        groups = groups.filter(stage__number=stage)
    groups = groups.order_by("stage__number", "number")
    lots: dict[int, list[Lot]] = defaultdict(list)
    for lot in (
        Lot.objects.filter(group__in=groups).select_related("entry__user").order_by("number")
    ):
        lots[lot.group_id].append(lot)
    pairings: dict[int, list[Pairing]] = defaultdict(list)
    rows = Pairing.objects.filter(group__in=groups).select_related("match__twin")
    for pairing in rows.order_by("round", "board"):
        pairings[pairing.group_id].append(pairing)
    return [
        GroupTable(
            group,
            pairings[group.pk],
            _rows(group, lots[group.pk], pairings[group.pk], tournament.matches_a_pair),
        )
        for group in groups
    ]


def places(tournament: Tournament) -> dict[int, int | None]:
    """The place of each player by user id: that of the final, else that of their group."""
    place_by_user: dict[int, int | None] = {}
    for group in groups_of(tournament):
        for row in group.rows:
            place_by_user[row.lot.entry.user_id] = row.line.place
    return place_by_user


def placing(tournament: Tournament, user_id: int) -> Placing:
    """Where a player stands: in the final, else in their group."""
    groups = groups_of(tournament)
    for table in reversed(groups):
        for row in table.rows:
            if row.lot.entry.user_id == user_id:
                in_final = table.group.stage.number > 1
                return Placing(row.line.place, in_final, not in_final and len(groups) > 1)
    return Placing(None, in_final=False, in_group=False)


def winners_of(tournaments: Iterable[Tournament]) -> dict[int, list[Won]]:
    """Who has won each of these tournaments, by its number, in the order of groups; one query."""
    won = Lot.objects.filter(won=True, group__stage__tournament__in=tournaments)
    won = won.select_related("entry__user", "group__stage").order_by("group__number", "number")
    by_tournament: dict[int, list[Won]] = defaultdict(list)
    for lot in won:
        listed = by_tournament[lot.group.stage.tournament_id]
        if not listed or listed[-1].group != lot.group:
            listed.append(Won(lot.group, []))
        listed[-1].users.append(lot.entry.user)
    return dict(by_tournament)


def winners_for(tournament: Tournament, user_id: int) -> list[str]:
    """The names of the winners as a player reads them: of the final, else of their own group."""
    won = winners_of([tournament]).get(tournament.pk, [])
    own = set(Lot.objects.filter(entry__user=user_id).values_list("group", flat=True))
    concerned = won if len(won) == 1 else [each for each in won if each.group.pk in own]
    return [str(user) for each in concerned for user in each.users]


def _rows(group: Group, lots: list[Lot], pairings: list[Pairing], matches: int) -> list[Row]:
    index = {lot.pk: place for place, lot in enumerate(lots)}
    cells: list[list[Pairing | None]] = [[None] * len(lots) for _ in lots]
    cross = [["*" * matches] * len(lots) for _ in lots]
    for pairing in pairings:
        south, north = index[pairing.south_id], index[pairing.north_id]
        cells[south][north] = cells[north][south] = pairing
        cross[south][north], cross[north][south] = pairing.of_south, pairing.of_north
    over_at = group.stage.over_at
    withdrawn = {
        place
        for place, lot in enumerate(lots)
        if lot.entry.withdrawn_at is not None
        # A withdrawal from the final changes nothing in their group.
        and (over_at is None or lot.entry.withdrawn_at <= over_at)
    }
    return [
        Row(lots[line.lot], line, cells[line.lot]) for line in standings(cross, matches, withdrawn)
    ]
