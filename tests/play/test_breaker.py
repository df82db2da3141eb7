"""A sweep that would end implausibly many matches stops, and what it ended wrongly comes back."""

import os
import time
from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from accounts.models import User
from games.play import breaker, clock, commands, ledger, timekeeper
from games.play.models.match import APPEAL, REASON, Match, Player, Status
from games.play.models.time import Adjustment, Halt, Toll
from games.play.refusals import NotNow
from games.relay.models import Dispatch
from games.relay.moment import now, standing_at
from games.rules.core.army import Seat
from tests.play import tables
from tests.play.tables import People, as_is

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DRILL = int(os.environ.get("DRILL_MATCHES", "20"))


def overdue_matches(who: People, count: int) -> list[Match]:
    """Matches in play whose time is up; with one army that stands and one move, copied."""
    first = tables.running_match(who, "a4-a5")
    matches = [first, *(tables.running_match(who, "a4-a5") for _ in range(count - 1))]
    late = now() - timedelta(hours=1)
    Player.objects.filter(to_act=True).update(deadline=late, check_at=late + clock.GRACE)
    return matches


def live() -> int:
    return Match.objects.filter(status__in=Status.live()).count()


def test_a_few_matches_end_as_they_should(who: People) -> None:
    overdue_matches(who, breaker.LEAST)
    assert timekeeper.sweep()["ended"] == breaker.LEAST
    assert not Halt.objects.exists()


def test_too_many_at_once_stop_the_sweep_before_any_ends(who: People, settings, caplog) -> None:
    settings.ADMINS = [("", "office@example.org")]
    overdue_matches(who, breaker.LEAST + 1)
    for _ in range(3):
        assert not timekeeper.sweep()["ended"]
    assert live() == Halt.objects.get().overdue == breaker.LEAST + 1
    (letter,) = mail.outbox
    assert letter.to == ["office@example.org"]
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_the_alert_is_sent_again_until_a_mail_server_takes_it(who, settings, caplog) -> None:
    settings.ADMINS = [("", "office@example.org")]
    works = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # where nothing answers
    begin = now()
    with standing_at(begin):
        overdue_matches(who, breaker.LEAST + 1)
        assert timekeeper.sweep()["held"] == breaker.LEAST + 1
    assert "did not leave" in caplog.text
    settings.EMAIL_BACKEND = works
    for since, letters in ((breaker.AGAIN / 2, 0), (breaker.AGAIN, 1), (2 * breaker.AGAIN, 1)):
        with standing_at(begin + since):
            timekeeper.sweep()
        assert len(mail.outbox) == letters
    assert "6 matches would have ended by time, and 5 an hour are plausible" in mail.outbox[0].body


def test_a_stop_of_which_a_worker_died_before_telling_is_told_by_the_next(db, settings) -> None:
    settings.ADMINS = [("", "office@example.org")]
    at = now()
    Halt.objects.create(opened_at=at, overdue=6, tell_at=at)
    with standing_at(at):
        timekeeper.sweep()
    assert len(mail.outbox) == 1


def test_where_nobody_is_to_be_written_to_nothing_is_sent(who: People, caplog) -> None:
    overdue_matches(who, breaker.LEAST + 1)
    timekeeper.sweep()
    assert (mail.outbox, Halt.objects.get().tell_at, len(caplog.records)) == ([], None, 1)


def test_too_many_one_after_the_other_stop_it_too(who: People) -> None:
    overdue_matches(who, breaker.LEAST)
    assert timekeeper.sweep()["ended"] == breaker.LEAST
    overdue_matches(who, 1)
    assert not timekeeper.sweep()["ended"]


def test_while_it_stands_reminders_go_out(who: People) -> None:
    overdue_matches(who, breaker.LEAST + 1)
    reminded = tables.running_match(who)
    due = now() - timedelta(minutes=1)
    Player.objects.filter(match=reminded).update(check_at=due, since=due - 4 * DAY)
    done = timekeeper.sweep()
    assert (done["held"], done["reminded"]) == (breaker.LEAST + 1, 1)


def test_once_somebody_has_looked_what_was_overdue_ends(who: People, charlie: User) -> None:
    overdue_matches(who, breaker.LEAST + 1)
    timekeeper.sweep()
    assert breaker.release(Halt.objects.get(), charlie)
    assert not breaker.release(Halt.objects.get(), charlie)
    with standing_at(now() + timekeeper.LATER):
        assert timekeeper.sweep()["ended"] == breaker.LEAST + 1


def test_whoever_lets_it_go_on_vouches_for_nothing_that_comes_after(
    who: People, charlie: User
) -> None:
    begin = now().replace(minute=5, second=0, microsecond=0)
    with standing_at(begin):
        overdue_matches(who, breaker.LEAST + 1)
        timekeeper.sweep()
        breaker.release(Halt.objects.get(), charlie)
    # What was looked at does not count, what came later does.
    for minutes, ended in ((10, breaker.LEAST + 1 + breaker.LEAST), (20, 0)):
        at = begin + timedelta(minutes=minutes)
        with standing_at(at):
            for _ in range(breaker.LEAST):
                match = tables.running_match(who, "a4-a5")
                late = at - clock.GRACE - timedelta(seconds=1)
                Player.objects.filter(match=match, to_act=True).update(deadline=late, check_at=late)
            assert timekeeper.sweep()["ended"] == ended
    assert breaker.standing()


def test_two_armies_that_never_stood_are_one_match(who: People) -> None:
    for _ in range(breaker.LEAST):
        tables.open_table(who)
    late = now() - HOUR
    Player.objects.filter(to_act=True).update(deadline=late, check_at=late + clock.GRACE)
    assert timekeeper.sweep()["ended"] == breaker.LEAST
    assert not Halt.objects.exists()


def test_what_is_usual_is_plausible(db: None) -> None:
    at = now()
    assert breaker.allowance(at) == breaker.LEAST
    Toll.objects.bulk_create(
        Toll(hour=at.replace(minute=0, second=0, microsecond=0) - n * HOUR, ended=4 + n)
        for n in range(1, 10)
    )
    # The eighth most of 13, 12, ..., 5.
    assert breaker.allowance(at) == 3 * 6


def test_the_office_sees_the_stop_and_ends_it(who: People, client, settings) -> None:
    settings.STAFF_NEEDS_MFA = False
    overdue_matches(who, breaker.LEAST + 1)
    timekeeper.sweep()
    client.force_login(tables.person("Berthier", is_staff=True, is_superuser=True))
    assert "The sweep has stopped: 6 matches" in client.get("/admin/").content.decode()
    halt = Halt.objects.get()
    client.post("/admin/play/halt/", {"action": "let_go_on", "_selected_action": [halt.pk]})
    assert not breaker.standing()
    assert "The sweep has stopped" not in client.get("/admin/").content.decode()


def ended_by_time(who: People) -> Match:
    match = tables.set_up(tables.open_table(who, pace="24h+4h^72h"))
    since = match.players.get(seat=Seat.SOUTH).since
    assert since is not None
    with standing_at(since + HOUR):
        tables.play(match, "a4-a5")
    with standing_at(since + 30 * HOUR):
        assert timekeeper.sweep()["ended"] == 1
    return as_is(match)


def test_an_ending_by_time_is_taken_back_with_the_clocks(who: People) -> None:
    match = ended_by_time(who)
    banks = dict(match.players.values_list("seat", "bank"))
    board = ledger.open_table(match.pk).position
    commands.reopen(match.pk, "The clock of the server was wrong.")
    match = as_is(match)
    assert (match.status, match.result, match.finished_at) == (Status.RUNNING, "", None)
    assert ledger.open_table(match.pk).position == board
    bob = match.players.get(to_act=True)
    assert (bob.seat, bob.bank) == (Seat.NORTH, 24 * HOUR)
    assert bob.since is not None
    assert bob.deadline == bob.since + 24 * HOUR
    assert dict(match.players.values_list("seat", "bank")) == banks == {0: 27 * HOUR, 1: 24 * HOUR}
    assert not match.players.filter(unseen=True).exists()
    tables.play(match, "j7-j6", "b4-b5")


def test_whoever_is_to_act_is_told_that_a_match_goes_on(who: People) -> None:
    match = ended_by_time(who)
    commands.reopen(match.pk, "Wrong clock.")
    assert Dispatch.objects.filter(event="turn-came", ref__ply=as_is(match).ply).count() == 1


def test_a_set_up_that_was_called_off_is_taken_back_too(who: People) -> None:
    match = tables.send_setup(tables.open_table(who), Seat.SOUTH)
    with standing_at(now() + 6 * DAY):
        assert timekeeper.sweep()["ended"] == 1
    commands.reopen(match.pk, "Wrong clock.")
    match = as_is(match)
    assert match.status == Status.SETUP
    assert match.players.get(to_act=True).seat == Seat.NORTH
    assert tables.send_setup(match, Seat.NORTH).status == Status.RUNNING


def test_what_the_clock_has_ended_may_be_annulled(who: People) -> None:
    match = ended_by_time(who)
    commands.void(match.pk, "Wrong clock.")
    assert as_is(match).status == Status.VOID
    with pytest.raises(NotNow):
        commands.reopen(match.pk, "Again.")


def test_a_match_opens_when_its_ending_can_be_taken_back_no_longer(who: People, client) -> None:
    match = ended_by_time(who)
    replay, record = f"/archive/{match.pk}/", f"/archive/{match.pk}/record/"
    client.force_login(who.alice)
    with standing_at(match.finished_at + APPEAL - timedelta(seconds=1)):
        assert "then both armies are shown to everybody" in client.get(replay).content.decode()
        assert client.get(f"{replay}?eyes=open&ply=1").url == f"{replay}?ply=1"
        assert '[SetupN "' not in client.get(record).content.decode()
    with standing_at(match.finished_at + APPEAL):
        assert client.get(f"{replay}?eyes=open").status_code == 200
        assert "then both armies" not in client.get(replay).content.decode()
        assert '[SetupN "' in client.get(record).content.decode()
        said = StringIO()
        since, until = match.finished_at - HOUR, match.finished_at + HOUR
        arguments = (since.isoformat(), until.isoformat())
        call_command("reinstate", *arguments, reason="Wrong clock.", stdout=said)
        assert said.getvalue().startswith("Reopened 0 matches.\nLeft 1 as they are")
        call_command("reinstate", *arguments, reason="Wrong clock.", void=True)
    assert as_is(match).status == Status.VOID


@pytest.mark.parametrize("void", [True, False])
def test_a_reason_that_is_too_long_to_be_kept_takes_nothing_back(who: People, void: bool) -> None:
    match = ended_by_time(who)
    since, until = match.finished_at - HOUR, match.finished_at + HOUR
    arguments = (since.isoformat(), until.isoformat())
    with pytest.raises(CommandError, match="has 201 characters, and 200 at most"):
        call_command("reinstate", *arguments, reason="x" * 201, void=void)
    assert as_is(match).reason == "time"
    call_command("reinstate", *arguments, reason="x" * REASON, void=void)
    said = [as_is(match).reason, *Adjustment.objects.values_list("note", flat=True)]
    assert "x" * REASON in said


def test_what_the_players_have_ended_stays_ended(who: People) -> None:
    match = tables.finished_match(who)
    with pytest.raises(NotNow):
        commands.reopen(match.pk, "No.")


def test_a_thousand_wrong_endings_are_taken_back_within_a_minute(who: People) -> None:
    overdue_matches(who, DRILL)
    begin = now()
    for player in Player.objects.filter(to_act=True):
        assert commands.claim_time(player.match_id)
    assert live() == 0
    said, started = StringIO(), time.monotonic()
    arguments = (begin.isoformat(), (now() + HOUR).isoformat())
    call_command("reinstate", *arguments, reason="Wrong clock.", stdout=said)
    assert time.monotonic() - started < 60
    assert (live(), said.getvalue()) == (DRILL, f"Reopened {DRILL} matches.\n")
    again = StringIO()
    call_command("reinstate", *arguments, reason="Wrong clock.", stdout=again)
    assert again.getvalue() == "Reopened 0 matches.\n"
