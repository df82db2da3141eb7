"""Reply addresses: one for each e-mail, stored as a hash, with an expiry."""

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.conf import settings as site
from django.core import mail
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from accounts.people import erasure
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import AFTERWARDS, LIFETIME, About, Standing
from games.notifications.models import Asks, Purpose, ReplyAddress
from games.notifications.notify import notify
from games.notifications.retention_periods import KEPT
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import delivered, only, parsed, sent_emails
from tests.play import match_helpers
from tests.play.match_helpers import People

ADDRESS = re.compile(rf"reply\+[a-z2-7]{{26}}@{re.escape(site.MAIL_DOMAIN)}")
SETUP = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"


@pytest.fixture(autouse=True)
def answerable(settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"


def about_match_of(user: User, **fields: Any) -> About:
    return About(dispatch_key="<o1@localhost>", purpose=Purpose.MATCH, user=user, **fields)


def stored_address(address: str) -> ReplyAddress:
    known = reply_addresses.find(address)
    assert known is not None
    return known


def test_each_email_that_can_be_answered_has_its_own_address(who: People) -> None:
    emails = every_email(who)
    addresses = {name: parsed(email)["Reply-To"] for name, email in emails.items()}
    # A moderator's decision is answered on its page, and a followed match is over.
    unanswered = ("trial", "moderated", "report_closed", "reports_wait", "followed")
    assert [addresses.pop(name) for name in unanswered] == [None] * len(unanswered)
    assert all(ADDRESS.fullmatch(address) for address in addresses.values())
    assert len(set(addresses.values())) == len(addresses)
    assert all(parsed(email)["List-Post"] is None for email in emails.values())
    purposes = {name: stored_address(address).purpose for name, address in addresses.items()}
    several = {name for name, purpose in purposes.items() if purpose == Purpose.DIGEST}
    assert several == {"digest", "credit"}
    invited = {name for name, purpose in purposes.items() if purpose == Purpose.INVITATION}
    assert invited == {name for name in emails if name.startswith("invitation")}


def test_an_email_says_who_reads_replies(match: Match, bob: User, settings: Settings) -> None:
    match_helpers.play(match, "a4-a5")
    assert "processed automatically" in only(delivered(), bob).body
    settings.MAIL_REPLIES = "false"
    match_helpers.play(match, "j7-j6", "b4-b5")
    email = only(delivered(), bob)
    assert "replies are not read" in email.body and "Reply-To" not in email.extra_headers
    assert "To move, reply" not in email.body


@pytest.mark.parametrize(
    ("replies", "demo", "door", "taken"),
    [
        ("auto", False, "", False),
        ("auto", True, "", True),
        ("auto", False, "lmtp://127.0.0.1:8024", True),
        ("false", True, "lmtp://127.0.0.1:8024", False),
        ("true", False, "", True),
    ],
)
def test_replies_are_accepted_where_mail_has_a_way_in(
    settings: Settings, replies: str, demo: bool, door: str, taken: bool
) -> None:
    settings.MAIL_REPLIES, settings.DEMO, settings.MAIL_LISTEN = replies, demo, door
    assert reply_addresses.replies_are_taken() == taken


def test_an_address_belongs_to_a_reader_a_match_and_a_ply(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    known = stored_address(parsed(only(delivered(), bob))["Reply-To"])
    assert (known.user, known.match_id, known.ply) == (bob, match.pk, match.ply)


def test_a_digest_stores_the_ply_of_each_of_its_matches(who: People, bob: User) -> None:
    one, other = (match_helpers.running_match(who, "a4-a5") for _ in range(2))
    plies = {one.pk: one.ply, other.pk: other.ply}
    address = reply_addresses.issue(about_match_of(bob, matches=plies))
    assert stored_address(address).matches == {str(match): ply for match, ply in plies.items()}


def test_a_retried_email_has_the_same_address(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    dispatch = Dispatch.objects.filter(event="turn-came").select_related("user").latest("pk")
    mail.outbox = []
    for _ in range(2):
        notify(dispatch, Batch())
    first, second = map(parsed, sent_emails())
    assert first["Reply-To"] == second["Reply-To"]
    assert ReplyAddress.objects.filter(user=bob, ply=match.ply).count() == 1


def test_an_email_about_a_later_ply_has_another_address(bob: User) -> None:
    tokens = {about_match_of(bob, match_id=7, ply=ply).token for ply in (1, 2)}
    tokens.add(about_match_of(bob, match_id=7, ply=1, asks=Asks.RESIGN).token)
    assert len(tokens) == 3


def test_upper_case_and_brackets_are_accepted(bob: User) -> None:
    address = reply_addresses.issue(about_match_of(bob, match_id=7, ply=1))
    for written in (address.upper(), f"<{address}>", f" {address}\n"):
        assert stored_address(written).user == bob


@pytest.mark.parametrize(
    "address",
    [
        "",
        "reply@localhost",
        "reply+short@localhost",
        "reply+" + "a" * 26 + "@elsewhere.example",
        "reply+" + "1" * 26 + "@localhost",
        "reply+" + "ａ" * 26 + "@localhost",
        "b+7.00112233445566778899aabbcc@localhost",
    ],
)
def test_other_addresses_are_not_well_formed(db: None, address: str) -> None:
    assert not reply_addresses.is_well_formed(address)
    assert reply_addresses.find(address) is None


def test_an_invented_address_is_well_formed_and_unknown(db: None) -> None:
    made_up = f"reply+{'a' * 26}@{site.MAIL_DOMAIN}"
    assert reply_addresses.is_well_formed(made_up) and reply_addresses.find(made_up) is None


def test_the_table_contains_neither_token_nor_set_up(bob: User) -> None:
    address_about = about_match_of(bob, match_id=7, ply=1, asks=Asks.SETUP, proposal=SETUP)
    address = reply_addresses.issue(address_about)
    row = ReplyAddress.objects.values_list().get()
    stored = b" ".join(v if isinstance(v, bytes) else str(v).encode() for v in row)
    assert address_about.token.encode() not in stored and SETUP.encode() not in stored
    assert sha256(address_about.token.encode()).digest() in stored
    assert reply_addresses.proposal(stored_address(address)) == SETUP


def test_a_proposal_copied_to_another_row_cannot_be_decrypted(bob: User) -> None:
    address_about = about_match_of(bob, match_id=7, ply=1, asks=Asks.SETUP, proposal=SETUP)
    reply_addresses.issue(address_about)
    other = reply_addresses.issue(about_match_of(bob, match_id=7, ply=2))
    ReplyAddress.objects.filter(ply=2).update(proposal=ReplyAddress.objects.get(ply=1).proposal)
    assert reply_addresses.proposal(stored_address(other)) == ""


def test_a_new_email_address_password_or_account_end_revokes_it(bob: User) -> None:
    address, email, password = reply_addresses.issue(about_match_of(bob)), bob.email, bob.password
    assert reply_addresses.standing(stored_address(address), now()) is Standing.OPEN
    for changed in ({"email": "b@example.org"}, {"password": "!x"}, {"is_active": False}):
        User.objects.filter(pk=bob.pk).update(**changed)
        assert reply_addresses.standing(stored_address(address), now()) is Standing.CLOSED
        User.objects.filter(pk=bob.pk).update(email=email, password=password, is_active=True)
    assert reply_addresses.standing(stored_address(address), now()) is Standing.OPEN
    erasure.erase(bob)
    assert reply_addresses.standing(stored_address(address), now()) is Standing.CLOSED


def test_an_address_survives_a_new_secret_key(bob: User, settings: Settings) -> None:
    address, old = reply_addresses.issue(about_match_of(bob)), settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 64, [old]
    assert reply_addresses.standing(stored_address(address), now()) is Standing.OPEN
    settings.SECRET_KEY_FALLBACKS = []
    assert reply_addresses.standing(stored_address(address), now()) is Standing.CLOSED


def test_an_address_takes_only_some_commands_from_a_day_after_the_match(
    match: Match, bob: User
) -> None:
    known = stored_address(
        reply_addresses.issue(about_match_of(bob, match_id=match.pk, ply=match.ply))
    )
    endings.abort(match.pk, bob)
    assert reply_addresses.standing(known, now()) is Standing.OPEN
    later = now() + AFTERWARDS
    assert reply_addresses.standing(known, later) is Standing.AFTERWARDS
    assert reply_addresses.standing(known, now() + LIFETIME) is Standing.CLOSED


def test_an_address_is_deleted_after_ninety_days(bob: User) -> None:
    reply_addresses.issue(about_match_of(bob))
    (kept,) = [each for each in KEPT if each.model is ReplyAddress]
    assert sum(kept.delete_due(now() + LIFETIME - timedelta(minutes=1))) == 0
    assert sum(kept.delete_due(now() + LIFETIME + timedelta(minutes=1))) == 1


def test_an_address_costs_an_email_one_statement(
    match: Match, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()  # with his receipt, which takes queries of its own
    match_helpers.play(match, "j7-j6", "b4-b5")
    dispatch = Dispatch.objects.filter(event="turn-came").select_related("user").latest("pk")
    with frozen_at(now()), django_assert_num_queries(3):
        notify(dispatch, Batch())
