"""WSGI application, which `manage.py serve` and `manage.py up` answer with."""

import os

from django.core.wsgi import get_wsgi_application

from config.keys import insist_on_keys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
insist_on_keys()
