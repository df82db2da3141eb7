"""Look model: a request of staff to see both armies of a running match (docs/running)."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.play.models.match import MAX_REASON_CHARACTERS, Match

AGREE_WITHIN = timedelta(hours=24)  # after the request
OPEN_FOR = timedelta(hours=1)  # after the agreement


class Look(models.Model):
    """A request to look, by `asker`; `agreed_by` a second member of staff, null until then.

    The ply that the agreement has added to the match is the record of it; this row has the names
    and the reason, of which that ply holds the hash.
    """

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="looked_at", db_index=False, verbose_name=_("match")
    )
    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        verbose_name=_("asked by"),
    )
    reason = models.CharField(_("reason"), max_length=MAX_REASON_CHARACTERS)
    asked_at = models.DateTimeField(_("asked at"))
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("agreed by"),
    )
    agreed_at = models.DateTimeField(_("agreed at"), null=True, blank=True)
    # The ply of kind `look` that the agreement appended.
    ply = models.PositiveIntegerField(_("ply"), null=True, blank=True)

    class Meta:
        verbose_name = _("look at a running match")
        verbose_name_plural = _("looks at running matches")
        default_permissions = ()
        permissions = [("break_seal", "Can ask to see both armies of a running match, and agree")]
        indexes = [
            models.Index(
                fields=["match", "ply"],
                name="look_of_match",
                condition=models.Q(ply__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.pk}"

    def waits(self, at: datetime) -> bool:
        """Whether a second member of staff may still agree."""
        return self.agreed_at is None and at < self.asked_at + AGREE_WITHIN

    def is_open(self, at: datetime) -> bool:
        """Whether the position may still be seen by who asked."""
        return self.agreed_at is not None and at < self.agreed_at + OPEN_FOR
