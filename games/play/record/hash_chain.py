"""Hash chain over the public part of a record: each head covers all plies before it (SHA-256).

Matches with proofs have version 2, whose lines bundles show (docs/proofs.md). Those that began
before keep version 1 to their end. A head has 32 bytes.
"""

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from games.play.models.match import Match
from games.rules.core.basics.options import Value
from games.rules.proof import chain
from games.rules.proof.rules_line import rules_line

WITH_PROOFS = 2  # the version of Match.chain that has proofs

PublicDeal = tuple[str, str, str]  # commitment, hashes of South's and North's words


class Link(NamedTuple):
    """The public part of a ply, as the chain covers it."""

    number: int
    seat: int | None
    kind: str
    text: str
    at: datetime
    extra: str

    def line(self) -> str:
        """Its line in version 2."""
        at = moment(self.at)
        return chain.ply_line(self.number, self.seat, self.kind, self.text, at, self.extra)


def moment(at: datetime) -> str:
    """An instant as the chain has it: in UTC, to the microsecond."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def first_line(match: Match, deal: PublicDeal | None) -> str:
    """Line 0 of a match in version 2; `deal` is None if no pieces are dealt."""
    switches: dict[str, Value] = match.switches
    return chain.first_line(
        match.pk,
        match.preset,
        switches,
        match.pace,
        match.setup_pace,
        rules_line(match.rules),
        deal,
        moment(match.created_at),
    )


def first_head(match: Match, deal: PublicDeal | None) -> bytes:
    """The first head: covers the match id and its rules, in version 2 all terms and the deal."""
    if match.chain == WITH_PROOFS:
        return bytes.fromhex(chain.first_head(first_line(match, deal)))
    return _digest(
        b"", ["estafette/match/1", match.pk, match.preset, sorted(match.switches.items())]
    )


def next_head(version: int, head: bytes, link: Link) -> bytes:
    """The head after one more ply, in this version of the chain."""
    if version == WITH_PROOFS:
        return bytes.fromhex(chain.next_head(head.hex(), link.line()))
    at = link.at.isoformat(timespec="microseconds")
    return _digest(head, [link.number, link.seat, link.kind, link.text, at])


def _digest(head: bytes, public: list[object]) -> bytes:
    return sha256(head + json.dumps(public, separators=(",", ":")).encode()).digest()
