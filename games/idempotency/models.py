"""Model of idempotency: the response that a form had, stored under its key."""

from django.conf import settings
from django.db import models

# The status of a stored response that was forgotten, with all that had older keys.
FORGOTTEN = 0


class StoredResponse(models.Model):
    """The response that a form had, kept for as long as the same form may come again."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=64)  # the form's own; they sort by the time of issue
    digest = models.BinaryField(max_length=32)  # a keyed digest of what the form said
    status = models.PositiveSmallIntegerField()
    location = models.TextField()
    at = models.DateTimeField()

    class Meta:
        # The name of the table before this model had an app of its own.
        db_table = "outbox_storedresponse"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="response_one_to_a_key"),
        ]

    def __str__(self) -> str:
        return f"response #{self.pk}"
