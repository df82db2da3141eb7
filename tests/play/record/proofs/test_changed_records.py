"""The database is changed behind the service: the changes named in docs/proofs.md are detected."""

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
def match_with_battle(who: People) -> Match:
    """A running match in which pieces have fought."""
    return match_helpers.running_match(who, "a4xa7")


def mend_chain(match: Match, first: int) -> None:
    """Recompute all heads from a ply on, as an operator can."""
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


def test_another_set_up_is_detected_by_its_seals_and_by_verify_backup(
    match_with_battle: Match, tmp_path: Path
) -> None:
    text = match_helpers.SETUPS["lattaque-10x10"][1]
    swapped = text.replace("LFRC", "LFCR")
    extra = Ply.objects.get(match=match_with_battle, kind=PlyKind.SETUP, seat=1).extra
    number = change_setup(match_with_battle, 1, swapped)
    Ply.objects.filter(match=match_with_battle, number=number).update(extra=extra)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(match_with_battle.pk)})
    assert status == FAILS, output
    faults = Inspection("default").faults
    assert faults == [
        f"Ply {number} of match {match_with_battle.pk} is not the set-up that was sealed."
    ]


def test_another_set_up_with_a_mended_chain_is_detected_by_email_and_receipt(
    match_with_battle: Match, who: People, tmp_path: Path
) -> None:
    kept = {"receipt.txt": receipts.receipt(match_with_battle.pk, who.bob)}
    text = match_helpers.SETUPS["lattaque-10x10"][1].replace("LFRC", "LFCR")
    mend_chain(match_with_battle, change_setup(match_with_battle, 1, text))
    alone, output = verified(tmp_path, {"match.proof": bundles.bundle(match_with_battle.pk)})
    assert alone == HOLDS, output
    status, output = verified(
        tmp_path, kept | {"match.proof": bundles.bundle(match_with_battle.pk)}
    )
    assert status == FAILS, output
    assert "receipt.txt: DOES NOT HOLD." in output


def test_a_false_rank_in_a_battle_is_detected_by_the_bundle(
    match_with_battle: Match, tmp_path: Path
) -> None:
    ply = Ply.objects.get(match=match_with_battle, number=match_with_battle.ply)
    assert "[Rv" in ply.text
    Ply.objects.filter(match=match_with_battle, number=match_with_battle.ply).update(
        text=ply.text.replace("[Rv", "[Mv")
    )
    mend_chain(match_with_battle, match_with_battle.ply)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(match_with_battle.pk)})
    assert status == FAILS, output


def test_a_rewritten_move_is_detected_by_an_email(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    head = signing.signed_head(match, match.ply, match_store.load_match(match.pk).head)
    kept = {"letter.txt": "\n".join(f"> {line}" for line in head.lines)}
    Ply.objects.filter(match=match, number=match.ply).update(text="b4-b5")
    mend_chain(match, match.ply)
    assert verified(tmp_path, {"match.proof": bundles.bundle(match.pk)})[0] == HOLDS
    status, output = verified(tmp_path, kept | {"match.proof": bundles.bundle(match.pk)})
    assert status == FAILS, output
    assert "letter.txt: DOES NOT HOLD." in output


def test_plies_missing_from_a_backup_are_detected_by_an_email(who: People, tmp_path: Path) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    head = signing.signed_head(match, match.ply, match_store.load_match(match.pk).head)
    kept = {"letter.txt": "\n".join(head.lines)}
    Ply.objects.filter(match=match, number=match.ply).delete()
    Match.objects.filter(pk=match.pk).update(ply=F("ply") - 1)
    status, output = verified(tmp_path, kept | {"match.proof": bundles.bundle(match.pk)})
    assert status == FAILS
    assert "It knows a later ply" in output


def test_other_secrets_are_detected_by_the_bundle(match_with_battle: Match, tmp_path: Path) -> None:
    MatchSecrets.objects.filter(match=match_with_battle).delete()
    match_secrets.store(match_with_battle.pk, match_secrets.draw(match_with_battle.rules))
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(match_with_battle.pk)})
    assert status == FAILS, output


@pytest.mark.parametrize("what", ["secrets", "set-up", "text"])
def test_the_bundle_of_a_damaged_record_does_not_verify(
    match_with_battle: Match, what: str, tmp_path: Path
) -> None:
    plies = Ply.objects.filter(match=match_with_battle)
    if what == "secrets":
        MatchSecrets.objects.filter(match=match_with_battle).update(sealed=b"x" * 60)
    elif what == "set-up":
        plies.filter(kind=PlyKind.SETUP, seat=0).update(sealed=b"x" * 60)
    else:
        plies.filter(number=match_with_battle.ply).update(text="e5xe6[MvM]=")
        mend_chain(match_with_battle, match_with_battle.ply)
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(match_with_battle.pk)})
    assert status == FAILS, output


def test_a_changed_key_leaves_old_emails_valid(who: People, settings: Any, tmp_path: Path) -> None:
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


def test_only_the_leaf_of_a_proof_depends_on_a_rank(match_with_battle: Match) -> None:
    """The bundle of a running match names the ranks of empty squares and of fighters alone."""
    lines = bundles.bundle(match_with_battle.pk).splitlines()
    opened = [line.split()[1:4] for line in lines if line.startswith("open ")]
    assert sorted(row[:2] for row in opened if row[2] != seals.GAP) == [["N", "a7"], ["S", "a4"]]
