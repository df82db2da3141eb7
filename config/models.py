"""Models of config: fingerprints of keys, alerts, the last backup, settings of the site."""

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

MAX_NOTICE_CHARACTERS = 500


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


class SiteSettings(models.Model):
    """Settings that staff change in the admin, a single row; without it, the defaults hold.

    Pages read them by config/web/site_settings.py.
    """

    ONLY = 1  # the primary key of the row

    sign_up_closed = models.BooleanField(
        _("sign-up is closed"),
        default=False,
        help_text=_("Nobody can create an account. Players sign in and play as before."),
    )
    # The notice on every page in each language; blank: the English text, or else any other.
    notice_en = models.TextField(
        _("notice in English"),
        max_length=MAX_NOTICE_CHARACTERS,
        blank=True,
        help_text=_(
            "Plain text on top of every page. A language without a text gets the English one."
        ),
    )
    notice_de = models.TextField(
        _("notice in German"), max_length=MAX_NOTICE_CHARACTERS, blank=True
    )
    notice_fr = models.TextField(
        _("notice in French"), max_length=MAX_NOTICE_CHARACTERS, blank=True
    )
    notice_zh_hant = models.TextField(
        _("notice in Chinese"), max_length=MAX_NOTICE_CHARACTERS, blank=True
    )

    class Meta:
        verbose_name = _("settings of the site")
        verbose_name_plural = _("settings of the site")
        default_permissions = ("add", "view", "change")

    def __str__(self) -> str:
        return str(_("settings of the site"))

    @property
    def notice(self) -> str:
        """The notice in the current language; "" if there is none."""
        others = (self.notice_en, self.notice_de, self.notice_fr, self.notice_zh_hant)
        column = f"notice_{(get_language() or 'en').lower().replace('-', '_')}"
        texts = (getattr(self, column, ""), *others)
        return next((text.strip() for text in texts if text.strip()), "")
