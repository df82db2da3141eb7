"""Saying a line: who may, how much, and who is notified."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.outbox.models import Dispatch
from games.people.models import Block, Outcome, Reliability
from games.people.moderation.silence import Silenced
from games.play.commands import endings
from games.play.models.match import Match, Player
from games.play.refusals import NotSeated
from games.play.words.wording import refusal_text
from games.talk import commands
from games.talk.lines import reading
from games.talk.models import Line
from games.talk.refusals import NoTalk, TooMuch
from lib.db_clock import frozen_at, now
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def seat(match: Match, user: User) -> Player:
    return Player.objects.select_related("user", "match").get(match=match, user=user)


def texts(match: Match, user: User) -> list[str]:
    return [line.text for line in reading.newest(seat(match, user), 100)]


def events() -> list[tuple[int | None, int]]:
    rows = Dispatch.objects.filter(event="talk-came").order_by("pk")
    return [(row.user_id, row.ref["line"]) for row in rows]


def block(owner: User, other: User) -> None:
    Block.objects.create(owner=owner, blocked=other, made_at=now())


def test_both_players_read_each_others_lines(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello\r\nBob")
    commands.say(match.pk, who.bob, "Hello Alice")
    for reader in (who.alice, who.bob):
        assert texts(match, reader) == ["Hello\nBob", "Hello Alice"]
    assert [line.number for line in Line.objects.order_by("number")] == [1, 2]


def test_stored_lines_are_sealed(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello Bob")
    assert b"Hello" not in bytes(Line.objects.get().text)


def test_only_the_players_may_write(match: Match, who: People) -> None:
    with pytest.raises(NotSeated):
        commands.say(match.pk, who.charlie, "Hello")
    with pytest.raises(Match.DoesNotExist):
        commands.say(match.pk + 1, who.alice, "Hello")


def test_an_event_is_published_for_a_reader_who_had_read_everything(
    match: Match, who: People
) -> None:
    commands.say(match.pk, who.alice, "one")
    commands.say(match.pk, who.alice, "two")
    assert events() == [(who.bob.pk, 1)]
    assert seat(match, who.bob).talk_unread == 2
    assert seat(match, who.alice).talk_unread == 0
    seat(match, who.bob).mark_talk_read()
    commands.say(match.pk, who.alice, "three")
    assert events() == [(who.bob.pk, 1), (who.bob.pk, 3)]


def test_a_line_that_arrives_while_the_page_is_rendered_stays_unread(
    match: Match, who: People
) -> None:
    commands.say(match.pk, who.alice, "one")
    as_read = seat(match, who.bob)
    commands.say(match.pk, who.alice, "two")
    as_read.mark_talk_read()
    assert seat(match, who.bob).talk_unread == 2


def test_talk_stays_open_for_thirty_days_after_the_match(match: Match, who: People) -> None:
    endings.abort(match.pk, who.alice)
    at = now()
    with frozen_at(at + 29 * DAY):
        commands.say(match.pk, who.bob, "Well played")
    with frozen_at(at + 31 * DAY), pytest.raises(NoTalk, match="until 30 days after"):
        commands.say(match.pk, who.alice, "Thank you")


@pytest.mark.parametrize("of", ["alice", "bob"])
def test_talk_is_closed_if_one_player_wants_none(match: Match, who: People, of: str) -> None:
    User.objects.filter(username=of.capitalize()).update(no_talk=True)
    for writer in (who.alice, who.bob):
        with pytest.raises(NoTalk):
            commands.say(match.pk, writer, "Hello")
    assert not Line.objects.exists()


def test_a_silenced_player_cannot_write_until_the_silence_ends(match: Match, who: People) -> None:
    at = now()
    report = cases.reported(who)
    cases.decided(report, cases.moderator(), Outcome.SILENCED, 1)
    with pytest.raises(Silenced) as refused:
        commands.say(match.pk, who.alice, "Hello")
    assert "The reason: A quarrel." in refusal_text(refused.value)
    commands.say(match.pk, who.bob, "Hello")
    with frozen_at(at + 2 * DAY):
        commands.say(match.pk, who.alice, "Hello")


def test_a_block_hides_a_line_for_ever_and_is_not_shown(match: Match, who: People) -> None:
    commands.say(match.pk, who.bob, "before")
    before = seat(match, who.alice)
    block(who.alice, who.bob)
    commands.say(match.pk, who.bob, "hidden")
    after = seat(match, who.alice)
    assert (after.talk_lines, after.talk_unread) == (before.talk_lines, before.talk_unread)
    assert match.version_for(after) == match.version_for(before)
    assert events() == [(who.alice.pk, 1)]
    Block.objects.all().delete()
    commands.say(match.pk, who.bob, "after")
    assert texts(match, who.alice) == ["before", "after"]
    assert texts(match, who.bob) == ["before", "hidden", "after"]
    assert [line.text for line in reading.unread(seat(match, who.alice), 5)] == ["before", "after"]


def test_the_blocker_cannot_write_either(match: Match, who: People) -> None:
    block(who.alice, who.bob)
    with pytest.raises(NoTalk, match="You have blocked Bob"):
        commands.say(match.pk, who.alice, "Hello")


def test_a_muted_match_causes_no_notification_and_keeps_all_lines(
    match: Match, who: People
) -> None:
    commands.say(match.pk, who.bob, "one")
    commands.mute(match.pk, who.alice, muted=True)
    muted = seat(match, who.alice)
    commands.say(match.pk, who.bob, "two")
    later = seat(match, who.alice)
    assert later.talk_unread == 0
    assert match.version_for(later) == match.version_for(muted)
    assert events() == [(who.alice.pk, 1)]
    commands.mute(match.pk, who.alice, muted=False)
    assert texts(match, who.alice) == ["one", "two"]


def test_ten_lines_a_minute_are_the_limit(match: Match, who: People) -> None:
    at = now()
    with frozen_at(at):
        for number in range(10):
            commands.say(match.pk, who.alice, f"{number}")
        with pytest.raises(TooMuch, match="10 lines a minute"):
            commands.say(match.pk, who.alice, "11")
    with frozen_at(at + 2 * MINUTE):
        commands.say(match.pk, who.alice, "12")


def written(match: Match, user: User, count: int) -> None:
    """As if the user had written so many lines half a day ago."""
    at = now() - DAY / 2
    Line.objects.bulk_create(
        Line(match=match, number=number, writer=user, at=at) for number in range(1, count + 1)
    )


def test_twenty_lines_a_day_are_the_limit_before_the_first_finished_match(
    match: Match, who: People
) -> None:
    written(match, who.alice, 19)
    commands.say(match.pk, who.alice, "20")
    with pytest.raises(TooMuch, match="20 lines a day until you have finished"):
        commands.say(match.pk, who.alice, "21")
    Reliability.objects.create(user=who.alice, finished=1)
    commands.say(match.pk, who.alice, "21")


def test_sixty_lines_a_day_are_the_limit_per_match(match: Match, who: People) -> None:
    Reliability.objects.create(user=who.alice, finished=1)
    written(match, who.alice, 59)
    commands.say(match.pk, who.alice, "60")
    with pytest.raises(TooMuch, match="60 lines a day in one match"):
        commands.say(match.pk, who.alice, "61")
    commands.say(match.pk, who.bob, "Calm down")
    with frozen_at(now() + DAY):
        commands.say(match.pk, who.alice, "62")


def test_two_hundred_lines_a_day_are_the_limit_in_all_matches(match: Match, who: People) -> None:
    Reliability.objects.create(user=who.alice, finished=1)
    other = match_helpers.new_match(who)
    written(other, who.alice, 199)
    commands.say(match.pk, who.alice, "200")
    with pytest.raises(TooMuch, match="200 lines a day"):
        commands.say(match.pk, who.alice, "201")


def test_an_erased_account_leaves_rows_without_text(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello")
    commands.say(match.pk, who.bob, "Hi")
    commands.erase_lines_of(who.alice)
    assert texts(match, who.bob) == ["", "Hi"]
    assert [row[3] for row in reading.own_lines(who.alice.pk)] == [""]
    assert [row[3] for row in reading.own_lines(who.bob.pk)] == ["Hi"]
