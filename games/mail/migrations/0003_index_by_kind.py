from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline, RemoveIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('mail', '0002_way_in'),
    ]

    operations = [
        AddIndexOnline(
            model_name='incomingmessage',
            index=models.Index(
                condition=models.Q(('done_at__isnull', True)),
                fields=['door', 'id'],
                name='incoming_by_kind',
            ),
        ),
        RemoveIndexOnline(model_name='incomingmessage', name='incoming_waiting'),
    ]
