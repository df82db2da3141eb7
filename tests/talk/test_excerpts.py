"""Lines of talk as players report them: only what the reporter sees, copied for good."""

import re
from datetime import timedelta

from django.test import Client

from accounts.models import User
from config.personal_data import retention
from games.people import ports
from games.people.models import Block, Complaint, Outcome
from games.people.moderation import deciding, sealing
from games.play.models.match import Match
from games.talk import commands
from games.talk.models import Line
from lib.db_clock import frozen_at, now
from tests.people.moderation import cases
from tests.play.forms import page
from tests.play.match_helpers import People


def excerpt(match: Match, number: int, reader: User) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in ports.excerpt(match.pk, number, reader)]


def test_a_line_comes_with_ten_before_it(match: Match, who: People) -> None:
    for number in range(1, 8):
        commands.say(match.pk, who.alice, f"hers {number}")
        commands.say(match.pk, who.bob, f"his {number}")
    lines = excerpt(match, 14, who.alice)
    assert [number for number, _text in lines] == list(range(4, 15))
    assert lines[-1] == (14, "his 7")
    line = ports.excerpt(match.pk, 14, who.alice)[-1]
    assert line.author == who.bob.pk
    assert line.at == Line.objects.get(number=14).at
    assert excerpt(match, 1, who.bob) == [(1, "hers 1")]


def test_only_the_two_players_read_it(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello")
    assert excerpt(match, 1, who.charlie) == []
    for number in (0, 2, 10**17):
        assert excerpt(match, number, who.bob) == []
    assert ports.excerpt(10**17, 1, who.bob) == []


def test_lines_hidden_by_a_block_are_neither_reported_nor_copied(match: Match, who: People) -> None:
    commands.say(match.pk, who.bob, "before")
    block = Block.objects.create(owner=who.alice, blocked=who.bob, made_at=now())
    commands.say(match.pk, who.bob, "hidden")
    assert excerpt(match, 2, who.alice) == []
    assert excerpt(match, 1, who.alice) == [(1, "before")]
    block.delete()
    commands.say(match.pk, who.bob, "after")
    assert excerpt(match, 2, who.alice) == []
    assert excerpt(match, 3, who.alice) == [(1, "before"), (3, "after")]
    assert excerpt(match, 2, who.bob) == [(1, "before"), (2, "hidden")]


def test_removed_lines_are_left_out(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "hers")
    commands.say(match.pk, who.bob, "his")
    commands.erase_lines_of(who.alice)
    assert excerpt(match, 1, who.bob) == []
    assert excerpt(match, 2, who.alice) == [(2, "his")]


def test_each_line_of_the_opponent_has_a_link(
    alice_client: Client, match: Match, who: People
) -> None:
    for writer, text in ((who.alice, "hers"), (who.bob, "his"), (who.alice, "hers again")):
        commands.say(match.pk, writer, text)
    link = f"/match/{match.pk}/talk/2/report/"
    for shown in (
        page(alice_client, match),
        alice_client.get(f"/match/{match.pk}/talk/").content.decode(),
    ):
        assert re.findall(r'href="([^"]*/report/)"', shown) == [link]
    form = alice_client.get(link).content.decode()
    assert ">his</p>" in form
    assert "hers" not in form
    assert alice_client.post(link, {"reason": "abuse"}).status_code == 302
    copied = sealing.copy_of(Complaint.objects.get())
    assert [(line.author, line.text) for line in copied] == [
        (who.alice.pk, "hers"),
        (who.bob.pk, "his"),
    ]
    Line.objects.filter(number=2).update(text=b"")
    assert f'href="{link}"' not in page(alice_client, match)
    assert alice_client.get(link).status_code == 404


def test_authors_cannot_report_their_own_lines(
    alice_client: Client, match: Match, who: People
) -> None:
    commands.say(match.pk, who.alice, "hers")
    answer = alice_client.post(f"/match/{match.pk}/talk/1/report/", {"reason": "abuse"})
    assert answer.status_code == 422
    assert not Complaint.objects.exists()


def test_the_copy_is_kept_after_the_line_is_erased_as_long_as_the_report(
    alice_client: Client, match: Match, who: People
) -> None:
    commands.say(match.pk, who.bob, "Coward!")
    alice_client.post(f"/match/{match.pk}/talk/1/report/", {"reason": "abuse"})
    complaint = Complaint.objects.get()
    commands.erase_lines_of(who.bob)
    Line.objects.all().delete()
    assert [line.text for line in sealing.copy_of(complaint)] == ["Coward!"]
    decided = deciding.decide(complaint.report_id, cases.moderator(), Outcome.WARNED, "No.")
    with frozen_at(decided.made_at + term_of_reports() / 2):
        retention.clean_up()
        assert Complaint.objects.exists()
    with frozen_at(decided.made_at + term_of_reports() * 1.01):
        retention.clean_up()
    assert not Complaint.objects.exists()


def term_of_reports() -> timedelta:
    return next(kept.term for kept in retention.KEPT if "reports" in kept.what)
