"""Makes the folder VAR_DIR and the keys before anything starts.

Reading the settings makes nothing; `manage.py prepare`, `migrate` and `up` call this.
"""

from django.conf import settings
from django.core.management.base import CommandError

from config.keys import KEYS, read_or_make


def prepare() -> None:
    """Make what is missing; processes that do so at the same time agree on the keys."""
    try:
        # WhiteNoise complains where it finds no folder of static files.
        for folder in (settings.VAR_DIR, settings.STATIC_ROOT):
            folder.mkdir(parents=True, exist_ok=True)
        for name, path in settings.KEY_FILES.items():
            read_or_make(path, KEYS[name][1])
    except OSError as error:
        raise CommandError(
            f"{error.filename} cannot be made: {error.strerror}. VAR_DIR names another folder."
        ) from None
