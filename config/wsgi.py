"""What a web server runs: `gunicorn config.wsgi`."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# What is loaded now stays for good; looked through again and again, it would slow every page.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 20)
