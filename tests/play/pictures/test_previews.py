"""Texts to copy that show a match on other sites."""

from html.parser import HTMLParser

from django.conf import settings
from django.template.loader import render_to_string

from games.play.models.match import Match
from games.play.record import match_view
from games.play.templatetags.link_previews import embedding
from tests.play import match_helpers
from tests.play.match_helpers import People


class Fields(HTMLParser):
    """The texts of a page's text areas by id, as a browser shows them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = str(dict(attrs)["id"]) if tag == "textarea" else ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside] = self.texts.get(self._inside, "") + data
            self._inside = ""


def test_the_texts_show_a_picture_with_a_link_to_the_replay(who: People) -> None:
    match = match_helpers.finished_match(who)
    view = match_view.view_match(match.pk, who.alice)
    texts = Fields(render_to_string("play/_embed.html", {"view": view})).texts
    page = f"{settings.SITE_URL}/archive/{match.pk}/"
    image = f"{settings.SITE_URL}/match/{match.pk}/picture/3.png"
    assert texts["embed-html"] == (
        f'<a href="{page}"><img src="{image}" width="600" height="315"'
        ' alt="Alice – Bob, L&#x27;Attaque"></a>'
    )
    assert texts["embed-markdown"] == f"[![Alice – Bob, L'Attaque]({image})]({page})"


def test_players_and_others_copy_the_same(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    for ply in (0, 2):
        copied = {
            embedding(match_view.view_match(match.pk, user, shown=ply))
            for user in (who.alice, who.bob, who.charlie, None)
        }
        assert len(copied) == 1
        (texts,) = copied
        assert texts and f"picture/{ply}.png" in texts.html
        assert ("?ply=0" in texts.html) is (ply == 0)


def test_before_both_set_ups_there_is_no_preview(who: People) -> None:
    view = match_view.view_match(match_helpers.new_match(who).pk, None)
    assert embedding(view) is None
    assert render_to_string("play/_embed.html", {"view": view}).strip() == ""
