"""Errors of `manage.py` commands that an operator can mend: a sentence instead of a traceback."""

from pathlib import Path

from django.conf import settings
from django.db.utils import OperationalError


def sentence(error: Exception) -> str:
    """What cannot be used, and what to do; "" for an error of another kind."""
    if isinstance(error, OperationalError):
        reason = str(error).strip().partition("\n")[0]
        return f"The database of DATABASE_URL cannot be used: {reason}"
    if isinstance(error, OSError) and isinstance(error.filename, str):
        place = Path(error.filename)
        if settings.VAR_DIR in (place, *place.parents):
            return (
                f"{place} cannot be used: {error.strerror}. Give {settings.VAR_DIR} to the "
                "service's user, or set VAR_DIR to another folder."
            )
    return ""
