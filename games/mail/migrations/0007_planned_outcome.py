from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('mail', '0006_outcomes'),
    ]

    operations = [
        migrations.AlterField(
            model_name='incomingmessage',
            name='outcome',
            field=models.CharField(blank=True, choices=[('played', 'Played'), ('planned', 'Planned'), ('set-up', 'Set Up'), ('asked', 'Asked'), ('resigned', 'Resigned'), ('offered', 'Offered'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('given', 'Given'), ('noted', 'Noted'), ('said', 'Said'), ('shown', 'Shown'), ('repeated', 'Repeated'), ('refused', 'Refused'), ('ambiguous', 'Ambiguous'), ('unread', 'Unread'), ('stale', 'Stale'), ('late', 'Late'), ('over', 'Over'), ('closed', 'Closed'), ('confirm', 'Confirm'), ('unreadable', 'Unreadable'), ('none', 'None')], max_length=12),
        ),
    ]
