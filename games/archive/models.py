"""Models of imported game records: the record, and its plies in compressed chunks.

Names and result are taken from the record; names are not linked to accounts. Only the owner and
people with the shared link can see a record. Nothing is sealed, since a complete record has no
hidden information.
"""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.rules import registry
from games.rules.core.ruleset.base import Ruleset


class ImportedRecord(models.Model):
    """A game record that a player imported, checked by the rules."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    preset = models.CharField(max_length=40)  # a key of games.rules.registry
    switches = models.JSONField(default=dict)  # differences from the preset
    south = models.CharField(_("South"), max_length=60, blank=True)
    north = models.CharField(_("North"), max_length=60, blank=True)
    result = models.CharField(max_length=4)  # S, N, O, draw, *
    reason = models.CharField(max_length=40, blank=True)  # of the ending, as in the game record
    plies = models.PositiveIntegerField(_("plies"))
    text = models.TextField()  # the whole record, with annotations by the rules
    # The serial number of the valid link; older links have lower numbers and do not work.
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
        """The rule set: the preset with the record's switches."""
        return registry.ruleset(self.preset, self.switches)


class PlyChunk(models.Model):
    """A chunk of consecutive plies of an imported record, compressed.

    One row per ply would take ten times the space, since successive positions differ little; one
    row for all would have to be decompressed whole for every ply shown.
    """

    record = models.ForeignKey(ImportedRecord, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()  # from 0; see storage.py
    packed = models.BinaryField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("record", "number", name="chunk_of_a_record")]

    def __str__(self) -> str:
        return f"{self.pk}"
