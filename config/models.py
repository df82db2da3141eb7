"""The embedded broker's tables: what config/broker.py keeps in place of a server's memory."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db import models
from django.db.models.functions import Now

UNREAD = timedelta(hours=1)


class Messages(models.Manager["Message"]):
    def take(
        self, queues: Collection[str], lease: timedelta, final: Collection[str] = ()
    ) -> Message | None:
        """The oldest visible message of `queues`, leased for so long; none leaves None.

        From the queues in `final` it is taken for good: nobody will acknowledge it.
        """
        visible = self.filter(queue__in=queues, visible_at__lte=Now())
        while found := visible.order_by("visible_at", "pk").first():
            # Nobody else was quicker if it is visible still.
            same = visible.filter(pk=found.pk)
            if found.queue in final:
                taken, _ = same.delete()
            else:
                taken = same.update(visible_at=Now() + lease)
            if taken:
                return found
        return None

    def forget_dead_mailboxes(self) -> None:
        """Delete the mailboxes of programs that died: a note was not read there for an hour."""
        unread = self.filter(queue__endswith=".pidbox", visible_at__lt=Now() - UNREAD)
        dead = list(unread.values_list("queue", flat=True).distinct())
        Binding.objects.filter(queue__in=dead).delete()
        self.filter(queue__in=dead).delete()


class Message(models.Model):
    """One message in one queue. Taking it moves `visible_at` ahead; acknowledging it deletes it."""

    queue = models.CharField(max_length=200)
    visible_at = models.DateTimeField()  # nobody is given it before: an ETA, or a reader's lease
    payload = models.TextField()  # JSON, as Kombu built it

    objects = Messages()

    class Meta:
        default_permissions = ()
        indexes = [models.Index("queue", "visible_at", name="message_visible")]

    def __str__(self) -> str:
        return f"{self.queue} #{self.pk}"


class Binding(models.Model):
    """A queue that wants what is sent to an exchange, such as a worker's mailbox for `inspect`."""

    exchange = models.CharField(max_length=200)
    routing_key = models.CharField(max_length=200)
    queue = models.CharField(max_length=200)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("exchange", "routing_key", "queue", name="binding_once"),
        ]

    def __str__(self) -> str:
        return f"{self.exchange} -> {self.queue}"
