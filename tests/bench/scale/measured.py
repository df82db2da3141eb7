"""What is measured among many matches and among few: pages, lists of the admin, tasks.

The reader and all that a page shows are of the small world (world.py), so they are the same in
both databases. `LEFT_OUT` says of each address that is not asked for why; test_measured.py
compares both with the addresses of the service.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.management.base import CommandError
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.tokens import making
from config.celery import app
from games.archive.models import ImportedRecord
from games.competitions.tournaments.models import Tournament
from games.lobby.models import Invitation, InvitationKind, InvitationStatus
from games.notifications.channels import feeds
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.people.models import Decision
from games.people.moderation import answers
from games.play.clocks import heartbeat
from games.play.commands import deadlines
from games.play.commands.moves import submit_move
from games.play.models.match import Match, Player, Status
from games.play.models.setup import SavedSetup
from games.play.models.time import Halt, Heartbeat
from games.play.record.match_view import view_match
from games.rules.core.text.notation import write_move
from lib.db_clock import now
from tests.bench.floor.management.commands.prepare_bench import sign_in
from tests.bench.scale.world import BASE

DUE = 5  # clocks, and as many reminders; and matches that become final
EMAILS = 100  # that wait
NOBODY = "nobody-has-this-name"  # a name that many copies have would find more among many
READER, OTHER, STAFF, REPORTED = "anna", "bert", "umpire", "emil"

ALIKE = "the same for everybody, or without a question to a table that grows"
POSTS = "only for forms; each of their commands reads what the page before it reads"
GUARDED = "behind another question for the password; they read the rows of one person"
LEFT_OUT = {
    GUARDED: "accounts:tokens accounts:bots accounts:leave",
    ALIKE: """
        play:live play:ready play:next api:openapi api:presets api_reference notifications:offline
        notifications:service_worker proofs proofs_keys proofs_program lesson lesson_move
        lesson_prepare help_picture mailbox_email mailbox_html mailbox_answer mail:confirm
        accounts:unsubscribe accounts:stay lobby:link archive:shared archive:shared_text
        archive:shared_plies archive:shared_battles archive:film_file house:thought
        admin:play_look_position""",
    POSTS: """
        play:move play:prepare play:put_aside play:set_up play:mark play:note play:withdraw_vacation
        talk:mute watch:follow lobby:strength lobby:rematch lobby:accept lobby:decline
        lobby:withdraw lobby:prolong lobby:report moderation:report_profile moderation:report_line
        tournaments:enter tournaments:leave ladders:join ladders:leave ladders:challenge
        archive:film archive:change archive:new_record accounts:export mail:provider
        mail:provider_mime people:unblock people:block notifications:add_device
        notifications:renew_device notifications:remove_device notifications:add_webhook
        notifications:remove_webhook notifications:renew_feeds notifications:close_feeds
        notifications:close_all notifications:seen notifications:try_email notifications:try_push
        notifications:try_webhook notifications:bot put_away_first_steps end_guidance api:play_move
        api:send_setup api:act api:invite api:accept api:decline api:withdraw""",
}


class Measured:
    """The measured acts by name, each with how often it is to be done for one figure."""

    def __init__(self) -> None:
        names = (READER, OTHER, STAFF, REPORTED)
        self._users = {name: User.objects.get(username=name) for name in names}
        self._clients = {name: _client(user) for name, user in self._users.items()}
        self._clients[""] = Client()
        self._token = _token(self._users[READER])
        seats = Player.objects.filter(user=self._users[READER], match__preset="lattaque-en")
        running = seats.filter(match__status=Status.RUNNING).order_by("match")
        over = seats.filter(match__status=Status.FINISHED, match__is_final=True)
        self.own = running.filter(to_act=True)[0].match_id
        self.other = running.filter(to_act=False)[0].match_id
        self.over = over.order_by("-match__ply")[0].match_id
        others = Match.objects.filter(status=Status.RUNNING, pk__gte=BASE)
        self.watched = others.exclude(players__user=self._users[READER])[0].pk

    def acts(self) -> Iterator[tuple[str, Callable[[], object]]]:
        for name, (who, path) in self._pages().items():
            yield name, self._get(who, path)
        yield from self._lists()
        yield "a move", self._move
        yield from _tasks()

    def _get(self, who: str, path: str) -> Callable[[], object]:
        headers: dict[str, Any] = {"HTTP_HOST": "localhost"}
        if path.startswith("/api/") and who:
            headers["HTTP_AUTHORIZATION"] = f"Bearer {self._token}"
        if path == "/metrics":
            headers["HTTP_AUTHORIZATION"] = f"Bearer {settings.METRICS_TOKEN}"

        def get() -> None:
            answer: Any = self._clients[who].get(path, **headers)
            body = answer.getvalue()
            if answer.status_code != 200:
                raise CommandError(f"{path} was answered with {answer.status_code}: {body[:300]}")

        return get

    def _move(self) -> None:
        reader = self._users[READER]
        view = view_match(self.own, reader)
        text = write_move(view.rules, next(iter(view.observation.moves)))
        with transaction.atomic():
            submit_move(self.own, reader, text, view.number)
            transaction.set_rollback(True)

    def _pages(self) -> dict[str, tuple[str, str]]:
        """Who asks for what, by the name of the address, or that with a word more."""
        reader = self._users[READER]
        tournament = Tournament.objects.filter(pk__gte=BASE).order_by("-pk")[0].pk
        offered = Invitation.objects.filter(pk__gte=BASE, status=InvitationStatus.OPEN)
        seat = offered.filter(kind=InvitationKind.SEAT)[0].pk
        record = ImportedRecord.objects.filter(owner=reader)[0].pk
        setup = SavedSetup.objects.filter(user=reader)[0].pk
        feed = feeds.addresses(reader)
        assert feed is not None
        plain = {
            READER: """
                home play:setups play:time_off watch:index watch:live lobby:index lobby:new
                ratings:index moderation:own tournaments:index ladders:index house:play
                archive:index archive:history archive:records accounts:preferences
                accounts:sessions people:blocked
                notifications:settings help lessons api:account api:waiting api:matches api:lobby
                api:invitations api:archive api:records""",
            "": "metrics",
        }
        pages = {n: (who, reverse(n)) for who, names in plain.items() for n in names.split()}
        if settings.DEMO:
            pages["mailbox"] = (READER, reverse("mailbox"))
        requests: dict[str, tuple[str, str, list[object]]] = {
            "play:match own turn": (READER, "play:match", [self.own]),
            "play:match other's turn": (READER, "play:match", [self.other]),
            "play:match over": (READER, "play:match", [self.over]),
            "play:match of others": (READER, "play:match", [self.watched]),
            "play:match for a visitor": ("", "play:match", [self.watched]),
            "play:news": (READER, "play:news", [self.own]),
            "play:practice": (READER, "play:practice", [self.own]),
            "play:moves": (READER, "play:moves", [self.own]),
            "play:plies": (READER, "play:plies", [self.own, 0]),
            "play:battles": (READER, "play:battles", [self.own]),
            "play:plan": (READER, "play:plan", [self.other]),
            "play:step": (READER, "play:step", [self.own, "resign"]),
            "play:small": ("", "play:small", [self.own, 1]),
            "play:picture": ("", "play:picture", [self.own, 1]),
            "play:picture_svg": ("", "play:picture_svg", [self.own, 1]),
            "play:picture_of": ("", "play:picture_of", [self.over, 1, "open"]),
            "play:proof": (READER, "play:proof", [self.over]),
            "play:bundle": (READER, "play:bundle", [self.over]),
            "play:receipt": (READER, "play:receipt", [self.own]),
            "play:new_setup": (READER, "play:new_setup", ["lattaque-en"]),
            "play:edit_setup": (READER, "play:edit_setup", [setup]),
            "play:time_off_of": (READER, "play:time_off_of", [OTHER]),
            "talk:page": (READER, "talk:page", [self.own]),
            "lobby:challenge": (READER, "lobby:challenge", [OTHER]),
            "lobby:detail": (READER, "lobby:detail", [seat]),
            "ratings:family": (READER, "ratings:family", ["lattaque"]),
            "ratings:person": (READER, "ratings:person", [OTHER, "lattaque"]),
            "tournaments:tournament": (READER, "tournaments:tournament", [tournament]),
            "tournaments:table_csv": (READER, "tournaments:table_csv", [tournament]),
            "tournaments:pairings_csv": (READER, "tournaments:pairings_csv", [tournament]),
            "ladders:ladder": (READER, "ladders:ladder", ["lattaque"]),
            "ladders:log": (READER, "ladders:log", ["lattaque"]),
            "archive:match": ("", "archive:match", [self.over]),
            "archive:summary": ("", "archive:summary", [self.over]),
            "archive:chart": ("", "archive:chart", [self.over]),
            "archive:record": ("", "archive:record", [self.over]),
            "archive:plies": ("", "archive:plies", [self.over, 0]),
            "archive:battles": ("", "archive:battles", [self.over]),
            "archive:imported": (READER, "archive:imported", [record]),
            "archive:text": (READER, "archive:text", [record]),
            "archive:own_plies": (READER, "archive:own_plies", [record, 0]),
            "archive:own_battles": (READER, "archive:own_battles", [record]),
            "accounts:profile": (READER, "accounts:profile", [OTHER]),
            "accounts:profile of the house": (READER, "accounts:profile", ["House-Recruit"]),
            "moderation:decision": (
                REPORTED,
                answers.path(Decision.objects.filter(pk__gte=BASE)[0].pk),
                [],
            ),
            "help_game": (READER, "help_game", ["lattaque"]),
            "api:match": (READER, "api:match", [self.own]),
            "api:board": (READER, "api:board", [self.own]),
            "api:plies": (READER, "api:plies", [self.own]),
            "api:record": (READER, "api:record", [self.over]),
            "api:invitation": (READER, "api:invitation", [seat]),
            "api:lines": (READER, "api:lines", [self.own]),
            "api:receipt": (READER, "api:receipt", [self.own]),
        }
        for name, (who, where, words) in requests.items():
            pages[name] = (who, where if where[0] == "/" else reverse(where, args=words))
        for name, query in {
            "archive:index": f"?player={OTHER}",
            "watch:index": "?order=longest&with=all",
            "lobby:index": "?all=1",
        }.items():
            pages[f"{name} {query}"] = (READER, reverse(name) + query)
        pages["archive:index by rules"] = (READER, reverse("archive:index") + "?preset=tactique")
        for name, address in (("notifications:atom", feed.atom), ("notifications:ical", feed.ical)):
            pages[name] = ("", address.removeprefix(settings.SITE_URL.rstrip("/")))
        for name in ("home", "archive:index", "watch:index", "ratings:index"):
            pages[f"{name} for a visitor"] = ("", reverse(name))
        return pages

    def _lists(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """The lists of the admin, as they come and searched for; and the newest row of each."""
        yield "admin:index", self._get(STAFF, reverse("admin:index"))
        for model, page in admin.site._registry.items():
            label = f"{model._meta.app_label}_{model._meta.model_name}"
            address = reverse(f"admin:{label}_changelist")
            yield f"admin list {label}", self._get(STAFF, address)
            if page.search_fields:
                word = str(self.own) if page.search_fields[0] in ("id", "match") else NOBODY
                yield f"admin list {label}, searched", self._get(STAFF, f"{address}?q={word}")
            newest = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
            if newest is not None:
                path = reverse(f"admin:{label}_change", args=[newest])
                yield f"admin row {label}", self._get(STAFF, path)


def _client(user: User) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = sign_in(user)
    return client


def _token(user: User) -> str:
    return making.create(user, f"scale {now()}"[:40]).text


def _tasks() -> Iterator[tuple[str, Callable[[], object]]]:
    """Each task of beat's schedule, whose work is undone again; of the outbox the claim."""
    for entry in app.conf.beat_schedule.values():
        name = entry["task"]
        job = import_string(name)
        if name == "games.outbox.tasks.drain":
            job = _claim
        elif name == "games.play.tasks.sweep":
            job = _sweep
        yield f"task {name}", _undone(job)


def _claim() -> None:
    claimed = len(dispatcher.claim())
    assert claimed == EMAILS, f"{claimed} of {EMAILS} e-mails were due."


def _sweep() -> None:
    at = now()
    Heartbeat.objects.update(last_beat_at=at, last_contact_at=at)
    done = deadlines.sweep()
    assert done["ended"] and done["reminded"], f"The sweep did {done}."


def _undone(job: Callable[[], object]) -> Callable[[], None]:
    def do() -> None:
        with transaction.atomic():
            job()
            transaction.set_rollback(True)

    return do


def make_due() -> None:
    """Let some of the world's work be due: clocks, reminders, endings, e-mails."""
    at = now()
    past, soon = at - timedelta(hours=1), at + timedelta(hours=1)
    heartbeat.beat()
    acting = Player.objects.filter(pk__gte=BASE, to_act=True, user__house_level="")
    acting = acting.filter(match__status=Status.RUNNING).exclude(user__username=READER)
    keys = list(acting.order_by("-pk").values_list("pk", flat=True))
    late, near = keys[:DUE], keys[DUE : 2 * DUE]
    Player.objects.filter(pk__in=late).update(deadline=past, check_at=past)
    begun = past - timedelta(days=3)
    Player.objects.filter(pk__in=near).update(deadline=soon, check_at=past, since=begun)
    # Somebody has looked at what is overdue, so the breaker lets it through.
    Halt.objects.create(opened_at=past, overdue=DUE, in_force=None, released_at=at)
    waiting = Dispatch.objects.filter(pk__gte=BASE).order_by("-pk")[:EMAILS]
    Dispatch.objects.filter(pk__in=[row.pk for row in waiting]).update(sent_at=None)
    newest = Match.objects.filter(pk__gte=BASE, status=Status.FINISHED).order_by("-pk")[:DUE]
    Match.objects.filter(pk__in=[match.pk for match in newest]).update(is_final=False)
