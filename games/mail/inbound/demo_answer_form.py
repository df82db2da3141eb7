"""Reply form below the demo's e-mails: sends a real message through the intake."""

from email.message import EmailMessage
from email.utils import format_datetime, make_msgid

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.mail import intake
from games.mail.models import WayIn
from games.notifications.email.demo import mailbox
from games.notifications.email.demo.views import demo_only
from lib.db_clock import now

MAX_CHARACTERS = 4_000


@require_POST
@never_cache
@demo_only
def answer(request: HttpRequest, name: str) -> HttpResponse:
    """Send the text to the e-mail's Reply-To; its receipt appears in the mailbox."""
    email = mailbox.find(name).message
    text = request.POST.get("text", "")
    if not email["Reply-To"] or not text.strip() or len(text) > MAX_CHARACTERS:
        messages.error(request, _("Write a command, of at most 4,000 characters."))
        return redirect("mailbox_email", name)
    raw = _reply(email, text)
    try:
        intake.store_message(raw, str(email["Reply-To"]), str(email["To"]), way_in=WayIn.FORM)
    except (intake.UnknownRecipient, intake.MessageTooLarge):
        raise Http404 from None
    messages.success(
        request, _("Reply sent. The receipt will appear among these e-mails in a moment.")
    )
    return redirect("mailbox")


def _reply(email: EmailMessage, text: str) -> bytes:
    """The raw reply, as a mail program would write it (RFC 5322)."""
    message = EmailMessage()
    message["From"] = str(email["To"])
    message["To"] = str(email["Reply-To"])
    message["Subject"] = f"Re: {email['Subject']}"
    message["Date"] = format_datetime(now())
    message["Message-ID"] = make_msgid(domain=settings.MAIL_DOMAIN)
    message["In-Reply-To"] = str(email["Message-ID"])
    message["References"] = f"{email['References']} {email['Message-ID']}"
    message.set_content(text.replace("\r\n", "\n"))
    return message.as_bytes()
