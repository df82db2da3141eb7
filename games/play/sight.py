"""The one way from the record of a match to anybody's eyes.

Boards, and the pages and letters about a match, are made from a Look; lists and feeds from its
public face, Match and Player. What a reader may know is decided here and by the rules' own
`observe`; whoever writes a page need not think about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, QuerySet

from games.play import clock, ledger, seating
from games.play.models.kind import Kind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.queries import ReadyQuery, Row
from games.play.scene import Entry, NoSuchPly, Scene, TimedEntry
from games.play.seating import Seated
from games.rules.core.army import BySeat, Seat
from games.rules.core.observation import observe
from games.rules.core.record import Record
from games.rules.core.viewpoint import Viewpoint

if TYPE_CHECKING:
    from accounts.models import User

WINDOW = 20  # plies shown before the one that is looked at, and half as many after it
LATELY = 8  # plies before the newest, where only what happened last is told
SEEN = ("number", "seat", "kind", "text", "sealed")  # of a ply
TAGS = {Seat.SOUTH: "South", Seat.NORTH: "North"}  # of the players, in a game record


class NotForThoseEyes(Exception):  # noqa: N818 -- a refusal, not a fault.
    """A viewpoint that this reader may not take in this match."""


@dataclass(frozen=True)
class Look(Scene):
    """What one reader sees of one match at one ply."""

    match: Match
    players: Mapping[Seat, Player]
    seat: Seat | None  # the reader's own
    now: datetime  # by the database's clock

    @cached_property
    def address(self) -> str:
        """The page of the match; the addresses of what may be done to it begin with it."""
        return self.match.get_absolute_url()

    @property
    def near(self) -> Player:
        """The player at the foot of the board."""
        return self.players[self.near_seat]

    @property
    def far(self) -> Player:
        return self.players[self.near_seat.other]

    @property
    def opens_at(self) -> datetime | None:
        """When the armies of a match that has ended will be shown; None if they are, or never."""
        waits = self.rules.hidden and not self.match.is_open(self.now)
        return self.match.opens_at if waits else None

    @property
    def is_newest(self) -> bool:
        return self.number == self.match.ply

    @property
    def me(self) -> Player | None:
        return None if self.seat is None else self.players[self.seat]

    @property
    def opponent(self) -> Player | None:
        return None if self.seat is None else self.players[self.seat.other]

    @property
    def may_claim(self) -> bool:
        """The reader may win the match because the opponent's time is up, if they like to."""
        other = self.opponent
        if other is None or not other.to_act or not self.match.waits_for_claim:
            return False
        return clock.is_late(self.now - clock.GRACE, other.deadline)

    @property
    def may_offer_pause(self) -> bool:
        """The clocks of this match run, and nobody has offered yet to stop them."""
        match = self.match
        standing = match.pause_offer is not None or match.paused_at is not None
        return match.status == Status.RUNNING and match.budget().bank is not None and not standing

    @property
    def my_turn(self) -> bool:
        """The reader is to act now; only ever true of the newest ply of a live match."""
        me = self.me
        return bool(me and me.to_act and self.is_newest and self.match.is_live)


@ReadyQuery
def _plies(match_id: int, first: int, last: int) -> QuerySet[Any, Any]:
    plies = Ply.objects.filter(match=match_id, number__range=(first, last)).order_by("number")
    return plies.values_list(*SEEN)


def look(
    match_id: int,
    user: User | AnonymousUser | None,
    *,
    ply: int | None = None,
    shown: int | None = None,
    viewpoint: Viewpoint | None = None,
) -> Look:
    """What `user` sees of a match; two queries.

    `ply` is the number in the record, `shown` the ply as people count (0 is the board before the
    first move); without either it is the newest.

    Raises Match.DoesNotExist, NoSuchPly, and NotForThoseEyes where they may not take the viewpoint.
    """
    table = seating.shown(match_id, user.pk if user else None)
    match = table.match
    if shown is not None:
        if match.opening is None:
            raise NoSuchPly
        ply = match.opening + shown
    number = match.ply if ply is None else ply
    if not 0 <= number <= match.ply:
        raise NoSuchPly
    rows = _plies(match_id=match.pk, first=number - WINDOW, last=number + WINDOW // 2)
    return _look(table, number, rows, user, viewpoint)


class Newest(NamedTuple):
    """The newest plies of a match, and who plays: read, and looked at by nobody yet."""

    table: Seated
    rows: list[Row]

    def look(self, user: User | None) -> Look:
        """What `user` sees, as `look` tells it."""
        return _look(self.table, self.table.match.ply, self.rows, user, None)


def newest(match_ids: Iterable[int], reader_ids: Iterable[int]) -> dict[int, Newest]:
    """What these readers see lately of so many matches, of those that are there; two queries."""
    tables = seating.all_shown(match_ids, reader_ids)
    found = {pk: Newest(table, []) for pk, table in tables.items()}
    plies = Ply.objects.filter(match__in=found, number__gte=F("match__ply") - LATELY)
    for match_id, *row in plies.order_by("match", "number").values_list("match", *SEEN):
        found[match_id].rows.append(tuple(row))
    return found


def _look(
    table: Seated,
    number: int,
    rows: Iterable[Row],
    user: User | AnonymousUser | None,
    viewpoint: Viewpoint | None,
) -> Look:
    match, players, at = table
    rules = match.rules
    around = {row[0]: row for row in rows if row[0] <= match.ply}
    seat = next((s for s, player in players.items() if user and player.user_id == user.pk), None)
    eyes = _eyes(match, seat, viewpoint, at)
    sealed = ledger.opened(match.pk, number, around[number][-1])
    return Look(
        match=match,
        rules=rules,
        players=players,
        sides={side: str(player.user) for side, player in players.items()},
        opening=match.opening,
        last=match.ply,
        seat=seat,
        viewpoint=eyes,
        number=number,
        observation=observe(rules, sealed.read(rules), eyes),
        entries=tuple(_entry(*row[:-1]) for row in around.values()),
        now=at,
    )


def viewpoints(match: Match, seat: Seat | None, at: datetime) -> tuple[Viewpoint, ...]:
    """The viewpoints that a reader in `seat` (or in none) may take, their usual one first."""
    own = Viewpoint.GALLERY if seat is None else Viewpoint.of(seat)
    if not match.is_open(at):
        return (own,)
    everything = (Viewpoint.OPEN, Viewpoint.SOUTH, Viewpoint.NORTH, Viewpoint.GALLERY)
    return (own, *(eyes for eyes in everything if eyes != own)) if seat is not None else everything


def last_arrivals(match_ids: Iterable[int]) -> dict[int, datetime]:
    """When the newest ply of each of these matches arrived; one query."""
    newest = Ply.objects.filter(match__in=match_ids, number=F("match__ply"))
    return dict(newest.values_list("match", "at"))


def entries(match: Match, first: int, last: int) -> tuple[TimedEntry, ...]:
    """The public plies `first` to `last`, for a page of the move list; one query."""
    return _timed(Ply.objects.filter(match=match, number__range=(first, last)))


def record(match_id: int, user: User | AnonymousUser | None) -> Record:
    """The game record: whole once a match is open, before that with the reader's set-up alone.

    A set-up that hides nothing is everybody's (A4). Three queries; raises Match.DoesNotExist.
    """
    match, players, at = seating.seated(match_id)
    rules, is_open = match.rules, match.is_open(at)
    plies = Ply.objects.filter(match=match, number__lte=match.ply)
    setups: BySeat[str | None] = BySeat(None, None)
    for number, seat, sealed in plies.filter(kind=Kind.SETUP).values_list(
        "number", "seat", "sealed"
    ):
        side = Seat(cast(int, seat))  # every set-up has a seat
        own = user is not None and players[side].user_id == user.pk
        if is_open or own or not rules.hidden:
            setups = setups.put(side, ledger.opened(match.pk, number, sealed).private)
    told = _timed(plies)
    moves = [entry for entry in told if entry.kind == Kind.MOVE]
    tags = {
        "Match": str(match.pk),
        **{TAGS[seat]: str(player.user) for seat, player in sorted(players.items())},
        "Began": _stamp(match.created_at),
        "Ended": _stamp(match.finished_at) if match.finished_at else "",
        "Pace": match.pace,
        "Times": " ".join(_stamp(entry.at) for entry in moves),
    }
    return Record(
        system=match.preset,
        switches=match.switches,
        tags={name: value for name, value in tags.items() if value},
        setups=setups,
        moves=tuple(entry.text for entry in moves),
        result=match.result or "*",
        reason=match.reason if match.status == Status.FINISHED else "",
        # What archers did before the first move (T8).
        opening="" if match.opening is None else told[match.opening].text.strip(),
    )


def _eyes(match: Match, seat: Seat | None, asked: Viewpoint | None, at: datetime) -> Viewpoint:
    allowed = viewpoints(match, seat, at)
    if asked is None:
        return allowed[0]
    if asked not in allowed:
        raise NotForThoseEyes
    return asked


def _entry(number: int, seat: int | None, kind: str, text: str) -> Entry:
    return Entry(number, None if seat is None else Seat(seat), Kind(kind), text)


def _timed(plies: QuerySet[Ply]) -> tuple[TimedEntry, ...]:
    rows = plies.order_by("number").values_list("number", "seat", "kind", "text", "at")
    return tuple(
        TimedEntry(number, None if seat is None else Seat(seat), Kind(kind), text, at)
        for number, seat, kind, text, at in rows
    )


def _stamp(at: datetime) -> str:
    """An instant as records write it, in UTC to the second."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
