"""Template tag: the findings of the service's checks, for the admin's front page."""

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from accounts.models import User
from config.watch import checks, measurements
from config.watch.checks import Finding

register = template.Library()


@register.simple_tag
def service_findings(user: AbstractBaseUser | AnonymousUser) -> list[Finding]:
    """The findings that this member of staff may see, problems first."""
    if not isinstance(user, User):
        return []
    findings = checks.check(measurements.measure())
    visible = [finding for finding in findings if user.has_perm(finding.permission)]
    return sorted(visible, key=lambda finding: not finding.problem)
