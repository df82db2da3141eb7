"""E-mail bounces and complaints: recognized by a few lines, and recorded for their reader.

A report may be forged, huge or broken. Only the signed envelope address identifies the reader, so
nobody without that address can report anything. smtp_refusals.py decides whose fault a bounce is.
"""

import re

from accounts.models import User
from accounts.people import unsubscribe
from games.notifications.email import verp
from games.notifications.email.sending import smtp_refusals
from games.notifications.email.sending.smtp_refusals import Fault, Refusal
from games.notifications.policy import deliverability

MAX_REPORT_BYTES = 256 * 1024  # read of a report
MAX_PROSE_BYTES = 8 * 1024  # searched in a bounce that is no report

ACTION = re.compile(rb"(?im)^Action:[ \t]*([a-z]+)")
STATUS = re.compile(rb"(?im)^Status:[ \t]*([245]\.[0-9]{1,3}\.[0-9]{1,3})")
DIAGNOSIS = re.compile(rb"(?im)^Diagnostic-Code:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)")
FEEDBACK = re.compile(rb"(?im)^Feedback-Type:[ \t]*([a-z-]+)")
LIST = re.compile(rf"(?im)^List-Id:[ \t]*<({'|'.join(unsubscribe.KINDS)})\.".encode())

BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
FOLD = re.compile(rb"\r?\n(?=[ \t])")
# In the header of an e-mail that is no report. Automatic replies have Auto-Submitted (RFC 3834),
# but so have bounces of some mail servers.
FAILED = re.compile(rb"(?im)^X-Failed-Recipients:")
REPLIED = re.compile(rb"(?im)^Auto-Submitted:[ \t]*auto-replied")
DAEMON = re.compile(rb"(?im)^From:[^\r\n]*\b(?:mailer-daemon|postmaster)\b")
# The answer of the last mail server, quoted in prose.
ANSWER = re.compile(rb"\b5[0-9][0-9][ -][^\r\n]*(?:\r?\n[^\r\n]+)*")


def receive_bounce(raw: bytes, envelope_to: str) -> str:
    """Record the bounce or complaint in a message.

    Returns "unknown" (no reader of ours), "complaint", "opt-out", "delayed", "hard" (the mailbox
    does not exist), "soft" (it accepts nothing now), "ours" (our fault) or "nothing" (no bounce).
    `envelope_to` is the address of RCPT, never of a header.
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
            deliverability.record_own_fault(reader, refusal.code)
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
    """Record a feedback report of a mailbox provider (RFC 5965), and return its class.

    Most types are no complaint, such as not-spam, auth-failure and virus.
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
    """Whether a message reports a failed delivery, in a report (RFC 3464) or in prose.

    Out-of-office replies arrive at the same address, and are no bounces.
    """
    if action := ACTION.search(report):
        return action[1].lower() == b"failed"
    head = FOLD.sub(b"", BLANK.split(report, maxsplit=1)[0])
    if FAILED.search(head):
        return True
    return bool(DAEMON.search(head)) and not REPLIED.search(head)
