"""The export holds what is stored of a person, and nothing of others that they may not see."""

import tracemalloc
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from config.personal_data import exports
from games.archive.models import ImportedRecord
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.mail.models import IncomingMessage
from games.notifications.models import Device, Feed, Mailbox, Webhook
from games.outbox.delivery import dispatcher
from games.people.models import Block, Outcome, Reliability
from games.people.moderation import answers
from games.play.commands import finality
from games.play.knowledge import marks
from games.play.knowledge.marks import Mark
from games.play.models.match import Match, Player, Status, by_seat
from games.play.models.plan import PlanRow, PlanState
from games.play.models.time import Vacation
from games.play.practice import stored
from games.play.practice.stored import KeptLine, Practice, Step
from games.play.record.sealed import notebooks, plans
from games.play.setups import arrangement, library
from games.play.terms import Terms
from games.ratings import numbering
from games.ratings.models import Unit
from games.rules.core.basics.pieces import Seat
from games.talk import commands as talk
from games.watch import following
from lib.db_clock import frozen_at, now
from lib.exports.parts import Exported
from lib.exports.zip_files import zip_pieces
from tests.config.personal_data.unpacked import exported
from tests.floors import at_least
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.ratings.results import finished

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MIB = 1024 * 1024
NAMES = {
    *("manifest.json", "account.json", "sessions.json", "notifications.json"),
    *("invitations.json", "matches.csv", "setups.json", "ratings.csv", "reliability.json"),
    *("blocks.json", "mail.csv", "imported.json", "looks.json", "time_off.json", "talk.csv"),
    *("reports.json", "moderation.json", "events.json", "follows.json"),
}


def all_models() -> dict[str, Any]:
    return {model._meta.label: model for model in apps.get_models(include_auto_created=True)}


def exported_models() -> dict[str, Exported]:
    return {label: entry for part in exports.PARTS for label, entry in part.models.items()}


# --- Everything is in it, or there is a reason


def test_every_model_is_exported_or_there_is_a_reason() -> None:
    named = [
        label for part in exports.PARTS for label in [*part.models.keys(), *part.left_out.keys()]
    ]
    assert len(named) == len(set(named)), "A model is named twice."
    there = all_models().keys()
    assert there == set(named), f"Not named: {there - set(named)}; gone: {set(named) - there}"


@pytest.mark.parametrize("label", exported_models())
def test_every_column_of_an_exported_model_is_in_it_or_there_is_a_reason(label: str) -> None:
    entry, meta = exported_models()[label], all_models()[label]._meta
    named = [*entry.columns, *entry.left_out]
    assert sorted(named) == sorted(field.name for field in meta.concrete_fields)


def test_reasons_are_sentences() -> None:
    reasons = [reason for part in exports.PARTS for reason in part.left_out.values()]
    reasons += [why for entry in exported_models().values() for why in entry.left_out.values()]
    for reason in at_least(30, reasons):
        assert " " in reason and reason.endswith("."), reason


def test_a_person_without_matches_has_all_lists(alice: User) -> None:
    unpacked = exported(alice)
    assert unpacked.files.keys() == NAMES
    assert unpacked.json("manifest.json")["sha256"].keys() == NAMES - {"manifest.json"}
    assert unpacked.json("reliability.json") is None
    assert unpacked.csv("matches.csv") == []


# --- What is in it


def test_the_account_is_exported_with_its_factors_and_no_secret(alice: User) -> None:
    alice.set_password("troop of foxes")
    alice.lessons = ["lattaque/moves"]
    alice.save()
    Authenticator.objects.create(user=alice, type="totp", data={"secret": "JBSWY3DP"})
    client_of(alice).get("/people/preferences/")
    unpacked = exported(alice)
    account = unpacked.json("account.json")
    assert account["username"] == "Alice" and account["email"] == "alice@example.org"
    assert account["lessons"] == ["lattaque/moves"] and account["has_password"] is True
    assert account["addresses"] == [
        {"email": "alice@example.org", "verified": True, "primary": True}
    ]
    assert [factor["type"] for factor in account["second_factors"]] == ["totp"]
    (session,) = unpacked.json("sessions.json")
    assert session["signed_in_at"] <= session["seen_at"] < session["expires_at"]
    assert "JBSWY3DP" not in unpacked.everything
    assert alice.password not in unpacked.everything


def test_notifications_name_hosts_and_no_address_and_no_key(alice: User) -> None:
    at = now()
    Device.objects.create(
        user=alice,
        endpoint="https://push.example.net/secret-path",
        digest="d" * 64,
        p256dh="p-key",
        auth="a-key",
        name="Firefox",
        added_at=at,
    )
    hook = "https://chat.example.net/hook-path"
    Webhook.objects.create(user=alice, url=hook, style="json", secret="w-key", added_at=at)
    Feed.objects.create(user=alice, serial="f-serial", made_at=at)
    Mailbox.objects.create(user=alice, why="5.1.1", bounces=2)
    unpacked = exported(alice)
    channels = unpacked.json("notifications.json")
    assert channels["preferences"] == {"frequency": "now"}
    assert [row["host"] for row in channels["devices"]] == ["push.example.net"]
    assert [row["host"] for row in channels["webhooks"]] == ["chat.example.net"]
    assert channels["feeds_made_at"] and channels["mailbox"]["bounces"] == 2
    for secret in ("secret-path", "hook-path", "p-key", "a-key", "w-key", "f-serial"):
        assert secret not in unpacked.everything


def test_matches_are_exported_with_records_notes_marks_and_set_ups(who: People) -> None:
    match = match_helpers.finished_match(who)
    seat = by_seat(match)[Seat.SOUTH]
    notebooks.store_note(seat.pk, "The marshal is on the left.")
    marks.put(seat.pk, "j7", Mark(guess="M", word="sure", colour="red"))
    kept = KeptLine("By the right", 2, {}, (Step("a4-a5"), Step("j7-j5", rank="R")))
    stored.put(seat.pk, Practice(0, 2, {"j7": "R"}, (Step("b4-b5"),), (kept,)))
    rules = match.rules
    placed = arrangement.from_text(rules, Seat.SOUTH, match_helpers.setup_text(match, Seat.SOUTH))
    library.save(who.alice, rules, Seat.SOUTH, "Left", placed)
    start = now() + timedelta(days=9)
    Vacation.objects.create(user=who.alice, start=start, end=start + timedelta(days=2))
    unpacked = exported(who.alice)
    (line,) = unpacked.csv("matches.csv")
    assert line["match"] == str(match.pk) and line["opponent"] == "Bob"
    assert (line["seat"], line["result"], line["reason"]) == ("South", "S", "resigned")
    assert 'Result "S"' in unpacked.text(f"records/{match.pk}.txt")
    assert "\nseal S " in unpacked.text(f"receipts/{match.pk}.txt")
    notebook = unpacked.json(f"notebooks/{match.pk}.json")
    assert notebook["note"] == "The marshal is on the left."
    assert notebook["practice"]["guesses"] == {"j7": "R"}
    assert notebook["practice"]["line"] == ["b4-b5"]
    assert notebook["practice"]["kept"][0]["name"] == "By the right"
    assert notebook["practice"]["kept"][0]["line"] == ["a4-a5", "j7-j5"]
    assert notebook["marks"] == {"j7": {"guess": "M", "word": "sure", "colour": "red"}}
    (setup,) = unpacked.json("setups.json")
    assert setup["name"] == "Left" and setup["pieces"] == placed
    assert len(unpacked.json("time_off.json")) == 1


def match_with_plan(match: Match, seat: Seat) -> None:
    row = PlanRow(match.ply, 0, PlanState.STANDING, None, None, [])
    plans.store(by_seat(match)[seat].pk, row, plans.Contents(("if any then a5-a6",)), None)


def test_the_plan_of_a_running_match_is_exported(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    match_with_plan(match, Seat.SOUTH)
    assert exported(who.alice).json(f"plans/{match.pk}.json") == {
        "ply": match.ply,
        "state": "standing",
        "due_at": None,
        "counts_at": None,
        "played": [],
        "lines": ["if any then a5-a6"],
        "wait": "while",
        "answer": "",
        "reason": "",
    }
    assert "a5-a6" not in exported(who.bob).everything


def test_invitations_of_both_sides_are_exported_with_own_messages_only(who: People) -> None:
    terms = Terms("lattaque-en")
    offer = InvitationKind.CHALLENGE
    lobby.offer(who.alice, terms, kind=offer, guest=who.bob, note="From Alice")
    lobby.offer(who.bob, terms, kind=offer, guest=who.alice, note="From Bob")
    lobby.offer(who.bob, terms, kind=InvitationKind.SEAT, note="To all")
    unpacked = exported(who.alice)
    rows = unpacked.json("invitations.json")
    assert [(row["from"], row["to"]) for row in rows] == [("Alice", "Bob"), ("Bob", "Alice")]
    assert rows[0]["note"] == "From Alice"
    assert "From Bob" not in unpacked.everything and "To all" not in unpacked.everything


def test_ratings_are_exported_with_the_own_numbers(who: People) -> None:
    at = now() - timedelta(days=3)
    finished(who.alice, who.bob, "N", at)
    finality.sweep()
    while dispatcher.drain():
        pass
    numbering.count()
    unit = Unit.objects.get()
    (hers,), (his,) = (exported(user).csv("ratings.csv") for user in (who.alice, who.bob))
    assert (hers["opponent"], hers["first_seat"], hers["quarters"]) == (
        "Bob",
        "south",
        "0",
    )
    assert (his["opponent"], his["first_seat"], his["quarters"]) == (
        "Alice",
        "north",
        "4",
    )
    assert float(hers["after"]) == unit.south_after and float(his["after"]) == unit.north_after
    assert exported(who.charlie).csv("ratings.csv") == []


def test_blocks_reliability_imported_records_and_mail_are_exported(who: People) -> None:
    at = now()
    Block.objects.create(owner=who.alice, blocked=who.charlie, made_at=at)
    Block.objects.create(owner=who.bob, blocked=who.alice, made_at=at)
    Reliability.objects.create(user=who.alice, finished=7, mostly=timedelta(hours=9))
    others = match_helpers.new_match(match_helpers.People(who.bob, who.charlie, who.alice))
    following.follow(others.pk, who.alice)
    record = ImportedRecord.objects.create(
        owner=who.alice, preset="lattaque-en", result="S", plies=9, text="1. a4", created_at=at
    )
    match_helpers.new_match(who)
    IncomingMessage.objects.create(
        key="k",
        door="reply",
        user=who.alice,
        envelope=b"envelope",
        sealed=b"text",
        arrived_at=at,
        taken_at=at,
        outcome="played",
    )
    unpacked = exported(who.alice)
    (block,) = unpacked.json("blocks.json")
    assert block["blocked"] == "Charlie"
    reliability = unpacked.json("reliability.json")
    assert reliability["finished"] == 7 and reliability["mostly"] == 9 * 3600
    (follows,) = unpacked.json("follows.json")
    assert follows["match"] == others.pk and follows["ended_at"] is None
    assert unpacked.text(f"imported/{record.pk}.txt") == "1. a4"
    mail = unpacked.csv("mail.csv")
    assert {("out", "match-began"), ("in", "reply")} <= {(m["direction"], m["kind"]) for m in mail}


# --- Nothing of others


def test_a_running_match_contains_the_own_set_up_and_an_open_one_both(who: People) -> None:
    running = match_helpers.running_match(who, "a4-a5", "j7-j6")
    over = match_helpers.finished_match(who)
    unpacked = exported(who.alice)
    assert "SetupS" in unpacked.text(f"records/{running.pk}.txt")
    assert "SetupN" not in unpacked.text(f"records/{running.pk}.txt")
    assert "SetupN" in unpacked.text(f"records/{over.pk}.txt")


def test_an_ending_on_time_counts_as_running_until_it_is_final(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    at = now()
    Match.objects.filter(pk=match.pk).update(
        status=Status.FINISHED, result="S", reason="time", finished_at=at
    )
    match.players.update(live=False, to_act=False)
    name = f"records/{match.pk}.txt"
    assert "SetupN" not in exported(who.alice).text(name)
    with frozen_at(at + timedelta(hours=49)):
        assert "SetupN" in exported(who.alice).text(name)


def test_a_user_without_contact_has_no_data_of_the_other(who: People) -> None:
    match_helpers.finished_match(who)
    Block.objects.create(owner=who.alice, blocked=who.charlie, made_at=now())
    everything = exported(who.charlie).everything
    assert "Alice" not in everything and "Bob" not in everything


def test_secrets_of_an_opponent_change_no_byte(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    with frozen_at(now()):
        before = exported(who.bob).files
        seat = by_seat(match)[Seat.SOUTH]
        notebooks.store_note(seat.pk, "A secret.")
        match_with_plan(match, Seat.SOUTH)
        Block.objects.create(owner=who.alice, blocked=who.bob, made_at=now())
        rules = match.rules
        text = match_helpers.setup_text(match, Seat.SOUTH)
        placed = arrangement.from_text(rules, Seat.SOUTH, text)
        library.save(who.alice, rules, Seat.SOUTH, "Left", placed)
        User.objects.filter(pk=who.alice.pk).update(no_challenges=True, no_talk=True)
        assert exported(who.bob).files == before


# --- What it costs


def many_matches(who: People, count: int) -> None:
    """Finished matches of Alice and Bob without plies."""
    at = now()
    matches = Match.objects.bulk_create(
        Match(
            preset="lattaque-en",
            pace="3d",
            setup_pace="5d",
            status=Status.FINISHED,
            result="S",
            reason="resigned",
            created_at=at,
            finished_at=at,
        )
        for _ in range(count)
    )
    Player.objects.bulk_create(
        Player(match=match, user=user, seat=seat, live=False)
        for match in matches
        for seat, user in ((Seat.SOUTH, who.alice), (Seat.NORTH, who.bob))
    )


def test_each_match_costs_the_same_few_queries(who: People) -> None:
    counts = []
    for _ in range(2):
        many_matches(who, 20)
        with CaptureQueriesContext(connection) as queries:
            exported(who.alice)
        counts.append(len(queries))
    assert counts[1] - counts[0] <= 5 * 20


@pytest.mark.soak
@pytest.mark.long
def test_five_thousand_matches_need_little_memory(who: People) -> None:
    many_matches(who, 5000)
    tracemalloc.start()
    content = b""
    for piece in zip_pieces(exports.files(who.alice), now()):
        content = content[-1:] + piece[-1:]
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert content
    # The list of files at the end of a ZIP file and the manifest take some 2 KiB a match.
    assert peak < 32 * MIB


def test_exported_talk_has_no_text_of_others_and_nothing_hidden(who: People) -> None:
    match = match_helpers.running_match(who)
    talk.say(match.pk, who.alice, "Between us")
    talk.say(match.pk, who.bob, "A secret of his")
    Block.objects.create(owner=who.alice, blocked=who.bob, made_at=now())
    talk.say(match.pk, who.bob, "Hidden")
    unpacked = exported(who.alice)
    lines = [(line["number"], line["writer"], line["text"]) for line in unpacked.csv("talk.csv")]
    assert lines == [("1", "Alice", "Between us"), ("2", "Bob", "")]
    assert "secret" not in unpacked.everything
    his = [(line["number"], line["text"]) for line in exported(who.bob).csv("talk.csv")]
    assert his == [("1", ""), ("2", "A secret of his"), ("3", "Hidden")]
    assert exported(who.charlie).csv("talk.csv") == []


def test_reports_and_decisions_are_exported_without_the_reporter(who: People) -> None:
    report = cases.reported(who, words="She was rude.")
    before = exported(who.alice)
    assert before.json("moderation.json") == [] and "Bob" not in before.everything
    decision = cases.decided(report, cases.moderator(), Outcome.WARNED)
    answers.answer(decision, "I was not.")
    (made,) = exported(who.bob).json("reports.json")
    assert (made["person"], made["words"], made["action_taken"]) == ("Alice", "She was rude.", True)
    assert "A quarrel." not in exported(who.bob).everything
    hers = exported(who.alice)
    (about,) = hers.json("moderation.json")
    assert (about["outcome"], about["reason"]) == ("warned", "A quarrel.")
    assert about["answer"] == "I was not." and about["answered_at"]
    assert hers.json("reports.json") == []
    for word in ("Bob", "rude", "Berthier"):
        assert word not in hers.everything
