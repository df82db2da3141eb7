"""Verification of a copy of the database: plies can be unsealed, chains hold, none is missing.

It reads the database of an alias, not the running one, and never reports what a ply contains.
"""

import random
from collections.abc import Iterator
from typing import Any

from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record import hash_chain, match_store
from games.play.record.sealed import match_secrets
from games.rules.core.basics.refusals import Refusal
from lib.sealing import BrokenSealError

SAMPLE_MATCHES = 200
NEWEST_MATCHES = 100
MAX_FAULTS = 20


def newest_ply(alias: str) -> dict[str, Any] | None:
    """Number, instant and head of the newest ply."""
    rows = Ply.objects.using(alias).order_by("-at", "-match_id", "-number")
    newest = rows.values_list("match_id", "number", "at", "head").first()
    if newest is None:
        return None
    match, number, at, head = newest
    return {
        "match": match,
        "number": number,
        "at": at.isoformat(timespec="microseconds"),
        "head": bytes(head).hex(),
    }


class Inspection:
    """Counts of what was checked, and the faults found, a sentence for each."""

    def __init__(self, alias: str, *, everything: bool = False) -> None:
        self.matches = self.plies = 0
        self.faults: list[str] = []
        self._alias = alias
        for pk in self._chosen(everything):
            if len(self.faults) >= MAX_FAULTS:
                break
            self.faults += self._wrong_with(pk)

    def _chosen(self, everything: bool) -> list[int]:
        """The newest matches and a random sample of the others; all with `everything`."""
        pks = list(Match.objects.using(self._alias).order_by("pk").values_list("pk", flat=True))
        older = pks[:-NEWEST_MATCHES]
        if everything or len(older) <= SAMPLE_MATCHES:
            return pks
        return [*random.sample(older, SAMPLE_MATCHES), *pks[-NEWEST_MATCHES:]]

    def _wrong_with(self, pk: int) -> Iterator[str]:
        match = Match.objects.using(self._alias).get(pk=pk)
        self.matches += 1
        has_proofs = match.chain == hash_chain.WITH_PROOFS and match.rules.hidden
        try:
            secrets = match_secrets.read(pk, alias=self._alias) if has_proofs else None
        except BrokenSealError:
            yield f"The secrets of match {pk} cannot be opened."
            return
        if has_proofs and secrets is None:
            yield f"Match {pk} lacks its secrets."
            return
        head = hash_chain.first_head(match, secrets.public_deal if secrets else None)
        plies = Ply.objects.using(self._alias).filter(match=pk).order_by("number")
        expected = 0
        for ply in plies.iterator(chunk_size=500):
            self.plies += 1
            if ply.number != expected:
                yield f"Match {pk} lacks ply {expected}."
                return
            if expected:
                link = hash_chain.Link(ply.number, ply.seat, ply.kind, ply.text, ply.at, ply.extra)
                head = hash_chain.next_head(match.chain, head, link)
            if bytes(ply.head) != head:
                yield f"The chain of match {pk} breaks at ply {ply.number}."
                return
            try:
                unsealed = match_store.unseal_ply(pk, ply.number, ply.sealed)
                if ply.number == match.ply:
                    unsealed.read(match.rules)
                if match.chain == hash_chain.WITH_PROOFS and ply.kind == PlyKind.SETUP:
                    text = unsealed.private
                    army = match_store.sealed_army(match, ply.seat or 0, text, secrets)
                    if ply.extra.partition(" ")[0] != army:
                        yield f"Ply {ply.number} of match {pk} is not the set-up that was sealed."
                        return
            except BrokenSealError:
                yield f"Ply {ply.number} of match {pk} cannot be opened."
                return
            except (match_store.BrokenRecordError, Refusal, LookupError):
                yield f"Ply {ply.number} of match {pk} opens, and cannot be read."
                return
            expected += 1
        if expected != match.ply + 1:
            yield f"Match {pk} lacks ply {expected}."
