"""Trace fields: what the mail server that took the message in has written on top of it."""

from games.mail.reading.mime.headers import Headers

MAX_RESULTS = 20
MAX_RESULT_CHARACTERS = 4_000


def results(headers: Headers) -> tuple[str, ...]:
    """The Authentication-Results above the second Received, top first.

    Our own mail server writes the topmost Received and stands its results above or below it. What
    is below the next Received was there before the message came to us.
    """
    if headers.smuggled:
        return ()
    found, received = [], 0
    for name, value in headers.fields:
        received += name == "received"
        if received == 2:
            break
        if name == "authentication-results":
            # One too long is no result: what was cut off could take back what stands before it.
            found.append(value if len(value) <= MAX_RESULT_CHARACTERS else "")
    return tuple(found[:MAX_RESULTS])


def received(headers: Headers) -> str:
    """The topmost Received field."""
    return "" if headers.smuggled else headers.first("received")[:MAX_RESULT_CHARACTERS]
