"""Roles of staff: groups with the permissions they need, created and updated by `migrate`.

A moderator settles what happens between players; an operator runs the service and the accounts; an
organiser makes tournaments and ladders. For other needs, create another group: `migrate` resets
these three.
"""

from typing import Any

from django.apps import AppConfig
from django.apps import apps as global_apps
from django.contrib.auth.management import create_permissions

MODERATOR, OPERATOR, ORGANISER = "moderator", "operator", "organiser"

# Permissions by role and app.
ROLES: dict[str, dict[str, tuple[str, ...]]] = {
    MODERATOR: {
        "accounts": ("view_user", "block_user", "sign_out_user"),
        "play": ("view_match", "moderate_match", "view_vacation", "view_outage"),
        "lobby": ("view_invitation", "withdraw_invitation"),
        "ratings": ("view_unit", "rate_unit"),
        "people": ("view_report", "decide_report"),
    },
    ORGANISER: {
        "play": ("view_match",),
        "competitions": (
            *("view_tournament", "add_tournament", "change_tournament", "open_tournament"),
            *("cancel_tournament", "prolong_tournament", "view_entry", "exclude_entrant"),
            *("view_ladder", "add_ladder", "change_ladder"),
        ),
    },
    OPERATOR: {
        "accounts": (
            *("view_user", "sign_out_user", "erase_user"),
            *("view_accesstoken", "revoke_accesstoken"),
        ),
        "account": ("view_emailaddress",),
        "mfa": ("view_authenticator", "delete_authenticator"),
        "play": ("view_match", "view_halt", "release_halt", "view_outage", "view_vacation"),
        "lobby": ("view_invitation",),
        "ratings": ("view_unit", "view_family", "recompute_family"),
        "outbox": ("view_dispatch", "resend_dispatch"),
        "mail": ("view_correspondent",),
        "config": ("add_sitesettings", "view_sitesettings", "change_sitesettings"),
    },
}


def set_roles(sender: AppConfig, using: str, apps: Any = global_apps, **_: Any) -> None:
    """After an app's migrations: set each role's permissions of this app."""
    if not any(sender.label in needs for needs in ROLES.values()):
        return
    group_model = apps.get_model("auth", "Group")
    permission_model = apps.get_model("auth", "Permission")
    # Django creates permissions at the same signal, perhaps later.
    create_permissions(sender, verbosity=0, using=using, apps=apps)
    for role, needs in ROLES.items():
        group, _made = group_model.objects.using(using).get_or_create(name=role)
        permissions = permission_model.objects.using(using).filter(
            content_type__app_label=sender.label
        )
        needed = permissions.filter(codename__in=needs.get(sender.label, ()))
        group.permissions.remove(*permissions.exclude(pk__in=needed))
        group.permissions.add(*needed)
