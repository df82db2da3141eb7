from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('notifications', '0002_mailbox_refusals'),
    ]

    operations = [
        AddIndexOnline(
            model_name='mailbox',
            index=models.Index(
                models.F('reported_at'),
                condition=models.Q(('reported_at__isnull', False)),
                name='mailbox_reported',
            ),
        ),
    ]
