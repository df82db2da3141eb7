"""The forms on the page of a player's time off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import zones
from games.play.rest import LONGEST_NIGHT, MOST_DAYS, Rest, night_hours, read

if TYPE_CHECKING:
    from accounts.models import User

DAYS = [(str(day), name) for day, name in WEEKDAYS.items()]
HOURS = [("", _("no nights")), *((str(hour), f"{hour:02}:00") for hour in range(24))]


class RestForm(forms.Form):
    days = forms.MultipleChoiceField(
        label=_("Days off"),
        choices=DAYS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Two days of the week at most."),
    )
    night_from = forms.ChoiceField(
        label=_("Night from"),
        choices=HOURS,
        required=False,
        help_text=_("Ten hours at most."),
        widget=forms.Select(attrs={"class": "short"}),
    )
    night_to = forms.ChoiceField(
        label=_("until"),
        choices=HOURS,
        required=False,
        widget=forms.Select(attrs={"class": "short"}),
    )
    zone = forms.ChoiceField(label=_("by the clocks of"), choices=zones.choices)

    @staticmethod
    def chosen(user: User) -> dict[str, Any]:
        """What the player has chosen so far; nights by the clocks of their own zone, if none."""
        rest = read(user.rest)
        night = ("", "") if rest.night is None else tuple(map(str, rest.night))
        return {
            "days": [str(day) for day in sorted(rest.days)],
            "night_from": night[0],
            "night_to": night[1],
            "zone": rest.zone if user.rest else user.zone,
        }

    def clean_days(self) -> list[str]:
        days: list[str] = self.cleaned_data["days"]
        if len(days) > MOST_DAYS:
            raise forms.ValidationError(_("Choose two days off at most."))
        return days

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        begin, end = data.get("night_from", ""), data.get("night_to", "")
        if bool(begin) != bool(end):
            self.add_error("night_to", _("Say when the night begins and when it ends, or neither."))
        elif begin and begin == end:
            self.add_error("night_to", _("A night ends at another hour than it begins."))
        elif begin and night_hours(int(begin), int(end)) > LONGEST_NIGHT:
            count = night_hours(int(begin), int(end))
            said = ngettext(
                "That is %(count)d hour; a night has ten at most.",
                "That is %(count)d hours; a night has ten at most.",
                count,
            )
            self.add_error("night_to", said % {"count": count})
        return data

    def rest(self) -> Rest:
        """What was filled in."""
        data = self.cleaned_data
        begin, end = data["night_from"], data["night_to"]
        night = (int(begin), int(end)) if begin else None
        return Rest(frozenset(map(int, data["days"])), night, data["zone"])


class HolidayForm(forms.Form):
    first = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
