"""Copies of a small world (world.py), so many that a database is as large as after years.

Copy 1, 2, 3 ... of a row has an id lower by the length of the world's ids once, twice, three times
..., and its references too. Instants are moved: those of the past further back, those to come
further ahead, within a day. So references hold, ids ascend with time, and no copy is due.
"""

import sys
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.db.models import F, ForeignKey, Max, Min, Model, UniqueConstraint

from config.models import Alert, KeyFingerprint, LastBackup, SiteSettings
from games.competitions.ladders.models import Ladder, Member
from games.outbox.models import Dispatch, Lease
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.models.time import Halt, Heartbeat, Outage, WebServer
from games.play.record.sealed.sealing import seal, unseal
from games.ratings.models import Family, Unit
from lib.db_clock import now
from tests.bench.scale.world import BASE

WITHIN = timedelta(hours=20)  # all instants are moved by less
BATCH_COPIES = 250  # in one statement
COPY_PLIES = """
    COPY play_ply (match_id, number, seat, kind, text, sealed, at, head, extra) FROM STDIN
"""
NULL = r"\N"

# The same for everybody, or one of each kind.
SHARED = {
    *(Alert, KeyFingerprint, LastBackup, SiteSettings, Group, Permission, ContentType),
    *(Ladder, Lease, Halt, Heartbeat, Outage, WebServer, Family),
}
# Tables that the world leaves empty: passing states, and what a handful of people have.
LEFT_EMPTY = {
    *("account.EmailConfirmation", "accounts.GuessCount", "mfa.Authenticator"),
    *("notifications.AccountEmail", "play.HeavyRequest", "play.HeldPlayer", "play.Look"),
    *("play.Postponement", "ratings.FinalUnit", "talk.EmailedTalk"),
}
# What is no reference and no instant, and yet differs in each copy.
NUMBERS = {(Unit, "number"), (Member, "place")}
SPECIAL = {
    (Match, "event"): """
        CASE WHEN t.event LIKE 'tournament/%%' THEN 'tournament/' ||
        (split_part(t.event, '/', 2)::bigint - k * {tournament}) ELSE t.event END""",
    (Dispatch, "ref"): """
        CASE WHEN t.ref ? 'match' THEN jsonb_set(t.ref, '{{match}}',
        to_jsonb((t.ref ->> 'match')::bigint - k * {match})) ELSE t.ref END""",
}


def multiply(matches: int) -> None:
    """Add copies to the world in this database until it has about so many matches."""
    count = matches // Match.objects.count()
    filling = Filling(count)
    with connection.cursor() as cursor:
        # What is made here refers to nothing that is not there.
        cursor.execute("SET session_replication_role = replica")
        filling.make_room()
        for model in filling.copied:
            tell(f"  {model._meta.db_table}", end="")
            for first in range(0, count, BATCH_COPIES):
                numbers = range(count - first, max(0, count - first - BATCH_COPIES), -1)
                if model is Ply:
                    filling.copy_plies(numbers)
                else:
                    cursor.execute(filling.statement(model), [numbers[-1], numbers[0], BASE])
                if first // BATCH_COPIES % 4 == 0:
                    tell(".", end="")
            tell()
        tell("  VACUUM ANALYZE")
        cursor.execute("VACUUM ANALYZE")


def tell(text: str = "", end: str = "\n") -> None:
    print(text, end=end, file=sys.stderr, flush=True)


class Filling:
    """How to make `count` copies of each row of the world."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.at = now()
        self.step = WITHIN / max(1, count)
        self.copied = list(_copied_models())
        self._spans = {model: _span(model) for model in self.copied if _has_own_id(model)}
        self._numbers = {model: _length(model, name) for model, name in NUMBERS}
        self._plies: list[tuple[Ply, str, str, str]] = []

    def statement(self, model: type[Model]) -> str:
        """Inserts copies from one number to another, of rows with an id from BASE on."""
        columns = [field.column for field in model._meta.concrete_fields]
        values = [self._value(model, field) for field in model._meta.concrete_fields]
        key = model._meta.pk.column
        names = ", ".join(f'"{column}"' for column in columns)
        table = model._meta.db_table
        return (
            f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} "
            f"FROM generate_series(%s::bigint, %s::bigint) AS k, {table} AS t "
            f"WHERE t.{key} >= %s ORDER BY k DESC, t.{key}"
        )

    def make_room(self) -> None:
        """Raise the numbers of the world's rated results, so that those of copies fit below."""
        more = self._numbers[Unit] * self.count
        Unit.objects.update(number=F("number") + more)
        Family.objects.update(last_number=F("last_number") + more)

    def copy_plies(self, numbers: Iterable[int]) -> None:
        """Plies are sealed to their match, so each copy is sealed again."""
        span = self._spans[Match]
        if not self._plies:
            self._plies = list(map(_for_copy, Ply.objects.order_by("match_id", "number")))
        with connection.cursor() as cursor, cursor.copy(COPY_PLIES) as copy:
            for number in numbers:
                moved = self.step * number
                lines = []
                for row, text, before, after in self._plies:
                    match_id = row.match_id - number * span
                    sealed = seal(text, f"ply/{match_id}/{row.number}").hex()
                    lines.append(
                        f"{match_id}\t{before}\t\\\\x{sealed}\t{row.at - moved}\t{after}\n"
                    )
                copy.write("".join(lines))

    def _value(self, model: type[Model], field: Any) -> str:
        """The expression of a column in copy k of a row t."""
        column = f't."{field.column}"'
        if (model, field.name) in SPECIAL:
            spans = {each._meta.model_name: span for each, span in self._spans.items()}
            return SPECIAL[model, field.name].format(**spans)
        if (model, field.name) in NUMBERS:
            sign = "-" if model is Unit else "+"
            return f"{column} {sign} k * {self._numbers[model]}"
        if field.name == "match_id" or isinstance(field, ForeignKey):
            target = _root(field.related_model) if isinstance(field, ForeignKey) else Match
            if target in SHARED:
                return column
            moved = f"{column} - k * {self._spans[target]}"
            return f"CASE WHEN {column} >= {BASE} THEN {moved} ELSE {column} END"
        if field.primary_key:
            return f"{column} - k * {self._spans[model]}"
        if isinstance(field, models.DateTimeField):
            seconds = f"k * {self.step.total_seconds()} * interval '1 second'"
            later = f"{column} > '{self.at.isoformat()}'"
            return f"CASE WHEN {later} THEN {column} + {seconds} ELSE {column} - {seconds} END"
        if _is_unique(model, field):
            if isinstance(field, models.BinaryField):
                return f"sha256({column} || k::text::bytea)"
            length = field.max_length or 200
            return f"left({column}, {length - 8}) || '-' || to_hex(k)"
        return column


def _copied_models() -> Iterator[type[Model]]:
    empty = []
    for model in apps.get_models():
        is_left_out = model in SHARED or model._meta.label in LEFT_EMPTY or model._meta.proxy
        if is_left_out or model._meta.app_label == "floor":
            continue
        if model is not Ply and not model._base_manager.filter(pk__gte=BASE).exists():
            empty.append(model._meta.label)
        yield model
    if empty:
        raise RuntimeError(f"The world has no rows of {', '.join(empty)}: see world.py.")


def _root(model: type[Model]) -> type[Model]:
    """The model whose ids are the keys of this one: of a notebook that of players."""
    key: Any = model._meta.pk
    return _root(key.related_model) if isinstance(key, ForeignKey) else model


def _has_own_id(model: type[Model]) -> bool:
    return isinstance(model._meta.pk, models.AutoField | models.BigAutoField)


def _span(model: type[Model]) -> int:
    """The length of the world's ids."""
    newest = model._base_manager.aggregate(newest=Max("pk"))["newest"]
    return int(newest) - BASE + 1


def _length(model: type[Model], name: str) -> int:
    """The length of the world's numbers of a column."""
    extremes = model._default_manager.aggregate(least=Min(name), most=Max(name))
    return int(extremes["most"] - extremes["least"] + 1)


def _is_unique(model: type[Model], field: Any) -> bool:
    """Whether a column is unique by itself."""
    unique = [c for c in model._meta.constraints if isinstance(c, UniqueConstraint)]
    sets = [[*each.fields, *map(_name, each.expressions)] for each in unique]
    return bool(field.unique) or [field.name] in sets


def _name(expression: Any) -> str:
    """The field of a part of a constraint; "" for what is more than a field."""
    return str(getattr(expression, "name", ""))


def _for_copy(row: Ply) -> tuple[Ply, str, str, str]:
    """A ply, what is sealed in it, and its columns before and after those that differ in copies."""
    text = unseal(row.sealed, f"ply/{row.match_id}/{row.number}")
    seat = NULL if row.seat is None else str(row.seat)
    before = f"{row.number}\t{seat}\t{row.kind}\t{_escaped(row.text)}"
    return row, text, before, f"\\\\x{bytes(row.head).hex()}\t{_escaped(row.extra)}"


def _escaped(value: str) -> str:
    """A text as COPY reads it."""
    escaped = value.replace("\\", r"\\")
    return escaped.replace("\t", r"\t").replace("\n", r"\n").replace("\r", r"\r")
