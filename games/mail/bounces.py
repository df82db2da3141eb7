"""Letters that came back: read by the few lines that count, never parsed as a message.

A report may be forged, huge or broken. Only the envelope's address says whose letter it was, and
whoever does not know that address can report nothing.
"""

import re

from games.mail import verp
from games.notices import health

MOST = 256 * 1024  # bytes read of a report
# An enhanced code (RFC 3463) about the address of a letter; 7 and 8 are about its sender's.
NO_MAILBOX = re.compile(rb"5\.1\.(?![78]\b)[0-9]{1,3}\b")
ACTION = re.compile(rb"(?im)^Action:[ \t]*([a-z]+)")
STATUS = re.compile(rb"(?im)^Status:[ \t]*([245])\.([0-9]{1,3})\.([0-9]{1,3})")
COMPLAINT = re.compile(rb"(?im)^Feedback-Type:[ \t]*(abuse|fraud|virus|not-spam)?")


def receive_bounce(raw: bytes, envelope_to: str) -> str:
    """Note what a returned letter says: "unknown", "complaint", "delayed", "hard" or "soft".

    `envelope_to` is the address it was delivered to (RCPT), never the one in its headers. What says
    nothing that is understood counts as soft.
    """
    reader = verp.read(envelope_to)
    if reader is None:
        return "unknown"
    report = raw[:MOST]
    if COMPLAINT.search(report):
        health.bounced(reader, health.SPAM, lasting=True)
        return "complaint"
    action, status = ACTION.search(report), STATUS.search(report)
    if action and action[1].lower() in (b"delayed", b"delivered", b"relayed", b"expanded"):
        return "delayed"
    if status and status[1] == b"5" and status[2] == b"1":
        health.bounced(reader, health.NO_SUCH, lasting=True)
        return "hard"
    health.bounced(reader, health.AWAY, lasting=False)
    return "soft"
