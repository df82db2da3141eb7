"""Properties of every e-mail."""

import re
from pathlib import Path

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import get_template

from tests.notifications.email.reading import (
    heading,
    html,
    parsed,
    preheader,
    proof_lines,
    shown_text,
    text,
    travelling,
    words_of_html,
    words_of_text,
)

EMAILS = sorted(
    path.parent.name for path in (settings.BASE_DIR / "templates" / "mail").glob("*/body.txt")
)
STYLED = re.compile(r'<(\w+)[^>]* style="([^"]*)"')
Emails = dict[str, EmailMultiAlternatives]


def test_each_kind_of_email_is_covered(emails: Emails) -> None:
    assert sorted(emails) == EMAILS


def test_text_and_html_have_the_same_words(emails: Emails, emails_without_deadline: Emails) -> None:
    for name, email in (emails | emails_without_deadline).items():
        assert words_of_text(email) == words_of_html(email), name


def test_these_emails_end_with_proof_lines_in_their_text(emails: Emails) -> None:
    """Those with a board, and those about a beginning, an end, a look or an answer."""
    witnesses = {name for name, email in emails.items() if proof_lines(email)}
    assert witnesses == {"began", "turn", "over", "followed", "looked", "receipt"}
    for name, email in emails.items():
        parts = (shown_text(email), html(email), str(email.subject))
        assert not any("estafette/head" in part for part in parts), name


def test_the_first_words_distinguish_the_emails_of_a_thread(emails: Emails) -> None:
    """Mail programs show the subject, which is that of the thread, and then these words."""
    threads: dict[str, list[EmailMultiAlternatives]] = {}
    for name, email in emails.items():
        assert preheader(email).startswith(heading(email).partition(".")[0]), name
        threads.setdefault(str(parsed(email)["Subject"]), []).append(email)
    (longest,) = (thread for thread in threads.values() if len(thread) > 3)
    # began, turn, draw offered, receipt, reminder, clock, looked, talk, over
    assert len(longest) == 9
    for shown in (preheader, text):
        assert len({shown(email)[:30] for email in longest}) == len(longest)
    assert preheader(emails["turn"]).startswith("Your turn against Bob")
    assert preheader(emails["draw_offered"]).startswith("Bob offers a draw")
    assert preheader(emails["over"]).startswith("Alice won: ")


def test_every_placeholder_is_filled(emails: Emails, emails_without_deadline: Emails) -> None:
    for name, email in (emails | emails_without_deadline).items():
        for written in (str(email.subject), text(email), preheader(email)):
            assert not re.search(r"%\(|\{\{|None|\w ,|\(\)", written), (name, written)
            assert written, name


def test_no_email_names_a_deadline_that_does_not_exist(emails_without_deadline: Emails) -> None:
    for name, email in emails_without_deadline.items():
        body = text(email) + preheader(email)
        assert "Move by" not in body and "time is up" not in body, name
        assert ("The match is paused" in body) == name.endswith(": paused"), name
        assert ("Set up your army by" in body) == (name == "credit: set-up"), name


def test_no_line_is_longer_than_mail_servers_accept(emails: Emails) -> None:
    for name, email in emails.items():
        longest = max(len(line) for line in travelling(email).split(b"\r\n"))
        assert longest < 500, name


def test_messages_are_sent_as_ascii(emails: Emails) -> None:
    for email in emails.values():
        assert travelling(email).isascii()


def test_an_email_loads_nothing_from_other_servers(emails: Emails) -> None:
    for email in emails.values():
        assert not re.search(r"<(img|link|script|iframe|form)|url\(|@import|src=", html(email))


def test_styles_are_inline(emails: Emails) -> None:
    for email in emails.values():
        assert re.search(r'<h1 style="[^"]+">', html(email))
        assert re.search(r'class="button"[^>]* style="[^"]+"', html(email))


def test_each_element_has_the_styles_that_the_base_gives_it(emails: Emails) -> None:
    base = get_template("mail/base.html").template.source  # type: ignore[attr-defined]
    (sheet,) = re.findall(r"<style>.*?</style>", base, re.DOTALL)
    inliner = CSSInliner(keep_at_rules=True)
    for name, email in emails.items():
        bare = re.sub(r' style="[^"]*"', "", html(email))
        styled = inliner.inline(re.sub(r"(?s)<style>.*?</style>", lambda _: sheet, bare))
        assert sorted(STYLED.findall(styled)) == sorted(STYLED.findall(html(email))), name


def test_no_email_has_mime_defects(emails: Emails) -> None:
    for name, email in emails.items():
        assert not any(part.defects for part in parsed(email).walk()), name


def test_an_email_has_dark_colours(emails: Emails) -> None:
    for email in emails.values():
        written = html(email)
        assert '<meta name="color-scheme" content="light dark">' in written
        assert "@media (prefers-color-scheme: dark)" in written


def test_an_email_links_to_its_match_or_invitation(emails: Emails) -> None:
    for name, email in emails.items():
        (link,) = re.findall(r'class="button" href="([^"]+)"', html(email))
        assert link.startswith(settings.SITE_URL + "/"), name
        # A long one stands on a line of its own.
        assert re.search(rf":[ \n]{re.escape(link)}\n", text(email)), name


def test_an_email_has_machine_readable_data(emails: Emails) -> None:
    for name, email in emails.items():
        headers = parsed(email)
        kind = "auto-replied" if name == "receipt" else "auto-generated"
        assert headers["Auto-Submitted"] == kind
        assert headers["X-Auto-Response-Suppress"] == "All"
        assert re.fullmatch(r"<\w+\.[\w.]+>", headers["List-Id"])
        assert headers["Date"].datetime.utcoffset() is not None
        assert len(headers.get_all("Message-ID")) == len(headers.get_all("Date")) == 1


def test_text_of_a_player_is_shown_unchanged(emails: Emails) -> None:
    assert "“Shall we? <b>Best</b> of three & more.”" in text(emails["invitation"])
    assert "Shall we? &lt;b&gt;Best&lt;/b&gt; of three &amp; more." in html(emails["invitation"])


def test_apostrophes_are_not_escaped_in_subject_and_text(emails: Emails) -> None:
    for email in emails.values():
        assert "&#" not in email.subject + text(email)


def test_each_template_has_all_parts() -> None:
    for name in EMAILS:
        folder = Path(settings.BASE_DIR / "templates" / "mail" / name)
        assert {path.name for path in folder.iterdir()} == {"body.txt", "body.html"}
