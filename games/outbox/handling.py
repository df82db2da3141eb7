"""Interface of outbox handlers: the batch they are given and the exceptions they may raise.

A handler is called with a Dispatch and its Batch. If it returns, the row is done. It raises
Superseded if the row is no longer needed, Later if it is too early, PermanentFailure if the remote
server will never accept it, and OtherVersion if this version of the program does not know the row's
key or event. After any other exception the row is retried, after RetryAfter no sooner than it says.
OwnFault and ServiceUnavailable usually need an administrator.
"""

import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from games.outbox.models import Dispatch, Reason

Resource = TypeVar("Resource")


class Superseded(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: the row is no longer needed."""

    def __init__(self, reason: Reason = Reason.OUTDATED) -> None:
        super().__init__(reason)
        self.reason = reason


class Later(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: it is too early; the row is due again at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class OtherVersion(LookupError):  # noqa: N818 -- nothing went wrong.
    """Raised if another version of the program wrote the row; it is kept for that version."""


class PermanentFailure(OSError):  # noqa: N818 -- an outcome of the remote server.
    """The remote server refuses this for good; a retry would not help."""


class MailboxRefused(PermanentFailure):
    """A mail server refuses the recipient's mailbox."""

    def __init__(self, code: str, *, lasting: bool) -> None:
        super().__init__(code)
        self.code = code  # the enhanced status code, such as 5.1.1, else the basic one, such as 550
        self.lasting = lasting  # the mailbox does not exist


class OwnFault(OSError):  # noqa: N818 -- an outcome of our own server.
    """The remote server refuses this because of a fault on our side, such as our reputation."""

    def __init__(self, code: str, *, many: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.many = many  # inferred from many mailboxes refused at once


class ServiceUnavailable(OSError):  # noqa: N818 -- an outcome of the remote server.
    """The remote server accepts nothing at present; this row is not the cause."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind  # the name of the exception, or the fault in a few words


class RetryAfter(OSError):  # noqa: N818 -- an outcome of the remote server.
    """The remote server accepts nothing for a time that it has named."""

    def __init__(self, status: int, wait: timedelta) -> None:
        super().__init__(status, "busy")
        self.wait = wait


class Batch:
    """Resources that the rows of a batch share, such as one SMTP connection for a hundred e-mails.

    `rows` are the rows that were claimed together, in the order of delivery.
    """

    def __init__(self, rows: Sequence[Dispatch] = ()) -> None:
        self.rows = rows
        self._kept: dict[str, Any] = {}
        self._refused: dict[str, str] = {}

    def keep(self, key: str, factory: Callable[[], Resource]) -> Resource:
        """The resource named `key`, created by `factory` at its first use and closed by `close()`.

        If `factory` raises an OSError, this call and every later one raise ServiceUnavailable, so
        that an unreachable mail server is tried once per batch and not once per e-mail.
        """
        if key in self._refused:
            raise ServiceUnavailable(self._refused[key])
        if key not in self._kept:
            try:
                self._kept[key] = factory()
            except ServiceUnavailable as error:
                self._refused[key] = error.kind
                raise
            except OSError as error:
                self._refused[key] = type(error).__name__
                raise ServiceUnavailable(self._refused[key]) from error
        resource: Resource = self._kept[key]
        return resource

    def refuse(self, key: str, kind: str) -> ServiceUnavailable:
        """Make later calls of `keep` for `key` raise ServiceUnavailable; returns the exception."""
        self._refused[key] = kind
        return ServiceUnavailable(kind)

    def close(self) -> None:
        """Close all resources; the next use of one creates it again."""
        for resource in self._kept.values():
            # A broken connection may fail to close.
            with contextlib.suppress(Exception):
                resource.close()
        self._kept.clear()


Handler = Callable[[Dispatch, Batch], None]
_external: set[Handler] = set()


def calls_external_address(handler: Handler) -> Handler:
    """Decorator for handlers that call a URL entered by a user, which may be slow.

    Their rows are delivered after all other due rows (dispatcher.py).
    """
    _external.add(handler)
    return handler


def is_external(handler: Handler) -> bool:
    """Whether a handler has the decorator `calls_external_address`."""
    return handler in _external
