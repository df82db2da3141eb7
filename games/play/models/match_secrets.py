"""MatchSecrets model: what the proofs of a match rest on, sealed."""

from django.db import models

from games.play.models.match import Match
from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField


class MatchSecrets(models.Model):
    """The secrets of both seats and the seed of the deal; drawn when the match opens."""

    match = models.OneToOneField(Match, models.CASCADE, related_name="+", primary_key=True)
    sealed = SealedField(label="proof secrets", purpose=PURPOSE, context="proof/{match_id}")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.match_id}"
