"""Paper, envelope and headers: what all letters have in common, whatever they say.

Subject and preview are read over shoulders and on locked screens, so they hold public facts alone.
"""

import re
from datetime import datetime
from email.charset import QP, Charset
from email.policy import Compat32
from email.utils import format_datetime
from functools import cache
from hashlib import sha256
from typing import Any

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import get_template

from accounts import letters
from accounts.models import User
from games.mail import verp
from games.notices.headlines import absolute

QUOTED = Charset("utf-8")
QUOTED.body_encoding = QP
GAP = re.compile(r"\n{3,}")


class Unfolded(Compat32):
    """Each header on one line: mail programs have missed an address on the second."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        # What Django encoded may be folded already; the blank after each fold stays.
        return f"{name}: {value}".replace("\n", "").encode("ascii") + self.linesep.encode()


class Letter(EmailMultiAlternatives):
    """A message that is the same to the last byte however often it is written out."""

    def message(self, **options: Any) -> Any:
        message = super().message(**options)
        identity = self.extra_headers["Message-ID"]
        message.set_boundary(f"={sha256(identity.encode()).hexdigest()[:32]}=")
        message.policy = Unfolded()
        return message


def write(
    name: str,
    reader: User,
    context: dict[str, Any],
    *,
    kind: str,
    thread: str,
    at: datetime,
    message_id: str,
    waiting: int = 0,
) -> Letter:
    """The letter of templates/mail/<name>/, in the language and the time zone that are active.

    `kind` is the one of accounts.letters.KINDS by which the reader may stop such letters, `thread`
    names the conversation that mail programs put it into ("match.17"). Where more than one match
    waits for the reader, the subject begins with their number, as the title of every page does.
    """
    stop = absolute(letters.stop_path(reader, kind))
    context = {**context, "stop_link": stop, "site_url": settings.SITE_URL}
    subject, text, html = (
        get_template(f"mail/{name}/{part}").render(context)
        for part in ("subject.txt", "body.txt", "body.html")
    )
    if waiting > 1:
        subject = f"({waiting}) {subject}"
    root = f"<{thread}@{settings.MAIL_DOMAIN}>"
    letter = Letter(
        subject=" ".join(subject.split()),
        body=GAP.sub("\n\n", text).strip().replace("\xa0", " ") + "\n",
        # The envelope's sender; who reads the letter is shown the one among the headers.
        from_email=verp.sender(reader),
        to=[reader.email],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            "Message-ID": message_id,
            "Date": format_datetime(at),
            "In-Reply-To": root,
            "References": root,
            # Machines that answer letters leave this one alone.
            "Auto-Submitted": "auto-generated",
            "X-Auto-Response-Suppress": "All",
            "List-Id": f"<{kind}.{settings.MAIL_DOMAIN}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    # Nothing but ASCII travels: a server that had to rewrite it would break its signature.
    if not letter.body.isascii():
        letter.encoding = QUOTED
    html = _inliner().inline(html).encode("ascii", "xmlcharrefreplace").decode()
    letter.attach_alternative(html, "text/html")
    return letter


@cache
def _inliner() -> CSSInliner:
    # What cannot be a style of an element, the colours for the dark, stays where it is.
    return CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
