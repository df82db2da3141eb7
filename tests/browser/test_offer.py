"""The form for an invitation in a browser on a narrow screen, with and without scripts."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator

from tests.browser.people import FITS, Somebody
from tests.browser.test_other_systems import BOTH_WAYS, PREPARE
from tests.stack import Stack

pytestmark = pytest.mark.servers

GAMES = ["lattaque", "domino", "tactique", "assaut"]


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, dict[str, str]]:
    cookies_by_user: dict[str, dict[str, str]] = json.loads(service.shell(PREPARE).splitlines()[-1])
    return cookies_by_user


@pytest.fixture
def player(
    browser: Browser, service: Stack, cookies: dict[str, dict[str, str]], scripts: bool
) -> Iterator[Somebody]:
    # The form remembers a player's choice, so each way uses another player.
    name = "Alice" if scripts else "Bob"
    somebody = Somebody(browser, service, name, scripts)
    somebody.page.context.add_cookies(
        [
            {"name": key, "value": value, "url": somebody.base}
            for key, value in cookies[name].items()
        ]
    )
    somebody.page.set_viewport_size({"width": 320, "height": 800})
    yield somebody
    assert not somebody.complaints
    somebody.page.context.close()


def switches(person: Somebody) -> dict[str, Locator]:
    """The visible switches of each game."""
    details = person.page.locator("details.switches").all()
    return {str(each.get_attribute("data-game")): each for each in details if each.is_visible()}


@pytest.mark.soak
@BOTH_WAYS
def test_an_edition_is_changed_switch_by_switch(player: Somebody, scripts: bool) -> None:
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=kind][value=seat]").check()
    page.get_by_role("radio", name="Tactique", exact=False).first.check()
    # A rated match has the edition's own rules.
    page.get_by_label("Rated", exact=False).first.uncheck()
    page.get_by_text("More options").click()
    assert list(switches(player)) == (["tactique"] if scripts else GAMES)
    group = switches(player)["tactique"]
    group.locator("summary").click()
    if scripts:
        player.check_access()
        assert group.get_by_text("Default: Archers never hit a flag.").is_visible()
        assert page.evaluate(FITS)
    group.get_by_label("Archers may shoot the flag, and that wins the game.").check()
    group.get_by_label("Draw without a battle").fill("60")
    page.get_by_label("A set of two:", exact=False).check()
    player.press("Send invitation")
    seen = page.locator("main").inner_text()
    assert "Archers may shoot the flag, and that wins the game." in seen
    assert "After 60 turns in a row without a battle the game is a draw." in seen
    assert "Two matches at once with sides swapped, and one overall result." in seen


@pytest.mark.soak
@BOTH_WAYS
@pytest.mark.parametrize("size", [(390, 600), (360, 560), (320, 560)], ids=str)
def test_game_opponent_time_and_sending_are_in_one_view(
    player: Somebody, scripts: bool, size: tuple[int, int]
) -> None:
    page = player.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    player.go("/lobby/new/")
    name = page.get_by_label("Username", exact=True)
    for kind in ("seat", "challenge", "link", "house"):
        page.locator(f"input[name=kind][value={kind}]").check()
        assert name.is_visible() is (kind == "challenge")
        assert page.get_by_label("Level").is_visible() is (kind == "house")
        sends = "Play now" if kind == "house" else "Send invitation"
        button = page.get_by_role("button", name=sends, exact=True).bounding_box()
        assert button is not None
        assert button["y"] + button["height"] <= size[1], kind
        assert page.evaluate("scrollY") == 0
    assert page.evaluate(FITS)
    if scripts:
        player.check_access()


@pytest.mark.soak
@BOTH_WAYS
def test_a_username_typed_and_hidden_again_is_ignored_with_scripts(
    player: Somebody, scripts: bool
) -> None:
    """Without scripts the form asks about it, and it is visible again."""
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=kind][value=challenge]").check()
    page.get_by_label("Username", exact=True).fill("Charlie")
    page.locator("input[name=kind][value=link]").check()
    player.press("Send invitation")
    complaint = "You entered a player: choose “A player I choose” above, or clear this field."
    assert (complaint in page.content()) is not scripts
    assert page.get_by_label("Username", exact=True).is_visible() is not scripts


@pytest.mark.soak
@pytest.mark.parametrize("scripts", [True], ids=["scripts"])
def test_another_edition_comes_into_view_once_the_others_are_collapsed(player: Somebody) -> None:
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=preset][value=tactique]").check()
    page.get_by_text("More options").click()
    page.get_by_text("Other editions").first.click()
    editions = page.locator("#editions-more label")
    shown = [label.get_attribute("data-game") for label in editions.all() if label.is_visible()]
    assert set(shown) == {"tactique"}
    edition = page.get_by_role("radio", name="Tactique, step by step", exact=False).first
    edition.check()
    page.get_by_text("More options").click()
    edition.wait_for(state="visible")  # a fold reports its change a little later
    assert edition.is_checked()


@pytest.mark.soak
@BOTH_WAYS
def test_changed_options_of_another_game_are_not_sent(player: Somebody, scripts: bool) -> None:
    """The script leaves them out; without it the form asks about them."""
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=preset][value=domino]").check()
    page.get_by_text("More options").click()
    switches(player)["domino"].locator("summary").click()
    page.locator("input[name=domino-winner][value=return]").check()
    page.locator("input[name=preset][value=assaut]").check()
    player.press("Send invitation")
    is_asked = "You changed rules of Domino Stratego, but chose Assaut." in page.content()
    assert is_asked is not scripts


@BOTH_WAYS
def test_the_house_is_chosen_among_the_opponents_and_the_match_begins(
    player: Somebody, scripts: bool
) -> None:
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=preset][value=tactique]").check()
    page.locator("input[name=kind][value=house]").check()
    page.get_by_label("Level").select_option("Sergeant")
    player.press("Play now")
    heading = page.get_by_role("heading", level=1).inner_text()
    assert heading == "Set up your army against House-Sergeant"
    assert "House-Sergeant is ready." in page.content()
    assert page.evaluate(FITS)
    # The house is the default again next time; other players start with the usual choice.
    player.go("/lobby/new/")
    assert page.locator("input[name=kind][value=house]").is_checked()
    page.locator("input[name=kind][value=seat]").check()


@pytest.mark.soak
@BOTH_WAYS
def test_with_scripts_a_button_copies_a_private_link(player: Somebody, scripts: bool) -> None:
    page = player.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.go("/lobby/new/")
    page.locator("input[name=kind][value=link]").check()
    page.get_by_label("Message", exact=False).fill("Shall we?")
    page.get_by_label("Your side").select_option("1")
    player.press("Send invitation")
    assert "Shall we?" in page.locator("main").inner_text()
    copy = page.get_by_role("button", name="Copy", exact=True)
    assert copy.is_visible() is scripts
    if scripts:
        copy.click()
        page.get_by_text("Copied.").wait_for()
        link = page.locator("#link").input_value()
        assert page.evaluate("navigator.clipboard.readText()") == link
        player.check_access()
