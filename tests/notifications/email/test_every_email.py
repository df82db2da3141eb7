"""What holds of every e-mail, whatever it says."""

import re
from pathlib import Path

import pytest
from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import get_template

from tests.notifications.email.every_email import every_letter, letters_without_a_deadline
from tests.notifications.email.reading import (
    html,
    parsed,
    preheader,
    text,
    travelling,
    words_of_html,
    words_of_text,
)
from tests.play.match_helpers import People

LETTERS = sorted(
    path.parent.name for path in (settings.BASE_DIR / "templates" / "mail").glob("*/body.txt")
)
STYLED = re.compile(r'<(\w+)[^>]* style="([^"]*)"')
Letters = dict[str, EmailMultiAlternatives]


written: Letters = {}  # once for all tests that read them


@pytest.fixture
def letters(request: pytest.FixtureRequest) -> Letters:
    if not written:
        written.update(every_letter(request.getfixturevalue("who")))
    return written


@pytest.fixture
def without(who: People) -> Letters:
    return letters_without_a_deadline(who)


def test_each_kind_of_letter_is_read_here(letters: Letters) -> None:
    assert sorted(letters) == LETTERS


def test_text_and_html_say_the_same(letters: Letters, without: Letters) -> None:
    for name, letter in (letters | without).items():
        assert words_of_text(letter) == words_of_html(letter), name


def test_every_placeholder_is_filled(letters: Letters, without: Letters) -> None:
    for name, letter in (letters | without).items():
        for written in (str(letter.subject), text(letter), preheader(letter)):
            assert not re.search(r"%\(|\{\{|None|\w ,|\(\)", written), (name, written)
            assert written, name


def test_no_letter_names_a_deadline_that_is_none(without: Letters) -> None:
    for name, letter in without.items():
        told = text(letter) + preheader(letter)
        assert "Move by" not in told and "time is up" not in told, name
        assert ("The match is paused" in told) == name.endswith(": paused"), name
        assert ("Set up your army by" in told) == (name == "credit: set-up"), name


def test_no_line_is_longer_than_mail_servers_bear(letters: Letters) -> None:
    for name, letter in letters.items():
        longest = max(len(line) for line in travelling(letter).split(b"\r\n"))
        assert longest < 500, name


def test_only_ascii_travels(letters: Letters) -> None:
    for letter in letters.values():
        assert travelling(letter).isascii()


def test_a_letter_needs_nothing_from_outside(letters: Letters) -> None:
    for letter in letters.values():
        assert not re.search(r"<(img|link|script|iframe|form)|url\(|@import|src=", html(letter))


def test_the_styles_stand_at_their_elements(letters: Letters) -> None:
    for letter in letters.values():
        assert re.search(r'<h1 style="[^"]+">', html(letter))
        assert re.search(r'class="button"[^>]* style="[^"]+"', html(letter))


def test_each_element_has_the_styles_that_the_base_gives_it(letters: Letters) -> None:
    base = get_template("mail/base.html").template.source  # type: ignore[attr-defined]
    (sheet,) = re.findall(r"<style>.*?</style>", base, re.DOTALL)
    inliner = CSSInliner(keep_at_rules=True)
    for name, letter in letters.items():
        bare = re.sub(r' style="[^"]*"', "", html(letter))
        styled = inliner.inline(re.sub(r"(?s)<style>.*?</style>", lambda _: sheet, bare))
        assert sorted(STYLED.findall(styled)) == sorted(STYLED.findall(html(letter))), name


def test_mail_programs_find_no_fault(letters: Letters) -> None:
    for name, letter in letters.items():
        assert not any(part.defects for part in parsed(letter).walk()), name


def test_a_letter_can_be_read_in_the_dark(letters: Letters) -> None:
    for letter in letters.values():
        written = html(letter)
        assert '<meta name="color-scheme" content="light dark">' in written
        assert "@media (prefers-color-scheme: dark)" in written


def test_a_letter_leads_back_to_its_match_or_invitation(letters: Letters) -> None:
    for name, letter in letters.items():
        (link,) = re.findall(r'class="button" href="([^"]+)"', html(letter))
        assert link.startswith(settings.SITE_URL + "/") and f": {link}\n" in text(letter), name


def test_a_letter_tells_machines_what_it_is(letters: Letters) -> None:
    for name, letter in letters.items():
        headers = parsed(letter)
        kind = "auto-replied" if name == "receipt" else "auto-generated"
        assert headers["Auto-Submitted"] == kind
        assert headers["X-Auto-Response-Suppress"] == "All"
        assert re.fullmatch(r"<\w+\.[\w.]+>", headers["List-Id"])
        assert headers["Date"].datetime.utcoffset() is not None
        assert len(headers.get_all("Message-ID")) == len(headers.get_all("Date")) == 1


def test_what_a_player_wrote_is_shown_as_it_was_written(letters: Letters) -> None:
    assert "“Shall we? <b>Best</b> of three & more.”" in text(letters["invitation"])
    assert "Shall we? &lt;b&gt;Best&lt;/b&gt; of three &amp; more." in html(letters["invitation"])


def test_apostrophes_stay_apostrophes_in_subject_and_text(letters: Letters) -> None:
    for letter in letters.values():
        assert "&#" not in letter.subject + text(letter)


def test_no_letter_has_a_part_without_the_others() -> None:
    for name in LETTERS:
        folder = Path(settings.BASE_DIR / "templates" / "mail" / name)
        assert {path.name for path in folder.iterdir()} == {"body.txt", "body.html"}
