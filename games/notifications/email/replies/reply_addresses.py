"""Reply addresses: one for each e-mail, `reply+<26 characters>@MAIL_DOMAIN`.

The token is a message authentication code (HMAC) of the e-mail's row in the outbox and of what the
e-mail is about. So an e-mail that is written again has the same address, and one about a later ply
has another. The table stores hashes of the tokens, so it reveals no address.
"""

import json
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from games.notifications.email.replies import shown_offers
from games.notifications.email.replies.shown_offers import Offers
from games.notifications.models import PROPOSALS, Asks, Purpose, ReplyAddress
from games.play.models.match import Match
from lib.db_clock import now
from lib.sealing import BrokenSealError, seal_bytes, unseal_bytes

# The settings that let the server receive mail; one is enough.
INBOUND_SETTINGS = ("MAIL_LISTEN", "MAIL_AUTHSERV_ID", "MAIL_PROVIDER", "MAIL_IMAP")

TOKEN_SIGNS = 26  # of base32: 130 bits
LIFETIME = timedelta(days=90)
AFTERWARDS = timedelta(days=1)  # after the end of a match, until fewer commands are accepted

LOCAL_PART = re.compile(rf"reply\+([a-z2-7]{{{TOKEN_SIGNS}}})", re.IGNORECASE | re.ASCII)


class Standing(Enum):
    """Which commands an address still accepts."""

    OPEN = "open"
    AFTERWARDS = "afterwards"  # its match is over: only a rematch, the moves and help
    CLOSED = "closed"


@dataclass(frozen=True, kw_only=True)
class About:
    """What an e-mail is about, as far as an answer to it depends on that."""

    dispatch_key: str  # Dispatch.message_id
    purpose: Purpose
    user: User
    match_id: int | None = None
    ply: int | None = None
    invitation_id: int | None = None
    matches: Mapping[int, int] = field(default_factory=dict)  # the ply of each match of a digest
    offers: Mapping[int, Offers] = field(default_factory=dict)  # shown, by match
    asks: Asks = Asks.NOTHING
    proposal: str = ""  # the text of a set-up

    @property
    def token(self) -> str:
        ids = [self.purpose, self.user.pk, self.match_id, self.ply, self.invitation_id]
        rest = [sorted(self.matches.items()), self.asks, self.proposal]
        text = json.dumps([self.dispatch_key, *ids, *rest, *map(list, sorted(self.offers.items()))])
        code = salted_hmac("games.notifications.email.reply_addresses", text, algorithm="sha256")
        return b32encode(code.digest()).decode().lower()[:TOKEN_SIGNS]


def replies_are_taken() -> bool:
    """Whether e-mails have reply addresses: whether this server can receive mail."""
    if settings.MAIL_REPLIES != "auto":
        return bool(settings.MAIL_REPLIES == "true")
    return bool(settings.DEMO) or any(getattr(settings, name, "") for name in INBOUND_SETTINGS)


def issue(about: About) -> str:
    """Store the reply address of an e-mail, before it is sent, and return it; one statement."""
    issue_all([about])
    return address(about.token)


def issue_all(several: Iterable[About]) -> None:
    """Store the reply addresses of several e-mails, by one statement; idempotent."""
    at = now()
    ReplyAddress.objects.bulk_create([_row(about, at) for about in several], ignore_conflicts=True)


def address(token: str) -> str:
    return f"reply+{token}@{settings.MAIL_DOMAIN}"


def is_well_formed(recipient: str) -> bool:
    """Whether an address has the form of our reply addresses."""
    return _token(recipient) is not None


def find(recipient: str) -> ReplyAddress | None:
    """The row of a reply address, with its user; None for one that was never issued.

    `recipient` is the envelope recipient, never one of a header.
    """
    token = _token(recipient)
    if token is None:
        return None
    known = ReplyAddress.objects.select_related("user")
    return known.filter(token_hash=_hash(token)).first()


def standing(row: ReplyAddress, at: datetime) -> Standing:
    """Which commands the address accepts at `at`; one query if it is about a match."""
    keys, stored = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), bytes(row.address_of)
    same = [constant_time_compare(stored, _address_of(row.user, key)) for key in keys]
    if not any(same) or not row.user.is_active or at - row.issued_at >= LIFETIME:
        return Standing.CLOSED
    if row.match_id is not None:
        over = Match.objects.filter(pk=row.match_id, finished_at__lte=at - AFTERWARDS)
        if over.exists():
            return Standing.AFTERWARDS
    return Standing.OPEN


def lock(pk: int) -> ReplyAddress | None:
    """The row with its user, locked: of two answers to a question the second sees the first."""
    rows = ReplyAddress.objects.select_related("user").select_for_update(of=("self",))
    return rows.filter(pk=pk).first()


def close_question(pk: int) -> None:
    """Close the question of an e-mail that was answered with "no"; a later "yes" does nothing."""
    ReplyAddress.objects.filter(pk=pk).update(asks=Asks.CLOSED, proposal=b"")


def proposal(row: ReplyAddress) -> str:
    """The text of the set-up that "keep" sets up; "" if there is none or it cannot be unsealed."""
    try:
        return unseal_bytes(bytes(row.proposal), PROPOSALS, bytes(row.token_hash).hex())
    except BrokenSealError:
        return ""


def _row(about: About, at: datetime) -> ReplyAddress:
    token_hash = _hash(about.token)
    sealed = seal_bytes(about.proposal, PROPOSALS, token_hash.hex()) if about.proposal else b""
    return ReplyAddress(
        token_hash=token_hash,
        purpose=about.purpose,
        user=about.user,
        match_id=about.match_id,
        ply=about.ply,
        invitation_id=about.invitation_id,
        matches={str(match): ply for match, ply in sorted(about.matches.items())},
        offers=shown_offers.as_json(about.offers),
        asks=about.asks,
        proposal=sealed,
        address_of=_address_of(about.user, settings.SECRET_KEY),
        issued_at=at,
    )


def _token(recipient: str) -> str | None:
    local, _at, domain = recipient.strip().strip("<>").rpartition("@")
    match = LOCAL_PART.fullmatch(local)
    if match is None or domain.lower() != settings.MAIL_DOMAIN.lower():
        return None
    return match[1].lower()


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()


def _address_of(user: User, key: str) -> bytes:
    text = json.dumps([user.pk, user.email, user.password])
    code = salted_hmac("games.notifications.email.address_of", text, secret=key, algorithm="sha256")
    return code.digest()[:16]
