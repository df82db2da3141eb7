"""A pytest plugin that is loaded first: the tests' settings depend on nothing outside.

Keys and files are in a folder of this process; what all processes of a run share is in
SHARED, the folder of the first. Of the service's settings, DATABASE_URL alone is kept, so that the
same tests run on PostgreSQL.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

CLEARED = """
    DEBUG DEMO SITE_URL WEB_URL PROXY_URL ALLOWED_HOSTS TRUSTED_PROXY_COUNT HASHED_STATIC
    STAFF_NEEDS_MFA EMAIL_URL MAIL_DOMAIN MAIL_REPLIES DEFAULT_FROM_EMAIL BOUNCES ADMINS CACHE_URL
    CONN_MAX_AGE
    TRANSACTION_POOLING SECRET_KEY SECRET_KEY_FALLBACKS SEAL_KEYS VAPID_KEY PROOF_KEYS LOG_LEVEL
    STATIC_DIR
    LOG_FORMAT LOG_FILE ACCESS_LOG METRICS_TOKEN SENTRY_DSN
    MAIL_LISTEN MAIL_AUTHSERV_ID MAIL_MAX_BYTES MAIL_ANSWERS_PER_HOUR MAIL_CHECK_DKIM MAIL_DNS
    MAIL_PROVIDER MAIL_PROVIDER_SECRET MAIL_IMAP MAIL_IMAP_HEADER
    TIMEOUTS_MIN_PLAYERS TIMEOUTS_PERCENT TIMEOUTS_FACTOR
"""

folder = tempfile.mkdtemp(prefix="estafette-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)
SHARED = Path(os.environ.setdefault("TESTS_SHARED_FOLDER", folder))

for name in CLEARED.split():
    os.environ.pop(name, None)
    os.environ.pop(f"{name}_FILE", None)
os.environ["VAR_DIR"] = folder
# Wake-ups go nowhere; the tests call the drain themselves, or start a real worker of their own.
os.environ["BROKER_URL"] = "memory://localhost"
# Images for containers often forbid to keep compiled modules. A run of the tests starts some
# hundred interpreters, and each would compile the service and the tests again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# As `manage.py prepare` does, which would read the settings before all is said about them.
from config.keys.key_files import KEYS, read_or_make  # noqa: E402

for file, make in KEYS.values():
    read_or_make(Path(folder) / file, make)
(Path(folder) / "static").mkdir()
