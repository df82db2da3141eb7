"""The time for a match, as whoever offers it chooses: these fields are part of their form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.lobby.models import Invitation
from games.play import clock
from games.play.templatetags.matches import span

DAYS = (1, 2, 3, 5, 7, 10, 14, 30)  # for each move
BANKS = ("24h+4h^72h", "72h+12h^120h", "72h+36h^240h", "30d+3d")
SHORTEST_SETUP = 3  # days, unless the player wants it shorter
LONGEST_SETUP = 60  # days
SETUP_WITHOUT_CLOCK = 14  # days, unless the player wants it otherwise


def paces() -> list[tuple[str, list[tuple[str, str]]]]:
    """A choice for every pace, in the reader's language."""
    return [
        (str(_("For each move")), [(f"{days}d", span(f"{days}d")) for days in DAYS]),
        (str(_("A bank, and more with each move")), [(bank, span(bank)) for bank in BANKS]),
        (str(_("As long as you like")), [(clock.NONE, span(clock.NONE))]),
    ]


def usual_setup(pace: str) -> int:
    """The days for a set-up where nobody asks for more or less; it always has a limit."""
    bank = clock.parse(pace).bank
    return SETUP_WITHOUT_CLOCK if bank is None else max(SHORTEST_SETUP, bank.days)


class PaceForm(forms.Form):
    pace = forms.ChoiceField(
        label=_("Time for a move"),
        choices=paces,
        help_text=_("A bank holds what you save, up to its limit; every move adds to it."),
        widget=forms.Select(attrs={"class": "short"}),
    )
    setup_days = forms.IntegerField(
        label=_("Days for the set-up"),
        min_value=1,
        max_value=LONGEST_SETUP,
        required=False,
        help_text=_("Left empty: as many as for a move, three at least; without a clock, 14."),
        widget=forms.NumberInput(attrs={"class": "short"}),
    )
    time_out = forms.ChoiceField(
        label=_("When time is up"),
        choices=[
            ("hard", _("The match is lost")),
            ("soft", _("The opponent may claim the match, give a day more, or wait")),
        ],
        required=False,
        initial="hard",
        widget=forms.RadioSelect,
    )

    vacations = forms.BooleanField(
        label=_("Vacations count"),
        required=False,
        help_text=_("A deadline that falls into a vacation of yours or theirs moves to its end."),
    )

    def pace_terms(self) -> dict[str, Any]:
        """What was chosen, in the words of an invitation."""
        data = self.cleaned_data
        days = data["setup_days"] or usual_setup(data["pace"])
        return {
            "pace": data["pace"],
            "setup_pace": f"{days}d",
            "soft": data["time_out"] == "soft",
            "vacations": data["vacations"],
        }


def last_pace(last: Invitation | None) -> dict[str, object]:
    """What the player chose the last time; a usual set-up stays empty and follows the pace."""
    if last is None:
        return {"pace": "3d", "time_out": "hard", "vacations": True}
    bank = clock.parse(last.setup_pace).bank
    days = None if bank is None else bank.days
    return {
        "pace": last.pace,
        "setup_days": None if days == usual_setup(last.pace) else days,
        "time_out": "soft" if last.soft else "hard",
        "vacations": last.vacations,
    }
