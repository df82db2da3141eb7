"""An index for what came in from one person."""

from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("mail", "0003_index_by_kind")]

    operations = [
        AddIndexOnline(
            model_name="incomingmessage",
            index=models.Index(fields=["user", "-id"], name="incoming_of_user"),
        ),
    ]
