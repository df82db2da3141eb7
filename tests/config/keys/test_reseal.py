"""`manage.py reseal`: afterwards the old key can be removed, and nothing was lost."""

from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db.models import BinaryField
from django.test import Client

from accounts.models import User
from accounts.sign_in import second_factors
from config.keys import fingerprints
from config.processes import start_check
from games.house.playing import seats
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.mail import intake, sealing
from games.mail.models import IncomingMessage, WayIn
from games.notifications.email import account_emails
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.outbox.delivery import dispatcher
from games.people.models import Outcome, ReportReason, Subject
from games.people.moderation import answers, deciding, reporting
from games.people.moderation import sealing as report_sealing
from games.people.moderation.reporting import Reported
from games.people.ports import SpokenLine
from games.play.commands import moves
from games.play.commands.plans import answering
from games.play.models.match import Match, Player
from games.play.models.match_secrets import MatchSecrets
from games.play.models.plan import PlanRow, PlanState, Wait
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.proofs import receipts
from games.play.record.sealed import drafts, match_secrets, notebooks, plans
from games.play.record.sealed.sealing import seal
from games.play.setups import library, placing
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.talk import commands as talk
from lib import resealing
from lib.db_clock import frozen_at, now
from lib.sealed_fields import SealedMixin
from lib.sealing import BrokenSealError
from lib.sealing import reseal as reseal_one
from tests.play import plan_helpers
from tests.play.match_helpers import People, play

OLD, NEW = "the old key, which is long enough for it", "the new key, which is long enough for it"

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


@pytest.fixture
def _old_key(settings: Any) -> None:
    settings.SEAL_KEYS = [OLD]


@pytest.fixture
def sealed(_old_key: None, match: Match, alice: User) -> Match:
    """A match, a draft, a saved set-up and second factors, all sealed with the old key."""
    start_check.require_ready()
    moves.prepare_move(match.pk, alice, "a4-a5", match.ply)
    rules = registry.ruleset("lattaque-en")
    library.save(alice, rules, Seat.SOUTH, "mine", placing.at_random(rules))
    TOTP.activate(alice, generate_totp_secret())
    RecoveryCodes.activate(alice)
    return match


def reseal() -> str:
    output = StringIO()
    call_command("reseal", stdout=output)
    return output.getvalue()


def everything(match: Match, user: User) -> list[Any]:
    """Everything that was sealed, unsealed."""
    plies = Ply.objects.filter(match=match).order_by("number")
    authenticators = {each.type: each for each in Authenticator.objects.filter(user=user)}
    saved = library.fitting(user, match.rules).get()
    return [
        [match_store.unseal_ply(match.pk, ply.number, ply.sealed).position for ply in plies],
        drafts.read(Player.objects.get(match=match, user=user)),
        library.read(saved),
        TOTP(authenticators[Authenticator.Type.TOTP]).instance.data and "totp",
        RecoveryCodes(authenticators[Authenticator.Type.RECOVERY_CODES]).generate_codes(),
    ]


def test_everything_can_be_unsealed_with_only_the_new_key(
    sealed: Match, alice: User, settings: Any
) -> None:
    before = everything(sealed, alice)
    settings.SEAL_KEYS = [NEW, OLD]
    assert "plies: 3 of 3 resealed." in reseal()
    settings.SEAL_KEYS = [NEW]
    start_check.require_ready()
    assert everything(sealed, alice) == before
    settings.SEAL_KEYS = [OLD]
    with pytest.raises(BrokenSealError):
        everything(sealed, alice)


def test_secrets_of_a_match_and_an_answering_plan_are_read_with_only_the_new_key(
    sealed: Match, who: People, settings: Any
) -> None:
    play(sealed, "a4-a5")
    plan_helpers.save(sealed, who.alice, "if j7-j6 then b4-b5", wait=Wait.WHILE)
    play(sealed, "j7-j6")
    waits = answering.answer_turn(sealed.pk, who.alice.pk, sealed.ply)
    assert waits is answering.Outcome.WAITS
    plan = plan_helpers.plan_of(sealed, who.alice)
    before = match_secrets.read(sealed.pk), receipts.receipt(sealed.pk, who.alice)
    assert before[0] is not None
    settings.SEAL_KEYS = [NEW, OLD]
    reseal()
    settings.SEAL_KEYS = [NEW]
    assert (match_secrets.read(sealed.pk), receipts.receipt(sealed.pk, who.alice)) == before
    assert plan_helpers.plan_of(sealed, who.alice).contents == plan.contents
    with frozen_at(plan.row.due_at):
        answered = answering.answer_due(sealed.pk, plan.player_id, plan.row.version)
    assert answered is answering.Outcome.ANSWERED
    assert plan_helpers.texts(sealed)[-1] == "b4-b5"
    settings.SEAL_KEYS = [OLD]
    with pytest.raises(BrokenSealError):
        match_secrets.read(sealed.pk)


def test_a_second_run_changes_nothing(sealed: Match, settings: Any) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    reseal()
    assert "plies: 0 of 3 resealed." in reseal()
    assert fingerprints.stored() == {fingerprints.fingerprint(NEW)}


def test_an_interrupted_reseal_continues(
    sealed: Match, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(sealed, alice)
    settings.SEAL_KEYS = [NEW, OLD]
    monkeypatch.setattr(resealing, "BATCH_ROWS", 1)
    steps = (step for step in resealing.reseal_all() if step[0] == "plies")
    assert next(steps) == ("plies", 1, 1)
    assert everything(sealed, alice) == before
    # Until it is finished, the old key is required.
    assert fingerprints.stored() == {fingerprints.fingerprint(OLD)}
    assert "plies: 2 of 3 resealed." in reseal()


@pytest.mark.parametrize("meanwhile", ["a move", "a draft"])
def test_concurrent_writes_are_kept(
    sealed: Match,
    alice: User,
    settings: Any,
    meanwhile: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    ply = sealed.ply
    changed: list[str] = []

    def interrupted(old: bytes, purpose: str, context: str) -> Any:
        if not changed and (meanwhile == "a move" or context.startswith("draft/")):
            changed.append(context)
            if meanwhile == "a move":
                play(sealed, "b4-b5")
            else:
                moves.prepare_move(sealed.pk, alice, "b4-b5", sealed.ply)
        return reseal_one(old, purpose, context)

    monkeypatch.setattr(resealing, "reseal", interrupted)
    reseal()
    settings.SEAL_KEYS = [NEW]
    if meanwhile == "a draft":
        assert drafts.read(Player.objects.get(match=sealed, user=alice)) == "b4-b5"
    else:
        assert match_store.load_match(sealed.pk).match.ply == ply + 1


def test_without_the_old_key_reseal_does_not_start(sealed: Match, settings: Any) -> None:
    settings.SEAL_KEYS = [NEW]
    with pytest.raises(CommandError, match="was sealed with a key that SEAL_KEYS does not hold"):
        reseal()


def test_pending_messages_and_emails_can_be_unsealed_afterwards(
    _old_key: None, match: Match, alice: User, settings: Any
) -> None:
    start_check.require_ready()
    account_emails.keep_and_send(EmailMessage("Code", "ABC", to=[alice.email]), lasting=True)
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice, proposal="a1 b2")
    address = reply_addresses.issue(about)
    settings.SEAL_KEYS = [NEW, OLD]
    output = reseal()
    assert "account e-mails: 1 of 1 resealed." in output
    assert "proposed set-ups: 1 of 1 resealed." in output
    settings.SEAL_KEYS = [NEW]
    dispatcher.drain()
    assert "ABC" in mail.outbox[-1].body
    address_row = reply_addresses.find(address)
    assert address_row is not None and reply_addresses.proposal(address_row) == "a1 b2"


def test_a_receipt_that_is_written_meanwhile_leaves_no_message_behind(
    _old_key: None, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_check.require_ready()
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice)
    intake.store_message(
        b"Subject: x\r\n\r\na4-a5\r\n", reply_addresses.issue(about), "", way_in=WayIn.LISTENER
    )
    settings.SEAL_KEYS = [NEW, OLD]

    def interrupted(old: bytes, purpose: str, context: str) -> Any:
        if context.startswith("message/"):
            receipt = sealing.seal_json({}, "receipt", context.removeprefix("message/"))
            IncomingMessage.objects.update(receipt=receipt)
        return reseal_one(old, purpose, context)

    monkeypatch.setattr(resealing, "reseal", interrupted)
    reseal()
    settings.SEAL_KEYS = [NEW]
    row = IncomingMessage.objects.get()
    assert sealing.unseal_message(row.sealed, row.key).endswith(b"a4-a5\r\n")
    assert sealing.unseal_json(row.receipt, "receipt", row.key) == {}


def test_a_recovery_code_that_is_used_meanwhile_stays_used(
    sealed: Match, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    codes = Authenticator.objects.filter(user=alice, type=Authenticator.Type.RECOVERY_CODES)
    one = second_factors._reseal

    def interrupted(factor: Authenticator) -> int:
        row = codes.get()
        row.data["used_mask"] = 1
        row.save()
        return one(factor)

    monkeypatch.setattr(second_factors, "_reseal", interrupted)
    reseal()
    settings.SEAL_KEYS = [NEW]
    assert codes.get().data["used_mask"] == 1
    assert len(RecoveryCodes(codes.get()).generate_codes()) == 10


# Columns of bytes that hold a hash or no secret.
NOT_SEALED = {"token_hash", "address_of", "digest", "head", "packed", "body"}


def test_each_column_of_bytes_is_sealed_or_known_to_be_no_secret() -> None:
    binary_columns = {
        field.name
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, BinaryField) and not isinstance(field, SealedMixin)
    }
    assert binary_columns == NOT_SEALED


def test_each_sealed_column_declares_what_opens_it(
    sealed: Match, alice: User, client: Client, settings: Any
) -> None:
    client.force_login(alice)
    account_emails.keep_and_send(EmailMessage("Code", "ABC", to=[alice.email]), lasting=True)
    player = Player.objects.get(match=sealed, user=alice)
    lobby.offer(alice, Terms("domino"), kind=InvitationKind.SEAT)
    notebooks.store_memory(player.pk, 1, "memory")
    notebooks.change_marks(player.pk, lambda _marks: "marks")
    notebooks.store_note(player.pk, "note")
    notebooks.change_practice(player.pk, lambda _practice: "practice")
    secrets = {"sealed": seal("{}", f"proof/{sealed.pk}")}
    MatchSecrets.objects.get_or_create(match=sealed, defaults=secrets)
    standing = PlanRow(sealed.ply, 0, PlanState.STANDING, None, None, [])
    plans.store(player.pk, standing, plans.Contents(("if any then a4-a5",)), None)
    seats.take(player)
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice, proposal="a1 b2")
    intake.store_message(
        b"Subject: x\r\n\r\na4-a5\r\n", reply_addresses.issue(about), "", way_in=WayIn.LISTENER
    )
    key = IncomingMessage.objects.get().key
    IncomingMessage.objects.update(receipt=sealing.seal_json({}, "receipt", key))
    talk.say(sealed.pk, alice, "Good luck!")
    bob = User.objects.get(username="Bob")
    copy = [SpokenLine(1, bob.pk, now(), "You coward!")]
    complaint = Reported(bob, Subject.LINE, copy, match=sealed.pk, line=1)
    report = reporting.report(alice, complaint, ReportReason.ABUSE, "words")
    answers.answer(deciding.decide(report.pk, alice, Outcome.WARNED, "No."), "answer")
    settings.SEAL_KEYS = [NEW, OLD]
    resealed = [label for label, rows, done in resealing.reseal_all() if rows == done]
    assert resealed == [field.label for field in resealing.sealed_fields()]
    settings.SEAL_KEYS = [NEW]
    plan = plans.read(player.pk)
    assert plan and plan.contents.lines == ("if any then a4-a5",)
    report.refresh_from_db()
    assert report_sealing.answer_of(report) == "answer"
    assert report_sealing.copy_of(report.complaints.get()) == copy
    assert report_sealing.words_of(report.complaints.get()) == "words"
