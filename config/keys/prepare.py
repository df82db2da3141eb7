"""Makes the folder VAR_DIR and the keys before anything starts.

Reading the settings makes nothing; `manage.py prepare`, `migrate` and `up` call this.
"""

import os
import stat
from contextlib import suppress

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db.utils import DatabaseError

from config.keys.fingerprints import refuse_new_key
from config.keys.key_files import KEYS, read_or_make

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def keep_to_ourselves() -> None:
    """Let no other user of the machine read what this process writes."""
    os.umask(OTHERS)


def prepare() -> None:
    """Make what is missing; processes that do so at the same time agree on the keys."""
    keep_to_ourselves()
    try:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        with suppress(PermissionError):  # it is somebody else's, who gave it to us
            settings.VAR_DIR.chmod(settings.VAR_DIR.stat().st_mode & ~OTHERS)
        # WhiteNoise complains where it finds no folder of static files.
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
        for name, path in settings.KEY_FILES.items():
            if name == "SEAL_KEYS" and not path.exists():
                refuse_new_key(path)
            read_or_make(path, KEYS[name][1])
    except ImproperlyConfigured as error:
        raise CommandError(str(error)) from None
    except DatabaseError as error:
        reason = str(error).strip().partition("\n")[0]
        raise CommandError(
            "Before a key is made, the database is asked whether it has one, and it cannot be "
            f"reached: {reason}"
        ) from None
    except OSError as error:
        raise CommandError(
            f"{error.filename} cannot be made: {error.strerror}. VAR_DIR names another folder."
        ) from None
