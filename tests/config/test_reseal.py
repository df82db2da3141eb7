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

from accounts import resealing as accounts
from accounts.models import User
from config.keys import fingerprints
from config.processes import start_check
from games.mail import intake, sealing
from games.mail.models import IncomingMessage
from games.notifications.email import account_emails
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.outbox import dispatcher
from games.play.commands import moves
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import match_store, resealing
from games.play.record.sealed import drafts
from games.play.record.sealed.sealing import reseal as reseal_one
from games.play.setups import library, placing
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from lib.sealing import BrokenSealError
from tests.play.match_helpers import play

OLD, NEW = "the old key, which is long enough for it", "the new key, which is long enough for it"

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


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
    said = StringIO()
    call_command("reseal", stdout=said)
    return said.getvalue()


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


def test_a_second_time_there_is_nothing_to_do(sealed: Match, settings: Any) -> None:
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
    steps = resealing.reseal_all()
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

    def interrupted(old: bytes, context: str) -> bytes:
        if not changed and (meanwhile == "a move" or context.startswith("draft/")):
            changed.append(context)
            if meanwhile == "a move":
                play(sealed, "b4-b5")
            else:
                moves.prepare_move(sealed.pk, alice, "b4-b5", sealed.ply)
        return reseal_one(old, context)

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
    account_emails.on_written(EmailMessage("Code", "ABC", to=[alice.email]), lasting=True)
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice, proposal="a1 b2")
    address = reply_addresses.issue(about)
    settings.SEAL_KEYS = [NEW, OLD]
    output = reseal()
    assert "account e-mails: 1 of 1 resealed." in output
    assert "proposed set-ups: 1 of 1 resealed." in output
    settings.SEAL_KEYS = [NEW]
    dispatcher.drain()
    assert "ABC" in mail.outbox[-1].body
    found = reply_addresses.find(address)
    assert found is not None and reply_addresses.proposal(found) == "a1 b2"


def test_a_receipt_that_is_written_meanwhile_leaves_no_message_behind(
    _old_key: None, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_check.require_ready()
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice)
    intake.take(b"Subject: x\r\n\r\na4-a5\r\n", reply_addresses.issue(about), "")
    settings.SEAL_KEYS = [NEW, OLD]
    original = sealing.reseal

    def interrupted(old: bytes, kind: str, key: str) -> bytes:
        receipt = sealing.seal_facts({}, "receipt", key)
        IncomingMessage.objects.update(receipt=receipt)
        return original(old, kind, key)

    monkeypatch.setattr(sealing, "reseal", interrupted)
    reseal()
    settings.SEAL_KEYS = [NEW]
    row = IncomingMessage.objects.get()
    assert sealing.unseal_message(row.sealed, row.key).endswith(b"a4-a5\r\n")
    assert sealing.unseal_facts(row.receipt, "receipt", row.key) == {}


def test_a_recovery_code_that_is_used_meanwhile_stays_used(
    sealed: Match, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    codes = Authenticator.objects.filter(user=alice, type=Authenticator.Type.RECOVERY_CODES)
    one = accounts._reseal_factor

    def interrupted(factor: Authenticator) -> int:
        row = codes.get()
        row.data["used_mask"] = 1
        row.save()
        return one(factor)

    monkeypatch.setattr(accounts, "_reseal_factor", interrupted)
    reseal()
    settings.SEAL_KEYS = [NEW]
    assert codes.get().data["used_mask"] == 1
    assert len(RecoveryCodes(codes.get()).generate_codes()) == 10


# Columns of bytes that hold a hash or no secret.
NOT_SEALED = {"token_hash", "address_of", "digest", "head", "packed"}
RESEALED = {
    *("play.Ply.sealed", "play.Draft.sealed", "play.SavedSetup.sealed", "house.HouseSeat.seed"),
    *("play.Notebook.memory", "play.Notebook.marks", "play.Notebook.note"),
    *("mail.IncomingMessage.envelope", "mail.IncomingMessage.sealed"),
    *("mail.IncomingMessage.receipt", "notifications.ReplyAddress.proposal"),
}


def test_the_command_covers_every_sealed_column() -> None:
    found = {
        f"{field.model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, BinaryField) and field.name not in NOT_SEALED
    }
    assert found == RESEALED
