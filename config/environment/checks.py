"""System checks: keys, static files and unsafe settings of the installation.

A wrong environment variable is reported earlier, when the settings are read
(config/environment/variables.py).
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from config.environment import unsafe_settings
from config.keys.key_files import is_push_key, read

TAG = "installation"


@register(TAG)
def installation(**_: Any) -> list[CheckMessage]:
    """Everything that is missing or wrong, each with what to do about it."""
    return [*_keys(), *_push_key(), *_static_files(), *_unsafe_settings()]


def _keys() -> Iterator[CheckMessage]:
    for name, path in settings.KEY_FILES.items():
        try:
            if not path.exists():
                # No error yet: nobody has asked for it, and what starts the service makes it.
                yield Warning(
                    f"There is no {name} in the environment, and no {path}.",
                    hint="`manage.py prepare` makes one.",
                    id="config.W001",
                )
            elif not read(path):
                yield Error(f"{path} is empty.", hint="Take it away.", id="config.E001")
        except (OSError, ImproperlyConfigured) as error:
            yield Error(str(error), id="config.E001")


def _push_key() -> Iterator[CheckMessage]:
    path = settings.KEY_FILES.get("VAPID_KEY")
    if path and path.is_file() and not is_push_key(read(path)):
        yield Error(
            f"{path} holds no private key of the curve P-256, in base64url.",
            hint="Take it away, and `manage.py prepare` makes another.",
            id="config.E002",
        )


def _static_files() -> Iterator[CheckMessage]:
    if settings.HASHED_STATIC and not (settings.STATIC_ROOT / "staticfiles.json").exists():
        yield Warning(
            "HASHED_STATIC is on, and no file has its hashed name yet.",
            hint="`manage.py collectstatic` gives them their names.",
            id="config.W002",
        )


def _unsafe_settings() -> Iterator[CheckMessage]:
    for sentence in unsafe_settings.errors():
        yield Error(sentence, id="config.E003")
    for sentence in unsafe_settings.warnings():
        yield Warning(sentence, id="config.W003")
