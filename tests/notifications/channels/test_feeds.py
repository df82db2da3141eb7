"""Atom feed and calendar, parsed as by feed readers and calendar programs."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import feedparser
import icalendar
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from accounts.people.erasure import erase
from games.notifications.channels import feeds
from games.notifications.models import Feed, Webhook
from games.play.commands import courtesies, endings
from lib.db_clock import frozen_at
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)


@pytest.fixture
def feed_urls(bob: User) -> feeds.Addresses:
    feeds.renew(bob)
    known = feeds.addresses(bob)
    assert known
    return known


def get_without_cookies(url: str) -> bytes:
    """The response to a client without cookies."""
    return bytes(fetch(url).content)


def fetch(url: str) -> Any:
    answer = Client().get(urlsplit(url).path)
    assert answer.status_code == 200
    assert "private" in answer.headers["Cache-Control"]
    assert answer.headers["X-Robots-Tag"] == "noindex"
    return answer


def calendar(url: str) -> Any:  # icalendar has one type for whatever an entry may hold
    raw = get_without_cookies(url)
    assert all(len(line) <= 75 for line in raw.split(b"\r\n")) and b"\n" not in raw.replace(
        b"\r\n", b""
    )
    return icalendar.Calendar.from_ical(raw)


def test_the_feed_lists_waiting_matches(who: People, feed_urls: feeds.Addresses) -> None:
    with frozen_at(NOON):
        first = match_helpers.running_match(who, "a4-a5")
        second = match_helpers.new_match(who, pace="1d")
        match_helpers.play(match_helpers.set_up(second), "a4-a5")
        match_helpers.running_match(who)
        feed = feedparser.parse(get_without_cookies(feed_urls.atom))
    assert not feed.bozo
    assert feed.feed.title == "(2) Estafette: waiting for Bob"
    assert [entry.title for entry in feed.entries] == [
        f"Your turn against Alice in match {match.pk}" for match in (second, first)
    ]
    (entry,) = feed.entries[1:]
    assert entry.link == f"http://localhost:8000/match/{first.pk}/"
    assert entry.summary == "Move by 23 Jan 2026, 12:00 (UTC)."
    assert entry.updated_parsed[:5] == (2026, 1, 20, 12, 0)


def test_a_new_turn_is_a_new_entry(who: People, feed_urls: feeds.Addresses) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    first = feedparser.parse(get_without_cookies(feed_urls.atom)).entries[0].id
    assert feedparser.parse(get_without_cookies(feed_urls.atom)).entries[0].id == first
    match_helpers.play(match, "j7-j6", "b4-b5")
    assert feedparser.parse(get_without_cookies(feed_urls.atom)).entries[0].id != first


def test_a_feed_without_entries_is_valid(who: People, feed_urls: feeds.Addresses) -> None:
    feed = feedparser.parse(get_without_cookies(feed_urls.atom))
    assert not feed.bozo and feed.entries == []
    turned_on = Feed.objects.get(user=who.bob).made_at
    assert feed.feed.updated == turned_on.isoformat()
    assert calendar(feed_urls.ical).events == []


def test_a_calendar_has_a_component_even_without_a_deadline(feed_urls: feeds.Addresses) -> None:
    """RFC 5545, 3.6: a calendar object must include at least one component."""
    empty = calendar(feed_urls.ical)
    (zone,) = empty.subcomponents
    assert zone.name == "VTIMEZONE" and not empty.walk("VEVENT")
    (standard,) = zone.subcomponents
    needed = {"DTSTART", "TZOFFSETFROM", "TZOFFSETTO"}
    assert needed <= set(standard) and standard["TZOFFSETTO"].td == timedelta()
    # With a METHOD, each event would need an organizer (RFC 5546, 3.2.1).
    assert "METHOD" not in empty and {"VERSION", "PRODID"} <= set(empty)


def test_a_feed_has_the_elements_that_the_standard_requires(
    who: People, feed_urls: feeds.Addresses
) -> None:
    """RFC 4287, 4.1: an author, and id, title and updated, of the feed and of each entry."""
    atom = "{http://www.w3.org/2005/Atom}"
    for expected in (0, 1):
        root = ElementTree.fromstring(get_without_cookies(feed_urls.atom))
        assert root.findtext(f"{atom}author/{atom}name") == "Estafette"
        entries = root.findall(f"{atom}entry")
        assert len(entries) == expected
        for element in (root, *entries):
            for name in ("id", "title", "updated"):
                assert len(element.findall(atom + name)) == 1, name
        match_helpers.running_match(who, "a4-a5")


def test_feeds_contain_no_relative_times(who: People, feed_urls: feeds.Addresses) -> None:
    """The same bytes an hour later, waiting matches or not: nothing counts from the request."""
    for _ in range(2):
        for url in feed_urls:
            with frozen_at(NOON):
                first = fetch(url)
            with frozen_at(NOON + timedelta(hours=1, minutes=7)):
                later = fetch(url)
            assert first.content == later.content and b" left" not in first.content
            assert first["ETag"] == later["ETag"]
        with frozen_at(NOON - timedelta(hours=1)):
            match_helpers.running_match(who, "a4-a5")


def test_a_current_feed_is_answered_with_not_modified(
    who: People, feed_urls: feeds.Addresses
) -> None:
    match = match_helpers.running_match(who, "a4-a5")
    for url in feed_urls:
        tag = fetch(url)["ETag"]
        for known in (tag, f"W/{tag}", f'"other", {tag}'):
            answer = Client().get(urlsplit(url).path, headers={"If-None-Match": known})
            assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", tag)
            assert "private" in answer["Cache-Control"]
        match_helpers.play(match, "j7-j6", "b4-b5")
        answer = Client().get(urlsplit(url).path, headers={"If-None-Match": tag})
        assert answer.status_code == 200 and answer["ETag"] != tag
        match_helpers.play(match, "j6-j7", "b5-b4")


def test_the_calendar_holds_every_deadline_with_an_alarm(
    who: People, feed_urls: feeds.Addresses
) -> None:
    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5")
        (event,) = calendar(feed_urls.ical).events
    assert event.start == NOON + timedelta(days=3)
    assert str(event["summary"]) == f"Your turn against Alice in match {match.pk}"
    assert str(event["url"]) == f"http://localhost:8000/match/{match.pk}/"
    (alarm,) = event.walk("VALARM")
    assert alarm["trigger"].dt == timedelta(hours=-24)


def test_a_move_updates_the_entry_of_the_match(who: People, feed_urls: feeds.Addresses) -> None:
    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5")
        (first,) = calendar(feed_urls.ical).events
    with frozen_at(NOON + timedelta(days=1)):
        match_helpers.play(match, "j7-j6", "b4-b5")
        (second,) = calendar(feed_urls.ical).events
    assert first["uid"] == second["uid"] and second["sequence"] > first["sequence"]
    assert second.start - first.start == timedelta(days=1)


def test_a_changed_deadline_without_a_ply_updates_the_entry(
    who: People, feed_urls: feeds.Addresses
) -> None:
    """Calendars ignore a change without a higher SEQUENCE (RFC 5545, 3.8.7.4)."""
    entries = []

    def view(at: datetime) -> None:
        with frozen_at(at):
            entries.extend(calendar(feed_urls.ical).events)

    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5")
    view(NOON)
    with frozen_at(NOON + timedelta(hours=1)):
        courtesies.give_day(match.pk, who.alice)
    view(NOON + timedelta(hours=1))
    with frozen_at(NOON + timedelta(hours=2)):
        courtesies.offer_pause(match.pk, who.alice)
        courtesies.accept_pause(match.pk, who.bob)
    view(NOON + timedelta(hours=2))  # no clock runs, so there is no entry
    with frozen_at(NOON + timedelta(hours=5)):
        courtesies.resume(match.pk, who.bob)
    view(NOON + timedelta(hours=5))
    starts = [entry.start - NOON for entry in entries]
    assert starts == [timedelta(days=3), timedelta(days=4), timedelta(days=4, hours=3)]
    numbers = [entry["sequence"] for entry in entries]
    assert numbers == sorted(set(numbers)) and len({entry["uid"] for entry in entries}) == 1


def test_an_unchanged_entry_keeps_its_sequence_number(
    who: People, feed_urls: feeds.Addresses
) -> None:
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5")
        (first,) = calendar(feed_urls.ical).events
    with frozen_at(NOON + timedelta(hours=1)):
        (second,) = calendar(feed_urls.ical).events
    assert first["sequence"] == second["sequence"]


def test_special_characters_in_names_are_escaped_in_calendars(
    who: People, feed_urls: feeds.Addresses
) -> None:
    """Commas, line ends and long names are the same after writing and parsing a calendar."""
    handle = "a,b;c" + chr(92) + "d" + chr(10) + "é" * 60
    User.objects.filter(pk=who.alice.pk).update(username=handle)
    User.objects.filter(pk=who.bob.pk).update(username="b,c;d")
    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5")
        raw = get_without_cookies(feed_urls.ical)
        (event,) = calendar(feed_urls.ical).events
    assert str(event["summary"]) == f"Your turn against {handle} in match {match.pk}"
    assert b"X-WR-CALNAME:Estafette: deadlines of b\\,c\\;d\r\n" in raw


def test_feeds_use_the_readers_language_and_time_zone(
    who: People, feed_urls: feeds.Addresses, prefer: Callable[..., None]
) -> None:
    prefer(who.bob, zone="Europe/Paris")
    with frozen_at(datetime(2026, 3, 27, 12, tzinfo=UTC)):
        match_helpers.running_match(who, "a4-a5")
        entry = feedparser.parse(get_without_cookies(feed_urls.atom)).entries[0]
        (event,) = calendar(feed_urls.ical).events
    # The clocks go forward on the 29th; three days are 72 hours all the same.
    assert "30 Mar 2026, 14:00 (Europe/Paris)." in entry.summary
    assert event.start == datetime(2026, 3, 30, 12, tzinfo=UTC)


def test_feeds_contain_no_move_and_no_rank(who: People, feed_urls: feeds.Addresses) -> None:
    match_helpers.running_match(who, "a4-a5", "j7xj4", "b4-b5")
    for address in at_least(2, feed_urls):
        # Its own secret address may hold any two letters.
        raw = get_without_cookies(address).replace(urlsplit(address).path.encode(), b"")
        for word in (b"Scout", b"Miner", b"j7", b"j4", b"b5", b"RRR"):
            assert word not in raw


def test_two_worlds_that_differ_in_hidden_ranks_have_the_same_feeds(who: People) -> None:
    feeds.renew(who.bob)
    feed_urls = feeds.addresses(who.bob)
    assert feed_urls
    worlds = []
    for south in ("RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
                  "RRR1R1RSCE/EBFLLG1ECB/KLRSKBR1BS/LMJYKJRKES"):  # fmt: skip
        with frozen_at(NOON):
            match = match_helpers.set_up(match_helpers.new_match(who), south=south)
            match_helpers.play(match, "a4-a5")
            worlds.append([re.sub(rb"\d+", b"N", get_without_cookies(url)) for url in feed_urls])
            endings.resign(match.pk, who.bob)
    assert worlds[0] == worlds[1]


def test_an_invalid_address_opens_no_feed(bob: User, feed_urls: feeds.Addresses) -> None:
    path = urlsplit(feed_urls.atom).path
    token = path.split("/")[2]
    for wrong in ("x", token[:-1], token[:-1] + ("A" if token[-1] != "A" else "B"), f"{token}x"):
        assert Client().get(path.replace(token, wrong)).status_code == 404


def test_the_first_addresses_are_not_called_new(bob: User) -> None:
    browser = Client()
    browser.force_login(bob)
    first = browser.post("/notifications/feeds/renew/", follow=True).content.decode()
    assert "Feeds turned on." in first
    assert "The old ones no longer work" not in first
    again = browser.post("/notifications/feeds/renew/", follow=True).content.decode()
    assert "The feeds have new addresses. The old ones no longer work." in again


def test_new_addresses_replace_the_old_ones(bob: User, feed_urls: feeds.Addresses) -> None:
    browser = Client()
    browser.force_login(bob)
    browser.post("/notifications/feeds/renew/")
    assert Client().get(urlsplit(feed_urls.ical).path).status_code == 404
    renewed = feeds.addresses(bob)
    assert renewed and get_without_cookies(renewed.ical)
    assert renewed.atom in browser.get("/notifications/").content.decode()
    browser.post("/notifications/feeds/close/")
    assert Client().get(urlsplit(renewed.ical).path).status_code == 404


def test_a_former_user_has_no_feeds(bob: User, feed_urls: feeds.Addresses) -> None:
    Webhook.objects.create(user=bob, url="https://a/", style="json", added_at=NOON)
    erase(bob)
    assert not Feed.objects.exists() and not Webhook.objects.exists()
    assert Client().get(urlsplit(feed_urls.atom).path).status_code == 404


def test_the_query_count_of_a_feed_does_not_grow_with_matches(
    who: People, feed_urls: feeds.Addresses, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(2):
        match_helpers.running_match(who, "a4-a5")
        with frozen_at(NOON), django_assert_num_queries(5):
            get_without_cookies(feed_urls.atom)
        with frozen_at(NOON), django_assert_num_queries(4):
            get_without_cookies(feed_urls.ical)


def test_a_due_set_up_is_called_a_set_up(who: People, feed_urls: feeds.Addresses) -> None:
    match_helpers.new_match(who)
    (entry,) = feedparser.parse(get_without_cookies(feed_urls.atom)).entries
    assert entry.summary.startswith("Set up your army by ")
