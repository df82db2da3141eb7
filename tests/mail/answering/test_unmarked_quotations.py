"""Replies of programs that quote without marks and without blank lines, and wrap again.

Nothing of our e-mail is carried out or passed on, wherever in it the player's own line stands.
"""

import re
from collections.abc import Iterator

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.mail.answering.actions import talk
from games.mail.answering.message_context import MessageContext
from games.mail.reading.commands import Command, Verb
from games.notifications.email.replies import reply_addresses
from games.play.models.match import Match
from games.talk.lines import reading
from lib.db_clock import now
from lib.spelling.columns import columns
from tests import tiers
from tests.floors import at_least
from tests.mail import post
from tests.mail.reading.reader import read
from tests.notifications.email import fed_back
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.long, pytest.mark.postgresql_soak]

UNWRAPPED = 2_000  # columns
Widths = tuple[int, ...]
FAST_WIDTHS, FAST_WIDTH = (UNWRAPPED, 64), (64,)
at_all_widths = pytest.mark.parametrize(
    ("widths",),
    tiers.parameters(
        [(FAST_WIDTHS,), ((*range(60, 64), *range(65, 68), 72, 78),)], fast=[(FAST_WIDTHS,)]
    ),
)
at_few_widths = pytest.mark.parametrize(
    ("widths",), tiers.parameters([(FAST_WIDTH,), ((UNWRAPPED, 60, 72),)], fast=[(FAST_WIDTH,)])
)
SHORT_COLUMNS = 45  # no program has wrapped a line as short as this
BLANKS = re.compile("[ \n]+")
# A character of Chinese, or a word with what may not stand apart from it.
ATOM = re.compile(
    "[「（“]?[\u2e80-\u9fff][，。、；：」）”？！]*|[^\\s\u2e80-\u9fff「（]+| +|[「（]"
)


in_all_languages = pytest.mark.parametrize(
    "language", tiers.parameters(("en", "de", "fr", "zh-hant"), fast=("fr",))
)


@pytest.fixture
def emails(language: str, who: People, settings: Settings) -> list[EmailMultiAlternatives]:
    """An e-mail of every kind, in one of the languages, and the receipts of some replies."""
    settings.MAIL_REPLIES = "true"
    for user in who:
        user.language = language
        user.save()
    return [*every_email(who).values(), *receipts(who)]


written: dict[str, list[EmailMultiAlternatives]] = {}  # by language


@pytest.fixture
def emails_alone(request: pytest.FixtureRequest, language: str) -> list[EmailMultiAlternatives]:
    """Those e-mails without the rows that they are about, so they are written once."""
    if language not in written:
        written[language] = request.getfixturevalue("emails")
    return written[language]


def receipts(who: People) -> Iterator[EmailMultiAlternatives]:
    match = match_helpers.set_up(match_helpers.new_match(who))
    email = post.email(who.alice)
    for message in ("hello", "a4-a9", "matches", "moves", "resign", "help", "seat x", "a4-a5"):
        email = post.answer(who.alice, email, message)
        yield email
    assert match_helpers.as_is(match).is_live


def wrapped(line: str, width: int) -> Iterator[str]:
    """A line as programs wrap it by the columns of a screen, in any alphabet."""
    part = ""
    for atom in ATOM.findall(line):
        if part and columns(part + atom.rstrip()) > width:
            yield part.rstrip()
            part = ""
        part += atom
    yield part.rstrip()


def layouts(email: EmailMultiAlternatives, widths: Widths) -> Iterator[list[str]]:
    """The lines of an e-mail without blank ones: its text, its HTML, and its text as one line."""
    whole = text(email)
    for source in (whole.splitlines(), fed_back.cells(email), [BLANKS.sub(" ", whole)]):
        lines = [line for line in source if line.strip()]
        for width in widths:
            if len(lines) == 1 and width == UNWRAPPED:
                continue
            yield [part for line in lines for part in wrapped(line, width) if part]


def with_own_line(lines: list[str], own: str) -> Iterator[tuple[int, str]]:
    """The lines with the player's own one before, between and behind them.

    Behind a long line, without a blank line between, it would be the rest of that line.
    """
    short = [n for n, line in enumerate(lines, 1) if columns(line) <= SHORT_COLUMNS]
    signature = next((n for n, line in enumerate(lines) if line.rstrip() == "--"), len(lines))
    places = [0, *(number for number in short if number < signature)]
    for place in {places[0], places[len(places) // 2], places[-1]}:
        yield place, "\n".join([*lines[:place], own, *lines[place:]])


def commands(message: str) -> list[Command]:
    return list(read(post.written("alice@example.org", message)).commands)


@in_all_languages
@at_all_widths
def test_no_line_of_ours_is_carried_out(
    emails_alone: list[EmailMultiAlternatives], widths: Widths
) -> None:
    for email in at_least(25, emails_alone):
        for lines in layouts(email, widths):
            carried_out = commands("\n".join(lines))
            assert [lines[each.line] for each in carried_out] == []


@in_all_languages
@at_few_widths
@pytest.mark.parametrize("own", tiers.parameters(("e4-e5", "accept"), fast=("accept",)))
def test_the_own_line_alone_is_carried_out(
    emails_alone: list[EmailMultiAlternatives], widths: Widths, own: str
) -> None:
    for email in at_least(25, emails_alone):
        for lines in layouts(email, widths):
            for _place, message in with_own_line(lines, own):
                carried_out = [message.split("\n")[each.line] for each in commands(message)]
                assert carried_out == [own], message


def passed_on(email: EmailMultiAlternatives, message: str) -> list[str]:
    """The words that a reply with this text would pass on."""
    address = reply_addresses.find(post.reply_to(email))
    assert address is not None
    parsed = read(post.written(address.user, message))
    context = MessageContext.from_reply_address(
        address, arrived=now(), now=now(), own_lines=parsed.own_lines
    )
    words = [each.argument for each in parsed.commands if each.verb is Verb.SAY]
    return [talk.passed_on(context, each) for each in words]


@in_all_languages
@at_few_widths
def test_nothing_of_ours_is_passed_on(emails: list[EmailMultiAlternatives], widths: Widths) -> None:
    about_matches = [
        email
        for email in emails
        if (address := reply_addresses.find(email.extra_headers.get("Reply-To", "")))
        and address.match_id
    ]
    for email in at_least(15, about_matches):
        for lines in layouts(email, widths):
            for _place, message in with_own_line(lines, "say hello"):
                assert passed_on(email, message) == ["hello"], message


def test_lines_above_a_blank_line_are_passed_on_whole(who: People, alice: User, bob: User) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who))
    email = post.email(alice)
    quotation = "\n".join(line for line in text(email).splitlines() if line.strip())
    receipt = post.answer(alice, email, f"say Hello Bob\nhow are you?\n\n{quotation}")
    assert post.outcome(receipt) == "said"
    assert "seem to be text of our e-mail" not in " ".join(text(receipt).split())
    receipt = post.answer(alice, email, f"say Well?\nreally?\n{quotation}")
    assert post.outcome(receipt) == "said"
    assert "seem to be text of our e-mail" in " ".join(text(receipt).split())
    assert words(match, bob) == ["Hello Bob\nhow are you?", "Well?"]


def words(match: Match, reader: User) -> list[str]:
    player = match.players.get(user=reader)
    return [line.text for line in reading.newest(player, 100)]
