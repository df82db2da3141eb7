from django.db import migrations, models

from lib.database.migration_operations import AddIndexOnline


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('play', '0005_rated_turns_talk'),
    ]

    operations = [
        AddIndexOnline(
            model_name='match',
            index=models.Index(condition=models.Q(('finished_at__isnull', False), ('is_final', False)), fields=['finished_at', 'id'], name='match_not_final'),
        ),
        AddIndexOnline(
            model_name='player',
            index=models.Index(condition=models.Q(('missed_at__isnull', False)), fields=['user', 'missed_at'], name='player_missed'),
        ),
        AddIndexOnline(
            model_name='player',
            index=models.Index(condition=models.Q(('talk_unread__gt', 0)), fields=['user'], name='player_talk'),
        ),
    ]
