"""Game records that players bring along, played through by the rules and kept for looking at.

Who played and how it ended is what the record says: names are words here and lead to no account.
Only its owner sees a record, and whoever was handed its link. Nothing is sealed, since a record
that can be replayed hides nothing.
"""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules import registry
from games.rules.core.ruleset import Ruleset


class ImportedRecord(models.Model):
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    preset = models.CharField(max_length=40)  # a key of games.rules.registry
    switches = models.JSONField(default=dict)  # what differs from it
    south = models.CharField(_("South"), max_length=60, blank=True)
    north = models.CharField(_("North"), max_length=60, blank=True)
    result = models.CharField(max_length=4)  # S, N, O, draw, *
    reason = models.CharField(max_length=40, blank=True)  # words of the game record
    plies = models.PositiveIntegerField(_("plies"))
    text = models.TextField()  # the whole record, with the remarks of the rules
    # The number of the link that opens it: another one makes an older link worthless.
    link = models.PositiveIntegerField(default=0)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["owner", "-id"], name="imported_of_owner")]

    def __str__(self) -> str:
        return f"{self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("archive:imported", args=[self.pk])

    @property
    def rules(self) -> Ruleset:
        return registry.ruleset(self.preset, self.switches)


class Stretch(models.Model):
    """Some plies in a row of an imported record, packed.

    A row a ply would be ten times as large, since one position is much like the next; and one
    row for all would have to be unpacked whole for every ply that is looked at.
    """

    record = models.ForeignKey(ImportedRecord, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()  # from 0; see shelf.py
    packed = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("record", "number", name="stretch_of_a_record")]

    def __str__(self) -> str:
        return f"{self.pk}"
