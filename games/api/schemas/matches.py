"""Matches: their public state, and lists of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from pydantic import Field

from games.api.schemas.basics import Answer, Instant, Kind, SeatLetter, Switches, kind_of
from games.play import time_controls
from games.play.models import match as models
from games.rules.core.basics.pieces import Seat

Cursor = str
MatchStatus = Literal["setup", "running", "finished", "cancelled", "void"]


class Player(Answer):
    """A player of a match."""

    seat: SeatLetter
    name: str
    kind: Kind
    to_act: bool
    deadline: Instant | None


class Match(Answer):
    """The public state of a match. Nothing in it depends on a hidden rank."""

    match: int
    preset: str
    switches: Switches = Field(description="the options that differ from the edition")
    status: MatchStatus
    ply: int = Field(description="the newest ply; 0: opened, set-ups count")
    opening: int | None = Field(description="the ply that completed the set-ups")
    players: list[Player] = Field(description="South first")
    seat: SeatLetter | None = Field(description="the asker's")
    pace: str = Field(examples=["3d"])
    setup_days: int
    soft: bool = Field(description="whether the opponent has to claim a win on time")
    vacations: bool
    memory_aid: bool
    rated: bool
    listed: bool = Field(description="whether visitors find it in a list while it runs")
    draw_offer: SeatLetter | None = Field(description="the seat that offers a draw")
    pause_offer: SeatLetter | None
    paused_at: Instant | None
    result: str = Field(description="the letter of the winner, draw, or empty", examples=["S"])
    reason: str
    created_at: Instant
    finished_at: Instant | None
    opens_at: Instant | None = Field(
        description="when both armies are public; null if the match is not finished"
    )
    twin: int | None = Field(description="the other match of a set of two")
    rematch_of: int | None


class Matches(Answer):
    """A page of matches; `next` is the cursor of the next page."""

    matches: list[Match]
    next: Cursor | None


def setup_days(setup_pace: str) -> int:
    """The days for a set-up, of a time control that always has a limit."""
    bank = time_controls.parse(setup_pace).bank
    return 0 if bank is None else -(-bank // time_controls.DAY)


def match_of(
    match: models.Match, players: Mapping[Seat, models.Player], reader_id: int | None
) -> Match:
    """What a reader, by id, gets of a match."""
    letters = match.rules.seat_letters

    def letter(seat: int | None) -> str | None:
        return None if seat is None else letters[Seat(seat)]

    own = next((s for s, each in players.items() if each.user_id == reader_id), None)
    return Match(
        match=match.pk,
        preset=match.preset,
        switches=match.switches,
        status=cast(MatchStatus, match.status),
        ply=match.ply,
        opening=match.opening,
        players=[
            Player(
                seat=letters[seat],
                name=each.user.username,
                kind=kind_of(each.user.username),
                to_act=each.to_act,
                deadline=each.deadline,
            )
            for seat, each in sorted(players.items())
        ],
        seat=letter(own),
        pace=match.pace,
        setup_days=setup_days(match.setup_pace),
        soft=match.soft,
        vacations=match.vacations,
        memory_aid=match.memory_aid,
        rated=match.rated,
        listed=match.listed,
        draw_offer=letter(match.draw_offer),
        pause_offer=letter(match.pause_offer),
        paused_at=match.paused_at,
        result=match.result,
        reason=match.reason,
        created_at=match.created_at,
        finished_at=match.finished_at,
        opens_at=match.opens_at,
        twin=match.twin_id,
        rematch_of=match.rematch_of_id,
    )


def seated(match: models.Match) -> dict[Seat, models.Player]:
    """The players of a match whose players and users are prefetched."""
    return {Seat(player.seat): player for player in match.players.all()}
