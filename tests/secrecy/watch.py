"""Checks that the driven channels of channels.py do happen: e-mails, events and tasks."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from celery import current_app

from games.mail.answering import receipts
from games.notifications.email.composing import match_emails
from games.outbox import publishing
from tests.secrecy import channels
from tests.secrecy.channels import Driven


@contextmanager
def watching() -> Iterator[set[str]]:
    """The names of driven e-mails, events and tasks that have not been seen yet."""
    listed = channels.EMAILS | channels.EVENTS | channels.TASKS
    idle = {name for name, entry in listed.items() if isinstance(entry, Driven)}
    with ExitStack() as patches:
        _spy(patches, match_emails, "compose", lambda name, *_, **__: idle.discard(name))
        _spy(patches, receipts, "compose", lambda name, *_, **__: idle.discard(name))
        for name in idle & channels.TASKS.keys():
            _spy(patches, current_app.tasks[name], "run", lambda *_, name=name: idle.discard(name))
        _spy(patches, publishing, "publish", lambda event, **_: idle.discard(event.name))
        _spy(
            patches,
            publishing,
            "enqueue",
            lambda handler, event, **_: idle.discard(f"{event}:{handler}"),
        )
        yield idle


def _spy(patches: ExitStack, owner: Any, name: str, seen: Callable[..., None]) -> None:
    """Record calls of `owner.name`, which otherwise works as before."""
    original = getattr(owner, name)

    def spied(*args: Any, **kwargs: Any) -> Any:
        seen(*args, **kwargs)
        return original(*args, **kwargs)

    patches.enter_context(patch.object(owner, name, spied))
