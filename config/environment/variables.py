"""Environment variables for the settings: read, converted, and reported if they are invalid."""

import os
import re
from collections.abc import Callable, Iterable
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from config.environment import addresses, misspelt_settings
from config.environment.addresses import Networks, Resolver
from config.keys.key_files import is_proof_key, is_push_key

Texts = list[str]  # below, `list` and `bool` are methods
Test = Callable[[str], bool]
Flag = bool
Rates = dict[str, int]

MIN_KEY_CHARACTERS = 32
MAX_NUMBER = 10**9  # unless a setting has a lower maximum

RATE = re.compile("[1-9][0-9]{0,8}")

TRUE = ("true", "on", "yes", "y", "ok", "1")
FALSE = ("false", "off", "no", "n", "0")
LEVELS = ("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")
SQLITE = "django.db.backends.sqlite3"
DATABASES = ("postgres", "postgresql", "psql", "pgsql")
# Rate limits are counted in the cache, so all processes must share it.
CACHES = ("dbcache", "rediscache", "redis", "rediss")


class WrongEnvironment(ImproperlyConfigured):
    """The environment has invalid variables; the text has one sentence per line."""


class Environment:
    """Reads variables; an invalid one gets its default, and `raise_if_wrong` reports them all.

    Values that may be secret are never quoted. The value of NAME may be in a file that NAME_FILE
    names, as systemd and compose pass secrets. An empty variable counts as not set.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.names: set[str] = set()  # of the settings read so far

    def raise_if_wrong(self) -> None:
        """Raise WrongEnvironment if any variable was invalid or looks like a misspelt setting.

        Not a system check, since web servers and workers run none.
        """
        self.wrong += misspelt_settings.complaints(os.environ, self.names)
        if self.wrong:
            # A variable may be read twice.
            raise WrongEnvironment("\n".join(dict.fromkeys(self.wrong)))

    def __call__(self, name: str, default: str = "") -> str:
        self.names.add(name)
        if path := os.environ.get(f"{name}_FILE"):
            try:
                return Path(path).read_text().strip() or default
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is not text"
                self.wrong.append(f"{name}_FILE names {path}, which cannot be read: {reason}.")
                return default
        return os.environ.get(name, "").strip() or default

    def needed(self, name: str, because_of: str) -> str:
        """A text that must be set if the variable `because_of` is; "" for no such variable."""
        given = self(name)
        if because_of and not given:
            self.wrong.append(f"{name} is not set, but {because_of} needs it.")
        return given

    def push_key(self, name: str) -> str:
        """A private VAPID key for web push, or ""."""
        given = self(name)
        if given and not is_push_key(given):
            self.wrong.append(f"{name} is not a P-256 private key in base64url.")
        return given

    def proof_keys(self, name: str) -> Texts:
        """Private Ed25519 keys, separated by commas."""
        given = self.list(name)
        if self(name) and (not given or not all(map(is_proof_key, given))):
            self.wrong.append(
                f"{name} holds something other than keys of 64 lower-case hexadecimal digits. "
                "`openssl rand -hex 32` prints one."
            )
            return []
        return given

    def key(self, name: str) -> str:
        """A secret key, or ""."""
        return self._long_enough(name, [self(name)])[0]

    def keys(self, name: str) -> list[str]:
        """Secret keys, separated by commas."""
        given = self.list(name)
        if self(name) and not given:
            self.wrong.append(f"{name} does not hold a key.")
        return self._long_enough(name, given)

    def _long_enough(self, name: str, given: list[str]) -> list[str]:
        if any(0 < len(key) < MIN_KEY_CHARACTERS for key in given):
            self.wrong.append(
                f"{name} holds a key of fewer than {MIN_KEY_CHARACTERS} characters. "
                "`openssl rand -base64 48` prints a good one."
            )
        return given

    def list(self, name: str) -> list[str]:
        """A list of texts, separated by commas."""
        return [part for each in self(name).split(",") if (part := each.strip())]

    def bool(self, name: str, default: bool) -> bool:
        given = self(name).lower()
        if given and given not in (*TRUE, *FALSE):
            self.wrong.append(f"{name}={given} is neither true nor false.")
        return given in TRUE if given else default

    def int(self, name: str, default: int, least: int = 0, most: int = MAX_NUMBER) -> int:
        given = self(name, str(default))
        if not given.isdecimal():
            self.wrong.append(f"{name}={given} is not a whole number.")
        elif len(given) > len(str(MAX_NUMBER)) or not least <= int(given) <= most:
            self.wrong.append(f"{name}={given} is not between {least} and {most}.")
        else:
            return int(given)
        return default

    def rates(self, name: str, default: str) -> Rates:
        """Numbers by the names of the default, such as "read:240,write:120"; "off": none."""
        given = self(name, default)
        if given.lower() == "off":
            return {}
        rates = dict(part.strip().partition(":")[::2] for part in given.split(","))
        known = [part.partition(":")[0] for part in default.split(",")]
        if sorted(rates) == sorted(known) and all(map(RATE.fullmatch, rates.values())):
            return {each: int(rate) for each, rate in rates.items()}
        self.wrong.append(f"{name} is neither off nor numbers from 1 like {default}")
        return {}

    def networks(self, name: str, default: str) -> Networks:
        """IP addresses or networks, separated by commas."""
        parts = self(name, default).split(",")
        try:
            return [ip_network(part.strip()) for part in parts if part.strip()]
        except ValueError:
            self.wrong.append(f"{name} is not a list of addresses like 10.0.0.7 or 172.16.0.0/12.")
            return [ip_network(part) for part in default.split(",")]

    def level(self, name: str, default: str) -> str:
        """A log level."""
        given = self(name, default).upper()
        if given not in LEVELS:
            self.wrong.append(f"{name}={given} is not one of {', '.join(LEVELS)}.")
            return default
        return given

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of these words; the first is the default."""
        given = self(name, choices[0]).lower()
        if given not in choices:
            self.wrong.append(f"{name}={given} is not one of {', '.join(filter(None, choices))}.")
            return choices[0]
        return given

    def site(self, name: str, default: str) -> str:
        """An http or https URL, without a slash at its end."""
        return self._url(name, self(name, default))

    def sites(self, name: str) -> tuple[str, ...]:
        """http or https URLs with an optional path, separated by commas; duplicates are dropped."""
        given = [self._url(name, each, path=True) for each in self.list(name)]
        return tuple(dict.fromkeys(given))

    def _url(self, name: str, given: str, *, path: Flag = False) -> str:
        given = given.rstrip("/")
        if given and not given.startswith(("http://", "https://")):
            self.wrong.append(f"{name}={given} does not begin with http:// or https://.")
        elif given and not addresses.is_site(given, path=path):
            self.wrong.append(
                f"{name} is not an address like https://play.example.org or http://127.0.0.1:8000"
            )
        else:
            return given
        return ""

    def hosts(self, name: str) -> Texts:
        """Host names, separated by commas."""
        given = self.list(name)
        if "*" in given:
            self.wrong.append(
                f"{name}=* would accept requests for any host name. List the names that people "
                "use, such as play.example.org; .example.org stands for all names below it."
            )
        elif not all(map(addresses.HOST.fullmatch, given)):
            self.wrong.append(f"{name} is not a list of host names like play.example.org")
        return given

    def domain(self, name: str, default: str) -> str:
        """The part of an e-mail address after the @."""
        given = self(name, default)
        if not addresses.HOST.fullmatch(given):
            self.wrong.append(f"{name} is not a domain like play.example.org")
        return given

    def word(self, name: str) -> str:
        """A text without blanks, or ""."""
        given = self(name)
        if len(given.split()) > 1:
            self.wrong.append(f"{name} must not contain blanks.")
            return ""
        return given

    def sender(self, name: str, default: str) -> str:
        """An e-mail address, with or without a name."""
        given = self(name)
        if given and not addresses.is_mail(parseaddr(given)[1]):
            self.wrong.append(f"{name} is not an address like Estafette <post@play.example.org>")
        return given or default

    def recipients(self, name: str) -> Texts:
        """E-mail addresses, separated by commas."""
        given = self.list(name)
        if not all(map(addresses.is_mail, given)):
            self.wrong.append(f"{name} is not a list of addresses like you@example.org")
        return given

    def dsn(self, name: str) -> str:
        """The DSN of a project at a Sentry-compatible service, or ""."""
        given = self(name)
        if given and not addresses.DSN.fullmatch(given):
            self.wrong.append(f"{name} is not an address like https://key@host/7")
            return ""
        return given

    def listen(self, name: str) -> str:
        """Protocol and address to listen for mail at, or ""."""
        given = self(name)
        if given and not addresses.is_listen(given):
            self.wrong.append(
                f"{name} is not an address like lmtp://127.0.0.1:8024, smtp://127.0.0.1:8025 "
                "or lmtp:/run/estafette/mail.sock"
            )
            return ""
        return given

    def mailbox(self, name: str) -> str:
        """The URL of an IMAP mailbox, with user and password, or ""."""
        given = self(name)
        if given and not addresses.MAILBOX.fullmatch(given):
            self.wrong.append(
                f"{name} is not an address like imaps://user:password@mail.example.org/INBOX"
            )
            return ""
        return given

    def resolver(self, name: str) -> Resolver | None:
        """Address and port of a DNS server, or None."""
        given = self(name)
        if not given:
            return None
        try:
            return addresses.resolver(given)
        except ValueError:
            self.wrong.append(f"{name} is not an address like 127.0.0.1:53 or [::1]:53")
            return None

    def database(self, name: str, default: Path) -> dict[str, Any]:
        """A database of Django's; by default SQLite in this file."""
        given = self(name)
        if given.startswith("sqlite:"):
            try:
                return {"ENGINE": SQLITE, "NAME": addresses.sqlite_file(given)}
            except ValueError:
                self.wrong.append(
                    f"{name} is not an address like sqlite:////var/lib/estafette/estafette.sqlite3."
                    " In the path, % is written %25, ? is %3F and # is %23."
                )
        elif given:
            return self._server(
                name,
                "postgres://localhost/estafette",
                environ.Env.db_url_config,
                DATABASES,
                "postgres://user:password@host/name",
                addresses.names_database,
            )
        return {"ENGINE": SQLITE, "NAME": str(default)}

    def cache(self, name: str, default: str) -> dict[str, Any]:
        read = environ.Env.cache_url_config
        return self._server(name, default, read, CACHES, "rediscache://host:6379/1")

    def broker(self, name: str, default: str) -> str:
        given = self(name, default)
        if addresses.is_broker(given):
            return given
        self.wrong.append(
            f"{name} is not an address like redis://host:6379/0 or "
            "redis+socket:///run/redis/redis.sock. Other brokers are not supported."
        )
        return default

    def email(self, name: str, default: str) -> dict[str, Any]:
        read, schemes = environ.Env.email_url_config, environ.Env.EMAIL_SCHEMES
        return self._server(name, default, read, schemes, "smtp+tls://user:password@host:587")

    def _server(
        self,
        name: str,
        default: str,
        read: Callable[[str], dict[str, Any]],
        schemes: Iterable[str],
        example: str,
        is_whole: Test = addresses.names_host,
    ) -> dict[str, Any]:
        try:
            given = self(name, default)
            if given.partition(":")[0] not in schemes or not is_whole(given):
                raise ValueError
            return read(given)
        except (ValueError, ImproperlyConfigured):
            self.wrong.append(f"{name} is not an address like {example}")
            return read(default)
