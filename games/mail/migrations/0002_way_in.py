from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('mail', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='incomingmessage',
            name='way_in',
            field=models.CharField(
                blank=True,
                choices=[
                    ('listener', 'Listener'),
                    ('pipe', 'Pipe'),
                    ('webhook', 'Webhook'),
                    ('imap', 'Imap'),
                    ('form', 'Form'),
                ],
                db_default='', default='',
                max_length=10,
            ),
        ),
    ]
