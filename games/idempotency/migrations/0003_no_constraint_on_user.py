"""Drops the foreign keys to users, which wrote to the user's row with every form."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

USER = models.ForeignKey(
    settings.AUTH_USER_MODEL,
    django.db.models.deletion.CASCADE,
    related_name="+",
    db_index=False,
    db_constraint=False,
)


class Migration(migrations.Migration):
    dependencies = [
        ("idempotency", "0002_api_responses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField("storedapiresponse", "user", USER),
        migrations.AlterField("storedresponse", "user", USER),
    ]
