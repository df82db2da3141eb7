"""One e-mail of each kind, caused by the real commands, for tests of all e-mails."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from accounts.models import User
from games.competitions.ladders import departures
from games.competitions.tournaments.events import TournamentBegins
from games.competitions.tournaments.models import Entry, State, Tournament
from games.lobby import commands as lobby
from games.lobby.invitations import expiry
from games.lobby.models import Invitation, InvitationKind
from games.mail.answering import receipts
from games.mail.answering.answer import Answer
from games.mail.models import IncomingMessage, MessageOutcome
from games.notifications.policy import preferences
from games.notifications.policy.localization import localized
from games.notifications.policy.preferences import Frequency
from games.outbox import publishing
from games.outbox.events import people
from games.people.models import Outcome
from games.play.clocks import adjustment_log
from games.play.commands import courtesies, deadlines, endings, looks
from games.play.models.match import Match, Player
from games.play.models.time import Outage
from games.play.terms import Terms
from games.rules.core.basics.options import Value
from games.talk import commands as talk
from games.watch import following
from lib.db_clock import frozen_at, now
from tests.competitions.ladders.scene import add_members, open_ladder
from tests.notifications.email.reading import delivered, heading, only
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

DAY = timedelta(days=1)


def every_email(who: People) -> dict[str, EmailMultiAlternatives]:
    """An e-mail of each kind by its name in templates/mail; Alice's, where both players get one."""
    alice, bob, charlie = who
    emails = {}
    match = match_helpers.new_match(who)
    emails["began"] = only(delivered(), alice)
    match_helpers.set_up(match)
    delivered()
    match_helpers.play(match, "a4-a5", "j7xj4")
    emails["turn"] = only(delivered(), alice)
    endings.offer_draw(match.pk, bob)
    emails["draw_offered"] = only(delivered(), alice)
    endings.decline_draw(match.pk, alice)
    emails["draw_declined"] = only(delivered(), bob)
    emails["receipt"] = receipt(alice, match)
    with frozen_at(now() + 2.5 * DAY):
        deadlines.sweep()
        emails["reminder"] = only(delivered(), alice)
    credited(alice, match)
    emails["credit"] = only(delivered(), alice)
    courtesies.offer_pause(match.pk, bob)
    emails["clock"] = only(delivered(), alice)
    courtesies.decline_pause(match.pk, alice)
    with transaction.atomic():
        publishing.enqueue("trial-email", "trial", user=alice, number=1)
    emails["trial"] = only(delivered(), alice)
    emails["tournament"] = _tournament(alice)
    emails["digest"] = _digest(who, match)
    emails["looked"] = _looked(alice, match)
    talk.say(match.pk, bob, "Good luck!\nresign")
    with frozen_at(now() + timedelta(minutes=3)):
        emails["talk"] = only(delivered(), alice)
    following.follow(match.pk, charlie)
    endings.resign(match.pk, bob)
    at_the_end = delivered()
    emails["over"], emails["followed"] = only(at_the_end, alice), only(at_the_end, charlie)
    emails["ladder"] = _about_a_ladder(who)
    return emails | _about_invitations(who) | _from_moderators(who)


def _from_moderators(who: People) -> dict[str, EmailMultiAlternatives]:
    """Bob has reported Alice, who is silenced."""
    moderator = cases.moderator()
    moderator.language = who.alice.language
    moderator.save()
    report = cases.reported(who)
    delivered()
    with frozen_at(now() + timedelta(hours=1)):
        wait = only(delivered(), moderator)
    cases.decided(report, who.charlie, Outcome.SILENCED, 5)
    emails = delivered()
    decided = {"moderated": only(emails, who.alice), "report_closed": only(emails, who.bob)}
    return decided | {"reports_wait": wait}


def _tournament(alice: User) -> EmailMultiAlternatives:
    """What notifies Alice that her tournament begins."""
    at = now()
    tournament = Tournament.objects.create(
        title="Spring",
        preset="lattaque-en",
        pace="3d",
        setup_pace="5d",
        opens_at=at - 2 * DAY,
        closes_at=at - DAY,
        state=State.RUNNING,
    )
    playing = Entry.Status.PLAYING
    Entry.objects.create(tournament=tournament, user=alice, status=playing, entered_at=at - DAY)
    with transaction.atomic():
        publishing.publish(TournamentBegins(tournament=tournament.pk, people=people([alice])))
    return only(delivered(), alice)


def _looked(alice: User, match: Match) -> EmailMultiAlternatives:
    """What notifies Alice that two members of staff have looked at both armies."""
    asker, second = (
        match_helpers.person(name, is_staff=True, is_superuser=True) for name in ("Ney", "Soult")
    )
    looks.agree(looks.ask(match.pk, asker, "resign").pk, second)
    return only(delivered(), alice)


def receipt(reader: User, match: Match) -> EmailMultiAlternatives:
    """What answers a message of theirs with the board."""
    answer = Answer(MessageOutcome.SHOWN, ("The current board.", "And a sentence."), match.pk)
    row = IncomingMessage(pk=1, user=reader)
    with localized(reader):
        return receipts.write(row, reader, answer, "<x@example.org>", "<o1.0@localhost>")


def emails_without_a_deadline(who: People) -> dict[str, EmailMultiAlternatives]:
    """E-mails about matches in which the reader's clock does not run as usual, by the reason.

    All are for Alice; it is her turn in every match with both set-ups.
    """
    emails = _of_each(
        who, "no clock", match_helpers.set_up(match_helpers.new_match(who, pace="none"))
    )
    paused = match_helpers.set_up(match_helpers.new_match(who))
    courtesies.offer_pause(paused.pk, who.bob)
    courtesies.accept_pause(paused.pk, who.alice)
    emails |= _of_each(who, "paused", paused)
    soft = match_helpers.set_up(match_helpers.new_match(who))
    Match.objects.filter(pk=soft.pk).update(soft=True)
    with frozen_at(now() + 4 * DAY):
        emails |= _of_each(who, "overdue", soft)
    match_helpers.new_match(who, "assaut")
    emails["began: sets up second"] = only(delivered(), who.alice)
    in_setup = match_helpers.new_match(who)
    delivered()
    credited(who.alice, in_setup)
    emails["credit: set-up"] = only(delivered(), who.alice)
    return emails


def _of_each(who: People, why: str, match: Match) -> dict[str, EmailMultiAlternatives]:
    """The turn that has come to Alice, a draw offered to her, one declined, time given back."""
    alice, bob, _charlie = who
    hers = [email for email in delivered() if email.to == [alice.email]]
    emails = {"turn": next(email for email in hers if "Your turn" in heading(email))}
    endings.offer_draw(match.pk, bob)
    emails["draw_offered"] = only(delivered(), alice)
    endings.decline_draw(match.pk, alice)
    endings.offer_draw(match.pk, alice)
    endings.decline_draw(match.pk, bob)
    emails["draw_declined"] = only(delivered(), alice)
    credited(alice, match)
    emails["credit"] = only(delivered(), alice)
    happen("match-reopened", user=alice, match=match.pk)
    emails["clock"] = only(delivered(), alice)
    happen("turn-came", user=alice, match=match.pk, ply=match.ply, again=1)
    preferences.change(alice, frequency=Frequency.DAILY)
    assert delivered() == []
    with frozen_at(now() + 2 * DAY):
        emails["digest"] = only(delivered(), alice)
    preferences.change(alice, frequency=Frequency.NOW)
    # So that no later e-mail lists it as waiting for her.
    endings.abort(match.pk, bob)
    delivered()
    return {f"{name}: {why}": email for name, email in emails.items()}


def happen(event: str, **about: Any) -> None:
    """Notify somebody of an event."""
    with transaction.atomic():
        publishing.enqueue("notify", event, **about)


def credited(user: User, *matches: Match) -> None:
    """An outage was credited to the clocks of this player."""
    at = now()
    outage = Outage.objects.create(start=at - DAY, end=at, credited_at=at)
    players = Player.objects.filter(user=user, match__in=matches)
    adjustment_log.note_outage([(player, DAY) for player in players], outage)
    happen("clock-credited", user=user, outage=outage.pk)


def _digest(who: People, match: Match) -> EmailMultiAlternatives:
    """Less than a day is left to Alice, and time was given back."""
    begin = now()
    preferences.change(who.alice, frequency=Frequency.DAILY)
    with frozen_at(begin + 1.1 * DAY):
        credited(who.alice, match)
        assert delivered() == []
    # Some hour between these two is the one of Alice's digest.
    with frozen_at(begin + 2.5 * DAY):
        emails = delivered()
    preferences.change(who.alice, frequency=Frequency.NOW)
    return only(emails, who.alice)


def _about_a_ladder(who: People) -> EmailMultiAlternatives:
    """Alice has not played for long and will be dropped."""
    at = now()
    with frozen_at(at + 100 * DAY):
        add_members(open_ladder(), 1, now(), [who.alice])
    with frozen_at(at + 139 * DAY):
        departures.check_absent()
        return only(delivered(), who.alice)


def _about_invitations(who: People) -> dict[str, EmailMultiAlternatives]:
    emails = {}
    challenge = _challenge(
        who,
        preset="lattaque-zh",
        switches={"spy_both": True, "limit": 60},
        note="Shall we? <b>Best</b> of three & more.",
    )
    emails["invitation"] = only(delivered(), who.alice)
    lobby.decline(challenge.pk, who.alice)
    emails["invitation_declined"] = only(delivered(), who.bob)
    _challenge(who)
    delivered()
    with frozen_at(now() + 12 * DAY):
        expiry.sweep()
        emails["invitation_stale"] = only(delivered(), who.bob)
    with frozen_at(now() + 15 * DAY):
        expiry.sweep()
        emails["invitation_expired"] = only(delivered(), who.bob)
    return emails


def _challenge(
    who: People,
    preset: str = "lattaque-en",
    switches: Mapping[str, Value] | None = None,
    note: str = "",
) -> Invitation:
    terms = Terms(preset, switches or {}, setup_pace="5d")
    kind = InvitationKind.CHALLENGE
    return lobby.offer(who.bob, terms, kind=kind, guest=who.alice, note=note)
