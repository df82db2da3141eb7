from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('accounts', '0005_export_and_closing'),
    ]

    operations = [
        AddIndexOnline(
            model_name='user',
            index=models.Index(models.F('closes_at'), condition=models.Q(('closes_at__isnull', False)), name='user_closes'),
        ),
    ]
