"""Reads environment variables for the settings; reports each wrong one in a sentence."""

import os
import re
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from config.keys import is_push_key

Networks = list[IPv4Network | IPv6Network]
Resolver = tuple[str, int]

MIN_KEY_CHARACTERS = 32
DNS_PORT = 53

TRUE = ("true", "on", "yes", "y", "ok", "1")
FALSE = ("false", "off", "no", "n", "0")
LEVELS = ("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")
DSN = re.compile(r"https?://[^\s/@:]+(:[^\s/@]*)?@[^\s/@]+(/[^\s/]+)*/\d+")
LISTEN = re.compile(
    r"(?:lmtp|smtp)://(?:\[[0-9a-f:]+\]|[^\s/:\[\]]+):[0-9]{1,5}|(?:lmtp|smtp):/[^\s]+"
)
MAILBOX = re.compile(r"imaps?://[^\s/@:]+:[^\s/@]+@[^\s/@]+(?:/[^\s]*)?")
RESOLVER = re.compile(r"(?:\[[0-9a-f:]+\]|[0-9.]+)(?::([0-9]{1,5}))?")
DATABASES = ("sqlite", "postgres", "postgresql", "psql", "pgsql")


class WrongEnvironment(ImproperlyConfigured):
    """All that is wrong in the environment, a sentence per line."""


class Environment:
    """Reads variables; goes on with the default where one is wrong, so that `insist` reports all.

    A value that may be secret is never repeated. The value of NAME may stand in a file that
    NAME_FILE names, as systemd and compose pass secrets; they also set variables to nothing, so an
    empty one counts as not set.
    """

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def insist(self) -> None:
        """Raise WrongEnvironment if any variable was wrong.

        This is no system check: a web server and a worker run none, and would start.
        """
        if self.wrong:
            # What is read twice is wrong once.
            raise WrongEnvironment("\n".join(dict.fromkeys(self.wrong)))

    def __call__(self, name: str, default: str = "") -> str:
        if path := os.environ.get(f"{name}_FILE"):
            try:
                return Path(path).read_text().strip() or default
            except (OSError, UnicodeDecodeError) as error:
                reason = error.strerror if isinstance(error, OSError) else "it is no text"
                self.wrong.append(f"{name}_FILE names {path}, which cannot be read: {reason}.")
                return default
        return os.environ.get(name, "").strip() or default

    def needed(self, name: str, because_of: str) -> str:
        """A value that there must be where another variable is set."""
        given = self(name)
        if because_of and not given:
            self.wrong.append(f"{name} is not set, and {because_of} needs it.")
        return given

    def push_key(self, name: str) -> str:
        """A private VAPID key for web push, or nothing."""
        given = self(name)
        if given and not is_push_key(given):
            self.wrong.append(f"{name} is no private key of the curve P-256, in base64url.")
        return given

    def key(self, name: str) -> str:
        """A secret key, or nothing."""
        return self._long_enough(name, [self(name)])[0]

    def keys(self, name: str) -> list[str]:
        """Secret keys, between commas."""
        return self._long_enough(name, self.list(name))

    def _long_enough(self, name: str, given: list[str]) -> list[str]:
        if any(0 < len(key) < MIN_KEY_CHARACTERS for key in given):
            self.wrong.append(
                f"{name} holds a key of fewer than {MIN_KEY_CHARACTERS} characters. "
                "`openssl rand -base64 48` writes a good one."
            )
        return given

    def list(self, name: str) -> list[str]:
        """The parts between commas."""
        return [part for each in self(name).split(",") if (part := each.strip())]

    def bool(self, name: str, default: bool) -> bool:
        given = self(name).lower()
        if given and given not in (*TRUE, *FALSE):
            self.wrong.append(f"{name}={given} is neither true nor false.")
        return given in TRUE if given else default

    def int(self, name: str, default: int) -> int:
        given = self(name, str(default))
        if not given.isdecimal():
            self.wrong.append(f"{name}={given} is no whole number.")
            return default
        return int(given)

    def networks(self, name: str, default: str) -> Networks:
        """Addresses or networks, between commas."""
        parts = self(name, default).split(",")
        try:
            return [ip_network(part.strip()) for part in parts if part.strip()]
        except ValueError:
            self.wrong.append(f"{name} is no list of addresses like 10.0.0.7 or 172.16.0.0/12.")
            return [ip_network(part) for part in default.split(",")]

    def level(self, name: str, default: str) -> str:
        """A log level."""
        given = self(name, default).upper()
        if given not in LEVELS:
            self.wrong.append(f"{name}={given} is none of {', '.join(LEVELS)}.")
            return default
        return given

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of these words; the first without any."""
        given = self(name, choices[0]).lower()
        if given not in choices:
            self.wrong.append(f"{name}={given} is none of {', '.join(filter(None, choices))}.")
            return choices[0]
        return given

    def site(self, name: str, default: str) -> str:
        """An http or https URL, without a slash at its end."""
        return self._url(name, self(name, default))

    def sites(self, name: str) -> tuple[str, ...]:
        """Such URLs, separated by commas; one that is named twice is one."""
        return tuple(dict.fromkeys(self._url(name, given) for given in self.list(name)))

    def _url(self, name: str, given: str) -> str:
        given = given.rstrip("/")
        if given and not given.startswith(("http://", "https://")):
            self.wrong.append(f"{name}={given} does not begin with http:// or https://.")
        return given

    def dsn(self, name: str) -> str:
        """The address of a project at a Sentry-compatible service, or nothing."""
        given = self(name)
        if given and not DSN.fullmatch(given):
            self.wrong.append(f"{name} is no address of the kind https://key@host/7")
            return ""
        return given

    def listen(self, name: str) -> str:
        """Where to listen for mail, and in which protocol, or nothing."""
        given = self(name)
        if given and not LISTEN.fullmatch(given):
            self.wrong.append(
                f"{name} is no address of the kind lmtp://127.0.0.1:8024, smtp://127.0.0.1:8025 "
                "or lmtp:/run/estafette/mail.sock"
            )
            return ""
        return given

    def mailbox(self, name: str) -> str:
        """A mailbox by IMAP, with user and password, or nothing."""
        given = self(name)
        if given and not MAILBOX.fullmatch(given):
            self.wrong.append(
                f"{name} is no address of the kind imaps://user:password@mail.example.org/INBOX"
            )
            return ""
        return given

    def resolver(self, name: str) -> Resolver | None:
        """Address and port of a DNS server, or nothing."""
        given = self(name)
        if not given:
            return None
        found = RESOLVER.fullmatch(given)
        try:
            if found is None:
                raise ValueError
            host = given.removesuffix(f":{found[1]}") if found[1] else given
            return str(ip_address(host.strip("[]"))), int(found[1] or DNS_PORT)
        except ValueError:
            self.wrong.append(f"{name} is no address of the kind 127.0.0.1:53 or [::1]:53")
            return None

    def database(self, name: str, default: str) -> dict[str, Any]:
        read = environ.Env.db_url_config
        return self._server(name, default, read, DATABASES, "postgres://user:password@host/name")

    def cache(self, name: str, default: str) -> dict[str, Any]:
        read, schemes = environ.Env.cache_url_config, environ.Env.CACHE_SCHEMES
        return self._server(name, default, read, schemes, "rediscache://host:6379/1")

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
    ) -> dict[str, Any]:
        try:
            given = self(name, default)
            if given.partition(":")[0] not in schemes:
                raise ValueError
            return read(given)
        except (ValueError, ImproperlyConfigured):
            self.wrong.append(f"{name} is no address of the kind {example}")
            return read(default)
