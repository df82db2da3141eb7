"""What notifications exports of a person: devices, webhooks, feeds and the state of the mailbox.

Of addresses only the host: the rest is a secret by which others could send or read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from accounts.people.export import host
from games.notifications.models import Device, Feed, Mailbox, Webhook
from lib.exports.files import File, json_file, values
from lib.exports.parts import OF_THE_PERSON, WITHOUT_MEANING, Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

FILE = "notifications.json"
KEY = "It is a key."
STATE = ("added_at", "sent_at", "failed_at", "failures", "counted_at", "retry_at", "why", "stopped")
MAILBOX = (
    *("sent_at", "bounced_at", "why", "counted_since", "bounces", "refused_at", "reported_at"),
    "reported",
)


def files(user: User) -> Iterator[File]:
    """notifications.json."""
    yield json_file(FILE, lambda: _channels(user))


def _channels(user: User) -> dict[str, Any]:
    devices = Device.objects.filter(user=user).order_by("pk")
    webhooks = Webhook.objects.filter(user=user).order_by("pk")
    feed = Feed.objects.filter(user=user).first()
    mailbox = Mailbox.objects.filter(user=user).first()
    return {
        "preferences": user.notification_preferences,
        "devices": [
            values(row, ("name", *STATE)) | {"host": host(row.endpoint)} for row in devices
        ],
        "webhooks": [values(row, ("style", *STATE)) | {"host": host(row.url)} for row in webhooks],
        "feeds_made_at": feed and values(feed, ("made_at",))["made_at"],
        "mailbox": mailbox and values(mailbox, MAILBOX),
    }


EXPORT = Part(
    files,
    {
        "notifications.Device": Exported(
            FILE,
            ("name", "endpoint", *STATE),
            {
                "id": WITHOUT_MEANING,
                "user": OF_THE_PERSON,
                "digest": "It is made from the address.",
                "p256dh": KEY,
                "auth": KEY,
                "server_key": "It names the key of the service.",
            },
        ),
        "notifications.Webhook": Exported(
            FILE,
            ("style", "url", *STATE),
            {"id": WITHOUT_MEANING, "user": OF_THE_PERSON, "secret": KEY},
        ),
        "notifications.Feed": Exported(
            FILE, ("made_at",), {"user": OF_THE_PERSON, "serial": "It is part of secret addresses."}
        ),
        "notifications.Mailbox": Exported(FILE, MAILBOX, {"user": OF_THE_PERSON}),
    },
    {
        "notifications.AccountEmail": "It does not say whose it is, and it is deleted when sent.",
        "notifications.ReplyAddress": "It is the hash of an address in an e-mail of mail.csv.",
    },
)
