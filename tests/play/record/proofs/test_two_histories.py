"""Proofs after a restored backup, or of two services with the same keys: what contradicts what."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import transaction

from accounts.models import User
from games.play.models.match import Match
from games.play.record.proofs import bundles, receipts
from games.rules.core.basics.pieces import Seat
from tests.mail import post
from tests.notifications.email.reading import travelling
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import FAILS, HOLDS, verified

pytestmark = pytest.mark.django_db

SIGNED_TWO = "This service has signed two histories: one was changed, or a backup was restored."

Files = Mapping[str, bytes | str]


@contextmanager
def restored_afterwards() -> Iterator[None]:
    """A backup of the database is made here, and restored at the end of the block."""
    backup = transaction.savepoint()
    yield
    transaction.savepoint_rollback(backup)


def email_to(reader: User) -> bytes:
    """The newest e-mail to a player, as a mail program saves it."""
    return travelling(post.email(reader))


def kept_files(match: Match, who: People, when: str) -> Files:
    """What both players keep of a match: a bundle, their receipts, and the newest e-mail."""
    files: dict[str, bytes | str] = {f"{when}.proof": bundles.bundle(match.pk)}
    for user in (who.alice, who.bob):
        files[f"{when}-{user}.txt"] = receipts.receipt(match.pk, user)
    mover = who.alice if match.ply % 2 == 0 else who.bob
    return {**files, f"{when}.eml": email_to(mover)}


def verified_files(folder: Path, *files: Files) -> tuple[int, dict[str, str]]:
    """The exit status, and what is said of each file by its name."""
    folder.mkdir(exist_ok=True)
    names = []
    for name, text in (pair for each in files for pair in each.items()):
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        names.append(name)
    status, output = verified(folder, {}, files=names)
    rows = [line.partition(": ") for line in output.splitlines()]
    return status, {name: sentence for name, _, sentence in rows}


def test_a_restored_backup_with_new_moves_contradicts_the_lost_ones(
    who: People, tmp_path: Path
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    at_backup = kept_files(match, who, "backup")
    with restored_afterwards():
        match_helpers.play(match, "b4-b5", "j6-j5")
        lost = kept_files(match, who, "lost")
        assert verified_files(tmp_path / "lost", at_backup, lost)[0] == HOLDS
    match.refresh_from_db()

    # Nobody has moved yet: what was lost only knows more.
    restored = {"restored.proof": bundles.bundle(match.pk)}
    email = {"lost.eml": lost["lost.eml"]}
    status, verdicts = verified_files(tmp_path / "restored", restored, email)
    assert status == FAILS
    assert "It knows a later ply, 6. Download the bundle again" in verdicts["lost.eml"]
    both = {"lost.proof": lost["lost.proof"]}
    assert verified_files(tmp_path / "restored and lost", restored, both, email)[0] == HOLDS

    match_helpers.play(match, "e4-e5", "b7-b6")
    played_on = kept_files(match, who, "on")
    assert verified_files(tmp_path / "on", at_backup, played_on)[0] == HOLDS
    status, verdicts = verified_files(tmp_path / "on and e-mail", played_on, email)
    assert status == FAILS
    assert (
        f"DOES NOT HOLD. Up to ply 6 it has another history. {SIGNED_TWO}" in verdicts["lost.eml"]
    )
    assert verdicts["on.proof"].startswith("HOLDS.")
    status, verdicts = verified_files(
        tmp_path / "bundles", {"a.proof": lost["lost.proof"]}, played_on
    )
    assert status == FAILS
    assert f"Up to ply 6 another bundle has another history. {SIGNED_TWO}" in verdicts["on.proof"]
    # The receipts are older than the backup, so they prove the armies of both histories.
    receipts_of = {name: text for name, text in lost.items() if name.endswith(".txt")}
    assert len(receipts_of) == 2
    assert verified_files(tmp_path / "receipts", played_on, receipts_of)[0] == HOLDS


def test_a_backup_from_before_the_set_up_contradicts_its_receipt(
    who: People, tmp_path: Path
) -> None:
    match = match_helpers.new_match(who)
    with restored_afterwards():
        match_helpers.send_setup(match, Seat.SOUTH)
        receipt = {"receipt.txt": receipts.receipt(match.pk, who.alice)}
    text = match_helpers.SETUPS["lattaque-10x10"][Seat.SOUTH]
    match_helpers.set_up(Match.objects.get(pk=match.pk), south=text.replace("RSCE", "RCSE"))
    status, verdicts = verified_files(tmp_path, receipt, {"match.proof": bundles.bundle(match.pk)})
    assert status == FAILS
    assert f"Up to ply 1 it has another history. {SIGNED_TWO}" in verdicts["receipt.txt"]


def test_two_services_that_answer_one_player_each_are_detected_by_comparing(
    who: People, tmp_path: Path
) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    with restored_afterwards():
        match_helpers.play(match, "j7-j6")
        hers = kept_files(match, who, "hers")
    match.refresh_from_db()
    match_helpers.play(match, "b7-b6", "b4-b5")
    his = kept_files(match, who, "his")
    for alone in (hers, his):
        assert verified_files(tmp_path / min(alone), alone)[0] == HOLDS
    status, verdicts = verified_files(tmp_path / "both", hers, his)
    assert status == FAILS
    assert SIGNED_TWO in verdicts["his.proof"]
    # An e-mail of one is enough with the bundle of the other.
    for bundle, email in ((hers, his), (his, hers)):
        (proof,) = [{name: text} for name, text in bundle.items() if name.endswith(".proof")]
        (email_file,) = [{name: text} for name, text in email.items() if name.endswith(".eml")]
        status, verdicts = verified_files(tmp_path / min(proof), proof, email_file)
        assert status == FAILS
        verdict = verdicts[min(email_file)]
        assert SIGNED_TWO in verdict or "It knows a later ply" in verdict
