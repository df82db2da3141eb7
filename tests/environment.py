"""A pytest plugin that comes before everything: the tests' settings hang on nothing outside.

Keys, files and bells lie in a folder of this run. Of the environment, DATABASE_URL alone is kept,
so that the same tests run on PostgreSQL.
"""

import atexit
import os
import shutil
import tempfile

CLEARED = ("DEBUG", "DEMO", "SITE_URL", "EMAIL_URL", "CACHE_URL", "SECRET_KEY", "SEAL_KEYS")
CLEARED += ("VAPID_KEY", "BOUNCES")

folder = tempfile.mkdtemp(prefix="estafette-tests-")
atexit.register(shutil.rmtree, folder, ignore_errors=True)

for name in CLEARED:
    os.environ.pop(name, None)
os.environ["VAR_DIR"] = folder
# Wake-ups go nowhere; the tests call the drain themselves, or start a real worker of their own.
os.environ["BROKER_URL"] = "memory://localhost"
