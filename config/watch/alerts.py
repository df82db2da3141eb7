"""Alerts: e-mails to ADMINS about what the checks find wrong, once each until it is over.

A worker sends them, so nobody tells by e-mail that no worker runs: a monitor elsewhere does, by
`manage.py health` or `/metrics` (docs/running/watching.md).
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import mail_admins

from config.models import Alert
from config.watch import checks, facts
from config.watch.checks import Finding
from lib.db_clock import now

logger = logging.getLogger(__name__)

RETRY_AFTER = timedelta(minutes=10)  # after a failed e-mail
# What comes back sooner was never over, and is not told again.
CALM = timedelta(hours=1)


def update() -> None:
    """Write down what is wrong, and e-mail what is new; where nothing changes, one query more."""
    at = now()
    found = {one.name: one for one in checks.problems(facts.gather()) if one.mailed}
    known = {alert.name: alert for alert in Alert.objects.all()}
    for name in found.keys() - known.keys():
        logger.error("%s %s", found[name].problem, found[name].advice)
        Alert.objects.get_or_create(name=name, defaults={"found_at": at, "mail_at": at})
    for name, alert in known.items():
        _follow(alert, name in found, at)
    # Last, since a mail server that is down may take half a minute to time out.
    _mail(found, at)


def _follow(alert: Alert, lasts: bool, at: datetime) -> None:
    if lasts and alert.cleared_at:
        Alert.objects.filter(pk=alert.pk).update(cleared_at=None)
    elif not lasts and alert.cleared_at is None:
        logger.warning("Over: %s.", alert.name)
        # If nobody was told by now, nobody needs to be.
        Alert.objects.filter(pk=alert.pk).update(cleared_at=at, mail_at=None)
    elif not lasts and alert.cleared_at and at - alert.cleared_at > CALM:
        alert.delete()


def _mail(found: dict[str, Finding], at: datetime) -> None:
    """Send one e-mail about all that is due; tried again until it was sent."""
    due = Alert.objects.filter(name__in=found, mail_at__lte=at)
    # Of several workers, one gets each row.
    claimed = [
        alert.name
        for alert in due
        if due.filter(pk=alert.pk, mail_at=alert.mail_at).update(mail_at=at + RETRY_AFTER)
    ]
    if not claimed:
        return
    try:
        mail_admins(_subject(claimed), "\n\n".join(_words(found[name]) for name in claimed))
    except Exception as error:
        logger.error("An e-mail to ADMINS could not be sent (%s).", type(error).__name__)
        return
    Alert.objects.filter(name__in=claimed).update(mail_at=None)


def _subject(names: list[str]) -> str:
    return f"To be looked at: {', '.join(sorted(names))}"


def _words(finding: Finding) -> str:
    page = [settings.SITE_URL + finding.page] if finding.page else []
    return "\n".join([finding.problem, finding.advice, *page])
