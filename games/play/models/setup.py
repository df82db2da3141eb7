"""SavedSetup model: a named set-up in a player's library, sealed."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField


class SavedSetup(models.Model):
    """A named set-up of one user, for any match on the same ground; sealed from opponents."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    name = models.CharField(_("name"), max_length=60)
    preset = models.CharField(max_length=40)  # the preset that it was made for
    ground = models.CharField(max_length=40)  # the game and board that it fits
    sealed = SealedField(label="saved set-ups", purpose=PURPOSE, context="setup/{user_id}/{name}")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("user", "name", name="setup_name_of_a_user")]

    def __str__(self) -> str:
        return f"{self.pk}"
