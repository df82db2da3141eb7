"""E-mail message: the templates, headers and envelope sender that all e-mails share.

Subject and preview are read over shoulders and on locked screens, so they hold public facts alone.
"""

import re
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import get_language

from accounts.models import User
from accounts.people import unsubscribe
from games.notifications.email import verp
from games.notifications.email.composing import css_inlining
from games.notifications.email.composing.line_wrapping import wrapped
from games.notifications.email.replies.hints import Links
from games.notifications.email.sending.mime import Email
from games.notifications.policy.summaries import absolute_url

GAP = re.compile(r"\n{3,}")
IDENTITY = re.compile(r"<[!-;=?-~]{1,898}>")  # a Message-ID, in printable ASCII without blanks


def compose(
    name: str,
    reader: User,
    context: dict[str, Any],
    *,
    kind: str,
    thread: str,
    subject: str,
    at: datetime,
    message_id: str,
    reply_to: str = "",
    in_reply_to: str = "",
    outcome: str = "",
) -> Email:
    """The e-mail of templates/mail/<name>/, in the language and the time zone that are active.

    `kind` is one of accounts.people.unsubscribe.KINDS, by which the reader may stop such e-mails,
    `thread` names the conversation that mail programs put it into ("match.17"), and `subject` has
    to stay the same within one. `reply_to` is where an answer goes. A receipt for a message has its
    Message-ID as `in_reply_to`, and what became of it as `outcome`.
    """
    stop = absolute_url(unsubscribe.stop_path(reader, kind))
    subject = " ".join(subject.split())
    context = {**context, "stop_link": stop, "site_url": settings.SITE_URL}
    context |= {"reply_to": reply_to, "answer": Links(reply_to, subject)}
    text = get_template(f"mail/{name}/body.txt").render(context)
    html = css_inlining.page(name).render(context)
    email = Email(
        subject=subject,
        body=wrapped(GAP.sub("\n\n", text).strip().replace("\xa0", " ")) + "\n",
        # The envelope's sender; who reads the e-mail is shown the one among the headers.
        from_email=verp.sender(reader),
        to=[reader.email],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            **({"Reply-To": reply_to} if reply_to else {}),
            "Message-ID": message_id,
            "Date": format_datetime(at),
            **_thread(f"<{thread}@{settings.MAIL_DOMAIN}>", in_reply_to),
            # Machines that answer e-mails leave this one alone.
            "Auto-Submitted": "auto-replied" if in_reply_to or outcome else "auto-generated",
            "X-Auto-Response-Suppress": "All",
            **({"X-Estafette-Outcome": outcome} if outcome else {}),
            "List-Id": f"<{kind}.{settings.MAIL_DOMAIN}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )
    email.language = get_language() or settings.LANGUAGE_CODE
    # Within HTML, what is not ASCII has a name that is.
    email.attach_alternative(html.encode("ascii", "xmlcharrefreplace").decode(), "text/html")
    return email


def _thread(root: str, answered: str) -> dict[str, str]:
    """What puts an e-mail into its conversation, and a receipt under the message it answers.

    That message's identity was written by somebody else: what is no such name is left out.
    """
    if not IDENTITY.fullmatch(answered):
        return {"In-Reply-To": root, "References": root}
    return {"In-Reply-To": answered, "References": f"{root} {answered}"}
