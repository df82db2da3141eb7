"""The e-mails about ladders: a warning, a drop, the beginning of a challenge."""

from games.competitions.ladders.models import Member
from games.notifications import catalogue
from games.notifications.policy import preferences, summaries
from games.notifications.policy.preferences import Frequency
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import TIME, challenge, tick, won
from tests.notifications.email.reading import delivered, heading, html, only, prose, text
from tests.play.match_helpers import People
from tests.ratings.results import day, finished


def test_a_warning_says_what_keeps_the_place(who: People) -> None:
    scene.add_members(scene.open_ladder(), 2, day(1), [who.bob, who.alice])
    Member.objects.filter(user=who.bob).update(check_at=day(100))
    tick(day(39.1))
    with frozen_at(day(39.2)):
        email = only(delivered(), who.alice)
    assert email.subject == "Ladder of L'Attaque"
    assert heading(email) == "You will soon be dropped from the ladder of L'Attaque"
    assert "no move against a person for 38 days, vacations aside. After 45 days you lose" in prose(
        email
    )
    assert "http://localhost:8000/ladders/lattaque/" in text(email)


def test_a_member_who_has_played_meanwhile_is_not_warned(who: People) -> None:
    scene.add_members(scene.open_ladder(), 2, day(1), [who.bob, who.alice])
    Member.objects.filter(user=who.bob).update(check_at=day(100))
    tick(day(39.1))
    finished(who.alice, who.charlie, "S", day(39.15), rated=False, moved_at=day(39.15))
    with frozen_at(day(39.2)):
        assert delivered() == []


def test_an_email_about_a_drop_says_why_and_when_the_player_can_return(who: People) -> None:
    ladder = scene.open_ladder()
    scene.add_members(ladder, 3, day(1), [who.bob, who.charlie, who.alice])
    for at, above in ((2, who.bob), (2.5, who.charlie)):
        won(challenge(who.alice, above, day(at)), above, day(10 + at), TIME)
    with frozen_at(day(11)):
        delivered()
    tick(day(15))
    with frozen_at(day(15.1)):
        email = only(delivered(), who.alice)
    assert heading(email) == "You were dropped from the ladder of L'Attaque"
    assert "Within 90 days you lost two challenges on time or did not set up for them" in prose(
        email
    )
    assert "30 days after you were dropped" in prose(email)


def test_an_idle_member_reads_that_they_can_join_again(who: People) -> None:
    scene.add_members(scene.open_ladder(), 1, day(1), [who.alice])
    tick(day(50))
    with frozen_at(day(50.1)):
        assert "no move against a person for 45 days" in prose(only(delivered(), who.alice))


def test_the_beginning_of_a_challenge_names_the_ladder(who: People) -> None:
    scene.add_members(scene.open_ladder(), 2, day(1), [who.bob, who.alice])
    challenge(who.alice, who.bob, day(2))
    with frozen_at(day(2.01)):
        emails = delivered()
    for reader in (who.alice, who.bob):
        email = only(emails, reader)
        assert "This match belongs to “Ladder of L'Attaque”." in prose(email)
        assert "This match belongs to" in html(email)


def test_other_channels_say_the_same(who: People) -> None:
    scene.add_members(scene.open_ladder(), 1, day(1), [who.alice])
    tick(day(39.1))
    row = Dispatch.objects.get(event="ladder-drop-near")
    notification = catalogue.find(row.event)
    with frozen_at(day(39.2)):
        view = notification.current_view(row)
        assert view is not None
        summary = summaries.about(notification, view)
    assert summary.title == "You will soon be dropped from the ladder of L'Attaque"
    assert summary.text.startswith("You have made no move against a person for 38 days")
    assert summary.link == "http://localhost:8000/ladders/lattaque/"


def test_a_digest_contains_the_warning(who: People) -> None:
    preferences.change(who.alice, frequency=Frequency.DAILY)
    scene.add_members(scene.open_ladder(), 1, day(1), [who.alice])
    tick(day(39.1))
    with frozen_at(day(41)):
        email = only(delivered(), who.alice)
    assert "You will soon be dropped from the ladder of L'Attaque" in prose(email)
