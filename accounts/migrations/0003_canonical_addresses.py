"""Stores addresses in their canonical form (accounts/values/addresses.py)."""

from typing import Any

from django.db import migrations

from accounts.values import addresses


def canonicalize(apps: Any, schema_editor: Any) -> None:
    """Rewrite addresses that are spelled otherwise; one that another account has stays as it is."""
    User = apps.get_model("accounts", "User")  # noqa: N806 - a model
    EmailAddress = apps.get_model("account", "EmailAddress")  # noqa: N806 - a model
    _rewrite(User.objects)
    _rewrite(EmailAddress.objects)


def _rewrite(rows: Any) -> None:
    for pk, email in rows.values_list("pk", "email").iterator():
        canonical = addresses.canonical(email)
        if canonical != email and not rows.filter(email=canonical).exists():
            rows.filter(pk=pk).update(email=canonical)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_house_opponents_active"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [migrations.RunPython(canonicalize, migrations.RunPython.noop)]
