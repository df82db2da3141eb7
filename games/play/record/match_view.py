"""Match view: what one reader may see of a match, and the only way from its record to a page.

Boards, match pages and e-mails about a match are made from a MatchView; lists and feeds from the
public models Match and Player. This module and `observe` of the rules decide what a reader may see,
so views and templates cannot leak a hidden rank.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import F, QuerySet

from games.play import time_controls
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.record import hash_chain, match_queries, match_store
from games.play.record.match_queries import MatchRow
from games.play.record.move_numbers import turns_played
from games.play.record.snapshot import Entry, NoSuchPly, SeatedSnapshot, TimedEntry
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, observe
from games.rules.core.text.game_record import TIMES, Record
from lib.database.prepared_queries import PreparedQuery, Row

if TYPE_CHECKING:
    from accounts.models import User

logger = logging.getLogger(__name__)

WINDOW_PLIES = 20  # plies read before the one shown; half as many after it
RECENT_PLIES = 8  # plies read before the newest, for e-mails, which show only the last actions
FINGERPRINT_DIGITS = 8  # of a head, as people compare it at a glance
ATTACK_SIGN = "x"  # of the notation: no square and no rank contains it
PLY_COLUMNS = ("number", "seat", "kind", "text", "head", "sealed")  # columns read of each ply
PUBLIC_COLUMNS = 4  # how many of them an Entry has
SEAT_TAGS = {Seat.SOUTH: "South", Seat.NORTH: "North"}  # tags of the players in a game record
# As the ORM would write it for both databases, but the ORM takes far longer to do so.
NAMED_ENTRIES = """
    SELECT match_id, number, seat, kind, text FROM play_ply
    WHERE (match_id, number) IN ({pairs})
"""
# One parameter for any number of plies, so that the statement is prepared.
PAIRS = {
    "postgresql": """
        SELECT CAST(key AS bigint), CAST(value AS integer)
        FROM json_each_text(CAST(%s AS json))
    """,
    "sqlite": "SELECT CAST(key AS integer), value FROM json_each(%s)",
}


class ViewpointNotAllowed(Exception):  # noqa: N818 -- a refusal, not an error.
    """The reader may not take this viewpoint in this match."""


@dataclass(frozen=True)
class MatchView(SeatedSnapshot):
    """What one reader sees of one match at one ply: a snapshot with the match and its players."""

    match: Match
    players: Mapping[Seat, Player]
    now: datetime  # by the database's clock
    head: bytes  # of the match's hash chain at the ply shown

    @cached_property
    def address(self) -> str:
        """The URL path of the match page; the paths of its actions begin with it."""
        return self.match.get_absolute_url()

    @property
    def near_seat(self) -> Seat:
        """The seat at the bottom of the board: that of the viewpoint, else the reader's own."""
        if self.viewpoint.seat is None and self.seat is not None:
            return self.seat
        return super().near_seat

    @property
    def near(self) -> Player:
        """The player at the bottom of the board."""
        return self.players[self.near_seat]

    @property
    def far(self) -> Player:
        """The player at the top of the board."""
        return self.players[self.near_seat.other]

    @property
    def opens_at(self) -> datetime | None:
        """When hidden armies become public; None if they are, or if the match is not finished."""
        waits = self.rules.hidden and not self.match.is_open(self.now)
        return self.match.opens_at if waits else None

    @property
    def is_newest(self) -> bool:
        """Whether the ply shown is the newest."""
        return self.number == self.match.ply

    @property
    def fingerprint(self) -> str:
        """The first digits of the head at the ply shown; "" if the match began before proofs."""
        has_proofs = self.match.chain == hash_chain.WITH_PROOFS
        return self.head.hex()[:FINGERPRINT_DIGITS] if has_proofs else ""

    @property
    def last_turn(self) -> int:
        """How many turns the match has had."""
        return turns_played(self.match)

    @property
    def me(self) -> Player | None:
        """The reader as a player; None for others."""
        return None if self.seat is None else self.players[self.seat]

    @property
    def opponent(self) -> Player | None:
        """The reader's opponent; None if the reader does not play."""
        return None if self.seat is None else self.players[self.seat.other]

    @property
    def version(self) -> str:
        """The version of what the reader's page shows; see Match.version_for."""
        return self.match.version_for(self.me)

    @property
    def may_claim(self) -> bool:
        """Whether the reader may claim the win because the opponent's time is up."""
        other = self.opponent
        if other is None or not other.to_act or not self.match.waits_for_claim:
            return False
        return time_controls.is_late(self.now - time_controls.DEADLINE_GRACE, other.deadline)

    @property
    def may_offer_pause(self) -> bool:
        """Whether a pause can be offered: the clocks run and no offer is open."""
        match = self.match
        offered = match.pause_offer is not None or match.paused_at is not None
        clocks = match.status == Status.RUNNING and match.budget().bank is not None
        return clocks and match.has_pauses and not offered

    @property
    def my_turn(self) -> bool:
        """Whether the reader is to act now; only true at the newest ply of a live match."""
        me = self.me
        return bool(me and me.to_act and self.is_newest and self.match.is_live)

    @property
    def waits_for_house(self) -> bool:
        """Whether a house opponent is about to move or to answer the reader's offer."""
        other, match = self.opponent, self.match
        if other is None or not match.is_live or not other.user.is_house:
            return False
        return other.to_act or self.seat in (match.draw_offer, match.pause_offer)

    @property
    def may_move(self) -> bool:
        """Whether the reader may choose a move now: on their turn, after both set-ups."""
        return self.my_turn and self.match.status == Status.RUNNING


@PreparedQuery
def _plies(match_id: int, first: int, last: int) -> QuerySet[Any, Any]:
    plies = Ply.objects.filter(match=match_id, number__range=(first, last)).order_by("number")
    return plies.values_list(*PLY_COLUMNS)


def view_match(
    match_id: int,
    user: User | AnonymousUser | None,
    *,
    ply: int | None = None,
    shown: int | None = None,
    viewpoint: Viewpoint | None = None,
    whole: bool = False,
) -> MatchView:
    """What `user` sees of a match at a ply, by default the newest; two queries.

    `ply` is the number in the record; `shown` counts from 0, the board before the first move.
    `whole` shows both armies, also to players, as soon as they are public.

    Raises Match.DoesNotExist, NoSuchPly and ViewpointNotAllowed.
    """
    row = match_queries.fetch_match_for_page(match_id, user.pk if user else None)
    match = row.match
    if shown is not None:
        if match.opening is None:
            raise NoSuchPly
        ply = match.opening + shown
    number = match.ply if ply is None else ply
    if not 0 <= number <= match.ply:
        raise NoSuchPly
    rows = _plies(match_id=match.pk, first=number - WINDOW_PLIES, last=number + WINDOW_PLIES // 2)
    return _view(row, number, rows, user, _wanted(row, viewpoint, whole=whole))


def view_newest(match_id: int, user: User | AnonymousUser | None) -> MatchView | None:
    """As `view_match` at the newest ply; None if that cannot be read, which is logged.

    Then the record was damaged or changed, or a key of SEAL_KEYS is missing. Raises
    Match.DoesNotExist.
    """
    try:
        return view_match(match_id, user)
    except match_store.UNREADABLE as error:
        logger.error("match %s cannot be read (%s)", match_id, type(error).__name__)
        return None


def view_plies(
    match_id: int,
    user: User | AnonymousUser | None,
    first: int,
    last: int,
    *,
    viewpoint: Viewpoint | None = None,
    whole: bool = False,
) -> tuple[MatchView, ...]:
    """What `user` sees at each of some consecutive plies, counted as `shown`; two queries.

    Plies after the newest are left out. Otherwise as `view_match`, including what it raises.
    """
    row = match_queries.fetch_match_for_page(match_id, user.pk if user else None)
    opening = row.match.opening
    if opening is None or first < 0 or opening + first > row.match.ply:
        raise NoSuchPly
    numbers = range(opening + first, min(opening + last, row.match.ply) + 1)
    rows = _plies(match_id=match_id, first=numbers[0], last=numbers[-1])
    return _views(row, numbers, rows, user, _wanted(row, viewpoint, whole=whole))


def battles(match: Match) -> tuple[int, ...]:
    """The plies of a match, counted from the first move, that captured or fought; one query.

    They are public, so they are the same for every reader.
    """
    moves = Ply.objects.filter(match=match, kind=PlyKind.MOVE, number__lte=match.ply)
    fought = moves.filter(text__contains=ATTACK_SIGN).order_by("number")
    return tuple(
        number - (match.opening or 0) for number in fought.values_list("number", flat=True)
    )


def _wanted(row: MatchRow, viewpoint: Viewpoint | None, *, whole: bool) -> Viewpoint | None:
    return Viewpoint.OPEN if whole and row.match.is_open(row.at) else viewpoint


class PrefetchedMatch(NamedTuple):
    """A match read in bulk, still sealed: `view` makes the match view of one reader."""

    row: MatchRow
    rows: list[Row]

    def view(self, user: User | None) -> MatchView:
        """What `user` sees at the newest ply, as from `view_match`."""
        return _view(self.row, self.row.match.ply, self.rows, user, None)


def prefetch_matches(
    match_ids: Iterable[int], reader_ids: Iterable[int]
) -> dict[int, PrefetchedMatch]:
    """Prefetch many matches with their newest plies for these readers; by match id; two queries."""
    matches, readers = list(match_ids), list(reader_ids)
    if len(matches) == len(readers) == 1:
        return _prefetch_match(*matches, *readers)
    rows = match_queries.fetch_matches_for_pages(matches, readers)
    prefetched = {pk: PrefetchedMatch(row, []) for pk, row in rows.items()}
    plies = Ply.objects.filter(match__in=prefetched, number__gte=F("match__ply") - RECENT_PLIES)
    for match_id, *row in plies.order_by("match", "number").values_list("match", *PLY_COLUMNS):
        prefetched[match_id].rows.append(tuple(row))
    return prefetched


def _prefetch_match(match_id: int, reader_id: int) -> dict[int, PrefetchedMatch]:
    """As `prefetch_matches` for one match and one reader, by prepared queries."""
    try:
        row = match_queries.fetch_match_for_page(match_id, reader_id)
    except Match.DoesNotExist:
        return {}
    newest = row.match.ply
    plies = _plies(match_id=match_id, first=newest - RECENT_PLIES, last=newest)
    return {match_id: PrefetchedMatch(row, list(plies))}


def _view(
    row: MatchRow,
    number: int,
    rows: Iterable[Row],
    user: User | AnonymousUser | None,
    viewpoint: Viewpoint | None,
) -> MatchView:
    (view,) = _views(row, (number,), rows, user, viewpoint)
    return view


def _views(
    row: MatchRow,
    numbers: Iterable[int],
    rows: Iterable[Row],
    user: User | AnonymousUser | None,
    viewpoint: Viewpoint | None,
) -> tuple[MatchView, ...]:
    match, players, at = row
    rules = match.rules
    around = {row[0]: row for row in rows if row[0] <= match.ply}
    seat = next((s for s, player in players.items() if user and player.user_id == user.pk), None)
    allowed_viewpoint = _checked_viewpoint(match, seat, viewpoint, at)
    sides = {side: str(player.user) for side, player in players.items()}
    entries = tuple(_entry(*row[:PUBLIC_COLUMNS]) for row in around.values())
    return tuple(
        MatchView(
            match=match,
            rules=rules,
            players=players,
            sides=sides,
            opening=match.opening,
            last=match.ply,
            seat=seat,
            viewpoint=allowed_viewpoint,
            number=number,
            observation=_seen(match, number, around[number][-1], allowed_viewpoint),
            entries=entries,
            now=at,
            head=bytes(around[number][PUBLIC_COLUMNS]),
        )
        for number in numbers
    )


def _seen(
    match: Match, number: int, sealed: bytes | memoryview, viewpoint: Viewpoint
) -> Observation:
    """What a viewpoint sees of the position after a ply."""
    position = match_store.unseal_ply(match.pk, number, sealed).read(match.rules)
    return observe(match.rules, position, viewpoint)


def viewpoints(match: Match, seat: Seat | None, at: datetime) -> tuple[Viewpoint, ...]:
    """The viewpoints that a reader in `seat` (or in none) may take, the default first."""
    own = Viewpoint.GALLERY if seat is None else Viewpoint.of_seat(seat)
    if not match.is_open(at):
        return (own,)
    everything = (Viewpoint.OPEN, Viewpoint.SOUTH, Viewpoint.NORTH, Viewpoint.GALLERY)
    return (
        (own, *(other for other in everything if other != own)) if seat is not None else everything
    )


def last_arrivals(match_ids: Iterable[int]) -> dict[int, datetime]:
    """When the newest ply of each of these matches arrived; one query."""
    newest = Ply.objects.filter(match__in=match_ids, number=F("match__ply"))
    return dict(newest.values_list("match", "at"))


def newest_head(match: Match) -> bytes:
    """The head of the chain at the newest ply of a match, as it was read; one query."""
    plies = Ply.objects.filter(match=match.pk, number=match.ply)
    return bytes(plies.values_list("head", flat=True).get())


def off_board(match: Match) -> list[int]:
    """The numbers of plies since the opening that were not turns; a query only if there are any."""
    if not match.off_board:
        return []
    since = Ply.objects.filter(match=match, number__gt=match.opening or 0)
    others = since.exclude(kind=PlyKind.MOVE).order_by("number")
    return list(others.values_list("number", flat=True))


def entries(match: Match, first: int, last: int) -> tuple[TimedEntry, ...]:
    """The public part of plies `first` to `last`, for the move list; one query."""
    return _timed(Ply.objects.filter(match=match, number__range=(first, last)))


def newest_entries(numbers: Mapping[int, int]) -> dict[int, Entry]:
    """The public part of one ply of each match, by match id; `numbers` names them. One query."""
    if not numbers:
        return {}
    statement = NAMED_ENTRIES.format(pairs=PAIRS[connection.vendor])
    with connection.cursor() as cursor:
        cursor.execute(statement, [json.dumps(dict(numbers))])
        columns = cursor.fetchall()
    return {pk: _entry(number, seat, kind, text) for pk, number, seat, kind, text in columns}


def opening_board(view: MatchView) -> tuple[Observation, str]:
    """What the viewpoint saw before the first move, and remarks on archers' shots; one query."""
    match, number = view.match, view.match.opening or 0
    text, sealed = (
        Ply.objects.filter(match=match, number=number).values_list("text", "sealed").get()
    )
    return _seen(match, number, sealed, view.viewpoint), text


def record(match_id: int, user: User | AnonymousUser | None) -> Record:
    """The game record; before the armies are public, with the reader's own set-up only.

    Set-ups of games without hidden ranks are public (A4). Three queries; raises Match.DoesNotExist.
    """
    row = match_queries.fetch_match(match_id)
    return _records({match_id: row}, user)[match_id]


def records(match_ids: Iterable[int], user: User | AnonymousUser | None) -> dict[int, Record]:
    """As `record`, of many matches, by match id; three queries."""
    return _records(match_queries.fetch_matches(match_ids), user)


def _records(rows: Mapping[int, MatchRow], user: User | AnonymousUser | None) -> dict[int, Record]:
    # Not joined with the matches: for many of them, PostgreSQL reads that table as a whole.
    plies = Ply.objects.filter(match__in=rows)
    last_plies = {match_id: row.match.ply for match_id, row in rows.items()}
    setups: dict[int, BySeat[str | None]] = dict.fromkeys(rows, BySeat(None, None))
    sealed_setups = plies.filter(kind=PlyKind.SETUP).values_list(
        "match", "number", "seat", "sealed"
    )
    for match_id, number, seat, sealed in sealed_setups:
        if number > last_plies[match_id]:
            continue  # It came after the match was read.
        match, players, at = rows[match_id]
        side = Seat(cast(int, seat))  # every set-up has a seat
        own = user is not None and players[side].user_id == user.pk
        if own or match.is_open(at) or not match.rules.hidden:
            text = match_store.unseal_ply(match_id, number, sealed).private
            setups[match_id] = setups[match_id].put(side, text)
    entries_of: dict[int, list[TimedEntry]] = {match_id: [] for match_id in rows}
    columns = plies.order_by("match", "number").values_list(
        "match", "number", "seat", "kind", "text", "at"
    )
    for match_id, number, seat, kind, text, at in columns:
        if number <= last_plies[match_id]:
            entries_of[match_id].append(_timed_entry(number, seat, kind, text, at))
    return {
        match_id: _record(row, setups[match_id], entries_of[match_id])
        for match_id, row in rows.items()
    }


def _record(row: MatchRow, setups: BySeat[str | None], entries: list[TimedEntry]) -> Record:
    match, players, _at = row
    moves = [entry for entry in entries if entry.kind == PlyKind.MOVE]
    tags = {
        "Match": str(match.pk),
        **{SEAT_TAGS[seat]: str(player.user) for seat, player in sorted(players.items())},
        "Began": _utc_text(match.created_at),
        "Ended": _utc_text(match.finished_at) if match.finished_at else "",
        "Pace": match.pace,
        TIMES: " ".join(_utc_text(entry.at) for entry in moves),
    }
    return Record(
        edition=match.preset,
        options=match.switches,
        tags={name: value for name, value in tags.items() if value},
        setups=setups,
        moves=tuple(entry.text for entry in moves),
        result=match.result or "*",
        reason=match.reason if match.status == Status.FINISHED else "",
        # The public remarks of the set-ups: what archers did before the first move (T8).
        opening="" if match.opening is None else entries[match.opening].text.strip(),
    )


def _checked_viewpoint(
    match: Match, seat: Seat | None, wanted: Viewpoint | None, at: datetime
) -> Viewpoint:
    allowed = viewpoints(match, seat, at)
    if wanted is None:
        return allowed[0]
    if wanted not in allowed:
        raise ViewpointNotAllowed
    return wanted


def _entry(number: int, seat: int | None, kind: str, text: str) -> Entry:
    return Entry(number, None if seat is None else Seat(seat), PlyKind(kind), text)


def _timed(plies: QuerySet[Ply]) -> tuple[TimedEntry, ...]:
    rows = plies.order_by("number").values_list("number", "seat", "kind", "text", "at")
    return tuple(_timed_entry(*row) for row in rows)


def _timed_entry(number: int, seat: int | None, kind: str, text: str, at: datetime) -> TimedEntry:
    return TimedEntry(number, None if seat is None else Seat(seat), PlyKind(kind), text, at)


def _utc_text(at: datetime) -> str:
    """An instant in the format of game records: UTC to the second, ISO 8601 with Z."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
