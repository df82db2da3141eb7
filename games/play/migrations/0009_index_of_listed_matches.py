from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('play', '0008_answers_that_wait'),
    ]

    operations = [
        AddIndexOnline(
            model_name='match',
            index=models.Index(condition=models.Q(('listed', True), ('status', 'running')), fields=['-id'], name='match_listed'),
        ),
    ]
