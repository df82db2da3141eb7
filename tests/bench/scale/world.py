"""A small world, made by the real commands, of which a large database is made of copies.

It is the demo's, with longer matches and with rows of the tables that the demo leaves empty. When
it is made, nothing in it is due, so that no copy is due either.
"""

import itertools
import json
import random
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction

from accounts.models import User
from accounts.tokens import making
from config.demo import season
from config.management.commands.demo import Command as Demo
from games.archive.importing import import_record
from games.archive.models import Film, FilmFile
from games.house import house_accounts
from games.house.models import HouseSeat
from games.idempotency import signed_keys
from games.idempotency.models import StoredApiResponse, StoredResponse
from games.mail.models import IncomingMessage, MessageOutcome, RecipientKind
from games.notifications.catalogue import NOTIFY
from games.notifications.channels import feeds
from games.notifications.models import Device, Mailbox, Purpose, ReplyAddress, Style, Webhook
from games.outbox.models import Dispatch
from games.people.models import Block, Complaint, Decision, Outcome, Report, ReportState
from games.play.commands import endings, matches, moves
from games.play.models.match import Match, Player, Status
from games.play.models.plan import Plan, PlanState
from games.play.models.ply import Ply
from games.play.models.time import Adjustment, LossOnTime, Vacation
from games.play.record.match_view import record
from games.play.record.sealed import drafts, notebooks, plans
from games.play.record.sealed.sealing import seal
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.game_record import write_record
from games.watch.models import Follow
from lib.db_clock import now
from tests.bench.floor.management.commands.prepare_bench import game, sign_in

# Ids of the world begin here, those of copies lie below. What has a lower id is in no copy.
BASE = 1_000_000_000
PLIES = 20  # of a match, on average
LONG = 80  # plies of a match that brings the average up
PRESETS = ("lattaque-en", "tactique")
SETUP_PLIES = 2  # of a match, before the first move
ROWS_EACH = 2  # for each match: rows of the outbox, stored responses, reply addresses
A_WEEK = timedelta(days=7)

SEQUENCES = """
    SELECT format('ALTER SEQUENCE %I RESTART WITH {base}', sequencename)
    FROM pg_sequences WHERE schemaname = 'public' AND data_type::text <> 'smallint'
"""


def make() -> None:
    """Make the world in an empty database."""
    for level in house_accounts.LEVELS:
        house_accounts.opponent(level)
    _begin_ids_at(BASE)
    dice = random.Random(1909)
    with transaction.atomic():
        Demo().fill()
        _play_long_matches(dice)
        _end_matches_of_the_house()
        season.settle()
        for rows in _other_rows(dice):
            type(rows[0])._default_manager.bulk_create(rows)
        _come_to_rest()


def _begin_ids_at(first: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SEQUENCES.format(base=first))
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)


def people() -> list[User]:
    return list(User.objects.filter(house_level="", is_staff=False).order_by("pk"))


def _play_long_matches(dice: random.Random) -> None:
    """Rated matches, resigned at last, until matches have PLIES on average."""
    players, presets = people(), itertools.cycle(PRESETS)
    while Ply.objects.count() < PLIES * Match.objects.count():
        south, north = dice.sample(players, 2)
        match = matches.open_match(
            Terms(next(presets), rated=True), {Seat.SOUTH: south, Seat.NORTH: north}
        )
        setups, texts = game(match.rules, dice, LONG)
        for seat, user in ((Seat.SOUTH, south), (Seat.NORTH, north)):
            moves.submit_move(match.pk, user, setups[seat], None)
        for number, text in enumerate(texts):
            moves.submit_move(match.pk, (south, north)[number % 2], text, SETUP_PLIES + number)
        endings.resign(match.pk, south)


def _end_matches_of_the_house() -> None:
    """In each copy the house would be to move, and its task would have work."""
    against = Player.objects.filter(match__players__user__house_level__gt="", live=True)
    for player in against.filter(user__house_level="").select_related("user"):
        endings.resign(player.match_id, player.user)


def _other_rows(dice: random.Random) -> Iterator[list[Any]]:
    """Rows of the tables that the demo leaves empty, a list for each table."""
    at, players = now(), people()
    over = list(Match.objects.filter(status=Status.FINISHED).order_by("pk"))
    running = list(Match.objects.filter(status=Status.RUNNING).order_by("pk"))
    yield from _rows_of_moves(dice, at, players, over + running)
    yield from _rows_of_people(at, players)
    yield from _rows_of_matches(at, players, over, running)
    yield from _rows_of_moderation(at, players)
    for user in players:
        sign_in(user)
        making.create(user, "bench", ("read", "play"))
        feeds.renew(user)
        import_record(user, write_record(record(over[0].pk, user)))


def _rows_of_moves(
    dice: random.Random, at: datetime, players: list[User], played: list[Match]
) -> Iterator[list[Any]]:
    """What moves leave behind: outbox, stored responses, reply addresses, messages."""
    each = [
        (number, match, dice.choice(players)) for match in played for number in range(ROWS_EACH)
    ]
    yield [
        Dispatch(
            event="turn-came",
            handler=NOTIFY,
            user=user,
            ref={"match": match.pk, "ply": match.ply - number},
            dedupe=f"world {match.pk} {number}",
            created_at=at,
            not_before=at,
            sent_at=at,
        )
        for number, match, user in each
    ]
    yield [
        StoredResponse(
            user=user,
            key=signed_keys.issue(user.pk),
            digest=secrets.token_bytes(32),
            status=302,
            location=match.get_absolute_url(),
            at=at,
        )
        for _number, match, user in each
    ]
    yield [
        StoredApiResponse(
            user=user,
            key=secrets.token_hex(16),
            digest=secrets.token_bytes(32),
            status=200,
            content_type="application/json",
            location="",
            body=json.dumps({"match": match.pk}),
            at=at,
        )
        for number, match, user in each
        if not number
    ]
    yield [
        ReplyAddress(
            token_hash=secrets.token_bytes(32),
            purpose=Purpose.MATCH,
            user=user,
            match_id=match.pk,
            ply=match.ply,
            address_of=secrets.token_bytes(16),
            issued_at=at,
        )
        for _number, match, user in each
    ]
    yield [
        IncomingMessage(
            key=secrets.token_hex(32),
            door=RecipientKind.REPLY,
            user=user,
            envelope=secrets.token_bytes(120),
            sealed=secrets.token_bytes(900),
            arrived_at=at,
            taken_at=at,
            done_at=at,
            outcome=MessageOutcome.PLAYED,
        )
        for number, _match, user in each
        if not number
    ]


def _rows_of_people(at: datetime, players: list[User]) -> Iterator[list[Any]]:
    yield [Mailbox(user=user, sent_at=at) for user in players]
    yield [
        Device(
            user=user,
            endpoint=f"https://push.example.org/{user.pk}",
            digest=secrets.token_hex(32),
            p256dh="p" * 87,
            auth="a" * 22,
            name="Firefox",
            added_at=at,
        )
        for user in players
    ]
    yield [
        Webhook(user=user, url="https://hooks.example.org/", style=Style.JSON, added_at=at)
        for user in players
    ]
    yield [
        Vacation(user=user, start=at - A_WEEK, end=at - A_WEEK / 2, planned=True)
        for user in players
    ]
    yield [
        Block(owner=user, blocked=players[number], made_at=at)
        for number, user in enumerate(players[3:])
    ]


def _rows_of_matches(
    at: datetime, players: list[User], over: list[Match], running: list[Match]
) -> Iterator[list[Any]]:
    for match in running:
        for player in Player.objects.filter(match=match):
            notebooks.store_note(player.pk, "To be remembered.")
    waiting = Player.objects.filter(match__in=running, to_act=False, user__house_level="")
    for player in waiting.select_related("match"):
        drafts.store(player, player.match, player.match.ply + 1, "a4-a5")
    yield [
        Plan(
            player=player,
            ply=0,
            state=PlanState.DELETED,
            sealed=seal(json.dumps(plans.Contents()._asdict()), plans.seal_context(player.pk)),
        )
        for player in waiting
    ]
    yield [
        Follow(match=match, user=user, since=at)
        for match in running
        for user in players
        if not Player.objects.filter(match=match, user=user).exists()
    ]
    films = [Film(match=match, eyes="open", bytes=100, asked_at=at) for match in over[:10]]
    yield films
    yield [FilmFile(film=film, body=bytes(100)) for film in films]
    yield [
        Adjustment(match=match, seat=0, kind=Adjustment.Kind.GIFT, span=A_WEEK, at=at)
        for match in over
    ]
    yield [
        LossOnTime(match=match, user=players[number % 3], at=at)
        for number, match in enumerate(over[:10])
    ]


def _rows_of_moderation(at: datetime, players: list[User]) -> Iterator[list[Any]]:
    staff = User.objects.get(is_staff=True)
    reports = [
        Report(person=players[4], state=ReportState.CLOSED, opened_at=at, closed_at=at),
        Report(person=players[5], opened_at=at, reporters=1),
    ]
    yield reports
    yield [
        Complaint(report=report, reporter=players[3], subject="profile", reason="spam", made_at=at)
        for report in reports
    ]
    yield [
        Decision(
            report=reports[0], moderator=staff, outcome=Outcome.WARNED, reason="Spam", made_at=at
        )
    ]
    yield [
        LogEntry(
            user=staff,
            content_type=ContentType.objects.get_for_model(User),
            object_id=str(user.pk),
            object_repr=user.username,
            action_flag=CHANGE,
            change_message="[]",
        )
        for user in players
    ]


def _come_to_rest() -> None:
    """Nothing is due, and nothing waits to be sent."""
    later = now() + timedelta(days=30)
    Player.objects.filter(check_at__isnull=False).update(check_at=later, deadline=later)
    HouseSeat.objects.update(due_at=None)
    Dispatch.objects.filter(sent_at=None).update(sent_at=now())
