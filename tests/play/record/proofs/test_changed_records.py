"""The database is changed under the service: what docs/proofs.md promises is found."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F

from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.models.match_secrets import MatchSecrets
from games.play.models.ply import Ply
from games.play.record import hash_chain, match_store
from games.play.record.proofs import bundles, receipts, signing
from games.play.record.sealed import match_secrets
from games.play.record.sealed.sealing import seal
from games.play.record.verification import Inspection
from games.rules.proof import seals
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import FAILS, HOLDS, proofs_of, verified

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought(who: People) -> Match:
    """A running match in which pieces have fought."""
    return match_helpers.running_match(who, "a4xa7")


def mend_chain(match: Match, first: int) -> None:
    """Compute all heads anew from a ply on, as an operator can."""
    plies = list(Ply.objects.filter(match=match, number__gte=first - 1).order_by("number"))
    head = bytes(plies[0].head)
    for ply in plies[1:]:
        link = hash_chain.Link(ply.number, ply.seat, ply.kind, ply.text, ply.at, ply.extra)
        head = hash_chain.next_head(match.chain, head, link)
        Ply.objects.filter(match=match, number=ply.number).update(head=head)


def change_setup(match: Match, seat: int, text: str) -> int:
    """Another set-up in the sealed row, with its army hash; the number of its ply."""
    ply = Ply.objects.get(match=match, kind=PlyKind.SETUP, seat=seat)
    sealed = match_store.unseal_ply(match.pk, ply.number, ply.sealed)
    context = match_store.seal_context(match.pk, ply.number)
    secrets = match_secrets.read(match.pk)
    ply.sealed = seal(f"{sealed.position}\n{text}", context)
    ply.extra = match_store.sealed_army(match, seat, text, secrets)
    Ply.objects.filter(match=match, number=ply.number).update(sealed=ply.sealed, extra=ply.extra)
    return ply.number


def test_another_set_up_is_found_by_its_seals_and_by_verify_backup(
    fought: Match, tmp_path: Path
) -> None:
    text = match_helpers.SETUPS["lattaque-10x10"][1]
    swapped = text.replace("LFRC", "LFCR")
    extra = Ply.objects.get(match=fought, kind=PlyKind.SETUP, seat=1).extra
    number = change_setup(fought, 1, swapped)
    Ply.objects.filter(match=fought, number=number).update(extra=extra)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(fought.pk)})
    assert status == FAILS, output
    faults = Inspection("default").faults
    assert faults == [f"Ply {number} of match {fought.pk} is not the set-up that was sealed."]


def test_another_set_up_with_a_mended_chain_is_found_by_letter_and_receipt(
    fought: Match, who: People, tmp_path: Path
) -> None:
    kept = {"receipt.txt": receipts.receipt(fought.pk, who.bob)}
    text = match_helpers.SETUPS["lattaque-10x10"][1].replace("LFRC", "LFCR")
    mend_chain(fought, change_setup(fought, 1, text))
    alone, output = verified(tmp_path, {"match.proof": bundles.bundle(fought.pk)})
    assert alone == HOLDS, output
    status, output = verified(tmp_path, kept | {"match.proof": bundles.bundle(fought.pk)})
    assert status == FAILS, output
    assert "receipt.txt: DOES NOT HOLD." in output


def test_a_false_rank_in_a_battle_is_found_by_the_bundle(fought: Match, tmp_path: Path) -> None:
    ply = Ply.objects.get(match=fought, number=fought.ply)
    assert "[Rv" in ply.text
    Ply.objects.filter(match=fought, number=fought.ply).update(text=ply.text.replace("[Rv", "[Mv"))
    mend_chain(fought, fought.ply)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(fought.pk)})
    assert status == FAILS, output


def test_a_rewritten_move_is_found_by_a_letter(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    head = signing.signed_head(match, match.ply, match_store.load_match(match.pk).head)
    kept = {"letter.txt": "\n".join(f"> {line}" for line in head.lines)}
    Ply.objects.filter(match=match, number=match.ply).update(text="b4-b5")
    mend_chain(match, match.ply)
    assert verified(tmp_path, {"match.proof": bundles.bundle(match.pk)})[0] == HOLDS
    status, output = verified(tmp_path, kept | {"match.proof": bundles.bundle(match.pk)})
    assert status == FAILS, output
    assert "letter.txt: DOES NOT HOLD." in output


def test_plies_that_a_backup_lacks_are_found_by_a_letter(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    head = signing.signed_head(match, match.ply, match_store.load_match(match.pk).head)
    kept = {"letter.txt": "\n".join(head.lines)}
    Ply.objects.filter(match=match, number=match.ply).delete()
    Match.objects.filter(pk=match.pk).update(ply=F("ply") - 1)
    status, output = verified(tmp_path, kept | {"match.proof": bundles.bundle(match.pk)})
    assert status == FAILS
    assert "It knows a later ply" in output


def test_other_secrets_are_found_by_the_bundle(fought: Match, tmp_path: Path) -> None:
    MatchSecrets.objects.filter(match=fought).delete()
    match_secrets.store(fought.pk, match_secrets.draw(fought.rules))
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(fought.pk)})
    assert status == FAILS, output


@pytest.mark.parametrize("what", ["secrets", "set-up", "text"])
def test_a_damaged_record_still_has_a_bundle_which_does_not_hold(
    fought: Match, what: str, tmp_path: Path
) -> None:
    plies = Ply.objects.filter(match=fought)
    if what == "secrets":
        MatchSecrets.objects.filter(match=fought).update(sealed=b"x" * 60)
    elif what == "set-up":
        plies.filter(kind=PlyKind.SETUP, seat=0).update(sealed=b"x" * 60)
    else:
        plies.filter(number=fought.ply).update(text="e5xe6[MvM]=")
        mend_chain(fought, fought.ply)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(fought.pk)})
    assert status == FAILS, output


def test_a_changed_key_leaves_old_letters_valid(who: People, settings: Any, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    kept = proofs_of(match)
    old = settings.PROOF_KEYS[0]
    settings.PROOF_KEYS = [hashlib.sha256(b"a new key").hexdigest(), old]
    match_helpers.play(match, "j7-j6")
    newest, older = signing.public_keys()
    now_signed = proofs_of(match, "-new")
    assert verified(tmp_path, now_signed)[0] == HOLDS
    assert verified(tmp_path, kept, older)[0] == HOLDS
    status, output = verified(tmp_path, kept | now_signed)
    assert status == FAILS
    assert "Was it changed? Then name each: --key NEW --key OLD." in output
    status, output = verified(tmp_path, kept | now_signed, newest, older)
    assert status == HOLDS, output


def test_the_leaf_is_the_only_part_of_a_proof_that_knows_a_rank(fought: Match) -> None:
    """The bundle of a running match names the ranks of empty squares and of fighters alone."""
    lines = bundles.bundle(fought.pk).splitlines()
    opened = [line.split()[1:4] for line in lines if line.startswith("open ")]
    assert sorted(row[:2] for row in opened if row[2] != seals.GAP) == [["N", "a7"], ["S", "a4"]]
