from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('accounts', '0007_tokens_and_bots'),
    ]

    operations = [
        AddIndexOnline(
            model_name='user',
            index=models.Index(models.F('owner'), condition=models.Q(('owner__isnull', False)), name='user_owner'),
        ),
    ]
