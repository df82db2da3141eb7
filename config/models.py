"""Model of the installation: fingerprints of the keys with which the database was sealed."""

from django.db import models


class KeyFingerprint(models.Model):
    """A key of SEAL_KEYS with which something here may be sealed; it says nothing of the key."""

    fingerprint = models.CharField(max_length=16, primary_key=True)
    first_used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.fingerprint
