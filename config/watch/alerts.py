"""Alerts: e-mails to ADMINS about problems that the checks find, one e-mail for each problem.

A worker sends them, so a missing worker is not reported by e-mail: use a monitor elsewhere, with
`manage.py health` or `/metrics` (docs/running/watching.md).
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings

from config.models import Alert
from config.watch import checks, measurements
from config.watch.checks import Finding
from games.outbox.delivery.admin_emails import send_to_admins
from lib.db_clock import now

logger = logging.getLogger(__name__)

RETRY_AFTER = timedelta(minutes=10)  # after a failed e-mail
# A problem that returns sooner counts as the same one and is not e-mailed again.
CALM = timedelta(hours=1)


def update() -> None:
    """Store the current problems as alerts, and e-mail new ones. One query if nothing changed."""
    at = now()
    problems = {each.name: each for each in checks.problems(measurements.measure()) if each.mailed}
    known = {alert.name: alert for alert in Alert.objects.all()}
    for name in problems.keys() - known.keys():
        logger.error("%s %s", problems[name].problem, problems[name].advice)
        Alert.objects.get_or_create(name=name, defaults={"found_at": at, "mail_at": at})
    for name, alert in known.items():
        _update(alert, name in problems, at)
    # Last, since a mail server that is down may take half a minute to time out.
    _mail(problems, at)


def _update(alert: Alert, lasts: bool, at: datetime) -> None:
    if lasts and alert.cleared_at:
        Alert.objects.filter(pk=alert.pk).update(cleared_at=None)
    elif not lasts and alert.cleared_at is None:
        logger.warning("Resolved: %s.", alert.name)
        # If it was not e-mailed by now, it need not be.
        Alert.objects.filter(pk=alert.pk).update(cleared_at=at, mail_at=None)
    elif not lasts and alert.cleared_at and at - alert.cleared_at > CALM:
        alert.delete()


def _mail(problems: dict[str, Finding], at: datetime) -> None:
    """Send one e-mail about all due alerts; retried until it is sent."""
    due = Alert.objects.filter(name__in=problems, mail_at__lte=at)
    # With several workers, one claims each row.
    claimed = [
        alert.name
        for alert in due
        if due.filter(pk=alert.pk, mail_at=alert.mail_at).update(mail_at=at + RETRY_AFTER)
    ]
    if not claimed:
        return
    try:
        send_to_admins(_subject(claimed), "\n\n".join(_text(problems[name]) for name in claimed))
    except Exception as error:
        logger.error("An e-mail to ADMINS could not be sent (%s).", type(error).__name__)
        return
    Alert.objects.filter(name__in=claimed).update(mail_at=None)


def _subject(names: list[str]) -> str:
    return f"Needs attention: {', '.join(sorted(names))}"


def _text(finding: Finding) -> str:
    page = [settings.SITE_URL + finding.page] if finding.page else []
    return "\n".join([finding.problem, finding.advice, *page])
