"""An index for the limits of challenges to one player."""

from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("lobby", "0001_initial")]

    operations = [
        AddIndexOnline(
            model_name="invitation",
            index=models.Index(
                condition=models.Q(("guest__isnull", False)),
                fields=["guest", "-created_at"],
                name="invitation_to_lately",
            ),
        ),
    ]
