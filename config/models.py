"""Models of config: fingerprints of keys, alerts, and the last backup."""

from django.db import models


class KeyFingerprint(models.Model):
    """Fingerprint of a key of SEAL_KEYS that may have sealed rows of this database."""

    fingerprint = models.CharField(max_length=16, primary_key=True)
    first_used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.fingerprint


class Alert(models.Model):
    """A problem that administrators are notified of once; kept for a while after it is over."""

    name = models.CharField(max_length=20, primary_key=True)  # of the check
    found_at = models.DateTimeField()
    cleared_at = models.DateTimeField(null=True)
    # When to e-mail it; null once that is done.
    mail_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class LastBackup(models.Model):
    """The last backup, a single row (config/backups/)."""

    made_at = models.DateTimeField()
    bytes = models.BigIntegerField()
    seconds = models.FloatField()  # duration
    verified_at = models.DateTimeField(null=True)  # when a backup was last verified without faults

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.made_at}"
