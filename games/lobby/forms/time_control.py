"""Form fields for the time control of an invitation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.lobby.models import Invitation
from games.play import time_controls
from games.play.words.times import span

DAYS_PER_MOVE = (1, 2, 3, 5, 7, 10, 14, 30)
BANKS = ("24h+4h^72h", "72h+12h^120h", "72h+36h^240h", "30d+3d")
MIN_DEFAULT_SETUP_DAYS = 3  # players may choose less
MAX_SETUP_DAYS = 60
SETUP_DAYS_WITHOUT_CLOCK = 14  # by default; a set-up always has a limit


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


def default_setup_days(pace: str) -> int:
    """The days for set-up if the player enters none."""
    bank = time_controls.parse(pace).bank
    return SETUP_DAYS_WITHOUT_CLOCK if bank is None else max(MIN_DEFAULT_SETUP_DAYS, bank.days)


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

    def pace_terms(self) -> dict[str, Any]:
        """The chosen values as keyword arguments of commands.offer."""
        data = self.cleaned_data
        days = data["setup_days"] or default_setup_days(data["pace"])
        return {
            "pace": data["pace"],
            "setup_pace": f"{days}d",
            "soft": data["time_out"] == "soft",
            "vacations": data["vacations"],
        }


def last_pace(last: Invitation | None) -> dict[str, object]:
    """Initial values: what the player chose last time; default days for set-up stay empty."""
    if last is None:
        return {"pace": "3d", "time_out": "hard", "vacations": True}
    bank = time_controls.parse(last.setup_pace).bank
    days = None if bank is None else bank.days
    return {
        "pace": last.pace,
        "setup_days": None if days == default_setup_days(last.pace) else days,
        "time_out": "soft" if last.soft else "hard",
        "vacations": last.vacations,
    }
