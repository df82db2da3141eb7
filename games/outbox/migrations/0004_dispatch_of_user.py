"""An index for what was sent to one person."""

from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("outbox", "0003_reason_and_cause")]

    operations = [
        AddIndexOnline(
            model_name="dispatch",
            index=models.Index(
                fields=["user", "-id"],
                condition=models.Q(("user__isnull", False)),
                name="dispatch_of_user",
            ),
        ),
    ]
