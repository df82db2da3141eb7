"""A pytest plugin that comes before everything: the tests' settings hang on nothing outside.

Keys, files and bells lie in a folder of this run. Of the service's settings, DATABASE_URL alone is
kept, so that the same tests run on PostgreSQL.
"""

import atexit
import os
import shutil
import tempfile

CLEARED = """
    DEBUG DEMO SITE_URL WEB_URL ALLOWED_HOSTS TRUSTED_PROXY_COUNT HASHED_STATIC STAFF_NEEDS_MFA
    EMAIL_URL MAIL_DOMAIN DEFAULT_FROM_EMAIL BOUNCES ADMINS CACHE_URL CONN_MAX_AGE
    PREPARED_STATEMENTS SECRET_KEY SECRET_KEY_FALLBACKS SEAL_KEYS VAPID_KEY LOG_LEVEL
"""

folder = tempfile.mkdtemp(prefix="estafette-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)

for name in CLEARED.split():
    os.environ.pop(name, None)
    os.environ.pop(f"{name}_FILE", None)
os.environ["VAR_DIR"] = folder
# Wake-ups go nowhere; the tests call the drain themselves, or start a real worker of their own.
os.environ["BROKER_URL"] = "memory://localhost"
