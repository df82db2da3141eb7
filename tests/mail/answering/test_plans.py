"""Plans by mail: what the receipts say, and what is done; test_plan_letters.py has each message."""

from email.message import EmailMessage
from itertools import product

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.notifications.policy import preferences
from games.outbox.delivery import dispatcher
from games.play.commands import endings
from games.play.commands.plans import answering
from games.play.models.match import Match, Player
from games.play.models.plan import Plan, PlanRow, PlanState, Wait
from games.play.record.sealed import notebooks, plans
from games.talk.models import Line as TalkLine
from tests import tiers
from tests.mail import post
from tests.mail.conftest import Begun
from tests.notifications.email import fed_back
from tests.notifications.email.reading import html, text
from tests.notifications.email.test_no_line_is_a_command import assert_harmless
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.play.plan_helpers import plan_of, save, stored, texts

ONE, TWO, ANY = "if j6-j5 then b5-b6", "if b7-b6 then a5-a6", "otherwise e4-e5"
LONG = "I have thought for a long time about it, and what I shall do is this,"


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def match(begun: Begun) -> Match:
    """Alice is to move; she has a piece on a5, and Bob one on j6."""
    return begun.match


@pytest.fixture
def own_turn_email(begun: Begun) -> EmailMultiAlternatives:
    return begun.turn


@pytest.fixture
def opponents_turn_email(
    match: Match, alice: User, own_turn_email: EmailMultiAlternatives
) -> EmailMultiAlternatives:
    """The receipt of Alice's move b4-b5."""
    return post.answer(alice, own_turn_email, "b4-b5")


# --- Receipts


def receipt_text(receipt: EmailMultiAlternatives) -> str:
    """The text of a receipt, without line breaks."""
    return " ".join(text(receipt).split())


def test_the_receipt_describes_the_plan_in_sentences(
    alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, opponents_turn_email, f"{ANY}\n{ONE}")
    assert receipt_text(receipt).startswith("Plan saved. Your plan answers after a while: ")
    first, second = "After j6-j5 your plan answers b5-b6.", "After any other turn your plan answers"
    assert 0 < text(receipt).index(first) < text(receipt).index(second)
    assert "It's your opponent's turn." in text(receipt)
    assert first in html(receipt)


def test_a_refusal_names_the_lines(
    alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    receipt = post.answer(
        alice, opponents_turn_email, f"Hello\n\n{ONE}\nif b7-b6 then b5\nif l9-l8 d1-d2"
    )
    assert "Not done: the lines for your plan." in receipt_text(receipt)
    assert "Nothing of your message was done" in receipt_text(receipt)
    assert "* Line 4: “b5” is not a move." in receipt_text(receipt)
    assert "* Line 5: After “if l9-l8 d1-d2”" in receipt_text(receipt)
    assert "Line 3" not in receipt_text(receipt)


def test_a_line_after_a_long_one_asks_for_a_blank_line(
    alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, opponents_turn_email, f"{LONG}\n{ONE}")
    assert "Line 2: Leave a blank line between" in receipt_text(receipt)


def test_two_answers_to_one_turn_are_both_named(
    alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, opponents_turn_email, f"{ONE}\nif j6-j5 then a5-a6")
    assert "Line 2: After “j6-j5” another line answers b5-b6, and this one a5-a6" in receipt_text(
        receipt
    )


def test_the_query_shows_the_plan(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    save(match, alice, ONE, wait=Wait.NOW)
    receipt = post.answer(alice, opponents_turn_email, "plan")
    assert "Your plan answers at once." in receipt_text(receipt)
    assert "After j6-j5 your plan answers b5-b6." in receipt_text(receipt)
    post.answer(alice, opponents_turn_email, "forget")
    assert "You have no plan in this match." in receipt_text(
        post.answer(alice, opponents_turn_email, "plan")
    )


def test_a_dropped_plan_is_shown_as_dropped(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    save(match, alice, TWO)
    match_helpers.play(match, "j6-j5")
    receipt = post.answer(alice, post.email(alice), "plan")
    assert "This plan does not count any more." in receipt_text(receipt)
    assert "No line of your plan fits this turn, so the plan was dropped." in receipt_text(receipt)
    assert "After b7-b6 your plan answers a5-a6." in receipt_text(receipt)


def test_a_plan_by_mail_answers_after_a_delay_and_a_chosen_delay_is_kept(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    post.answer(alice, opponents_turn_email, ONE)
    assert plan_of(match, alice).contents.wait == Wait.WHILE
    save(match, alice, ONE, wait=Wait.NOW)
    post.answer(alice, opponents_turn_email, TWO)
    assert plan_of(match, alice).contents.wait == Wait.NOW
    post.answer(alice, opponents_turn_email, f"forget\n{TWO}")
    assert plan_of(match, alice).contents.wait == Wait.WHILE


def test_a_plan_by_mail_answers(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    save(match, alice, TWO, wait=Wait.NOW)
    post.answer(alice, opponents_turn_email, ONE)
    match_helpers.play(match, "j6-j5")
    dispatcher.drain()
    assert texts(match)[-2:] == ["j6-j5", "b5-b6"]


# --- The state of the match


def test_lines_for_an_older_board_are_stale(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    match_helpers.play(match, "j6-j5", "b5-b6")
    save(match, alice, ANY)
    receipt = post.answer(alice, opponents_turn_email, f"forget\n{ONE}")
    assert post.outcome(receipt) == "stale"
    assert stored(match, alice) == (ANY,)


def test_a_move_with_lines_counts_once(
    match: Match, alice: User, own_turn_email: EmailMultiAlternatives
) -> None:
    assert post.outcome(post.answer(alice, own_turn_email, f"b4-b5\n{ONE}")) == "played"
    receipt = post.answer(alice, own_turn_email, f"b4-b5\n{TWO}")
    assert post.outcome(receipt) == "repeated"
    assert "The lines for your plan were not saved again" in receipt_text(receipt)
    assert stored(match, alice) == (ONE,)
    assert post.outcome(post.answer(alice, own_turn_email, f"e4-e5\n{TWO}")) == "stale"


def test_a_finished_match_accepts_no_lines(
    match: Match, alice: User, bob: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    endings.resign(match.pk, bob)
    assert post.outcome(post.answer(alice, opponents_turn_email, ONE)) == "over"
    assert not Plan.objects.exists()


def test_a_move_that_ends_the_match_needs_no_plan(who: People) -> None:
    match = match_helpers.new_match(who)
    match_helpers.set_up(match, north=match_helpers.RECKLESS)
    match_helpers.play(match, "a4-a5", "j7-j6")
    email = post.email(who.alice)
    receipt = post.answer(who.alice, email, f"a5xa7\n{ANY}\nforget\n{TWO}")
    assert post.outcome(receipt) == "played", receipt_text(receipt)
    assert not match_helpers.as_is(match).is_live


def test_both_set_ups_are_needed_before_a_plan(who: People) -> None:
    match_helpers.new_match(who)
    receipt = post.answer(who.alice, post.email(who.alice), ONE)
    assert post.outcome(receipt) == "refused"
    assert "A plan can be made once both armies are set up." in receipt_text(receipt)


def test_a_waiting_answer_can_only_be_stopped(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    post.answer(alice, opponents_turn_email, ONE)
    match_helpers.play(match, "j6-j5")
    match.refresh_from_db()
    assert answering.answer_turn(match.pk, alice.pk, match.ply) is answering.Outcome.WAITS
    email = post.email(alice)
    receipt = post.answer(alice, email, f"b5-b6\n{TWO}")
    assert post.outcome(receipt) == "refused"
    assert "Reply “forget” to stop it." in receipt_text(receipt)
    assert "Your plan answers b5-b6 at about" in receipt_text(receipt)
    receipt = post.answer(alice, email, f"forget\ne4-e5\n{TWO}")
    assert post.outcome(receipt) == "played"
    assert stored(match, alice) == (TWO,)


# --- If a line is refused, nothing in the message is done


def test_notes_words_and_offers_are_not_done_either(
    match: Match, alice: User, own_turn_email: EmailMultiAlternatives
) -> None:
    written = f"b4-b5\ndraw?\nnote weak\nsay hello\n\n{ONE}\nif j6-j5 then"
    assert post.outcome(post.answer(alice, own_turn_email, written)) == "refused"
    assert texts(match)[-1] == "j7-j6"
    assert match_helpers.as_is(match).draw_offer is None
    assert notebooks.read(Player.objects.get(match=match, user=alice).pk).note == ""
    assert not TalkLine.objects.exists()
    receipt = post.answer(alice, own_turn_email, written.removesuffix("\nif j6-j5 then"))
    assert post.outcome(receipt) == "played"
    assert match_helpers.as_is(match).draw_offer is not None
    assert notebooks.read(Player.objects.get(match=match, user=alice).pk).note == "weak"
    assert TalkLine.objects.count() == 1


def test_a_refused_line_does_not_affect_other_matches(who: People) -> None:
    one, other = (match_helpers.running_match(who, "a4-a5", "j7-j6") for _ in range(2))
    several = post.answer(who.alice, post.email(who.alice), "matches")
    receipt = post.answer(who.alice, several, f"{one.pk}: b4-b5\n{other.pk}: b4-b5\n{ONE}")
    assert post.outcome(receipt) == "refused" and "Which match?" in receipt_text(receipt)
    written = f"{one.pk}: b4-b5\n{other.pk}: b4-b5\n{other.pk}: "
    receipt = post.answer(who.alice, several, f"{written}if j6-j5 then b5-b9")
    assert post.outcome(receipt) == "refused" and "Line 3: " in receipt_text(receipt)
    assert texts(one)[-1] == texts(other)[-1] == "j7-j6"
    receipt = post.answer(who.alice, several, f"{written}{ONE}")
    assert post.outcome(receipt) == "played"
    assert f"Your plan in match {other.pk}:" in receipt_text(receipt)
    assert texts(one)[-1] == texts(other)[-1] == "b4-b5"
    assert (stored(one, who.alice), stored(other, who.alice)) == ((), (ONE,))


# --- Programs


OUTLOOK = """\
<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><div class="WordSection1">
<p class="MsoNormal">If j6&#8211;j5 then b5 &#8594; b6<o:p></o:p></p>
<p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">Otherwise e4-e5<o:p></o:p></p>
<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">
<p class="MsoNormal"><b>From:</b> Estafette<br><b>Sent:</b> Sunday<br><b>To:</b> Alice</p></div>
<p class="MsoNormal">if b7-b6 then a5-a6</p></div></body></html>"""
GMAIL = """\
<div dir="ltr">如果 j6-j5 則 b5-b6<div>否則 e4-e5</div></div><br><div class="gmail_quote">
<blockquote class="gmail_quote">if b7-b6 then a5-a6</blockquote></div>"""


@pytest.mark.parametrize("body", [OUTLOOK, GMAIL], ids=["outlook", "gmail"])
@pytest.mark.parametrize("charset", tiers.parameters(("utf-8", "gb18030"), fast=("gb18030",)))
def test_lines_in_html(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives, body: str, charset: str
) -> None:
    message = EmailMessage()
    message["From"], message["Message-ID"] = alice.email, "<html@example.org>"
    message.set_content(body, subtype="html", charset=charset)
    post.take(opponents_turn_email, message.as_bytes())
    assert post.last().outcome == "planned"
    assert stored(match, alice) == (ONE, ANY)


def test_unauthenticated_mail_is_confirmed_on_the_site_which_shows_the_lines(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives
) -> None:
    preferences.change(alice, ask_on_site=True)
    receipt = post.answer(alice, opponents_turn_email, f"{ONE}\nforget\n{TWO}")
    assert post.outcome(receipt) == "confirm"
    assert "j6-j5" not in receipt_text(receipt) and stored(match, alice) == ()
    browser = client_of(alice)
    page = f"/mail/confirm/{post.last().pk}/"
    assert f"“{ONE}”" in browser.get(page).content.decode()
    shown = browser.post(page, follow=True).content.decode()
    assert "After b7-b6 your plan answers a5-a6." in shown
    assert stored(match, alice) == (TWO,)
    assert post.outcome(post.answer(alice, opponents_turn_email, "plan")) == "shown"


# --- No line of a receipt is a command

FED_BACK = (
    ONE,
    f"{ONE} if any then e4-e5\n{TWO}\nif xb5 then a5-a6\nif j6xj5[M,G] then b5-b6\n{ANY}",
    "if j6-j5",
    "if j6-j5 b5-b6",
    "if j6-j5 then resign",
    "if j6-j5 then b5 b6 b7",
    f"if b7-b6 then a5 or\nif j6-j5 e4\n{LONG}\n{ONE}\nif j6-j5 then help\nif xb5 or board",
    f"{ONE}\nif j6-j5 then a5-a6",
    "plan",
    "help",
    f"{ONE}\nresign",
    "forget",
)
FAST_FED_BACK = (ONE, FED_BACK[6], "plan", f"{ONE}\nresign")  # one of each outcome
LANGUAGES = ("en", "de", "fr", "zh-hant")


@pytest.mark.long
@pytest.mark.parametrize(
    ("messages", "language", "widths"),
    tiers.parameters(
        [
            (FAST_FED_BACK, "de", fed_back.FAST_COLUMNS),
            *product([FED_BACK], LANGUAGES, [fed_back.COLUMNS]),
        ],
        fast=[(FAST_FED_BACK, "de", fed_back.FAST_COLUMNS)],
    ),
)
def test_returned_receipts_do_nothing(
    match: Match, alice: User, opponents_turn_email: EmailMultiAlternatives, settings: Settings,
    messages: tuple[str, ...], language: str, widths: range,
) -> None:  # fmt: skip
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    User.objects.filter(pk=alice.pk).update(language=language)
    alice.refresh_from_db()
    seen = set()
    for written in messages:
        receipt = post.answer(alice, opponents_turn_email, written)
        seen.add(post.outcome(receipt))
        assert_harmless(receipt, widths)
        before = plans.read(Player.objects.get(match=match, user=alice).pk)
        for body in (text(receipt), html(receipt)):
            post.answers(alice, opponents_turn_email, body)
            assert post.last().outcome == "unread", body
        assert plans.read(Player.objects.get(match=match, user=alice).pk) == before
    assert seen == {"planned", "refused", "shown", "ambiguous"}


@pytest.mark.long
@pytest.mark.parametrize(("language", "widths"), fed_back.at_widths(LANGUAGES, fast=("fr",)))
@pytest.mark.parametrize(
    ("preset", "lines"),
    [
        ("assaut", ("if any then c5xc3xe5xg3xe1 if quiet then c5xc3xe5xg3 if any then c3xe5xg3",)),
        ("tactique", ("if any then d2-d5xe5 if any then d2-d5xe5", "if quiet then d2-d5xe5")),
        ("lattaque-en", ("if any then a10xa9[M,G,C] if any then a10-a9 if j10xj9[S] then a10xa9",)),
    ],
)
def test_long_moves_in_receipts_are_no_commands(
    who: People, preset: str, lines: tuple[str, ...], language: str, widths: range
) -> None:
    User.objects.filter(pk=who.alice.pk).update(language=language)
    who.alice.refresh_from_db()
    match = match_helpers.running_match(who, preset=preset)
    player = Player.objects.get(match=match, user=who.alice)
    state = PlanRow(match.ply, 0, PlanState.STANDING, None, None, [])
    plans.store(player.pk, state, plans.Contents(lines * 3), None)
    assert_harmless(post.answer(who.alice, post.email(who.alice), "plan"), widths)
