"""Random seasons: after every sweep the ladder equals a slow reference."""

from datetime import datetime, timedelta
from random import Random

import pytest

from accounts.models import User
from games.competitions.ladders import commands
from games.competitions.ladders.models import Change, Ladder, Member
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.reference import Fight, Reference
from tests.competitions.ladders.scene import TIME, aborted, challenge, order, tick, won
from tests.ratings.results import day
from tests.tiers import parameters

pytestmark = pytest.mark.django_db

# Seeds, and how many steps a season of each has.
SEASONS = [(1, 80), *((seed, 200) for seed in range(6))]
HOW = (*["board"] * 9, "time", "time", "aborted", "no-show", "void")


class Season:
    """A ladder in the database and its reference, which live through the same random acts."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.ladder = scene.open_ladder()
        self.users = {user.username: user for user in scene.people(14)}
        names = list(self.users)
        scene.add_members(self.ladder, 9, day(0), [self.users[name] for name in names[:9]])
        self.reference = Reference(order=names[:9], joined=dict.fromkeys(names[:9], day(0)))
        self.at = day(1)
        self.accepted = self.refused = 0

    def act(self) -> None:
        self.at += timedelta(hours=self.rng.randrange(1, 60))
        kind = self.rng.choices(("challenge", "end", "join", "leave"), (60, 35, 8, 2))[0]
        getattr(self, kind)()
        if self.rng.random() < 0.5:
            tick(self.at)
            self.reference.tick(self.at)
            # As if the outbox had delivered them.
            Dispatch.objects.update(sent_at=self.at)

    def challenge(self) -> None:
        one, other = self.rng.sample(list(self.users), 2)
        if self.rng.random() < 0.8 and len(self.reference.order) > 1:
            place = self.rng.randrange(1, len(self.reference.order))
            one = self.reference.order[place]
            other = self.reference.order[self.rng.randrange(max(0, place - 4), place)]
        try:
            match = challenge(self.users[one], self.users[other], self.at)
        except Refusal as refusal:
            assert not self.reference.may_challenge(one, other, self.at), refusal
            self.refused += 1
        else:
            assert self.reference.may_challenge(one, other, self.at), (one, other)
            self.reference.fights.append(Fight(match.pk, one, other, self.at))
            self.accepted += 1

    def end(self) -> None:
        live = [fight for fight in self.reference.running() if fight.ended is None]
        if not live:
            return
        fight = self.rng.choice(live)
        fight.ended, fight.how = self.at, self.rng.choice(HOW)
        match = Match.objects.get(pk=fight.number)
        match fight.how:
            case "board" | "time":
                choices = [*fight.players, None] if fight.how == "board" else fight.players
                fight.winner = self.rng.choice(choices)
                winner = self.users[fight.winner] if fight.winner else None
                won(match, winner, self.at, TIME if fight.how == "time" else "")
                self.reference.moved |= dict.fromkeys(fight.players, self.at)
            case "void":
                scene.voided(match, self.at)
            case how:
                count = self.rng.randrange(1, 3)
                fight.guilty = tuple(self.rng.sample(fight.players, count))
                by = [self.users[name] for name in fight.guilty]
                aborted(match, by, self.at, missed=how == "no-show")

    def join(self) -> None:
        name = self.rng.choice(list(self.users))
        expected = self.reference.may_join(name, self.at)
        try:
            with frozen_at(self.at):
                commands.join(self.ladder.family, self.users[name])
        except Refusal as refusal:
            assert not expected, (name, refusal)
        else:
            assert expected, name
            self.reference.join(name, self.at)

    def leave(self) -> None:
        if not self.reference.order:
            return
        name = self.rng.choice(self.reference.order)
        with frozen_at(self.at):
            commands.leave(self.ladder.family, self.users[name])
        self.reference.leave(name)


@pytest.mark.parametrize(("seed", "steps"), parameters(SEASONS, fast=SEASONS[:1]))
def test_a_season_matches_the_reference(seed: int, steps: int) -> None:
    season = Season(seed)
    for _ in range(steps):
        season.act()
        assert order(season.ladder) == season.reference.order
        going = Member.objects.exclude(going="").values_list("user__username", "going")
        assert dict(going) == season.reference.going
    log = Change.objects.filter(why="won").order_by("pk").select_related("user")
    moves = [(row.user.username, row.from_place, row.to_place) for row in log]
    assert moves == season.reference.won
    assert season.accepted > steps // 10 and season.refused > steps // 20
    assert len(moves) > steps // 60
    assert_places_follow_from_the_log(season.ladder, season.users, season.at)


def assert_places_follow_from_the_log(ladder: Ladder, users: dict[str, User], at: datetime) -> None:
    """The log alone gives the places."""
    places = list(users)[:9]
    for change in Change.objects.filter(ladder=ladder).order_by("pk").select_related("user"):
        name = change.user.username
        if change.from_place is not None:
            assert places.pop(change.from_place - 1) == name
        if change.to_place is not None:
            places.insert(change.to_place - 1, name)
    assert places == order(ladder)
