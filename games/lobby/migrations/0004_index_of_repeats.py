from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('lobby', '0003_conditions'),
    ]

    operations = [
        AddIndexOnline(
            model_name='invitation',
            index=models.Index(condition=models.Q(('repeat_of__isnull', False)), fields=['repeat_of'], name='invitation_repeats'),
        ),
    ]
