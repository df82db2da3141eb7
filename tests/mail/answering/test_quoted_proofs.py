"""Replies that quote an e-mail with its proof lines and its receipt: only their own move counts."""

from collections.abc import Iterator
from email.message import EmailMessage
from html import escape
from itertools import product
from textwrap import wrap

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.mail.reading.commands import Verb
from games.play.models.match import Match, Player
from games.talk.lines import reading
from tests.floors import at_least
from tests.mail import post
from tests.mail.reading.reader import read
from tests.notifications.email.reading import parsed, proof_lines, text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

OUTLOOK = "________________________________\nFrom: Estafette <post@localhost>\nSent: Friday\n\n"
OWN = "a4-a5\nsay Good luck"
STYLES = ("marked", "bare", "outlook")


@pytest.fixture
def turn_email(who: People, alice: User) -> EmailMultiAlternatives:
    """The e-mail about Alice's first turn, which brings her receipt."""
    match_helpers.set_up(match_helpers.new_match(who))
    email = post.email(alice)
    assert len(proof_lines(email)) == 2
    return email


def all_lines(turn_email: EmailMultiAlternatives) -> list[str]:
    """The lines of an e-mail, and of its receipt, which some programs quote as well."""
    (attached,) = parsed(turn_email).iter_attachments()
    receipt = str(attached.get_content()).replace("\r\n", "\n")
    assert receipt.startswith("estafette/receipt/1 ") and "\nseal S " in receipt
    return f"{text(turn_email)}\n{receipt}".splitlines()


def quoted(lines: list[str], style: str, width: int, *, within_words: bool = True) -> str:
    """Lines as a mail program wraps and quotes them."""
    folded = [
        part for line in lines for part in wrap(line, width, break_long_words=within_words) or [""]
    ]
    shown = "\n".join(f"> {line}" if style == "marked" else line for line in folded)
    return OUTLOOK + shown if style == "outlook" else shown


def replies(alice: User, lines: list[str]) -> Iterator[tuple[object, bytes]]:
    """Replies in every style, with the answer above the quotation and below it."""
    for style, width, within in product(STYLES, (40, 68, 72, 76, 78, 2_000), (True, False)):
        quotation = quoted(lines, style, width, within_words=within)
        kind = (style, width, within)
        yield (*kind, "above"), post.written(alice, f"{OWN}\n\n{quotation}\n")
        yield (*kind, "at once"), post.written(alice, f"{OWN}\n{quotation}\n")
        if style == "marked":  # Below an e-mail without marks, all is part of its signature.
            yield (*kind, "below"), post.written(alice, f"{lines[0]}\n{quotation}\n\n{OWN}\n")
    page = "".join(f"<div>{escape(line)}</div>" for line in lines)
    below = f'<div>a4-a5</div><div>say Good luck</div><hr><div id="divRplyFwdMsg">{page}</div>'
    yield "html", _html(alice, below)
    yield "html without a quotation", _html(alice, f"<div>a4-a5</div><div>{OWN[6:]}</div>{page}")


def _html(alice: User, page: str) -> bytes:
    message = EmailMessage()
    message["From"], message["Message-ID"] = alice.email, "<page@example.org>"
    message.set_content(page, subtype="html")
    return message.as_bytes()


def test_only_the_own_commands_of_a_reply_count_in_any_style(
    alice: User, turn_email: EmailMultiAlternatives
) -> None:
    for name, raw in at_least(80, list(replies(alice, all_lines(turn_email)))):
        message = read(raw)
        assert not message.problem and not message.conflict, name
        verbs = [command.verb for command in message.commands]
        assert verbs == [Verb.MOVE, Verb.SAY], (name, message.commands)


@pytest.mark.parametrize("style", STYLES)
def test_the_move_is_played_and_the_words_are_passed_on(
    alice: User, bob: User, turn_email: EmailMultiAlternatives, style: str
) -> None:
    match = Match.objects.get()
    before = match.ply
    quotation = quoted(all_lines(turn_email), style, 72)
    post.take(turn_email, post.written(alice, f"{OWN}\n{quotation}\n"))
    (answer,) = (sent for sent in post.emails(alice) if "X-Estafette-Outcome" in sent.extra_headers)
    assert post.outcome(answer) == "played"
    assert text(answer).startswith("Played: a4-a5.")
    assert match_helpers.as_is(match).ply == before + 1
    assert len(proof_lines(answer)) == 2
    player = Player.objects.get(match=match, user=bob)
    assert [line.text for line in reading.newest(player, 9)] == ["Good luck"]


def test_quoted_proof_lines_alone_do_nothing(
    alice: User, turn_email: EmailMultiAlternatives
) -> None:
    lines = all_lines(turn_email)
    lines = lines[lines.index(proof_lines(turn_email)[0]) :]
    for style, width in product(STYLES, range(30, 100)):
        raw = post.written(alice, quoted(lines, style, width))
        assert read(raw).commands == (), (style, width)


def test_a_returned_receipt_does_nothing(alice: User, turn_email: EmailMultiAlternatives) -> None:
    (attached,) = parsed(turn_email).iter_attachments()
    for disposition in ("attachment", "inline"):
        message = EmailMessage()
        message["From"], message["Message-ID"] = alice.email, "<back@example.org>"
        message.set_content("a4-a5")
        message.add_attachment(str(attached.get_content()), disposition=disposition)
        own_commands = read(message.as_bytes()).commands
        assert [command.verb for command in own_commands] == [Verb.MOVE], disposition
