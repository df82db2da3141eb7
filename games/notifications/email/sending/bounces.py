"""E-mail bounces and complaints: recognized by a few lines, noted for the reader they are about.

A report may be forged, huge or broken. Only the envelope's address says whose e-mail it was, and
who does not know that address can report nothing. refusals.py decides whose fault a bounce is.
"""

import re

from accounts.models import User
from accounts.people import unsubscribe
from games.notifications.email import verp
from games.notifications.email.sending import smtp_refusals
from games.notifications.email.sending.smtp_refusals import Fault, Refusal
from games.notifications.policy import deliverability

MAX_REPORT_BYTES = 256 * 1024  # bytes read of a report
MAX_PROSE_BYTES = 8 * 1024  # looked at in a bounce that is no report

ACTION = re.compile(rb"(?im)^Action:[ \t]*([a-z]+)")
STATUS = re.compile(rb"(?im)^Status:[ \t]*([245]\.[0-9]{1,3}\.[0-9]{1,3})")
DIAGNOSIS = re.compile(rb"(?im)^Diagnostic-Code:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)")
FEEDBACK = re.compile(rb"(?im)^Feedback-Type:[ \t]*([a-z-]+)")
LIST = re.compile(rf"(?im)^List-Id:[ \t]*<({'|'.join(unsubscribe.KINDS)})\.".encode())

BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
FOLD = re.compile(rb"\r?\n(?=[ \t])")
# In the head of an e-mail that is no report. Who only replies says so (RFC 3834), but mail servers
# that return an e-mail have said it, too.
FAILED = re.compile(rb"(?im)^X-Failed-Recipients:")
REPLIED = re.compile(rb"(?im)^Auto-Submitted:[ \t]*auto-replied")
DAEMON = re.compile(rb"(?im)^From:[^\r\n]*\b(?:mailer-daemon|postmaster)\b")
# What the last mail server answered, quoted in prose.
ANSWER = re.compile(rb"\b5[0-9][0-9][ -][^\r\n]*(?:\r?\n[^\r\n]+)*")


def receive_bounce(raw: bytes, envelope_to: str) -> str:
    """Note what a returned e-mail says.

    It is "unknown" whose, a "complaint", an "opt-out", only "delayed", returned for good ("hard")
    or for this time ("soft"), returned for a reason that lies with us ("ours"), or "nothing" of the
    kind. `envelope_to` is the address it was delivered to (RCPT), never the one in its headers.
    """
    reader = verp.read(envelope_to)
    if reader is None:
        return "unknown"
    report = raw[:MAX_REPORT_BYTES]
    if feedback := FEEDBACK.search(report):
        return _feedback(reader, feedback[1].lower(), report)
    if not _is_bounce(report):
        return "delayed" if ACTION.search(report) else "nothing"
    refusal = _refusal(report)
    match refusal.fault:
        case Fault.OURS:
            deliverability.blame_us(reader, refusal.code)
            return "ours"
        case Fault.ADDRESS:
            deliverability.bounced(reader, deliverability.NO_SUCH, lasting=True)
            return "hard"
        case Fault.MAILBOX:
            deliverability.bounced(reader, deliverability.AWAY, lasting=False)
            return "soft"


def _refusal(report: bytes) -> Refusal:
    """Whose fault a bounce is."""
    status, diagnosis = STATUS.search(report), DIAGNOSIS.search(report)
    if status:
        return smtp_refusals.judge_report(status[1], diagnosis[1] if diagnosis else b"")
    _head, *body = BLANK.split(report, maxsplit=1)
    answer = ANSWER.search(body[0][:MAX_PROSE_BYTES]) if body else None
    return smtp_refusals.judge_report(b"", answer[0] if answer else b"")


def _feedback(reader: User, kind: bytes, report: bytes) -> str:
    """What a mailbox's owner or its keeper says of an e-mail (RFC 5965).

    Most kinds are no complaint: that it is no spam, that a signature failed, a virus.
    """
    if kind in (b"abuse", b"fraud"):
        deliverability.bounced(reader, deliverability.SPAM, lasting=True)
        return "complaint"
    if kind == b"opt-out":
        listed = LIST.search(report)
        for name in [listed[1].decode().lower()] if listed else unsubscribe.KINDS:
            unsubscribe.stop(reader, name)
        return "opt-out"
    return "nothing"


def _is_bounce(report: bytes) -> bool:
    """Whether a mail server says that it could not deliver, in a report (RFC 3464) or in prose.

    The automatic replies of people who are away come to the same address, and say nothing of it.
    """
    if action := ACTION.search(report):
        return action[1].lower() == b"failed"
    head = FOLD.sub(b"", BLANK.split(report, maxsplit=1)[0])
    if FAILED.search(head):
        return True
    return bool(DAEMON.search(head)) and not REPLIED.search(head)
