"""E-mail message: the templates, headers and envelope sender that all e-mails share.

Locked screens show subject and preview, so they contain public facts only.
"""

import re
from datetime import datetime
from email.utils import format_datetime
from typing import Any

from django.conf import settings
from django.template.loader import get_template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people import unsubscribe
from games.notifications.email import verp
from games.notifications.email.composing import css_inlining
from games.notifications.email.composing.line_wrapping import wrapped
from games.notifications.email.composing.witness import NO_WITNESS, Witness
from games.notifications.email.replies.hints import Links
from games.notifications.email.sending.mime import Email
from games.notifications.policy.summaries import absolute_url

GAP = re.compile(r"\n{3,}")
# A line may break at a blank, but not at one within French quotation marks: words that follow the
# opening mark on a line of their own might be read as a command.
WITHIN_GUILLEMETS = re.compile("(?<=«)\xa0|\xa0(?=»)")
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
    witness: Witness = NO_WITNESS,
) -> Email:
    """The e-mail of templates/mail/<name>/, in the active language and time zone.

    `kind` is one of accounts.people.unsubscribe.KINDS, the list that its unsubscribe link stops, or
    another word for e-mails that cannot be stopped and have no such link.
    `thread` names its thread in mail programs ("match.17"); all e-mails of a thread must have the
    same `subject`. `reply_to` is the reply address. The receipt of a message has that message's
    Message-ID as `in_reply_to`, and its outcome as `outcome`. The text ends with the proof lines of
    `witness`, which has the receipt to attach as well.
    """
    stop = absolute_url(unsubscribe.stop_path(reader, kind)) if kind in unsubscribe.KINDS else ""
    subject = " ".join(subject.split())
    context = {**context, "stop_link": stop, "site_url": settings.SITE_URL}
    context |= {"reply_to": reply_to, "answer": Links(reply_to, subject)}
    text = get_template(f"mail/{name}/body.txt").render(context)
    html = css_inlining.page(name).render(context)
    email = Email(
        subject=subject,
        body=wrapped(_with_breaking_blanks(GAP.sub("\n\n", text).strip()))
        + "\n"
        + _witness_text(witness),
        # The envelope sender; mail programs show the one in the headers.
        from_email=verp.sender(reader),
        to=[reader.email],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            **({"Reply-To": reply_to} if reply_to else {}),
            "Message-ID": message_id,
            "Date": format_datetime(at),
            **_thread(f"<{thread}@{settings.MAIL_DOMAIN}>", in_reply_to),
            # Prevents automatic replies.
            "Auto-Submitted": "auto-replied" if in_reply_to or outcome else "auto-generated",
            "X-Auto-Response-Suppress": "All",
            **({"X-Estafette-Outcome": outcome} if outcome else {}),
            "List-Id": f"<{kind}.{settings.MAIL_DOMAIN}>",
            **_unsubscribe(stop),
        },
    )
    email.language = get_language() or settings.LANGUAGE_CODE
    # Character references keep the HTML in ASCII.
    email.attach_alternative(html.encode("ascii", "xmlcharrefreplace").decode(), "text/html")
    if witness.receipt:
        email.attach(witness.receipt_name, witness.receipt, "text/plain")
    email.witness = witness
    return email


def _with_breaking_blanks(text: str) -> str:
    return WITHIN_GUILLEMETS.sub("\u202f", text).replace("\xa0", " ")


def _witness_text(witness: Witness) -> str:
    """The proof lines at the end of a text, which are never wrapped: a program reads them."""
    if not witness.lines:
        return ""
    sentence = _("Keep this e-mail, it is your witness")
    return "".join(f"{line}\n" for line in ("", f"{sentence}:", *witness.lines))


def _unsubscribe(stop: str) -> dict[str, str]:
    """The headers by which mail programs offer to unsubscribe; none without a link."""
    if not stop:
        return {}
    return {
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _thread(root: str, answered: str) -> dict[str, str]:
    """The headers that put an e-mail into its thread, and a receipt below the message it answers.

    `answered` is the Message-ID of that message; an invalid one is left out.
    """
    if not IDENTITY.fullmatch(answered):
        return {"In-Reply-To": root, "References": root}
    return {"In-Reply-To": answered, "References": f"{root} {answered}"}
