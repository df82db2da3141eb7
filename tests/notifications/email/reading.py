"""Reading e-mails from the bytes that are sent."""

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from html import unescape
from typing import Any, cast

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.outbox.delivery import dispatcher


def delivered() -> list[EmailMultiAlternatives]:
    """Deliver the waiting e-mails; returns them in the order of their events."""
    mail.outbox = []
    dispatcher.drain()
    return sent_emails()


def sent_emails() -> list[EmailMultiAlternatives]:
    """What has been sent, oldest first; each e-mail of ours has a text and a page."""
    return cast(list[EmailMultiAlternatives], mail.outbox)


def only(emails: list[EmailMultiAlternatives], reader: User) -> EmailMultiAlternatives:
    """The one e-mail to this reader."""
    (email,) = [email for email in emails if email.to == [reader.email]]
    return email


@lru_cache(100)  # tests read several parts of an e-mail, which does not change once it is sent
def parsed(email: EmailMultiAlternatives) -> EmailMessage:
    """The e-mail as a mail program reads it."""
    return message_from_bytes(travelling(email), policy=policy.default)


def travelling(email: EmailMultiAlternatives) -> bytes:
    message: Any = email.message()
    return bytes(message.as_bytes(linesep="\r\n"))


def text(email: EmailMultiAlternatives) -> str:
    return part(email, "plain").replace("\r\n", "\n")


def shown_text(email: EmailMultiAlternatives) -> str:
    """The text without the proof lines at its end; the HTML part has none."""
    return WITNESS.sub("", text(email))


def proof_lines(email: EmailMultiAlternatives) -> list[str]:
    """The two proof lines at the end of the text; none if the e-mail is no witness."""
    match = WITNESS.search(text(email))
    return [match["head"], match["sign"]] if match else []


def prose(email: EmailMultiAlternatives) -> str:
    """The text with each paragraph on one line, whatever it was wrapped to."""
    return re.sub(r"(?<=\S)\n(?=\S)", " ", text(email))


def heading(email: EmailMultiAlternatives) -> str:
    """The heading of an e-mail, in one line: subjects are the same for all e-mails of a match."""
    return " ".join(text(email).partition("\n\n")[0].split())


def html(email: EmailMultiAlternatives) -> str:
    return part(email, "html")


def sources(email: EmailMultiAlternatives) -> str:
    """Both parts and the subject, without addresses: their signatures may hold any two letters."""
    whole = "\n".join((str(email.subject), text(email), html(email)))
    return re.sub(r"https?://[^\s\"<>]*", "", whole)


def part(email: EmailMultiAlternatives, kind: str) -> str:
    body = parsed(email).get_body((kind,))
    assert body is not None
    return str(body.get_content())


def preheader(email: EmailMultiAlternatives) -> str:
    match = re.search(r'<div class="preheader"[^>]*>(.*?)</div>', html(email), re.DOTALL)
    assert match
    return unescape(match[1]).strip()


def words_of_text(email: EmailMultiAlternatives) -> list[str]:
    """The words of the text part, without addresses and without the signs that stand for layout."""
    return [
        word.rstrip(":")
        for word in shown_text(email).split()
        if word not in LAYOUT and "://" not in word and not word.startswith("mailto:")
    ]


def words_of_html(email: EmailMultiAlternatives) -> list[str]:
    """The words of the HTML part that a reader sees."""
    body = re.sub(r'(?s)^.*?<div class="preheader".*?</div>', "", html(email))
    shown = unescape(re.sub(r"<[^>]*>", " ", body))
    words = shown.replace("~", "~~").split()
    return [word.rstrip(":") for word in words if word not in LAYOUT]


# A blank line, a sentence in any language, and the two lines, at the very end.
WITNESS = re.compile(
    r"\n\n(?P<sentence>[^\n]+)\n(?P<head>head estafette/head/1 \d+ \d+ [0-9a-f]{64})\n"
    r"(?P<sign>sign [0-9a-f]{128})\n\Z"
)
LAYOUT = ("*", ">", "--", ".")
