"""Session engine: database rows, found by a hash of the cookie's key, with sealed data.

So a dump of the database contains neither keys of sessions nor their data, such as mailed codes. In
memory, `session_key` is the cookie's key, as Django and allauth expect. Sessions are not cached: a
cache that fails would sign users out.
"""

import logging
import time
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import CreateError, SessionBase, UpdateError
from django.db import DEFAULT_DB_ALIAS, IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import SESSIONS, Session, User
from lib.database.prepared_queries import PreparedQuery
from lib.sealing import BrokenSealError, seal, unseal

logger = logging.getLogger("accounts.security")

SIGNED_IN = "signed_in_at"  # key in the session: seconds since 1970, written at log-in only
MAX_AGE_SECONDS = 90 * 24 * 3600  # from the log-in, however often the session is used
HASH_BYTES = 30  # of SHA-256: 240 bits are 40 characters of base64
KEY_CHARACTERS = 32
USER_COLUMNS = tuple(field.attname for field in User._meta.concrete_fields)


def row_key(cookie_key: str) -> str:
    """The key of a session's row, from the key in its cookie."""
    digest = sha256(cookie_key.encode(errors="surrogatepass")).digest()
    return urlsafe_b64encode(digest[:HASH_BYTES]).decode()


@PreparedQuery
def _stored(key: str) -> QuerySet[Any, Any]:
    """A session and its user in one query, since most requests need both."""
    user = (f"user__{name}" for name in USER_COLUMNS)
    sessions = Session.objects.filter(session_key=key)
    return sessions.values_list("session_data", "expire_date", *user)


class SessionStore(SessionBase):
    """A session; named by SESSION_ENGINE."""

    _user: User | None = None

    @property
    def user(self) -> User | None:
        """The user as loaded with the session; None if nobody is signed in."""
        self._get_session()  # type: ignore[attr-defined]
        return self._user

    @property
    def row_key(self) -> str:
        return row_key(self.session_key or "")

    def load(self) -> dict[str, Any]:
        """The session's data; {} and no key if it has ended, expired or cannot be unsealed."""
        key = self.row_key
        for sealed, until, *user in _stored(key=key):
            if until > timezone.now() and (data := self.read(sealed, key)) is not None:
                loaded: User = User.from_db(DEFAULT_DB_ALIAS, USER_COLUMNS, user)
                self._user = None if loaded.pk is None else loaded
                return data
        self._session_key = None
        return {}

    def read(self, sealed: str, key: str) -> dict[str, Any] | None:
        """The data of a row; None if no key of SEAL_KEYS unseals it."""
        try:
            text = unseal(sealed, SESSIONS, key)
        except BrokenSealError:
            logger.warning("ended a session that was sealed with a key that is not in SEAL_KEYS")
            return None
        return cast("dict[str, Any]", self.serializer().loads(text.encode()))

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(session_key=row_key(session_key)).exists()

    def create(self) -> None:
        while True:
            # No query whether the key is free: the insertion fails if it is not.
            self._session_key = get_random_string(KEY_CHARACTERS)
            try:
                self.save(must_create=True)
            except CreateError:
                continue
            self.modified = True
            return

    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            self.create()
            return
        data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]
        if SESSION_KEY in data:
            data.setdefault(SIGNED_IN, time.time())
        text = self.serializer().dumps(data).decode()
        # Without `guesses`, which other requests may have changed meanwhile.
        columns = {
            "user_id": data.get(SESSION_KEY),
            "session_data": seal(text, SESSIONS, self.row_key),
            "expire_date": self.get_expiry_date(),
        }
        if must_create:
            try:
                with transaction.atomic():
                    Session.objects.create(session_key=self.row_key, **columns)
            except IntegrityError:
                raise CreateError from None
        elif not Session.objects.filter(session_key=self.row_key).update(**columns):
            raise UpdateError

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            Session.objects.filter(session_key=row_key(key)).delete()

    @classmethod
    def clear_expired(cls) -> None:
        """For Django's `clearsessions`; accounts/retention_periods.py deletes in batches."""
        Session.objects.filter(expire_date__lt=timezone.now()).delete()

    def get_expiry_age(self, **kwargs: Any) -> int:
        """Seconds until it expires, from the last visit; at most MAX_AGE_SECONDS from log-in."""
        age: int = super().get_expiry_age(**kwargs)
        if (since := self.get(SIGNED_IN)) is None:
            return age
        return max(0, min(age, int(since + MAX_AGE_SECONDS - time.time())))

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        return timezone.now() + timedelta(seconds=self.get_expiry_age(**kwargs))

    def count_guess(self, most: int) -> bool:
        """Count a guess at a mailed code; False if `most` guesses were made at this code.

        Counted in one SQL statement, since parallel requests would read the same number from the
        session's data.
        """
        row = Session.objects.filter(session_key=self.row_key, guesses__lt=most)
        return bool(row.update(guesses=F("guesses") + 1))

    def forget_guesses(self) -> None:
        """Reset the count, for a new code."""
        if self.session_key:
            Session.objects.filter(session_key=self.row_key).update(guesses=0)
