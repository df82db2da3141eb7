"""Interface of outbox handlers: the batch they are given and the exceptions they may raise.

A handler is called with a Dispatch and its Batch. Returning means done. Raising Superseded means no
longer true, Later too early, PermanentFailure that the far side will never take it, OtherVersion
that this version of the program does not know what the row asks for; any other exception means that
it is to be tried again. OwnFault and ServiceUnavailable say that an administrator has to put
something right first.
"""

import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from games.outbox.models import Dispatch

Resource = TypeVar("Resource")


class Superseded(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: events have overtaken what it would have said."""


class Later(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: the time for this has not come; it is to be called again at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class OtherVersion(LookupError):  # noqa: N818 -- nothing went wrong.
    """Raised where another version of the program wrote the row; it is kept for that one."""


class PermanentFailure(OSError):  # noqa: N818 -- it tells of the far side.
    """The far side refuses this for good; trying again would change nothing."""


class MailboxRefused(PermanentFailure):
    """A mail server refuses the mailbox that an e-mail goes to."""

    def __init__(self, code: str, *, lasting: bool) -> None:
        super().__init__(code)
        self.code = code  # 5.1.1, or 550 without an enhanced one
        self.lasting = lasting  # there is no such mailbox


class OwnFault(OSError):  # noqa: N818 -- it tells of this side.
    """The far side refuses this for a reason that lies with us, such as our reputation."""

    def __init__(self, code: str, *, many: bool = False) -> None:
        super().__init__(code)
        self.code = code
        self.many = many  # so many mailboxes were refused at once that it cannot be theirs


class ServiceUnavailable(OSError):  # noqa: N818 -- it tells of the far side.
    """The far side takes nothing at all at present; this dispatch may be as good as any."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind  # the name of the exception that said so, or what is wrong in a few words


class Batch:
    """Resources by name, such as one open connection to the mail server for a hundred e-mails.

    `rows` are what was claimed together, in the order in which it is delivered.
    """

    def __init__(self, rows: Sequence[Dispatch] = ()) -> None:
        self.rows = rows
        self._kept: dict[str, Any] = {}
        self._refused: dict[str, str] = {}

    def keep(self, key: str, factory: Callable[[], Resource]) -> Resource:
        """The resource of that name, made at its first use and closed by `close()` after the last.

        Where `factory` raises an OSError, this and every later call of the batch raise
        ServiceUnavailable: a hundred e-mails need not each find out that the mail server is down.
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
        """What to raise where a resource has turned out to be of no use; later calls raise it."""
        self._refused[key] = kind
        return ServiceUnavailable(kind)

    def close(self) -> None:
        """Close what is open; the next use opens it anew. A broken line may not close politely."""
        for resource in self._kept.values():
            with contextlib.suppress(Exception):
                resource.close()
        self._kept.clear()


Handler = Callable[[Dispatch, Batch], None]
_external: set[Handler] = set()


def calls_external_address(handler: Handler) -> Handler:
    """Marks a handler that calls an address of its reader's choice, however slow that may be.

    Its rows are delivered after everything else that is due (dispatcher.py).
    """
    _external.add(handler)
    return handler


def is_external(handler: Handler) -> bool:
    """Whether a handler is marked so."""
    return handler in _external
