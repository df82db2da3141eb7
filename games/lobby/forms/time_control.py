"""Form fields for the time control of an invitation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.play import time_controls
from games.play.terms import Terms
from games.play.words.times import span

DAYS_PER_MOVE = (1, 2, 3, 5, 7, 10, 14, 30)
BANKS = ("24h+4h^72h", "72h+12h^120h", "72h+36h^240h", "30d+3d")
MAX_SETUP_DAYS = 60


def pace_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices of time controls, grouped, in the reader's language."""
    return [
        (str(_("Time per move")), [(f"{days}d", span(f"{days}d")) for days in DAYS_PER_MOVE]),
        (
            str(_("Time bank, plus an increment with each move")),
            [(bank, span(bank)) for bank in BANKS],
        ),
        (str(_("No time limit")), [(time_controls.NO_CLOCK, span(time_controls.NO_CLOCK))]),
    ]


class PaceForm(forms.Form):
    """Time control, days for set-up, what happens on time-out, vacations."""

    pace = forms.ChoiceField(
        label=_("Time control"),
        choices=pace_choices,
        help_text=_(
            "A time bank keeps the time you save, up to its limit; every move adds the increment."
        ),
        widget=forms.Select(attrs={"class": "short"}),
    )
    setup_days = forms.IntegerField(
        label=_("Days for the set-up"),
        min_value=1,
        max_value=MAX_SETUP_DAYS,
        required=False,
        help_text=_(
            "Default: the time per move (minimum 3 days), or 14 days without a time limit."
        ),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    time_out = forms.ChoiceField(
        label=_("When time runs out"),
        choices=[
            ("hard", _("The match is lost")),
            ("soft", _("The opponent may claim the win, give another day, or wait")),
        ],
        required=False,
        initial="hard",
        widget=forms.RadioSelect,
    )

    vacations = forms.BooleanField(
        label=_("Vacations allowed"),
        required=False,
        help_text=_("A deadline that falls into either player's vacation moves to the end of it."),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        days = data.get("setup_days")
        return data | {
            "setup_pace": f"{days}d" if days else "",
            "soft": data.get("time_out") == "soft",
        }


def initial(terms: Terms) -> dict[str, object]:
    """Initial values of the fields without a term of the same name; empty days if the default."""
    control = time_controls.parse(terms.setup_pace)
    usual = time_controls.parse(time_controls.default_setup_pace(terms.pace))
    return {
        "setup_days": None if control == usual or control.bank is None else control.bank.days,
        "time_out": "soft" if terms.soft else "hard",
    }
