"""Models of people: the block list, how reliable a player is, reports and what became of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.play.models.match import Match
from lib.sealed_fields import SealedTextField

REPORTS = "reports"  # purpose of sealing


class Block(models.Model):
    """`owner` wants nothing to do with `blocked`. Only the owner reads it."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("owner", "blocked", name="block_once"),
            models.CheckConstraint(name="block_somebody_else", condition=~Q(owner=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"block #{self.pk}"


class Reliability(models.Model):
    """How a player has played final matches against people; computed again when one is final."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name=_("player"),
    )
    finished = models.PositiveIntegerField(_("finished"), default=0)
    lost_on_time = models.PositiveIntegerField(_("lost on time"), default=0)
    not_set_up = models.PositiveIntegerField(_("not set up"), default=0)
    # Finished since the last loss on time or missing set-up.
    finished_since = models.PositiveIntegerField(_("finished since"), default=0)
    # Quartiles of the time to answer; null: too few answers.
    quickly = models.DurationField(_("a quarter of the answers within"), null=True)
    mostly = models.DurationField(_("half of the answers within"), null=True)
    slowly = models.DurationField(_("three quarters of the answers within"), null=True)

    class Meta:
        verbose_name = _("reliability")
        verbose_name_plural = _("reliability")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user}: {self.finished}"


class ReportReason(models.TextChoices):
    """What a reporter says is wrong."""

    ABUSE = "abuse", _("Insults or hatred")
    THREAT = "threat", _("A threat")
    SPAM = "spam", _("Advertising or spam")
    CHEATING = "cheating", _("Cheating")
    OTHER = "other", _("Something else")


class Subject(models.TextChoices):
    """What was reported."""

    LINE = "line", _("a line of talk")
    NOTE = "note", _("the message of an invitation")
    PROFILE = "profile", _("a profile")


class ReportState(models.TextChoices):
    """Whether a report waits for a moderator."""

    OPEN = "open", pgettext_lazy("a report", "open")
    ANSWERED = "answered", _("answered by the person")
    CLOSED = "closed", _("closed")


class Outcome(models.TextChoices):
    """What a moderator decided."""

    NOTHING = "nothing", _("no rule broken")
    WARNED = "warned", _("warned")
    SILENCED = "silenced", _("silenced")
    BLOCKED = "blocked", _("account blocked")


class Report(models.Model):
    """What was reported about a person since their last report was decided.

    Complaints join the open report, so each person has at most one.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("about"),
    )
    state = models.CharField(
        _("state"), max_length=10, choices=ReportState.choices, default=ReportState.OPEN
    )
    # How many people with a finished match have reported: the order of the queue.
    reporters = models.PositiveIntegerField(_("reporters"), default=0)
    opened_at = models.DateTimeField(_("since"))
    closed_at = models.DateTimeField(pgettext_lazy("a report", "closed at"), null=True)
    # What the person answered to the first decision.
    answer = SealedTextField(
        label="answers to decisions", purpose=REPORTS, context="answer/{id}", blank=True
    )
    answered_at = models.DateTimeField(_("answered at"), null=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        default_permissions = ("view",)
        permissions = [("decide_report", "Can decide about reports")]
        constraints = [
            models.UniqueConstraint(
                "person", name="report_one_open", condition=Q(state=ReportState.OPEN)
            ),
        ]
        indexes = [
            models.Index(fields=["person", "-id"], name="report_about"),
            models.Index(
                fields=["-reporters", "opened_at"],
                name="report_queue",
                condition=~Q(state=ReportState.CLOSED),
            ),
            models.Index(fields=["closed_at"], name="report_closed"),
        ]

    def __str__(self) -> str:
        return _("report %(number)s") % {"number": self.pk}


class Complaint(models.Model):
    """What one reporter reported: a part of a report, with a copy of what it is about."""

    report = models.ForeignKey(Report, models.CASCADE, related_name="complaints")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    subject = models.CharField(max_length=10, choices=Subject.choices)
    # Which line of which match, or which invitation; an invitation is deleted before its report.
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")
    line = models.PositiveIntegerField(null=True)
    invitation = models.BigIntegerField(null=True)
    # The bot that was reported, for which its owner answers; null: the person.
    bot = models.BigIntegerField(null=True)
    reason = models.CharField(max_length=10, choices=ReportReason.choices)
    words = SealedTextField(
        label="words of reporters",
        purpose=REPORTS,
        context="words/{report_id}/{reporter_id}",
        blank=True,
    )
    copy = SealedTextField(
        label="copies of what was reported",
        purpose=REPORTS,
        context="copy/{report_id}/{reporter_id}",
        blank=True,
    )
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["reporter", "-made_at"], name="complaint_by")]

    def __str__(self) -> str:
        return f"complaint #{self.pk}"


class Decision(models.Model):
    """What a moderator decided about a report; the second one, after an answer, is the last."""

    report = models.ForeignKey(Report, models.CASCADE, related_name="decisions")
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    reason = models.CharField(max_length=200)  # for the person
    until = models.DateTimeField(null=True)  # of a silence
    replaced = models.BooleanField(default=False)  # by the decision after the answer
    # The users whom it blocked, without those who were blocked before: what an appeal undoes. Of an
    # account that another decision blocked as well, the number moves there.
    # Null: made by an older version.
    blocked = models.JSONField(null=True)
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                "report", name="decision_one_in_force", condition=Q(replaced=False)
            ),
            models.CheckConstraint(
                name="decision_silence_ends",
                condition=Q(outcome=Outcome.SILENCED) ^ Q(until__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"decision #{self.pk}"
