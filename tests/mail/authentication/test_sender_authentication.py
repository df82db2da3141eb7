"""Who may act: one From address, confirmed by the player and authenticated; no automatic mail."""

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.mail import intake
from games.mail.answering import worker
from games.mail.models import IncomingMessage, WayIn
from games.notifications.policy import preferences
from games.play.models.match import Match
from tests.mail import post
from tests.mail.conftest import Begun
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

OURS = "mx.example.org"
PASS = f"{OURS}; dmarc=pass header.from=example.org"
AR = "Authentication-Results"

# Authentication-Results, topmost first, that do not authenticate the sender.
FORGED = {
    "nothing": [],
    "another server's": ["mx.example.net; dmarc=pass header.from=example.org"],
    "a name that begins like ours": [f"{OURS}.example.net; dmarc=pass header.from=example.org"],
    "a failure": [f"{OURS}; dmarc=fail header.from=example.org"],
    "a failure above a pass": [f"{OURS}; dmarc=fail header.from=example.org", PASS],
    "no policy and nothing else": [f"{OURS}; dmarc=none header.from=example.org"],
    "another domain": [f"{OURS}; dmarc=pass header.from=example.net"],
    "a part of the domain": [f"{OURS}; dmarc=pass header.from=mail.example.org"],
    "no domain": [f"{OURS}; dmarc=pass"],
    "a signature alone": [f"{OURS}; dkim=pass header.d=example.org"],
    "a comment": [f"{OURS}; dmarc=none (dmarc=pass header.from=example.org)"],
    "a quoted string": [f'{OURS}; dmarc=fail reason="dmarc=pass header.from=example.org"'],
    "another's signature": [f"{OURS}; dmarc=none; dkim=pass header.d=example.net"],
    "nested comments": [f"{OURS} {'(' * 3000}; dmarc=pass header.from=example.org"],
    "two domains": [f"{OURS}; dmarc=pass header.from=example.net header.from=example.org"],
    "a header that is too long": [f"{OURS}; {'x' * 9000}=y; dmarc=pass header.from=example.org"],
}
BELIEVED = {
    "a pass": [PASS],
    "capitals": [f"{OURS.upper()}; DMARC=Pass header.from=EXAMPLE.org"],
    "no policy, and a signature": [f"{OURS}; dmarc=none; dkim=pass header.d=example.org"],
    "no policy, and a sender": [f"{OURS}; dmarc=none; spf=pass smtp.mailfrom=x@example.org"],
    "a closing semicolon": [f"{OURS}; dkim=pass header.d=example.org; {PASS[len(OURS) + 2 :]} ;"],
    "two headers": [f"{OURS}; dkim=pass header.d=example.org", PASS],
    "another's above ours": ["mx.example.net; dmarc=fail header.from=example.org", PASS],
}


@pytest.fixture(autouse=True)
def _by_our_server(settings: Settings) -> None:
    settings.DEMO = False
    settings.MAIL_AUTHSERV_ID = OURS


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def match(begun: Begun) -> Match:
    return begun.match


@pytest.fixture
def turn(begun: Begun) -> EmailMultiAlternatives:
    return begun.turn


def message(results: list[str], sender: str = "alice@example.org", move: str = "b4-b5") -> bytes:
    head = "".join(f"{AR}: {each}\r\n" for each in results)
    received = "Received: from there by mx.example.org; Sun, 22 Nov 2026 10:00:00 +0000\r\n"
    return f"{received}{head}From: {sender}\r\nMessage-ID: <1@x>\r\n\r\n{move}\r\n".encode()


@pytest.mark.parametrize("results", FORGED.values(), ids=FORGED.keys())
def test_an_unauthenticated_message_does_nothing(
    turn: EmailMultiAlternatives, match: Match, alice: User, results: list[str]
) -> None:
    post.take(turn, message(results), "alice@example.org")
    assert post.last().outcome == "confirm"
    assert match_helpers.as_is(match).ply == match.ply
    (notice,) = post.emails(alice)
    assert "b4-b5" not in text(notice) and "/mail/confirm/" in text(notice)


@pytest.mark.parametrize("results", BELIEVED.values(), ids=BELIEVED.keys())
def test_an_authenticated_message_is_acted_on(
    turn: EmailMultiAlternatives, match: Match, results: list[str]
) -> None:
    post.take(turn, message(results), "alice@example.org")
    assert post.last().outcome == "played"


@pytest.mark.parametrize(
    ("way_in", "outcome"),
    [
        (WayIn.LISTENER, "played"),
        (WayIn.PIPE, "played"),
        (WayIn.WEBHOOK, "confirm"),
        (WayIn.IMAP, "confirm"),
        (WayIn.FORM, "confirm"),
    ],
)
def test_results_are_accepted_only_from_our_own_mail_server(
    turn: EmailMultiAlternatives, way_in: WayIn, outcome: str
) -> None:
    post.take(turn, message([PASS]), "alice@example.org", way_in)
    assert post.last().outcome == outcome


def test_results_in_a_row_of_an_earlier_version_are_not_accepted(
    turn: EmailMultiAlternatives,
) -> None:
    intake.store_message(message([PASS]), post.reply_to(turn), way_in=WayIn.LISTENER)
    IncomingMessage.objects.update(way_in="")
    worker.process_waiting()
    assert post.last().outcome == "confirm"


@pytest.mark.parametrize("way_in", [WayIn.WEBHOOK, WayIn.IMAP])
def test_the_demo_accepts_only_mail_from_this_machine(
    turn: EmailMultiAlternatives, settings: Settings, way_in: WayIn
) -> None:
    settings.DEMO, settings.MAIL_AUTHSERV_ID = True, ""
    post.take(turn, message([]), "alice@example.org", way_in)
    assert post.last().outcome == "confirm"
    post.take(turn, message([], move="b4 b5"), "alice@example.org", WayIn.FORM)
    assert post.last().outcome == "played"


@pytest.mark.parametrize(
    "sender",
    [
        "bob@example.org",
        "alice@example.net",
        "alice@example.org, bob@example.org",
        "alice@example.org\r\nFrom: bob@example.org",
        "alice@examplе.org",
        "",
    ],
    ids=["the opponent", "another domain", "two", "two headers", "a Cyrillic letter", "none"],
)
def test_from_must_be_one_address_of_the_player(
    turn: EmailMultiAlternatives, match: Match, sender: str
) -> None:
    post.take(turn, message([PASS], sender), "alice@example.org")
    assert post.last().outcome == "confirm"
    assert match_helpers.as_is(match).ply == match.ply


def test_without_an_authserv_id_nothing_is_authenticated(
    turn: EmailMultiAlternatives, settings: Settings
) -> None:
    settings.MAIL_AUTHSERV_ID = ""
    post.take(turn, message([PASS]), "alice@example.org")
    assert post.last().outcome == "confirm"


def test_any_confirmed_address_may_act_and_the_primary_one_gets_the_receipt(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    EmailAddress.objects.create(user=alice, email="alice@example.com", verified=True, primary=False)
    results = f"{OURS}; dmarc=pass header.from=example.com"
    post.take(turn, message([results], "Alice@example.com"), "alice@example.com")
    assert post.last().outcome == "played"
    assert [email.to for email in post.emails(alice)] == [["alice@example.org"]]


def test_an_unconfirmed_address_may_not_act(turn: EmailMultiAlternatives, alice: User) -> None:
    EmailAddress.objects.create(
        user=alice, email="alice@example.com", verified=False, primary=False
    )
    results = f"{OURS}; dmarc=pass header.from=example.com"
    post.take(turn, message([results], "alice@example.com"))
    assert post.last().outcome == "confirm"


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: auto-replied", "List-Id: <x.example.org>", "Precedence: bulk", "X-Loop: y"],
)
def test_automatic_mail_does_nothing_and_gets_no_receipt(
    turn: EmailMultiAlternatives, alice: User, header: str
) -> None:
    post.take(turn, f"{header}\r\n".encode() + message([PASS]), "alice@example.org")
    assert (post.last().outcome, post.emails(alice)) == ("none", [])


@pytest.mark.parametrize("sender", ["", "<>", "MAILER-DAEMON", "mailer-daemon@example.org"])
def test_the_null_sender_means_automatic_mail(
    turn: EmailMultiAlternatives, alice: User, sender: str
) -> None:
    post.take(turn, message([PASS]), sender)
    assert (post.last().outcome, post.emails(alice)) == ("none", [])


def test_our_own_returned_email_is_ignored(turn: EmailMultiAlternatives, alice: User) -> None:
    raw = message([PASS]).replace(b"<1@x>", turn.extra_headers["Message-ID"].encode())
    post.take(turn, raw, "alice@example.org")
    assert (post.last().outcome, post.emails(alice)) == ("none", [])


def test_confirmation_is_requested_once_a_day_per_address(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    for number in range(3):
        raw = message([]).replace(b"<1@x>", f"<{number}@x>".encode())
        post.take(turn, raw)
    assert len(post.emails(alice)) == 1


def test_without_a_command_no_confirmation_is_requested(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    post.take(turn, message([], move="Buy this!"))
    assert (post.last().outcome, post.emails(alice)) == ("none", [])


def test_only_actions_have_to_be_confirmed_on_the_site(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    preferences.change(alice, ask_on_site=True)
    post.take(turn, message([PASS]), "alice@example.org")
    assert post.last().outcome == "confirm"
    post.take(turn, message([PASS], move="board"), "alice@example.org")
    assert post.last().outcome == "shown"


def test_only_the_player_can_confirm_a_message(
    turn: EmailMultiAlternatives, match: Match, alice: User, bob: User
) -> None:
    post.take(turn, message([]))
    page = f"/mail/confirm/{post.last().pk}/"
    nobody, browser, other = Client(), Client(), Client()
    browser.force_login(alice)
    other.force_login(bob)
    assert "login" in nobody.get(page)["Location"]
    assert other.get(page).status_code == other.post(page).status_code == 404
    shown = browser.get(page)
    assert "b4-b5" in shown.content.decode()
    assert match_helpers.as_is(match).ply == match.ply
    assert browser.post(page)["Location"] == f"/match/{match.pk}/"
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert IncomingMessage.objects.get().outcome == "played"
    assert browser.post(page).status_code == 404


def test_a_password_change_closes_reply_addresses(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    alice.set_password("another-one-entirely")
    alice.save()
    post.take(turn, message([PASS]))
    assert post.last().outcome == "closed"
    assert match_helpers.as_is(match).ply == match.ply


@pytest.mark.parametrize("sender", ["alice@bücher.example", "Alice@XN--BCHER-KVA.example"])
def test_an_international_domain_is_one_domain_in_both_spellings(
    turn: EmailMultiAlternatives, match: Match, alice: User, sender: str
) -> None:
    EmailAddress.objects.filter(user=alice).update(email="alice@xn--bcher-kva.example")
    results = [f"{OURS}; dmarc=pass header.from=xn--bcher-kva.example"]
    post.take(turn, message(results, sender), "alice@xn--bcher-kva.example")
    assert post.last().outcome == "played"


@pytest.mark.parametrize(
    "sender", ["alice@ｅxample.org", "alice@exаmple.org", "alice@ex\u00adample.org"]
)
def test_a_domain_that_only_looks_like_the_players_does_nothing(
    turn: EmailMultiAlternatives, match: Match, sender: str
) -> None:
    post.take(turn, message([PASS], sender), "alice@example.org")
    assert post.last().outcome != "played"
    assert match_helpers.as_is(match).ply == match.ply
