"""An index for the search for someone of one's strength."""

from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("lobby", "0004_index_of_repeats")]

    operations = [
        AddIndexOnline(
            model_name="invitation",
            index=models.Index(
                condition=models.Q(("status", "open"), ("kind", "seat")),
                fields=["preset", "pace", "id"],
                name="invitation_seats_alike",
            ),
        ),
    ]
