"""The last date of a stage: what is not finished is judged by the time that each has used."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from games.competitions.ranking import signs
from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.models import ENTRY_ENDED, Pairing, Stage
from games.people import leaving
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage
from games.play.record.public_plies import PublicPly, public_plies
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

BATCH = 50  # pairings judged in one transaction
FACTOR = 2  # a player who has used more than this times the other's time loses

Interval = tuple[datetime, datetime]


def judge_batch(stage_id: int) -> int:
    """Judge unfinished matches of a stage whose last date has passed; returns how many pairings.

    Matches that ended and are not final yet are left: they will be.
    """
    with transaction.atomic():
        locking.locked(Stage.objects.get(pk=stage_id).tournament_id)
        stage, at = Stage.objects.get(pk=stage_id), now()
        if not stage.to_judge or stage.ends_at > at or stage.over_at is not None:
            return 0
        unfinished = [pairing for pairing in _open(stage) if _is_unfinished(pairing)]
        for pairing in unfinished[:BATCH]:
            _judge(pairing, at)
        if len(unfinished) <= BATCH:
            Stage.objects.filter(pk=stage_id).update(to_judge=False, to_check=True)
    return len(unfinished[:BATCH])


def time_used(match: Match, at: datetime) -> dict[Seat, timedelta]:
    """How long each player has thought about moves by an instant, the running turn included.

    By the wall clock, less pauses and outages. The set-up is no turn.
    """
    turns = _turns(match, public_plies(match.pk), at)
    stops = _pauses(match, at) + [
        (outage.start, outage.end)
        for outage in Outage.objects.filter(end__gt=match.created_at, start__lt=at)
    ]
    stops = _merged(stops)
    used = dict.fromkeys(Seat, timedelta())
    for seat, start, end in turns:
        used[seat] += end - start - _overlap(start, end, stops)
    return used


def verdict(used: dict[Seat, timedelta], seat: Seat) -> str:
    """The sign of a seat in a match that is not finished at the last date."""
    if used[seat] > FACTOR * used[seat.other]:
        return signs.JUDGED_LOST
    if used[seat.other] > FACTOR * used[seat]:
        return signs.JUDGED_WON
    return signs.JUDGED_EVEN


def _judge(pairing: Pairing, at: datetime) -> None:
    for number in range(1, len(pairing.signs) // 2 + 1):
        match = _match(pairing, number)
        if not pairing.counts(number) or (match is not None and not match.is_live):
            continue
        both = signs.JUDGED_EVEN * 2
        if match is not None:
            used = time_used(match, at)
            seats = {player.user_id: Seat(player.seat) for player in match.players.all()}
            sides = [seats[lot.entry.user_id] for lot in (pairing.south, pairing.north)]
            both = "".join(verdict(used, seat) for seat in sides)
        pairing.sign(number, both, fix=True)
    pairing.waiting = False
    pairing.save(update_fields=["signs", "fixed", "waiting"])
    players = (pairing.south.entry.user_id, pairing.north.entry.user_id)
    leaving.check_later(ENTRY_ENDED, players, pairing=pairing.pk)


def _open(stage: Stage) -> list[Pairing]:
    pairings = Pairing.objects.filter(group__stage=stage, signs__contains=signs.OPEN)
    return list(
        pairings.select_related("match__twin", "south__entry", "north__entry").order_by("pk")
    )


def _is_unfinished(pairing: Pairing) -> bool:
    numbers = range(1, len(pairing.signs) // 2 + 1)
    matches = [_match(pairing, number) for number in numbers if pairing.counts(number)]
    return any(match is None or match.is_live for match in matches)


def _match(pairing: Pairing, number: int) -> Match | None:
    first = pairing.match
    return first if first is None or number == 1 else first.twin


def _turns(
    match: Match, plies: list[PublicPly], at: datetime
) -> list[tuple[Seat, datetime, datetime]]:
    """Every turn with its player, its beginning and its end; the last may still run."""
    turns, start = [], None
    for ply in plies:
        if ply.number == match.opening or ply.kind == PlyKind.REOPEN:
            start = ply.at
        elif ply.kind == PlyKind.MOVE and ply.seat is not None and start is not None:
            turns.append((ply.seat, start, ply.at))
            start = ply.at
    if start is not None and match.is_live:
        for player in Player.objects.filter(match=match, to_act=True):
            turns.append((Seat(player.seat), start, max(start, at)))
    return turns


def _pauses(match: Match, at: datetime) -> list[Interval]:
    """The pauses of a match; a move may have ended one, which the end of its turn covers."""
    pauses, since = [], None
    kinds = (Adjustment.Kind.PAUSED, Adjustment.Kind.RESUMED)
    log = Adjustment.objects.filter(match=match, kind__in=kinds).order_by("pk")
    for kind, when in log.values_list("kind", "at"):
        if kind == Adjustment.Kind.PAUSED:
            since = when
        elif since is not None:
            pauses.append((since, when))
            since = None
    if match.paused_at is not None:
        pauses.append((match.paused_at, at))
    return pauses


def _merged(intervals: list[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _overlap(start: datetime, end: datetime, stops: list[Interval]) -> timedelta:
    shared = (min(end, to) - max(start, since) for since, to in stops)
    return sum((each for each in shared if each > timedelta()), timedelta())
