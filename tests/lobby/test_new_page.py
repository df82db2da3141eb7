"""The form of a new invitation: choices, errors and the invitation it creates."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.idempotency.middleware import FIELD
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.floors import at_least

pytestmark = pytest.mark.django_db

NEW = reverse("lobby:new")
FILLED_IN = {
    "kind": "seat",
    "opponent": "",
    "preset": "lattaque-en",
    "seat": "",
    "pace": "3d",
    "setup_days": "",
    "listed": "on",
    "note": "",
}


@pytest.fixture
def client(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def errors(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 422
    errors_by_field: dict[str, list[str]] = response.context["form"].errors
    return errors_by_field


def test_visitors_are_asked_to_sign_in_first(client: Client) -> None:
    client.logout()
    response = client.get(NEW)
    assert response.status_code == 302
    assert response["Location"].endswith(f"?next={NEW}")


def test_every_preset_is_a_card_with_a_sentence(client: Client) -> None:
    page_text = client.get(NEW).content.decode()
    for rules in at_least(22, registry.editions()):
        assert f'value="{rules.key}"' in page_text
    assert "and two armies with hidden ranks." in page_text
    assert "Pieces go forward and sideways: none may move or attack backward." in page_text


def visible_editions(response: Any) -> list[str]:
    """The editions outside the collapsed section."""
    return [tile.data["value"] for tile in response.context["form"].tiles()]


def collapsed_summary(response: Any) -> str:
    """The summary of the collapsed section, as text."""
    summary = re.search(
        r'<details class="more" id="more">\s*<summary>(.*?)</summary>', page_text(response)
    )
    assert summary
    return re.sub("<[^>]+>", "", summary[1])


def page_text(response: Any) -> str:
    return html.unescape(response.content.decode())


def test_the_first_edition_of_each_game_and_the_last_chosen_one_are_visible(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    first = [editions[0].key for editions in registry.games.values()]
    response = client.get(NEW)
    assert visible_editions(response) == first
    others = [option.data["value"] for option in response.context["form"].other_editions()]
    assert {*first, *others} == {rules.key for rules in registry.editions()}
    offer(alice, preset="lattaque-zh")
    assert visible_editions(client.get(NEW)) == [first[0], "lattaque-zh", *first[1:]]


def test_fields_that_most_matches_do_not_need_are_collapsed(client: Client) -> None:
    response = client.get(NEW)
    assert collapsed_summary(response).strip() == "More options"
    before, _summary, after = page_text(response).partition('<details class="more"')
    names = re.findall(r'name="(\w+)"', before.partition("<form class")[2])
    assert [
        name for name in dict.fromkeys(names) if name not in (FIELD, "csrfmiddlewaretoken")
    ] == [
        "preset",
        "kind",
        "opponent",
        "level",
        "pace",
        "rated",
        "seat",
        "note",
    ]
    assert "Send invitation" in after.partition("</details>")[2]


def test_the_collapsed_section_lists_last_choices_that_differ_from_defaults(client: Client) -> None:
    further = {"seat": "1", "setup_days": "7", "time_out": "soft", "unit": "set"}
    client.post(NEW, FILLED_IN | further | {"lattaque-limit": "60"})
    assert collapsed_summary(client.get(NEW)).split(" ", 2)[2] == (
        "rules changed · a set of two · days for the set-up: 7 · "
        "the opponent decides when time runs out · no vacations"
    )


def test_only_an_error_in_a_collapsed_field_opens_the_section(
    client: Client,
) -> None:
    assert '<details class="more" id="more" open>' in page_text(
        client.post(NEW, FILLED_IN | {"setup_days": "soon"})
    )
    faulty = client.post(
        NEW, FILLED_IN | {"kind": "challenge", "opponent": "Bbo", "vacations": "on"}
    )
    assert collapsed_summary(faulty).strip() == "More options"
    assert 'class="paired faulty"' in page_text(faulty)


def test_an_open_seat_is_offered(client: Client, alice: User) -> None:
    response = client.post(NEW, FILLED_IN, follow=True)
    invitation = Invitation.objects.get()
    assert response.redirect_chain == [(invitation.get_absolute_url(), 302)]
    assert "Your open seat is in the lobby." in response.content.decode()
    assert (invitation.owner, invitation.kind) == (alice, InvitationKind.SEAT)
    assert (invitation.seat, invitation.guest, invitation.switches) == (None, None, {})


def test_a_double_click_creates_one_invitation(client: Client) -> None:
    key = re.findall(rf'name="{FIELD}" value="(\w+)"', client.get(NEW).content.decode())[-1]
    first, second = (client.post(NEW, FILLED_IN | {FIELD: key}) for _ in range(2))
    invitation = Invitation.objects.get()
    assert first["Location"] == second["Location"] == invitation.get_absolute_url()


@pytest.mark.parametrize("handle", ["Bob", "bob", "BOB", " bob "])
def test_a_username_is_found_ignoring_case(client: Client, bob: User, handle: str) -> None:
    client.post(NEW, FILLED_IN | {"kind": "challenge", "opponent": handle, "seat": "1"})
    invitation = Invitation.objects.get()
    assert (invitation.kind, invitation.guest) == (InvitationKind.CHALLENGE, bob)
    assert invitation.seat == Seat.NORTH


def test_an_unknown_username_is_an_error_and_the_form_keeps_its_values(client: Client) -> None:
    sent = {
        "kind": "challenge",
        "opponent": "Bbo",
        "preset": "lattaque-gibson",
        "seat": "1",
        "pace": "10d",
        "setup_days": "12",
        "note": "As we said.",
    }
    response = client.post(NEW, sent)
    complaint = "There is no player called “Bbo”. Check the spelling."
    assert errors(response) == {"opponent": [complaint]}
    form = response.context["form"]
    assert {name: form[name].value() for name in sent} == sent
    assert complaint in response.content.decode()
    assert not Invitation.objects.exists()


def test_a_pending_user_looks_like_an_unknown_one(client: Client, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(pending=True)
    response = client.post(NEW, FILLED_IN | {"kind": "challenge", "opponent": "Bob"})
    assert "There is no player called" in errors(response)["opponent"][0]


def test_a_challenge_needs_a_username(client: Client) -> None:
    response = client.post(NEW, FILLED_IN | {"kind": "challenge"})
    assert errors(response) == {"opponent": ["Enter the username of the player you challenge."]}


def test_a_username_without_a_challenge_is_an_error(client: Client, bob: User) -> None:
    response = client.post(NEW, FILLED_IN | {"opponent": "Bob"})
    assert list(errors(response)) == ["opponent"]
    assert not Invitation.objects.exists()


def test_challenging_oneself_is_refused_with_a_sentence(client: Client) -> None:
    response = client.post(NEW, FILLED_IN | {"kind": "challenge", "opponent": "alice"})
    assert errors(response)["__all__"] == [
        "You cannot play against yourself. Choose another player."
    ]


@pytest.mark.parametrize(
    ("pace", "days", "expected"),
    [
        ("1d", "", "3d"),
        ("3d", "", "3d"),
        ("14d", "", "14d"),
        ("14d", "1", "1d"),
        ("1d", "60", "60d"),
    ],
)
def test_the_set_up_time_is_that_of_a_move_and_at_least_three_days(
    client: Client, pace: str, days: Any, expected: Any
) -> None:
    client.post(NEW, FILLED_IN | {"pace": pace, "setup_days": days})
    assert Invitation.objects.get().setup_pace == expected


NOT_OFFERED = [
    ("kind", "duel"),
    ("preset", "chess"),
    ("seat", "2"),
    ("pace", "4d"),
    ("pace", "1h"),
    ("setup_days", "0"),
    ("setup_days", "-3"),
    ("setup_days", "61"),
    ("setup_days", "soon"),
    ("note", "x" * 201),
    ("opponent", "x" * 41),
]


@pytest.mark.parametrize(
    ("field", "value"),
    tiers.parameters(
        NOT_OFFERED,
        fast=[("kind", "duel"), ("preset", "chess"), ("setup_days", "61"), ("note", "x" * 201)],
    ),
)
def test_values_that_the_form_does_not_offer_are_refused(
    client: Client, field: str, value: Any
) -> None:
    response = client.post(NEW, FILLED_IN | {field: value})
    assert field in errors(response)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("missing", ["kind", "preset", "pace"])
def test_missing_values_are_errors(client: Client, missing: Any) -> None:
    sent = {name: value for name, value in FILLED_IN.items() if name != missing}
    assert list(errors(client.post(NEW, sent))) == [missing]


def test_a_note_is_one_line(client: Client) -> None:
    client.post(NEW, FILLED_IN | {"note": " two\r\n  lines "})
    assert Invitation.objects.get().note == "two lines"


def test_a_note_has_nothing_invisible(client: Client) -> None:
    client.post(NEW, FILLED_IN | {"note": "\u202eevil\u202c \u200b \x1b[31mred\u2066"})
    assert Invitation.objects.get().note == "evil [31mred"


def test_the_limit_is_shown_on_the_form(
    client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    for _ in range(commands.MAX_OPEN_INVITATIONS):
        offer(alice)
    response = client.post(NEW, FILLED_IN)
    assert "You have 20 open invitations" in errors(response)["__all__"][0]
    assert "You have 20 open invitations" in response.content.decode()


def test_the_last_choices_are_remembered_but_not_the_username(client: Client, bob: User) -> None:
    client.post(
        NEW,
        {
            "kind": "challenge",
            "opponent": "Bob",
            "preset": "lattaque-zh",
            "seat": "0",
            "pace": "7d",
            "setup_days": "2",
            "note": "Hello.",
        },
    )
    form = client.get(NEW).context["form"]
    filled = {name: form[name].value() for name in form.fields if "-" not in name}
    assert filled == {
        "unit": "",
        "kind": "challenge",
        "opponent": None,
        "level": "",
        "preset": "lattaque-zh",
        "seat": "0",
        "pace": "7d",
        "setup_days": 2,
        "time_out": "hard",
        "vacations": False,
        "memory_aid": "on",
        "rated": False,
        "listed": False,
        "note": None,
        "rating_from": None,
        "rating_to": None,
        "established": False,
        "min_finished": 0,
        "reliable": False,
        "repeats": None,
        "words": None,
    }


def test_a_match_from_a_private_link_is_not_listed_which_says_nothing_about_the_next(
    client: Client,
) -> None:
    client.post(NEW, FILLED_IN | {"kind": "link"})
    assert not Invitation.objects.get().listed
    assert client.get(NEW).context["form"]["listed"].value() is True
    client.post(NEW, FILLED_IN)
    assert Invitation.objects.order_by("-pk")[0].listed


def test_a_default_set_up_time_stays_empty_so_that_it_follows_the_pace(client: Client) -> None:
    client.post(NEW, FILLED_IN | {"pace": "7d"})
    assert client.get(NEW).context["form"]["setup_days"].value() is None


def test_a_challenge_page_has_the_username_filled_in(client: Client, bob: User) -> None:
    response = client.get(reverse("lobby:challenge", args=["Bob"]))
    form = response.context["form"]
    assert form["kind"].value() == InvitationKind.CHALLENGE
    assert form["opponent"].value() == "Bob"
    assert 'value="Bob"' in response.content.decode()


def test_the_form_of_a_challenge_page_creates_a_challenge(client: Client, bob: User) -> None:
    page = reverse("lobby:challenge", args=["Bob"])
    client.post(page, FILLED_IN | {"kind": "challenge", "opponent": "Bob"})
    assert Invitation.objects.get().guest == bob
