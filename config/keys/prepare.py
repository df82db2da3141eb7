"""Creates VAR_DIR and the keys; `manage.py prepare`, `migrate` and `up` call it.

Reading the settings creates nothing.
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


def restrict_umask() -> None:
    """Make files that this process writes unreadable for other users of the machine."""
    os.umask(OTHERS)


def prepare() -> None:
    """Create what is missing. Safe to run in several processes at once."""
    restrict_umask()
    try:
        settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
        with suppress(PermissionError):  # another user owns the folder
            settings.VAR_DIR.chmod(settings.VAR_DIR.stat().st_mode & ~OTHERS)
        # WhiteNoise warns if the folder of static files is missing.
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
            "A key is missing. Before one is created, the database must be checked for the old "
            f"one, but it cannot be reached: {reason}"
        ) from None
    except OSError as error:
        raise CommandError(
            f"{error.filename} cannot be created: {error.strerror}. Set VAR_DIR to another folder."
        ) from None
