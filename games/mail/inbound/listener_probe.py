"""Probe of the mail listener: while mail cannot arrive, clocks stand, as without a web server."""

import logging

from django.conf import settings

from games.mail.inbound import listener_address

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0
GREETING = b"220"


def is_open(timeout_seconds: float = TIMEOUT_SECONDS) -> bool | None:
    """Whether the listener accepts connections; None if there is none."""
    if not settings.MAIL_LISTEN:
        return None
    try:
        address = listener_address.parse(settings.MAIL_LISTEN)
        with listener_address.connect(address, timeout_seconds) as connection:
            greeting = connection.recv(len(GREETING))
            connection.sendall(b"QUIT\r\n")
            return greeting == GREETING
    except OSError as error:
        log.warning("The listener for mail does not answer (%s).", type(error).__name__)
        return False
