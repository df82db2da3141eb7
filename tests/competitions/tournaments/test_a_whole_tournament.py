"""A whole tournament over commands: 24 players, four groups, withdrawals, a no-show, a void."""

import csv as csv_module
import io
import itertools

import pytest

from games.competitions.ranking import tables
from games.competitions.tournaments.commands import withdrawing
from games.competitions.tournaments.models import Entry, State, Tournament
from games.play.commands import deadlines, moderation
from games.play.models.match import Match
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after

pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv_module.DictReader(io.StringIO(text)))


def from_signs(made: Tournament) -> dict[tuple[str, str], list[dict[str, object]]]:
    """The standings of every group, worked out again from the CSV of its pairings."""
    players: dict[tuple[str, str], dict[int, dict[str, str]]] = {}
    for row in rows(playing.csv(made)):
        players.setdefault((row["stage"], row["group"]), {})[int(row["lot"])] = row
    tables_by_group = {}
    pairings = rows(playing.csv(made, pairings=True))
    for key, by_lot in players.items():
        lots = sorted(by_lot)
        cross = dict.fromkeys(itertools.product(lots, lots), ".") | {(a, a): "*" for a in lots}
        for row in pairings:
            if (row["stage"], row["group"]) == key:
                south, north = int(row["south_lot"]), int(row["north_lot"])
                cross[south, north], cross[north, south] = row["sign_south"], row["sign_north"]
        tables_by_group[key] = tables.rank(
            {
                "matches": 1,
                "players": [by_lot[lot]["player"] for lot in lots],
                "withdrawn": [
                    by_lot[lot]["player"] for lot in lots if by_lot[lot]["status"] != "in"
                ],
                "cross": [" ".join(cross[a, b] for b in lots) for a in lots],
            }
        )
    return tables_by_group


def play_it(seed: str) -> Tournament:
    """The tournament from its draw to its end."""
    users = list(playing.members(24))
    made = playing.drawn(users, stages=2, places=2, seed=seed)
    assert Match.objects.filter(event=made.event_key).count() == 4 * 15
    early, late, absent, voided = users[0], users[1], users[2], users[3]
    with frozen_at(after(1)):
        withdrawing.withdraw(made.pk, early)
    # They have played half of their matches, so they keep a place.
    own_matches = Match.objects.filter(event=made.event_key, players__user=late).order_by("pk")
    for match in own_matches[:3]:
        playing.end(match, late, after(2))
    playing.tick(after(2), emails=True)
    with frozen_at(after(3)):
        withdrawing.withdraw(made.pk, late)
        live = Match.objects.filter(event=made.event_key, players__user=voided, finished_at=None)
        moderation.void(live.first().pk, "a trial")
    # One player never sets up; all others do.
    theirs = Match.objects.filter(event=made.event_key, players__user=absent, finished_at=None)
    no_show = theirs.first()
    others = Match.objects.filter(event=made.event_key, finished_at=None).exclude(pk=no_show.pk)
    for match in others:
        best = min(player.user_id for player in match.players.all())
        playing.end(match, match.players.get(user=best).user, after(4))
    no_show.players.exclude(user=absent).update(to_act=False, deadline=None, check_at=None)
    with frozen_at(after(10)):
        deadlines.sweep()
    playing.tick(after(12.1), emails=True)
    made.refresh_from_db()
    return made


def test_groups_are_followed_by_a_final() -> None:
    made = play_it("tulip")
    table = rows(playing.csv(made))
    first = [row for row in table if row["stage"] == "1"]
    assert {row["group"] for row in first} == {"1", "2", "3", "4"}
    by_player = {row["player"]: row for row in first}
    ids = {entry.user.username: entry.user_id for entry in Entry.objects.select_related("user")}
    early, late = (by_player[f"u{ids[f'Member{number}']}"] for number in (1, 2))
    assert (early["status"], early["place"], early["points"]) == ("left out", "", "")
    assert late["status"] == "withdrawn"
    assert late["qualified"] == "0"
    finalists = {row["player"] for row in first if row["qualified"] == "1"}
    assert len(finalists) == 8
    # The final has begun with them.
    assert {row["player"] for row in table if row["stage"] == "2"} == finalists
    assert playing.end_all(made, after(13)) == 28
    playing.tick(after(14), emails=True)
    made.refresh_from_db()
    assert made.state == State.FINISHED
    standings = from_signs(made)
    assert len(standings) == 5
    for row in rows(playing.csv(made)):
        (line,) = (
            each
            for each in standings[row["stage"], row["group"]]
            if each["player"] == row["player"]
        )
        names = ("place", "points", "direct", "sb", "wins")
        assert [row[name] for name in names] == [
            "" if line[name] is None else str(line[name]) for name in names
        ]
    signs = "".join(row["sign_south"] for row in rows(playing.csv(made, pairings=True)))
    assert {"1", "0", "+", "-", "v"} <= set(signs)
    assert "." not in signs
    # Once more, byte for byte.
    again = Tournament.objects.get(pk=made.pk)
    assert playing.csv(again) == playing.csv(made)
    assert playing.csv(again, pairings=True) == playing.csv(made, pairings=True)
