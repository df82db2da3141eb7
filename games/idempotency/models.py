"""Models of idempotency keys: the stored responses to forms and to requests of the API."""

from django.conf import settings
from django.db import models

# The status of a marker: this response and all with older keys were deleted.
FORGOTTEN = 0

# No foreign key has a constraint: it would write to the user's row with every form, and rows are
# deleted after days.


class StoredResponse(models.Model):
    """The response to a form, kept for as long as the form's key is valid."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    key = models.CharField(max_length=64)  # without its signature; sorts by the time of issue
    digest = models.BinaryField(max_length=32)  # a keyed digest of the form's content
    status = models.PositiveSmallIntegerField()
    location = models.TextField()
    at = models.DateTimeField()

    class Meta:
        # The table was created by another app.
        db_table = "outbox_storedresponse"
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="response_one_to_a_key"),
        ]

    def __str__(self) -> str:
        return f"response #{self.pk}"


class StoredApiResponse(models.Model):
    """The response to a POST of the API, whose key was made by the client (client_keys.py).

    It holds public facts alone, so it is not sealed.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    key = models.CharField(max_length=64)
    digest = models.BinaryField(max_length=32)  # a keyed digest of the request's path and body
    status = models.PositiveSmallIntegerField()
    content_type = models.CharField(max_length=60)
    location = models.CharField(max_length=200, blank=True)
    body = models.TextField()
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="api_response_one_to_a_key"),
        ]

    def __str__(self) -> str:
        return f"response #{self.pk}"
