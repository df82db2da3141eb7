"""The record of a match: opened at its newest ply, and grown by exactly one ply at a time.

The write is guarded: it succeeds only if the match still stands at the ply that was opened, so of
several actions that race for the same ply exactly one becomes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from games.play import chain, clock, clocks, drafts, refusals
from games.play.models.kind import Kind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.queries import ReadyQuery
from games.play.seal import seal, unseal
from games.play.seating import seated
from games.relay import outbox
from games.relay.once import deed
from games.rules.core import notation
from games.rules.core.army import Seat
from games.rules.core.errors import BadPosition
from games.rules.core.position import Phase, Position
from games.rules.core.ruleset import Ruleset


@dataclass(frozen=True)
class Table:
    """A match as an action found it."""

    match: Match
    rules: Ruleset
    players: Mapping[Seat, Player]
    position: Position
    head: bytes
    at: datetime  # when the action arrived, by the database's clock

    def seat_of(self, user_id: int | None) -> Seat:
        """The seat of a user; refuses anybody else."""
        for seat, player in self.players.items():
            if player.user_id == user_id:
                return seat
        raise refusals.NotSeated

    def is_late(self, seat: Seat) -> bool:
        """The action of this seat arrived after its time, in a match that this ends."""
        late = clock.is_late(self.at, self.players[seat].deadline)
        return late and not self.match.waits_for_claim

    @property
    def unplayed(self) -> bool:
        """No move has been made yet."""
        return self.match.opening is None or self.match.ply == self.match.opening


@dataclass(frozen=True)
class Ending:
    """What the public face says once a match has ended; `result` is empty where there is none."""

    status: Status
    result: str
    reason: str


def place(match_id: int, number: int) -> str:
    """Where a ply's sealed part belongs; it opens nowhere else."""
    return f"ply/{match_id}/{number}"


class BrokenRecordError(Exception):
    """A sealed position opens, but the rules of its match cannot read it."""


class Opened(NamedTuple):
    """The sealed part of a ply."""

    position: str  # the position after it
    private: str  # a set-up's own text, else ""

    def __repr__(self) -> str:
        return "<Opened>"

    def read(self, rules: Ruleset) -> Position:
        """The position; raises BrokenRecordError.

        What the rules say of an unreadable text quotes it, and is a Refusal besides: it would be
        read in logs, and by whoever made the request.
        """
        try:
            return notation.read_position(rules, self.position)
        except BadPosition:
            raise BrokenRecordError("A sealed position cannot be read.") from None


def opened(match_id: int, number: int, sealed: bytes | memoryview) -> Opened:
    """Open the sealed part of a ply; raises BrokenSealError."""
    position, _, private = unseal(sealed, place(match_id, number)).partition("\n")
    return Opened(position, private)


def begin(match: Match, players: Iterable[Player], position: Position) -> None:
    """Write ply 0, the deal, and start the clocks of those who are to set up."""
    text = notation.write_position(match.rules, position)
    Ply.objects.create(
        match=match,
        number=0,
        kind=Kind.BEGIN,
        text="",
        sealed=seal(text, place(match.pk, 0)),
        at=match.created_at,
        head=chain.first_head(match.pk, match.preset, match.switches),
    )
    clocks.begin(match, players, position.to_act, match.created_at)


def open_table(match_id: int, arrived: datetime | None = None) -> Table:
    """The match as it stands, in two queries; raises Match.DoesNotExist.

    An action that is tried again `arrived` when it was tried first, though not before what stands.
    """
    match, players, at = seated(match_id)
    ((sealed, head, newest),) = _newest(match_id=match.pk, number=match.ply)
    truth = opened(match.pk, match.ply, sealed)
    return Table(
        match=match,
        rules=match.rules,
        players=players,
        position=truth.read(match.rules),
        head=bytes(head),
        at=at if arrived is None else max(arrived, newest, *_running_since(players)),
    )


def _running_since(players: Mapping[Seat, Player]) -> list[datetime]:
    return [player.since for player in players.values() if player.since is not None]


@ReadyQuery
def _newest(match_id: int, number: int) -> QuerySet[Any, Any]:
    return Ply.objects.filter(match=match_id, number=number).values_list("sealed", "head", "at")


def append(
    table: Table,
    kind: Kind,
    seat: Seat | None,
    *,
    position: Position | None = None,
    public: str = "",
    private: str = "",
    ending: Ending | None = None,
    reopens: bool = False,
) -> int | None:
    """Write the next ply and all that follows; its number, or None if the match had moved on.

    `reopens` takes an ending back: whoever was to act is so again, with what they had in the bank.
    None as well if somebody has set a clock meanwhile; in both cases, nothing was written.
    """
    match, number = table.match, table.match.ply + 1
    after = position or table.position
    sealed = notation.write_position(table.rules, after) + (private and f"\n{private}")
    face: dict[str, object] = {}
    if match.paused_at is not None:
        face |= {"paused_at": None}
    if ending:
        face |= {
            "status": ending.status,
            "result": ending.result,
            "reason": ending.reason,
            "finished_at": table.at,
        }
    elif reopens:
        setting_up = after.phase is Phase.SETUP
        face |= {
            "status": Status.SETUP if setting_up else Status.RUNNING,
            "result": "",
            "reason": "",
            "finished_at": None,
        }
    elif match.status == Status.SETUP and after.phase is Phase.PLAY:
        face |= {"status": Status.RUNNING, "opening": number}
    try:
        with deed():
            if not _step(match, number, seat, ends=ending is not None):
                return None
            row = Ply(
                match_id=match.pk,
                number=number,
                seat=seat,
                kind=kind,
                text=public,
                sealed=seal(sealed, place(match.pk, number)),
                at=table.at,
                head=chain.next_head(table.head, number, seat, kind, public, table.at),
            )
            Ply.objects.bulk_create([row])
            if face:
                Match.objects.filter(pk=match.pk).update(**face)
            for field, value in face.items():
                setattr(match, field, value)
            if ending:
                _close(table, seat, number)
            elif reopens:
                _reopen(table, after, number)
            else:
                _pass_turn(table, after, seat, number)
            if seat is not None:
                drafts.drop(table.players[seat])
    except clocks.Rewound:
        return None
    return number


# Part of every move; Django would take longer to write it than the database to do it. An offer may
# have been made since the match was read: one of a draw lapses when the next own turn of whoever
# made it begins (C11), one of a pause when they play.
STEP = """
    UPDATE play_match SET ply = %s,
        draw_offer = CASE WHEN %s OR draw_offer <> %s THEN NULL ELSE draw_offer END,
        pause_offer = CASE WHEN %s OR pause_offer = %s THEN NULL ELSE pause_offer END
    WHERE id = %s AND ply = %s AND status = %s
"""


def _step(match: Match, number: int, seat: Seat | None, *, ends: bool) -> bool:
    """Take the match to the next ply, unless somebody else has.

    The condition is the lock: on every database the row is ours from here to the commit.
    """
    by = None if seat is None else int(seat)
    with connection.cursor() as cursor:
        given = [number, ends, by, ends, by, match.pk, match.ply, match.status]
        cursor.execute(STEP, given)
        stepped = cursor.rowcount == 1
    if stepped:
        match.ply = number
        if ends or (by is not None and match.draw_offer != by):
            match.draw_offer = None
        if ends or match.pause_offer == by:
            match.pause_offer = None
    return stepped


def _pass_turn(table: Table, after: Position, seat: Seat | None, number: int) -> None:
    match, players = table.match, table.players
    if after.phase is Phase.SETUP:
        # The other's set-up clock runs on as it was.
        if seat is not None:
            clocks.turn(match, [players[seat]], after.to_act, None, table.at)
        return
    if match.opening == number:
        clocks.begin(match, players.values(), after.to_act, table.at)
    else:
        clocks.turn(match, players.values(), after.to_act, seat, table.at)
    for mover in after.to_act:
        outbox.post("turn-came", user=players[mover].user_id, match=match.pk, ply=number)


def _reopen(table: Table, after: Position, number: int) -> None:
    """Start the turn anew that the ending cut short; there is no ending to look at any more."""
    match, players = table.match, table.players
    clocks.turn(match, players.values(), after.to_act, None, table.at)
    Player.objects.filter(match=match).update(live=True, unseen=False)
    for player in players.values():
        outbox.post("match-reopened", user=player.user_id, match=match.pk, ply=number)
    if after.phase is Phase.PLAY:
        for mover in after.to_act:
            outbox.post("turn-came", user=players[mover].user_id, match=match.pk, ply=number)


def _close(table: Table, seat: Seat | None, number: int) -> None:
    """Stop all clocks; whoever did not end the match themselves has an ending to look at."""
    clocks.stop(table.players.values())
    players = Player.objects.filter(match=table.match)
    players.update(live=False)
    players.exclude(seat=-1 if seat is None else seat).update(unseen=True)
    for player in table.players.values():
        outbox.post("match-over", user=player.user_id, match=table.match.pk, ply=number)
