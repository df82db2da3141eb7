"""`manage.py make_crowd`: a million matches in a minute, around the real ones of `prepare_bench`.

Of the real ones, SHOWN stay with their players; then DUE are overdue, and of as many more
the clock is next check for a reminder. E-mails that wait are left for as many.
"""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from accounts.models import User
from games.outbox.models import Dispatch
from games.play.models.match import Player
from games.play.models.time import Halt
from lib.db_clock import now
from tests.bench.floor import DUE, SHOWN

RIDERS = 1000

# Nine in ten have ended. Nobody is late, and nothing is left to be sent.
CROWD = """
    INSERT INTO play_match (id, preset, switches, pace, setup_pace, status, result, reason, ply,
        opening, off_board, soft, vacations, draws_offered, pauses_offered, memory_aid,
        created_at, finished_at)
    SELECT id, 'lattaque-en', '{}', '3d', '3d',
        CASE WHEN id %% 10 = 0 THEN 'running' ELSE 'finished' END,
        CASE WHEN id %% 10 = 0 THEN '' ELSE 'S' END,
        CASE WHEN id %% 10 = 0 THEN '' ELSE 'resigned' END,
        40, 2, 0, false, false, 0, 0, true, now() - interval '9 days',
        CASE WHEN id %% 10 = 0 THEN NULL ELSE now() - id * interval '1 second' END
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS id;

    INSERT INTO play_player (match_id, user_id, seat, to_act, deadline, check_at,
                             clock_version, live,
        unseen)
    SELECT id, %(rider)s::bigint + (id * 7 + seat) %% %(riders)s::bigint, seat, acts,
        CASE WHEN acts THEN now() + interval '1 day' + id %% 100000 * interval '1 second' END,
        CASE WHEN acts THEN now() + interval '1 hour' + id %% 50000 * interval '1 second' END,
        0, id %% 10 = 0, false
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS id, generate_series(0, 1) AS seat,
        LATERAL (SELECT id %% 10 = 0 AND seat = id / 10 %% 2 AS acts) AS turn;

    INSERT INTO outbox_dispatch (event, handler, user_id, ref, dedupe, created_at, not_before,
        attempts, error, sent_at)
    SELECT 'turn-came', 'notify',
        %(rider)s::bigint + id %% %(riders)s::bigint,
        jsonb_build_object('match', id, 'ply', 40), 'crowd ' || id, now(), now(), 0, '', now()
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS id;
"""


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, required=True)

    def handle(self, *args: Any, matches: int, **options: Any) -> None:
        riders = User.objects.bulk_create(
            User(username=f"rider{number}", handle_key=f"rider{number}") for number in range(RIDERS)
        )
        acting = Player.objects.filter(to_act=True).order_by("match")
        real = list(acting.values_list("match", flat=True))
        late, soon = real[SHOWN : SHOWN + DUE], real[SHOWN + DUE :]
        past = now() - timedelta(hours=1)
        acting.filter(match__in=late).update(deadline=past, check_at=past)
        begun, soon_over = past - timedelta(days=3), now() + timedelta(hours=1)
        acting.filter(match__in=soon).update(check_at=past, since=begun, deadline=soon_over)
        # Somebody has looked at what is overdue, so the breaker lets it through.
        Halt.objects.create(opened_at=past, overdue=DUE, in_force=None, released_at=now())
        for seat in (0, 1):
            others = Player.objects.filter(match__in=late + soon, seat=seat)
            others.update(user=riders[seat])
        waiting = Dispatch.objects.filter(sent_at=None)
        newest = waiting.order_by("-pk").values_list("pk", flat=True)[:DUE]
        waiting.exclude(pk__in=list(newest)).delete()
        first = real[-1] + 1
        values = {"first": first, "last": first + matches - 1}
        values |= {"rider": riders[0].pk, "riders": RIDERS}
        with connection.cursor() as cursor:
            # What is made here refers to nothing that is not there.
            cursor.execute("SET session_replication_role = replica")
            for statement in CROWD.split(";")[:-1]:
                used = {name: value for name, value in values.items() if f"({name})" in statement}
                cursor.execute(statement, used)
            cursor.execute("VACUUM ANALYZE")
