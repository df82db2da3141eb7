"""E-mails that show a board end with proof lines, and one of them brings the receipt."""

from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.notifications.notify import notify
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match, Player
from games.play.record.proofs import bundles, receipts
from games.watch import following
from lib.db_clock import frozen_at, now
from tests.notifications.email.every_email import happen
from tests.notifications.email.reading import (
    delivered,
    heading,
    only,
    parsed,
    proof_lines,
    sent_emails,
    text,
    travelling,
)
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import HOLDS, verified

SENTENCE = "Keep this e-mail, it is your witness:"


def attached_receipts(email: EmailMultiAlternatives) -> list[str]:
    return [part.get_filename() for part in parsed(email).iter_attachments()]


def test_the_emails_of_a_match_agree_with_its_bundle(who: People, tmp_path: Path) -> None:
    # In another language, whose letters need another encoding.
    User.objects.filter(pk=who.bob.pk).update(language="zh-hant")
    match = match_helpers.set_up(match_helpers.new_match(who))
    following.follow(match.pk, who.charlie)
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
    assert len(files) >= 6
    status, output = verified(tmp_path, {"match.proof": bundles.bundle(match.pk)}, files=files)
    assert status == HOLDS, output
    assert f"Witnesses that agree: {len(files)}." in output


def test_an_email_ends_with_its_two_proof_lines(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    lines = text(only(delivered(), bob)).rstrip("\n").split("\n")
    assert lines[-3] == SENTENCE
    assert lines[-2].startswith(f"head estafette/head/1 {match.pk} {match.ply} ")
    assert lines[-1].startswith("sign ") and len(lines[-1]) == len("sign ") + 128


def test_the_receipt_is_attached_once_after_the_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    assert all(attached_receipts(email) == [] for email in delivered())
    match_helpers.set_up(match)
    name = f"receipt-{match.pk}.txt"
    assert attached_receipts(only(delivered(), who.alice)) == [name]
    match_helpers.play(match, "a4-a5")
    assert attached_receipts(only(delivered(), who.bob)) == [name]
    match_helpers.play(match, "j7-j6")
    assert attached_receipts(only(delivered(), who.alice)) == []
    assert Player.objects.filter(match=match, receipt_sent=True).count() == 2


def test_an_email_with_a_receipt_has_the_same_bytes_each_time(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    email = only(delivered(), bob)
    assert attached_receipts(email)
    assert travelling(email) == travelling(email)


def test_a_retried_email_has_the_receipt_attached_again(match: Match, bob: User) -> None:
    """A worker was killed after it had sent the e-mail: a mailbox may show either copy."""
    match_helpers.play(match, "a4-a5")
    dispatch = Dispatch.objects.filter(event="turn-came").select_related("user").latest("pk")
    mail.outbox = []
    with frozen_at(now()):
        for _ in range(2):
            notify(dispatch, Batch())  # which is never closed
    first, second = sent_emails()
    assert attached_receipts(first) and travelling(first) == travelling(second)


def test_two_emails_of_a_batch_carry_one_receipt(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    happen("turn-came", user=bob, match=match.pk, ply=match.ply, again=1)
    letters = [email for email in delivered() if email.to == [bob.email]]
    assert [len(attached_receipts(email)) for email in letters] == [1, 0]
    assert [len(proof_lines(email)) for email in letters] == [2, 2]


def test_receipts_are_read_once_for_all_emails_of_a_batch(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [match_helpers.running_match(who) for _ in range(5)]
    delivered()
    counts = []
    of_players = receipts.of_players

    def counted(players: Any) -> dict[int, str]:
        counts.append(len(players))
        return of_players(players)

    monkeypatch.setattr(receipts, "of_players", counted)
    for match in matches:
        match_helpers.play(match, "a4-a5")
    letters = delivered()
    assert sum(len(attached_receipts(email)) for email in letters) == 5
    assert counts == [5]


def test_no_receipt_is_looked_up_for_a_seat_without_a_set_up(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_players: object) -> dict[int, str]:
        raise AssertionError

    match = match_helpers.set_up(match_helpers.new_match(who, "assaut"))
    monkeypatch.setattr(receipts, "of_players", refuse)
    letter = [email for email in delivered() if email.to == [who.alice.email]][-1]
    assert heading(letter) == f"Your turn against Bob in match {match.pk}"
    assert proof_lines(letter) and not attached_receipts(letter)


def test_a_reader_without_boards_gets_neither(who: People) -> None:
    wishes = {"frequency": "now", "email_detail": "move"}
    User.objects.filter(pk=who.bob.pk).update(notification_preferences=wishes)
    match = match_helpers.running_match(who, "a4-a5")
    email = [email for email in delivered() if email.to == [who.bob.email]][-1]
    assert SENTENCE not in text(email)
    assert attached_receipts(email) == []
    endings.resign(match.pk, who.alice)
    email = only(delivered(), who.bob)
    assert SENTENCE in text(email)
    assert attached_receipts(email) == []


def test_a_match_from_before_proofs_has_no_proof_lines(match: Match, bob: User) -> None:
    Match.objects.update(chain=1)
    match_helpers.play(match, "a4-a5")
    assert SENTENCE not in text(only(delivered(), bob))
