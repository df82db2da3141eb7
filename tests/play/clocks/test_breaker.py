"""Circuit breaker: an implausible sweep stops, and matches ended wrongly are reinstated."""

import os
import re
import time
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.roles import MODERATOR, OPERATOR
from games.outbox.models import Dispatch
from games.play import time_controls
from games.play.clocks import breaker
from games.play.commands import deadlines, endings, moderation
from games.play.models.match import APPEAL_PERIOD, MAX_REASON_CHARACTERS, Match, Player, Status
from games.play.models.time import Adjustment, Halt, LossOnTime
from games.play.record import match_store
from games.play.refusals import NotNow
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql_soak

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
DRILL = int(os.environ.get("DRILL_MATCHES", "20"))
MIN_PLAYERS = 5  # players who may lose within two hours


@pytest.fixture(autouse=True)
def allowance(settings: Settings) -> None:
    settings.TIMEOUTS_MIN_PLAYERS, settings.TIMEOUTS_PERCENT = MIN_PLAYERS, 0


def overdue_players(
    who: People, players: int, matches: int = 1, since: timedelta = HOUR, name: str = "Late"
) -> list[User]:
    """This many players whose time is up, each in this many matches against Alice."""
    late = now() - since
    losers = [
        User.objects.filter(username=f"{name}{n}").first() or match_helpers.person(f"{name}{n}")
        for n in range(players)
    ]
    for loser in losers:
        for _ in range(matches):
            match = match_helpers.running_match(who._replace(bob=loser), "a4-a5")
            set_overdue(match, late)
    return losers


def set_overdue(match: Match, deadline: datetime) -> None:
    check_at = deadline + time_controls.DEADLINE_GRACE
    match.players.filter(to_act=True).update(deadline=deadline, check_at=check_at)


def running_count() -> int:
    return Match.objects.filter(status__in=Status.live()).count()


def sweep_at(instant: datetime) -> dict[str, int]:
    with frozen_at(instant):
        return {name: count for name, count in deadlines.sweep().items() if count}


def test_a_few_players_lose_on_time(who: People) -> None:
    overdue_players(who, MIN_PLAYERS)
    assert deadlines.sweep()["ended"] == MIN_PLAYERS
    assert not Halt.objects.exists()


def test_too_many_losses_at_once_are_stopped_before_any(
    who: People, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ADMINS = [("", "office@example.org")]
    overdue_players(who, MIN_PLAYERS + 1)
    for _ in range(3):
        assert not deadlines.sweep()["ended"]
    assert running_count() == Halt.objects.get().overdue == MIN_PLAYERS + 1
    (email,) = mail.outbox
    assert email.to == ["office@example.org"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_one_player_who_leaves_many_matches_counts_once(who: People) -> None:
    overdue_players(who, 2, matches=MIN_PLAYERS + 1)
    assert deadlines.sweep()["ended"] == 2 * (MIN_PLAYERS + 1)
    assert not Halt.objects.exists()


def test_two_accounts_with_private_matches_stop_no_other_match(who: People) -> None:
    for _ in range(2 * MIN_PLAYERS):
        set_up_late = match_helpers.new_match(who)
        Player.objects.filter(match=set_up_late).update(
            deadline=now() - HOUR, check_at=now() - HOUR
        )
        set_overdue(match_helpers.running_match(who), now() - HOUR)
        set_overdue(match_helpers.running_match(who, "a4-a5"), now() - HOUR)
    overdue_players(who, 1)
    assert deadlines.sweep()["ended"] == 6 * MIN_PLAYERS + 1
    assert not Halt.objects.exists()


def test_matches_without_set_up_end_despite_the_breaker(who: People) -> None:
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    for _ in range(3):
        set_overdue(match_helpers.new_match(who), now() - HOUR)
    assert deadlines.sweep()["ended"] == 3
    assert running_count() == MIN_PLAYERS + 1


def test_accounts_that_open_the_breaker_delay_others_by_an_hour_at_most(who: People) -> None:
    begin = now()
    accounts = overdue_players(who, 2 * MIN_PLAYERS, since=2 * MINUTE, name="Sham")
    assert sweep_at(begin) == {"held": 2 * MIN_PLAYERS}
    # These lose on time some hours later, while the accounts are late in other matches.
    for hour in range(1, 4):
        at = begin + hour * HOUR
        for account in accounts:
            match = match_helpers.running_match(who._replace(bob=account), "a4-a5")
            set_overdue(match, at - 2 * MINUTE)
        honest = match_helpers.person(f"Honest{hour}")
        match = match_helpers.running_match(who._replace(bob=honest), "a4-a5")
        set_overdue(match, at - 2 * MINUTE)
        assert "ended" not in sweep_at(at)
        assert sweep_at(at + breaker.HALT_DELAY)["ended"] == 1
        assert as_is(match).ended_by_time
    assert Halt.objects.get().overdue == 2 * MIN_PLAYERS


@pytest.mark.soak
@pytest.mark.long
def test_a_lasting_fault_uses_up_the_allowance_once(who: People) -> None:
    begin, ended = now(), 0
    for step in range(18):
        at = begin + step * 10 * MINUTE
        for n in range(3):
            loser = match_helpers.person(f"Struck{step}x{n}")
            match = match_helpers.running_match(who._replace(bob=loser), "a4-a5")
            set_overdue(match, at - 2 * MINUTE)
        ended += sweep_at(at).get("ended", 0)
    for step in range(18, 60):
        ended += sweep_at(begin + step * 10 * MINUTE).get("ended", 0)
    assert ended <= MIN_PLAYERS
    assert Halt.objects.get().overdue == 18 * 3 - ended


def test_the_alert_is_retried_until_a_mail_server_accepts_it(
    who: People, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ADMINS = [("", "office@example.org")]
    works = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # where no server answers
    begin = now()
    with frozen_at(begin):
        overdue_players(who, MIN_PLAYERS + 1)
        assert deadlines.sweep()["held"] == MIN_PLAYERS + 1
    assert "could not be sent" in caplog.text
    settings.EMAIL_BACKEND = works
    for since, emails in (
        (breaker.ALERT_RETRY / 2, 0),
        (breaker.ALERT_RETRY, 1),
        (2 * breaker.ALERT_RETRY, 1),
    ):
        with frozen_at(begin + since):
            deadlines.sweep()
        assert len(mail.outbox) == emails
    assert "6 players would have lost on time, and 5 within two hours" in mail.outbox[0].body


def test_the_next_worker_sends_the_alert_of_a_worker_that_died(
    db: None, settings: Settings
) -> None:
    settings.ADMINS = [("", "office@example.org")]
    at = now()
    Halt.objects.create(opened_at=at, overdue=6, alert_at=at)
    with frozen_at(at):
        deadlines.sweep()
    assert len(mail.outbox) == 1


def test_no_alert_is_sent_without_recipients(who: People, caplog: pytest.LogCaptureFixture) -> None:
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    assert (mail.outbox, Halt.objects.get().alert_at, len(caplog.records)) == ([], None, 1)


def test_too_many_losses_in_succession_open_it_too(who: People) -> None:
    overdue_players(who, MIN_PLAYERS)
    assert deadlines.sweep()["ended"] == MIN_PLAYERS
    overdue_players(who, 1, name="Another")
    assert not deadlines.sweep()["ended"]
    assert Halt.objects.get().overdue == 1


def test_reminders_are_sent_while_it_is_open(who: People) -> None:
    overdue_players(who, MIN_PLAYERS + 1)
    reminded = match_helpers.running_match(who)
    due = now() - MINUTE
    Player.objects.filter(match=reminded).update(check_at=due, since=due - 4 * DAY)
    done = deadlines.sweep()
    assert (done["held"], done["reminded"]) == (MIN_PLAYERS + 1, 1)


def test_overdue_matches_end_after_it_was_released(who: People, charlie: User) -> None:
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    assert breaker.release(Halt.objects.get(), charlie)
    assert not breaker.release(Halt.objects.get(), charlie)
    assert sweep_at(now() + deadlines.RETRY_AFTER) == {"ended": MIN_PLAYERS + 1}


def test_reviewed_matches_end_even_if_the_breaker_opens_again(who: People, charlie: User) -> None:
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    breaker.release(Halt.objects.get(), charlie)
    later = now() + deadlines.RETRY_AFTER
    with frozen_at(later):
        overdue_players(who, MIN_PLAYERS + 1, since=2 * MINUTE, name="New")
    assert sweep_at(later) == {"ended": MIN_PLAYERS + 1, "held": MIN_PLAYERS + 1}


def test_a_release_does_not_cover_later_losses(who: People, charlie: User) -> None:
    begin = now()
    with frozen_at(begin):
        overdue_players(who, MIN_PLAYERS + 1)
        deadlines.sweep()
        breaker.release(Halt.objects.get(), charlie)
    # Earlier losses were reviewed and do not count; later ones do.
    for minutes, ended in ((10, MIN_PLAYERS + 1 + MIN_PLAYERS), (20, 0)):
        with frozen_at(begin + minutes * MINUTE):
            overdue_players(who, MIN_PLAYERS, since=2 * MINUTE, name=f"At{minutes}n")
            assert deadlines.sweep()["ended"] == ended
    assert breaker.open_halt()


def test_usual_numbers_of_losses_do_not_open_it(who: People) -> None:
    at = now()
    match = match_helpers.running_match(who)
    assert breaker.allowance(at) == MIN_PLAYERS
    users = [match_helpers.person(f"User{n}") for n in range(13)]
    hour = at.replace(minute=0, second=0, microsecond=0)
    LossOnTime.objects.bulk_create(
        LossOnTime(match=match, user=user, at=hour - n * HOUR)
        for n in range(1, 10)
        for user in users[: 4 + n]
        for _ in range(2)
    )
    # The eighth most of 13, 12, ..., 5.
    assert breaker.allowance(at) == 3 * 6


def test_a_bigger_club_may_lose_more_players(who: People, settings: Settings) -> None:
    settings.TIMEOUTS_MIN_PLAYERS, settings.TIMEOUTS_PERCENT = 1, 50
    match_helpers.running_match(who)
    match_helpers.running_match(who)
    match_helpers.new_match(who)
    assert breaker.allowance(now()) == 1
    match_helpers.running_match(who, "a4-a5")
    assert breaker.allowance(now()) == 2


def test_the_admin_shows_the_stop_and_can_end_it(
    who: People, client: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    client.force_login(match_helpers.person("Berthier", is_staff=True, is_superuser=True))
    assert "Time-outs are held back: 6 players" in client.get("/admin/").content.decode()
    halt = Halt.objects.get()
    form = {"action": "resume_timeouts", "_selected_action": [halt.pk]}
    client.post("/admin/play/halt/", {**form, "apply": "yes", "reason": "The clock is right."})
    assert not breaker.open_halt()
    assert "Time-outs are held back" not in client.get("/admin/").content.decode()


def test_the_admin_shows_held_players_since_when_and_what_to_do(
    who: People, client: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    overdue_players(who, MIN_PLAYERS + 1, matches=2)
    deadlines.sweep()
    operator = match_helpers.person("Olga", is_staff=True)
    operator.groups.add(Group.objects.get(name=OPERATOR))
    client.force_login(operator)
    stops = client.get("/admin/play/halt/").content.decode()
    assert '<a href="/admin/play/heldplayer/">6 players</a>' in stops
    answer = client.get("/admin/play/heldplayer/")
    page = answer.content.decode()
    assert "They do not lose on time" in page and "resume time-outs" in page
    assert page.count('class="field-late_since nowrap"') == MIN_PLAYERS + 1
    (link,) = re.findall(r'<a href="(/admin/play/match/\?q=Late3)">2</a>', page)
    assert len(client.get(link).context["cl"].result_list) == 2
    breaker.release(Halt.objects.get(), operator)
    assert not client.get("/admin/play/heldplayer/").context["cl"].result_list
    assert "6 players</a>" not in client.get("/admin/play/halt/").content.decode()


def test_staff_without_permission_for_stops_see_no_held_players(
    who: People, client: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    overdue_players(who, MIN_PLAYERS + 1)
    deadlines.sweep()
    moderator = match_helpers.person("Mona", is_staff=True)
    moderator.groups.add(Group.objects.get(name=MODERATOR))
    client.force_login(moderator)
    assert client.get("/admin/play/heldplayer/").status_code == 403


def ended_by_time(who: People) -> Match:
    match = match_helpers.set_up(match_helpers.new_match(who, pace="24h+4h^72h"))
    since = match.players.get(seat=Seat.SOUTH).since
    assert since is not None
    with frozen_at(since + HOUR):
        match_helpers.play(match, "a4-a5")
    with frozen_at(since + 30 * HOUR):
        assert deadlines.sweep()["ended"] == 1
    return as_is(match)


def test_an_ending_by_time_can_be_reverted_with_the_clocks(who: People) -> None:
    match = ended_by_time(who)
    banks = dict(match.players.values_list("seat", "bank"))
    board = match_store.load_match(match.pk).position
    moderation.reopen(match.pk, "The clock of the server was wrong.")
    match = as_is(match)
    assert (match.status, match.result, match.finished_at) == (Status.RUNNING, "", None)
    assert match_store.load_match(match.pk).position == board
    bob = match.players.get(to_act=True)
    assert (bob.seat, bob.bank) == (Seat.NORTH, 24 * HOUR)
    assert bob.since is not None
    assert bob.deadline == bob.since + 24 * HOUR
    assert dict(match.players.values_list("seat", "bank")) == banks == {0: 27 * HOUR, 1: 24 * HOUR}
    assert not match.players.filter(unseen=True).exists()
    match_helpers.play(match, "j7-j6", "b4-b5")


def test_the_player_to_act_is_notified_that_a_match_continues(who: People) -> None:
    match = ended_by_time(who)
    moderation.reopen(match.pk, "Wrong clock.")
    assert Dispatch.objects.filter(event="turn-came", ref__ply=as_is(match).ply).count() == 1


def test_a_cancelled_set_up_can_be_reverted_too(who: People) -> None:
    match = match_helpers.send_setup(match_helpers.new_match(who), Seat.SOUTH)
    with frozen_at(now() + 6 * DAY):
        assert deadlines.sweep()["ended"] == 1
    moderation.reopen(match.pk, "Wrong clock.")
    match = as_is(match)
    assert match.status == Status.SETUP
    assert match.players.get(to_act=True).seat == Seat.NORTH
    assert match_helpers.send_setup(match, Seat.NORTH).status == Status.RUNNING


def test_a_match_ended_by_time_can_be_annulled(who: People) -> None:
    match = ended_by_time(who)
    moderation.void(match.pk, "Wrong clock.")
    assert as_is(match).status == Status.VOID
    with pytest.raises(NotNow):
        moderation.reopen(match.pk, "Again.")


def test_a_match_opens_when_its_ending_is_final(who: People, client: Client) -> None:
    match = ended_by_time(who)
    replay, record = f"/archive/{match.pk}/", f"/archive/{match.pk}/record/"
    client.force_login(who.alice)
    with frozen_at(match.finished_at + APPEAL_PERIOD - timedelta(seconds=1)):
        assert "both armies are shown to everyone" in client.get(replay).content.decode()
        assert client.get(f"{replay}?eyes=open&ply=1")["Location"] == f"{replay}?ply=1"
        assert '[SetupN "' not in client.get(record).content.decode()
    with frozen_at(match.finished_at + APPEAL_PERIOD):
        assert client.get(f"{replay}?eyes=open").status_code == 200
        assert "then both armies" not in client.get(replay).content.decode()
        assert '[SetupN "' in client.get(record).content.decode()
        output = StringIO()
        since, until = match.finished_at - HOUR, match.finished_at + HOUR
        arguments = (since.isoformat(), until.isoformat())
        call_command("reinstate", *arguments, reason="Wrong clock.", stdout=output)
        assert output.getvalue().startswith("Reopened 0 matches.\nLeft 1 as they are")
        call_command("reinstate", *arguments, reason="Wrong clock.", void=True)
    assert as_is(match).status == Status.VOID


@pytest.mark.parametrize("void", [True, False])
def test_a_reason_that_is_too_long_reverts_nothing(who: People, void: bool) -> None:
    match = ended_by_time(who)
    since, until = match.finished_at - HOUR, match.finished_at + HOUR
    arguments = (since.isoformat(), until.isoformat())
    with pytest.raises(CommandError, match="has 201 characters; the limit is 200"):
        call_command("reinstate", *arguments, reason="x" * 201, void=void)
    assert as_is(match).reason == "time"
    call_command("reinstate", *arguments, reason="x" * MAX_REASON_CHARACTERS, void=void)
    reasons = [as_is(match).reason, *Adjustment.objects.values_list("note", flat=True)]
    assert "x" * MAX_REASON_CHARACTERS in reasons


def test_endings_by_the_players_cannot_be_reverted(who: People) -> None:
    match = match_helpers.finished_match(who)
    with pytest.raises(NotNow):
        moderation.reopen(match.pk, "No.")


def test_a_thousand_wrong_endings_are_reverted_within_a_minute(who: People) -> None:
    for _ in range(DRILL):
        set_overdue(match_helpers.running_match(who, "a4-a5"), now() - HOUR)
    begin = now()
    for player in at_least(DRILL, Player.objects.filter(to_act=True)):
        assert endings.claim_time(player.match_id)
    assert running_count() == 0
    output, started = StringIO(), time.monotonic()
    arguments = (begin.isoformat(), (now() + HOUR).isoformat())
    call_command("reinstate", *arguments, reason="Wrong clock.", stdout=output)
    assert time.monotonic() - started < 60
    assert (running_count(), output.getvalue()) == (DRILL, f"Reopened {DRILL} matches.\n")
    again = StringIO()
    call_command("reinstate", *arguments, reason="Wrong clock.", stdout=again)
    assert again.getvalue() == "Reopened 0 matches.\n"
