"""Template tag: what the checks of the service find, for the admin's front page."""

from django import template
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from accounts.models import User
from config.watch import checks, facts
from config.watch.checks import Finding

register = template.Library()


@register.simple_tag
def service_findings(user: AbstractBaseUser | AnonymousUser) -> list[Finding]:
    """What the checks find that this member of staff may see, problems first."""
    if not isinstance(user, User):
        return []
    seen = [one for one in checks.check(facts.gather()) if user.has_perm(one.permission)]
    return sorted(seen, key=lambda finding: not finding.problem)
