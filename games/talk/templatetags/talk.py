"""Talk as the pages of a match show it to its two players."""

from django import template

from accounts.models import User
from games.play.record.match_view import MatchView
from games.talk.section import TalkSection, section

register = template.Library()


@register.simple_tag
def talk_of(view: MatchView, reader: User) -> TalkSection | None:
    """The talk of a match for one of its players; None for others and in matches with the house."""
    return section(view, reader)
