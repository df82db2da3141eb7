"""What profiles, the front page and the lobby say about players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import template
from django.utils.translation import gettext as _

from accounts.models import User
from games.people.models import Reliability
from games.people.standing import limits
from games.people.standing.limits import Barred
from games.people.standing.profiles import head_to_head as between
from games.people.standing.profiles import reliability
from games.play.words.times import in_words
from games.play.words.wording import refusal_text

register = template.Library()


@register.inclusion_tag("people/_reliability.html")
def reliability_of(person: User) -> dict[str, Any]:
    """How a person has played matches against people; nothing for a closed account."""
    if person.is_former:
        return {}
    row = reliability(person.pk)
    return {"row": row, "answers": _answer_times(row)}


def _answer_times(row: Reliability) -> str:
    """How quickly somebody answers, in words; "" if there are too few answers."""
    if row.quickly is None or row.mostly is None or row.slowly is None:
        return ""
    if row.slowly < timedelta(minutes=1):
        return _("mostly under a minute")
    quick, slow = in_words(row.quickly), in_words(row.slowly)
    if quick == slow:
        return _("mostly about %(median)s") % {"median": quick}
    return _("mostly %(quick)s to %(slow)s, median %(median)s") % {
        "quick": quick,
        "slow": slow,
        "median": in_words(row.mostly),
    }


@register.inclusion_tag("people/_head_to_head.html", takes_context=True)
def head_to_head(context: template.Context, person: User) -> dict[str, Any]:
    """The results of the reader against a person; nothing on one's own page or for visitors."""
    reader = context["user"]
    if not reader.is_authenticated or reader.pk == person.pk or person.is_former:
        return {}
    return {"person": person, "between": between(reader.pk, person.pk)}


@register.inclusion_tag("people/_bar_notice.html", takes_context=True)
def bar_notice(context: template.Context) -> dict[str, Any]:
    """Tells the reader that they are barred from rated play, and the way out; nobody else."""
    reader = context["user"]
    try:
        if reader.is_authenticated:
            limits.check_bar(reader.pk)
    except Barred as refusal:
        return {"sentence": refusal_text(refusal)}
    return {}
