"""E-mails that show a board end with proof lines, and one of them brings the receipt."""

from pathlib import Path

from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.play.commands import endings
from games.play.models.match import Match, Player
from games.play.record.proofs import bundles
from tests.notifications.email.reading import delivered, only, parsed, text, travelling
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import HOLDS, verified

SENTENCE = "Keep this letter, it is your witness:"


def attached(email: EmailMultiAlternatives) -> list[str]:
    return [part.get_filename() for part in parsed(email).iter_attachments()]


def test_the_letters_of_a_match_agree_with_its_bundle(who: People, tmp_path: Path) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who))
    letters = delivered()
    match_helpers.play(match, "a4-a5")
    letters += delivered()
    match_helpers.play(match, "j7-j6")
    letters += delivered()
    endings.resign(match.pk, who.bob)
    letters += delivered()
    for number, letter in enumerate(letters):
        (tmp_path / f"{number}.eml").write_bytes(travelling(letter))
    files = [f"{number}.eml" for number in range(len(letters))]
    assert len(files) >= 5
    status, said = verified(tmp_path, {"match.proof": bundles.bundle(match.pk)}, files=files)
    assert status == HOLDS, said
    assert f"Witnesses that agree: {len(files)}." in said


def test_a_letter_ends_with_its_two_proof_lines(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    lines = text(only(delivered(), bob)).rstrip("\n").split("\n")
    assert lines[-3] == SENTENCE
    assert lines[-2].startswith(f"head estafette/head/1 {match.pk} {match.ply} ")
    assert lines[-1].startswith("sign ") and len(lines[-1]) == len("sign ") + 128


def test_the_receipt_comes_once_after_the_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    assert all(attached(email) == [] for email in delivered())
    match_helpers.set_up(match)
    name = f"receipt-{match.pk}.txt"
    assert attached(only(delivered(), who.alice)) == [name]
    match_helpers.play(match, "a4-a5")
    assert attached(only(delivered(), who.bob)) == [name]
    match_helpers.play(match, "j7-j6")
    assert attached(only(delivered(), who.alice)) == []
    assert Player.objects.filter(match=match, receipt_sent=True).count() == 2


def test_an_email_with_a_receipt_has_the_same_bytes_each_time(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    email = only(delivered(), bob)
    assert attached(email)
    assert travelling(email) == travelling(email)


def test_who_wants_no_board_gets_neither(who: People) -> None:
    wishes = {"frequency": "now", "email_detail": "move"}
    User.objects.filter(pk=who.bob.pk).update(notification_preferences=wishes)
    match = match_helpers.running_match(who, "a4-a5")
    email = [email for email in delivered() if email.to == [who.bob.email]][-1]
    assert SENTENCE not in text(email)
    assert attached(email) == []
    endings.resign(match.pk, who.alice)
    email = only(delivered(), who.bob)
    assert SENTENCE in text(email)
    assert attached(email) == []


def test_a_match_from_before_proofs_has_no_witness(match: Match, bob: User) -> None:
    Match.objects.update(chain=1)
    match_helpers.play(match, "a4-a5")
    assert SENTENCE not in text(only(delivered(), bob))
