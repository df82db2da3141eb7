import accounts.fields
import accounts.handles
import accounts.zones
import django.db.models.functions.text
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(error_messages={'unique': 'This handle is taken. Choose another.'}, help_text='The name under which others see you. It cannot be changed later.', max_length=40, unique=True, validators=[accounts.handles.validate_shape, accounts.handles.validate_unreserved], verbose_name='handle')),
                ('handle_key', accounts.fields.HandleKeyField(editable=False, max_length=40, unique=True)),
                ('email', accounts.fields.AddressField(max_length=254, verbose_name='e-mail address')),
                ('pending', models.BooleanField(default=False, verbose_name='address not confirmed yet')),
                ('zone', models.CharField(default='UTC', max_length=64, validators=[accounts.zones.validate_zone], verbose_name='time zone')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('theme', models.CharField(blank=True, max_length=10, verbose_name='colours')),
                ('match_letters', models.BooleanField(default=True, verbose_name='letters about my matches')),
                ('reminder_letters', models.BooleanField(default=True, verbose_name='reminders before a deadline')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'indexes': [models.Index(django.db.models.functions.text.Upper('username'), name='user_handle_upper'), models.Index(models.F('email'), name='user_address'), models.Index(models.F('date_joined'), condition=models.Q(('pending', True)), name='user_pending')],
                'constraints': [models.UniqueConstraint(models.F('email'), condition=models.Q(models.Q(('email', ''), _negated=True), ('pending', False)), name='user_address_once')],
            },
        ),
    ]
