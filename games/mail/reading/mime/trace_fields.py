"""Trace fields that our own mail server added: Received and Authentication-Results."""

from games.mail.reading.mime.headers import Headers

MAX_RESULTS = 20
MAX_RESULT_CHARACTERS = 4_000


def results(headers: Headers) -> tuple[str, ...]:
    """The Authentication-Results above the second Received field, topmost first.

    Our own mail server adds the topmost Received, and its results above or below it. Everything
    below the second Received was in the message before it reached us.
    """
    if headers.has_bare_cr_or_nul:
        return ()
    values, received_count = [], 0
    for name, value in headers.fields:
        received_count += name == "received"
        if received_count == 2:
            break
        if name == "authentication-results":
            # A field that is too long counts as empty: its cut-off end could change the result.
            values.append(value if len(value) <= MAX_RESULT_CHARACTERS else "")
    return tuple(values[:MAX_RESULTS])


def received(headers: Headers) -> str:
    """The topmost Received field."""
    return "" if headers.has_bare_cr_or_nul else headers.first("received")[:MAX_RESULT_CHARACTERS]
