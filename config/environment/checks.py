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
from config.keys.key_files import is_proof_key, is_push_key, read

TAG = "installation"


@register(TAG)
def installation(**_: Any) -> list[CheckMessage]:
    """All errors and warnings, each with a hint."""
    return [*_keys(), *_push_key(), *_proof_key(), *_static_files(), *_unsafe_settings()]


def _keys() -> Iterator[CheckMessage]:
    for name, path in settings.KEY_FILES.items():
        try:
            if not path.exists():
                # Only a warning: the commands that start the service create the key.
                yield Warning(
                    f"{name} is not in the environment, and {path} does not exist.",
                    hint="`manage.py prepare` creates it.",
                    id="config.W001",
                )
            elif not read(path):
                yield Error(f"{path} is empty.", hint="Remove it.", id="config.E001")
        except (OSError, ImproperlyConfigured) as error:
            yield Error(str(error), id="config.E001")


def _push_key() -> Iterator[CheckMessage]:
    path = settings.KEY_FILES.get("VAPID_KEY")
    if path and path.is_file() and not is_push_key(read(path)):
        yield Error(
            f"{path} does not hold a P-256 private key in base64url.",
            hint="Remove it, and `manage.py prepare` creates another.",
            id="config.E002",
        )


def _proof_key() -> Iterator[CheckMessage]:
    path = settings.KEY_FILES.get("PROOF_KEYS")
    if path and path.is_file() and not is_proof_key(read(path)):
        yield Error(
            f"{path} does not hold 64 lower-case hexadecimal digits.",
            hint="Restore the key from where it is kept. A new one signs from now on only.",
            id="config.E003",
        )


def _static_files() -> Iterator[CheckMessage]:
    if settings.HASHED_STATIC and not (settings.STATIC_ROOT / "staticfiles.json").exists():
        yield Warning(
            "HASHED_STATIC is on, but the static files were not collected.",
            hint="Run `manage.py collectstatic`.",
            id="config.W002",
        )


def _unsafe_settings() -> Iterator[CheckMessage]:
    for sentence in unsafe_settings.errors():
        yield Error(sentence, id="config.E003")
    for sentence in unsafe_settings.warnings():
        yield Warning(sentence, id="config.W003")
