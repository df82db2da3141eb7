"""E-mail message: the templates, headers and envelope sender that all e-mails share.

Subject and preview are read over shoulders and on locked screens, so they hold public facts alone.
"""

import re
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.template.loader import get_template

from accounts import unsubscribe
from accounts.models import User
from games.notifications.email import styles, verp
from games.notifications.email.mime import Email
from games.notifications.policy.summaries import absolute_url

GAP = re.compile(r"\n{3,}")


def compose(
    name: str,
    reader: User,
    context: dict[str, Any],
    *,
    kind: str,
    thread: str,
    at: datetime,
    message_id: str,
    waiting: int = 0,
) -> Email:
    """The letter of templates/mail/<name>/, in the language and the time zone that are active.

    `kind` is the one of accounts.unsubscribe.KINDS by which the reader may stop such letters,
    `thread` names the conversation that mail programs put it into ("match.17"). Where more than one
    match waits for the reader, the subject begins with their number, as each page's title does.
    """
    stop = absolute_url(unsubscribe.stop_path(reader, kind))
    context = {**context, "stop_link": stop, "site_url": settings.SITE_URL}
    subject, text = (
        get_template(f"mail/{name}/{part}").render(context) for part in ("subject.txt", "body.txt")
    )
    html = styles.page(name).render(context)
    if waiting > 1:
        subject = f"({waiting}) {subject}"
    root = f"<{thread}@{settings.MAIL_DOMAIN}>"
    letter = Email(
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
    # Within HTML, what is not ASCII has a name that is.
    letter.attach_alternative(html.encode("ascii", "xmlcharrefreplace").decode(), "text/html")
    return letter
