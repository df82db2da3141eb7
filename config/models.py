"""Models of the installation: fingerprints of its keys, alerts, and its last backup."""

from django.db import models


class KeyFingerprint(models.Model):
    """A key of SEAL_KEYS with which something here may be sealed; it says nothing of the key."""

    fingerprint = models.CharField(max_length=16, primary_key=True)
    first_used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.fingerprint


class Alert(models.Model):
    """Something wrong that administrators are told of once, kept until it has been over a while."""

    name = models.CharField(max_length=20, primary_key=True)  # of the check
    found_at = models.DateTimeField()
    cleared_at = models.DateTimeField(null=True)
    # When to e-mail it; none once that was done.
    mail_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class LastBackup(models.Model):
    """The last backup that was made, a single row (config/backups/)."""

    made_at = models.DateTimeField()
    bytes = models.BigIntegerField()
    seconds = models.FloatField()  # that it took
    verified_at = models.DateTimeField(null=True)  # when a backup was last opened and found right

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.made_at}"
