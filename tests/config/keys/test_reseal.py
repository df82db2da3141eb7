"""`manage.py reseal`: after it the old key may go, and nothing was lost meanwhile."""

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

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


@pytest.fixture
def _old_key(settings: Any) -> None:
    settings.SEAL_KEYS = [OLD]


@pytest.fixture
def sealed(_old_key: None, match: Match, alice: User) -> Match:
    """A match, a draft, a saved set-up and second factors, all sealed with the old key."""
    start_check.insist()
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
    """All that was sealed, opened."""
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


def test_what_was_sealed_with_the_old_key_opens_with_the_new_one_alone(
    sealed: Match, alice: User, settings: Any
) -> None:
    before = everything(sealed, alice)
    settings.SEAL_KEYS = [NEW, OLD]
    assert "plies: 3 of 3 sealed anew." in reseal()
    settings.SEAL_KEYS = [NEW]
    start_check.insist()
    assert everything(sealed, alice) == before
    settings.SEAL_KEYS = [OLD]
    with pytest.raises(BrokenSealError):
        everything(sealed, alice)


def test_a_second_time_there_is_nothing_to_do(sealed: Match, settings: Any) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    reseal()
    assert "plies: 0 of 3 sealed anew." in reseal()
    assert fingerprints.stored() == {fingerprints.fingerprint(NEW)}


def test_one_that_was_stopped_goes_on_where_it_was(
    sealed: Match, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(sealed, alice)
    settings.SEAL_KEYS = [NEW, OLD]
    monkeypatch.setattr(resealing, "BATCH_ROWS", 1)
    steps = resealing.reseal_all()
    assert next(steps) == ("plies", 1, 1)
    assert everything(sealed, alice) == before
    # Until it is through, the old key is still asked for.
    assert fingerprints.stored() == {fingerprints.fingerprint(OLD)}
    assert "plies: 2 of 3 sealed anew." in reseal()


@pytest.mark.parametrize("meanwhile", ["a move", "a draft"])
def test_what_is_written_meanwhile_stays(
    sealed: Match,
    alice: User,
    settings: Any,
    meanwhile: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.SEAL_KEYS = [NEW, OLD]
    ply = sealed.ply
    told: list[str] = []

    def interrupted(old: bytes, context: str) -> bytes:
        if not told and (meanwhile == "a move" or context.startswith("draft/")):
            told.append(context)
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


def test_without_the_old_key_it_does_not_begin(sealed: Match, settings: Any) -> None:
    settings.SEAL_KEYS = [NEW]
    with pytest.raises(CommandError, match="was sealed with a key that SEAL_KEYS does not hold"):
        reseal()


def test_what_waits_to_be_sent_or_answered_opens_afterwards(
    _old_key: None, match: Match, alice: User, settings: Any
) -> None:
    start_check.insist()
    account_emails.on_written(EmailMessage("Code", "ABC", to=[alice.email]), lasting=True)
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice, proposal="a1 b2")
    address = reply_addresses.issue(about)
    settings.SEAL_KEYS = [NEW, OLD]
    told = reseal()
    assert "account e-mails: 1 of 1 sealed anew." in told
    assert "proposed set-ups: 1 of 1 sealed anew." in told
    settings.SEAL_KEYS = [NEW]
    dispatcher.drain()
    assert "ABC" in mail.outbox[-1].body
    found = reply_addresses.find(address)
    assert found is not None and reply_addresses.proposal(found) == "a1 b2"


def test_a_receipt_that_is_written_meanwhile_leaves_no_message_behind(
    _old_key: None, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_check.insist()
    about = About(dispatch_key="1", purpose=Purpose.MATCH, user=alice)
    intake.take(b"Subject: x\r\n\r\na4-a5\r\n", reply_addresses.issue(about), "")
    settings.SEAL_KEYS = [NEW, OLD]
    anew = sealing.reseal

    def interrupted(old: bytes, kind: str, key: str) -> bytes:
        receipt = sealing.seal_facts({}, "receipt", key)
        IncomingMessage.objects.update(receipt=receipt)
        return anew(old, kind, key)

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


# Columns of bytes that hold a hash or a digest, or what is no secret.
NOT_SEALED = {"token_hash", "address_of", "digest", "head", "packed"}
RESEALED = {
    *("play.Ply.sealed", "play.Draft.sealed", "play.SavedSetup.sealed", "house.HouseSeat.seed"),
    *("play.Notebook.memory", "play.Notebook.marks", "play.Notebook.note"),
    *("mail.IncomingMessage.envelope", "mail.IncomingMessage.sealed"),
    *("mail.IncomingMessage.receipt", "notifications.ReplyAddress.proposal"),
}


def test_whatever_may_be_sealed_is_known_to_the_command() -> None:
    found = {
        f"{field.model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, BinaryField) and field.name not in NOT_SEALED
    }
    assert found == RESEALED
