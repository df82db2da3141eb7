"""Server faults: which setting of our mail server is wrong, by the exception that it causes.

They are neither bounces nor errors in the program. E-mails wait, and a sentence says what to
correct: in `manage.py check_mail`, in `manage.py health`, in the admin and to ADMINS. No sentence
quotes a setting or the server, since that may contain addresses and passwords.
"""

import smtplib
import socket
import ssl
from email.utils import parseaddr
from enum import StrEnum

from django.conf import settings
from django.core.mail.message import sanitize_address
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LOGIN_FIRST = (530, 538)  # answers to those who have not logged in, or not over TLS


class ServerFault(StrEnum):
    """The fault, as stored in the rows that wait."""

    CREDENTIALS = "characters in user or password"
    LOGIN = "log-in refused"
    NO_LOGIN = "no log-in on this connection"
    LOGIN_NEEDED = "log-in needed"
    CERTIFICATE = "certificate"
    NO_TLS = "no TLS at this port"
    NO_STARTTLS = "no STARTTLS"
    HOST = "host name"
    NO_SERVER = "no mail server at this port"
    GREETING = "connection refused by the server"
    SENDER = "sender refused"
    SENDER_CHARACTERS = "characters in the sender"


SENTENCES: dict[str, Promise] = {
    ServerFault.CREDENTIALS: _(
        "EMAIL_URL: user or password contains a character that SMTP cannot carry. Choose a "
        "password of ASCII letters, digits and signs."
    ),
    ServerFault.LOGIN: _(
        "EMAIL_URL: the mail server rejects user or password. Correct them. Characters such as @ "
        "and / must be URL-encoded, and some providers require an app password."
    ),
    ServerFault.NO_LOGIN: _(
        "EMAIL_URL: the mail server does not accept log-ins on this connection. Start it with "
        "smtp+tls:// or smtp+ssl://, or leave out user and password if none are needed."
    ),
    ServerFault.LOGIN_NEEDED: _(
        "EMAIL_URL: the mail server requires a log-in first. Add user and password, and start it "
        "with smtp+tls:// or smtp+ssl://."
    ),
    ServerFault.CERTIFICATE: _(
        "EMAIL_URL: the certificate of the mail server is not valid for this host name. Use the "
        "name that the certificate is for, and check that it has not expired and that this "
        "machine trusts its issuer."
    ),
    ServerFault.NO_TLS: _(
        "EMAIL_URL: the mail server does not speak TLS at this port. smtp+ssl:// usually goes "
        "with port 465, smtp+tls:// with port 587."
    ),
    ServerFault.NO_STARTTLS: _(
        "EMAIL_URL: the mail server does not offer STARTTLS at this port. Use smtp+ssl:// with "
        "port 465, or smtp:// for a mail server on this machine."
    ),
    ServerFault.HOST: _(
        "EMAIL_URL: there is no host with this name. It should look like mail.example.org."
    ),
    ServerFault.NO_SERVER: _(
        "EMAIL_URL: what answers at this host and port is not a mail server. The port is usually "
        "587, 465 or 25."
    ),
    ServerFault.GREETING: _(
        "The mail server of EMAIL_URL refuses the connection. Ask its operator whether this "
        "machine may send, or whether its address is on a block list."
    ),
    ServerFault.SENDER: _(
        "The mail server rejects our sender. Correct DEFAULT_FROM_EMAIL and MAIL_DOMAIN, or set "
        "BOUNCES=false if it allows one sender only."
    ),
    ServerFault.SENDER_CHARACTERS: _(
        "DEFAULT_FROM_EMAIL or MAIL_DOMAIN is not an address that SMTP can carry. Use ASCII "
        "before the @, and a domain like play.example.org after it."
    ),
}

# For faults that may pass without a change, which are stored as the name of an exception.
NOBODY_THERE = _(
    "EMAIL_URL: no mail server answers at this host and port. Is it running, are both right, and "
    "is there a firewall in between?"
)
AWAY = ("ConnectionRefusedError", "TimeoutError", "OSError", "SMTPServerDisconnected", "gaierror")


def classify(error: Exception) -> str:
    """The fault that caused an exception while connecting; else the exception's name."""
    match error:
        case UnicodeEncodeError(encoding="ascii"):
            return ServerFault.CREDENTIALS
        case ValueError() if not isinstance(error, OSError):
            return ServerFault.HOST
        case socket.gaierror() if error.errno != socket.EAI_AGAIN:
            return ServerFault.HOST
        case ssl.SSLCertVerificationError():
            return ServerFault.CERTIFICATE
        case ssl.SSLError():
            return ServerFault.NO_TLS
        case smtplib.SMTPNotSupportedError():
            starttls = "STARTTLS" in str(error)
            return ServerFault.NO_STARTTLS if starttls else ServerFault.NO_LOGIN
        case smtplib.SMTPResponseException():
            return _answered(error) or type(error).__name__
    # smtplib raises this class itself only if it supports none of the server's log-in methods.
    return ServerFault.NO_LOGIN if type(error) is smtplib.SMTPException else type(error).__name__


def _answered(error: smtplib.SMTPResponseException) -> ServerFault | None:
    """The fault that a server's answer shows; None if it may be temporary."""
    match error:
        case smtplib.SMTPConnectError(smtp_code=-1):
            return ServerFault.NO_SERVER
        case _ if error.smtp_code < 500:
            return None
        case smtplib.SMTPAuthenticationError():
            return ServerFault.NO_LOGIN if error.smtp_code in LOGIN_FIRST else ServerFault.LOGIN
        case smtplib.SMTPSenderRefused():
            needed = error.smtp_code in LOGIN_FIRST
            return ServerFault.LOGIN_NEEDED if needed else ServerFault.SENDER
        case smtplib.SMTPConnectError() | smtplib.SMTPHeloError():
            return ServerFault.GREETING
    return ServerFault.NO_STARTTLS


def sender_fault() -> ServerFault | None:
    """The fault if SMTP cannot carry our own addresses, else None."""
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    valid = all(map(is_carried, (sender, f"post@{settings.MAIL_DOMAIN}")))
    return None if valid else ServerFault.SENDER_CHARACTERS


def is_carried(address: str) -> bool:
    """Whether SMTP can carry an address without SMTPUTF8, which is never used."""
    try:
        sanitize_address(address, "utf-8")
    except ValueError:
        return False
    return address.rpartition("@")[0].isascii()


def sentence(kind: str) -> str:
    """The sentence for a fault or an exception's name; "" if there is none."""
    return str(SENTENCES.get(kind, NOBODY_THERE if kind in AWAY else ""))
