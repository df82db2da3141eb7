"""Onboarding: the first-steps card and the hints beside the board."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.guide.lessons import registry as lessons
from games.guide.onboarding import steps_done
from games.play.models.setup import SavedSetup
from games.play.setups import arrangement, library
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db
HEAD = "Your first steps"


def newcomer(who: People) -> Client:
    who.alice.first_steps = True
    who.alice.save()
    return client_of(who.alice)


def test_every_link_of_the_card_works(who: People) -> None:
    reader = newcomer(who)
    page = reader.get("/").content.decode()
    card = page[page.index(HEAD) : page.index("</section>")]
    links = re.findall(r'href="([^"]+)"', card)
    assert len(links) == len(registry.games) + 3
    for link in links:
        assert reader.get(link).status_code == 200, link


def test_the_card_is_shown_only_after_sign_up(who: People) -> None:
    assert HEAD not in client_of(who.bob).get("/").content.decode()


def test_each_step_is_ticked_off_once_done(who: People) -> None:
    newcomer(who)
    assert not any(steps_done(who.alice))
    other = match_helpers.new_match(match_helpers.People(who.bob, who.charlie, who.alice))
    text = match_helpers.setup_text(other, Seat.SOUTH)
    army = arrangement.from_text(other.rules, Seat.SOUTH, text)
    library.save(who.alice, other.rules, Seat.SOUTH, "One", army)
    assert steps_done(who.alice) == (False, True, False)
    SavedSetup.objects.all().delete()
    match = match_helpers.new_match(who, "lattaque-en")
    assert steps_done(who.alice) == (False, False, True)
    match_helpers.set_up(match)
    assert steps_done(who.alice) == (False, True, True)
    done = [lesson.key for lesson in lessons.lessons_of("assaut")]
    who.alice.lessons = done[:2]
    assert not steps_done(who.alice).learnt
    who.alice.lessons = done
    assert steps_done(who.alice).are_done


def test_the_card_is_shown_a_last_time_when_all_steps_are_done(who: People) -> None:
    reader = newcomer(who)
    match_helpers.set_up(match_helpers.new_match(who, "lattaque-en"))
    who.alice.lessons = [lesson.key for lesson in lessons.lessons_of("domino")]
    who.alice.save()
    assert "You know the basics" in reader.get("/").content.decode()
    assert "You know the basics" not in reader.get("/").content.decode()


def test_the_card_can_be_dismissed(who: People) -> None:
    reader = newcomer(who)
    assert reader.get("/help/lessons/first-steps/").status_code == 405
    assert reader.post("/help/lessons/first-steps/")["Location"] == "/"
    assert HEAD not in reader.get("/").content.decode()


def test_the_card_costs_one_query_and_none_once_it_is_gone(
    who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    reader, settled = newcomer(who), client_of(who.bob)
    for one in (reader, settled):
        one.get("/")
    with django_assert_num_queries(6):
        settled.get("/")
    with django_assert_num_queries(7):
        reader.get("/")


def test_a_new_user_sees_hints_next_to_the_board_until_they_are_hidden(who: People) -> None:
    match = match_helpers.running_match(who)
    alice, where = client_of(who.alice), f"/match/{match.pk}/"
    assert "Hide these hints" not in alice.get(where).content.decode()
    for person in (who.alice, who.bob):
        person.guided = True
        person.save()
    assert "Choose one of your pieces" in alice.get(where).content.decode()
    assert "You don't have to wait here for Alice" in client_of(who.bob).get(where).content.decode()
    assert "Hide these hints" not in client_of(who.charlie).get(where).content.decode()
    assert alice.post(f"/help/lessons/hints/{match.pk}/end/")["Location"] == where
    assert "Hide these hints" not in alice.get(where).content.decode()
