"""Form fields for who may accept an invitation, and how often an open seat is offered again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.lobby.invitations.conditions import (
    FINISHED,
    MAX_RATING,
    MAX_REPEATS,
    MIN_RATING,
    Conditions,
)

NAMES = ("rating_from", "rating_to", "established", "min_finished", "reliable")


def _finished() -> list[tuple[int, str]]:
    return [
        (least, _("%(least)s or more") % {"least": least} if least else _("any number"))
        for least in FINISHED
    ]


def _whole_number(label: Any, least: int, most: int, help_text: Any) -> forms.IntegerField:
    message = gettext_lazy("Enter a whole number from %(least)s to %(most)s, or leave this empty.")
    error = message % {"least": least, "most": most}
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        required=False,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), error),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )


class ConditionsForm(forms.Form):
    """Conditions of open seats and private links, and the repeats of an open seat."""

    rating_from = _whole_number(
        gettext_lazy("Rating from"),
        MIN_RATING,
        MAX_RATING,
        gettext_lazy("The rating in the chosen game; without one, 1500 counts."),
    )
    rating_to = _whole_number(gettext_lazy("Rating to"), MIN_RATING, MAX_RATING, "")
    established = forms.BooleanField(
        label=gettext_lazy("An established rating"),
        required=False,
        help_text=gettext_lazy("One that is shown without a question mark."),
    )
    min_finished = forms.TypedChoiceField(
        label=gettext_lazy("Finished matches"),
        choices=_finished,
        coerce=int,
        required=False,
        initial=0,
        widget=forms.Select(attrs={"class": "short"}),
    )
    reliable = forms.BooleanField(
        label=gettext_lazy("Nothing missed"),
        required=False,
        help_text=gettext_lazy("No loss on time and no missing set-up within 90 days."),
    )
    repeats = _whole_number(
        gettext_lazy("Offer the open seat again"),
        0,
        MAX_REPEATS,
        gettext_lazy(
            "How many times (0 to 9) after somebody has taken it, each time for 14 days. Nobody "
            "can take it twice at once."
        ),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        data["min_finished"] = data.get("min_finished") or 0
        least, most = data.get("rating_from"), data.get("rating_to")
        if least is not None and most is not None and least > most:
            words = gettext_lazy("Enter a rating of at least %(least)s, as in “Rating from”.")
            self.add_error("rating_to", words % {"least": least})
        elif not self.errors:
            data["conditions"] = Conditions.from_values(data)
        return data
