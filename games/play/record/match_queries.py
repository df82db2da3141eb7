"""Reads a match and its players in one query, as every match page and command needs them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Case, Count, Exists, FilteredRelation, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce, Now

from games.play import ports
from games.play.models.draft import Draft
from games.play.models.match import Match, Player
from games.play.models.notebook import NOTEBOOK_COLUMNS
from games.play.models.plan import PlanRow
from games.play.models.time import Adjustment
from games.play.record.sealed.answering_plans import plan_answers
from games.rules.core.basics.pieces import Seat
from lib.database.prepared_queries import PreparedQuery, Row
from lib.db_clock import unless_frozen

PLAYER_COLUMNS = tuple(field.attname for field in Player._meta.concrete_fields)
MATCH_COLUMNS = tuple(field.attname for field in Match._meta.concrete_fields)
USER_COLUMNS = (
    "id",
    "username",
    "rest",
    "away_until",
    "no_talk",
)  # the days off of a user are hardly ever needed here
# A row has these columns in this order, then the instant, then those of pages, of the plan and of
# the notebook.
MATCH_FROM, USER_FROM = len(PLAYER_COLUMNS), len(PLAYER_COLUMNS) + len(MATCH_COLUMNS)
PLAN_COLUMNS = tuple(f"own_plan__{name}" for name in PlanRow._fields)
INSTANT = USER_FROM + len(USER_COLUMNS)
PAGE_COLUMNS = 4  # see _page_columns
NOTEBOOK = PAGE_COLUMNS + len(PlanRow._fields)  # where the notebook's columns begin


class MatchRow(NamedTuple):
    """A match and its players, South first, with the time of the query by the database's clock."""

    match: Match
    players: dict[Seat, Player]
    at: datetime


def fetch_match(match_id: int) -> MatchRow:
    """A match with its players and users, for a command; raises Match.DoesNotExist."""
    return _only_match(match_id, _rows_for_command(match_id=match_id))


def fetch_matches(match_ids: Iterable[int]) -> dict[int, MatchRow]:
    """Matches with their players and users, by id; those that do not exist are left out."""
    return _match_rows(_joined_rows(Player.objects.filter(match__in=match_ids)))


def fetch_match_for_page(match_id: int, reader_id: int | None) -> MatchRow:
    """A match for a page of one reader.

    Also sets the reader's `waiting`, `challenges`, `drafted`, `plan_row` and `notebook_row`, and
    the match's `adjusted`.
    """
    return _only_match(match_id, _rows_for_page(match_id=match_id, reader_id=reader_id))


def fetch_matches_for_pages(
    match_ids: Iterable[int], reader_ids: Iterable[int]
) -> dict[int, MatchRow]:
    """Matches for pages of several readers, by id; those that do not exist are left out."""
    readers = Q(user__in=reader_ids)
    players = _with_own_plan(Player.objects.filter(match__in=match_ids), readers)
    return _match_rows(_joined_rows(players, *_page_columns(readers), *PLAN_COLUMNS))


@PreparedQuery
def _rows_for_command(match_id: int) -> "models.QuerySet[Any, Any]":
    return _joined_rows(Player.objects.filter(match=match_id))


@PreparedQuery
def _rows_for_page(match_id: int, reader_id: int | None) -> "models.QuerySet[Any, Any]":
    # Only the reader's own notebook and plan, never the opponent's.
    reader = Q(user=reader_id)
    own = FilteredRelation("notebook", condition=reader)
    players = _with_own_plan(Player.objects.filter(match=match_id), reader)
    return _joined_rows(
        players.annotate(own_notebook=own),
        *_page_columns(reader),
        *PLAN_COLUMNS,
        *(f"own_notebook__{name}" for name in NOTEBOOK_COLUMNS),
    )


def _with_own_plan(players: "models.QuerySet[Player]", reader: Q) -> "models.QuerySet[Player]":
    return players.annotate(own_plan=FilteredRelation("plan", condition=reader))


def _joined_rows(
    players: "models.QuerySet[Player]", *page_columns: Case | Exists | str
) -> "models.QuerySet[Any, Any]":
    joined = (
        *(f"match__{name}" for name in MATCH_COLUMNS),
        *(f"user__{name}" for name in USER_COLUMNS),
    )
    return players.order_by("match", "seat").values_list(
        *PLAYER_COLUMNS, *joined, Now(), *page_columns
    )


def _page_columns(reader: Q) -> tuple[Case, Case, Case, Exists]:
    """`waiting`, `challenges`, `drafted`, `adjusted`: separate queries would double the cost."""
    seats = Player.objects.filter(~plan_answers(), user=OuterRef("user"), live=True, to_act=True)
    waiting = seats.values("user")
    count = Coalesce(Subquery(waiting.values(count=Count("pk"))), 0)
    drafts = Draft.objects.filter(player=OuterRef("pk"))
    return (
        Case(When(reader, then=count), default=0),
        Case(When(reader, then=ports.challenges.one("user")), default=0),
        Case(When(reader, then=Exists(drafts)), default=False),
        Exists(Adjustment.objects.filter(match=OuterRef("match"))),
    )


def _only_match(match_id: int, rows: Iterable[Row]) -> MatchRow:
    row_by_match = _match_rows(rows)
    if not row_by_match:
        raise Match.DoesNotExist(f"There is no match {match_id}.")
    return row_by_match[match_id]


def _match_rows(rows: Iterable[Row]) -> dict[int, MatchRow]:
    row_by_match: dict[int, MatchRow] = {}
    for row in rows:
        player: Player = _instance(Player, PLAYER_COLUMNS, row[:MATCH_FROM])
        if player.match_id not in row_by_match:
            match = _instance(Match, MATCH_COLUMNS, row[MATCH_FROM:USER_FROM])
            row_by_match[match.id] = MatchRow(match, {}, unless_frozen(row[INSTANT]))
        player.match, players, _at = row_by_match[player.match_id]
        player.user = _instance(get_user_model(), USER_COLUMNS, row[USER_FROM:INSTANT])
        if values := row[INSTANT + 1 :]:
            player.waiting, player.challenges, player.drafted, adjusted = values[:PAGE_COLUMNS]
            player.match.adjusted = adjusted
            player.plan_row = values[PAGE_COLUMNS:NOTEBOOK]
            player.notebook_row = values[NOTEBOOK:]
        players[Seat(player.seat)] = player
    return row_by_match


def _instance(model: type[models.Model], names: tuple[str, ...], values: Row) -> Any:
    return model.from_db(DEFAULT_DB_ALIAS, names, values)
