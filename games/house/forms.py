"""Form for a match against the house: game, level, seat and response time."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.lobby.forms.invitation import SEAT_CARDS, Card, EditionForm, presets, read_seat

# Each text is shown alone too, and has to fit games without hidden ranks.
LEVEL_CARDS = [
    (RECRUIT.name, Card(_("Recruit"), _("Looks one move ahead and often makes mistakes."))),
    (
        SERGEANT.name,
        Card(
            _("Sergeant"),
            _("Watches how your pieces move and sometimes makes mistakes."),
        ),
    ),
    (
        MARSHAL.name,
        Card(
            _("Marshal"),
            _("Looks furthest ahead and rarely makes mistakes."),
        ),
    ),
]
AT_ONCE, LEISURELY = "now", "later"
SPEED_CARDS = [
    (AT_ONCE, Card(_("Immediately"), _("Usually within a minute."))),
    (
        LEISURELY,
        Card(_("Slowly"), _("Takes up to two hours per move, like a correspondence game.")),
    ),
]


def levels() -> list[tuple[str, str]]:
    """The levels, easiest first, as pairs of key and label."""
    return [(level, str(card)) for level, card in LEVEL_CARDS]


class HouseForm(EditionForm):
    """The choices for a match against the house; only game and level are required."""

    level = forms.ChoiceField(label=_("Level"), choices=LEVEL_CARDS, widget=forms.RadioSelect)
    seat = forms.ChoiceField(
        label=_("Your side"), choices=SEAT_CARDS, required=False, widget=forms.RadioSelect
    )
    speed = forms.ChoiceField(
        label=_("Response time"),
        choices=SPEED_CARDS,
        required=False,
        widget=forms.RadioSelect,
    )

    def choices(self) -> dict[str, Any]:
        """The chosen values as keyword arguments of play_the_house."""
        data = self.cleaned_data
        return {
            "preset": data["preset"],
            "level": data["level"],
            "seat": read_seat(data["seat"]),
            "leisurely": data["speed"] == LEISURELY,
        }


def initial(query: Any) -> dict[str, str]:
    """Initial values: `preset` and `level` from the query if valid, else the first and easiest."""
    defaults = {"preset": presets()[0][0], "level": RECRUIT.name, "seat": "", "speed": AT_ONCE}
    known = {"preset": dict(presets()), "level": dict(LEVEL_CARDS)}
    given = {name: query.get(name, "") for name in known}
    return defaults | {name: value for name, value in given.items() if value in known[name]}
