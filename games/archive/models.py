"""Models of the archive: imported game records with their plies, and films of matches.

Names and result are taken from the record; names are not linked to accounts. Only the owner and
people with the shared link can see a record. Nothing is sealed, since a complete record has no
hidden information.
"""

from enum import StrEnum

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


class FilmEyes(StrEnum):
    """What a film shows: both armies, or what everybody knew at each ply."""

    OPEN = "open"
    GALLERY = "gallery"


class Film(models.Model):
    """A film of a match that is open, made once when somebody asks for it; made, or waiting to be.

    Backups leave out films with their files: they can be made again.
    """

    match = models.ForeignKey("play.Match", models.CASCADE, related_name="+", db_index=False)
    eyes = models.CharField(max_length=7)  # of FilmEyes
    bytes = models.PositiveIntegerField(default=0)  # of its file; 0 until it is made
    asked_at = models.DateTimeField()  # when somebody last asked for it, to within an hour
    claimed_at = models.DateTimeField(null=True)  # by a worker that makes it
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("match", "eyes", name="film_of_a_match")]
        indexes = [
            models.Index(fields=["id"], name="film_waiting", condition=models.Q(bytes=0)),
            models.Index(fields=["asked_at"], name="film_asked_for"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class FilmFile(models.Model):
    """The GIF file of a film; apart from it, so that it is not written again with each change."""

    film = models.OneToOneField(Film, models.CASCADE, primary_key=True, related_name="file")
    body = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.pk}"
