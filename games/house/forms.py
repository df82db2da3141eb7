"""Form of a match against the house: game, level, seat, and whether it takes its time."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.lobby.forms.invitation import SEAT_CARDS, Card, EditionForm, presets, read_seat

# Each makes sense alone, and where nothing is hidden too.
LEVEL_CARDS = [
    (RECRUIT.name, Card(_("Recruit"), _("Sees what a move brings at once, and often errs."))),
    (
        SERGEANT.name,
        Card(
            _("Sergeant"),
            _(
                "Looks a little ahead, reads what your pieces do where ranks are hidden, and errs "
                "at times."
            ),
        ),
    ),
    (
        MARSHAL.name,
        Card(
            _("Marshal"),
            _(
                "Looks furthest ahead, weighs what each piece may be where ranks are hidden, and "
                "hardly errs."
            ),
        ),
    ),
]
AT_ONCE, LEISURELY = "now", "later"
SPEED_CARDS = [
    (AT_ONCE, Card(_("Answers at once"), _("Mostly within a minute."))),
    (LEISURELY, Card(_("Takes its time"), _("Lets you wait for up to two hours, as by letter."))),
]


class HouseForm(EditionForm):
    """What one chooses to play the house; only the game and the level have to be given."""

    level = forms.ChoiceField(label=_("Level"), choices=LEVEL_CARDS, widget=forms.RadioSelect)
    seat = forms.ChoiceField(
        label=_("Your seat"), choices=SEAT_CARDS, required=False, widget=forms.RadioSelect
    )
    speed = forms.ChoiceField(
        label=_("How soon it answers"),
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


def initial(asked: Any) -> dict[str, str]:
    """Initial values: the first game against a recruit, or what the address names."""
    first = {"preset": presets()[0][0], "level": RECRUIT.name, "seat": "", "speed": AT_ONCE}
    known = {"preset": dict(presets()), "level": dict(LEVEL_CARDS)}
    named = {name: asked.get(name, "") for name in known}
    return first | {name: value for name, value in named.items() if value in known[name]}
