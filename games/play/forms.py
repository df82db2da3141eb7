"""Forms of the time-off page: days off and nights, planned vacations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.values.compared_forms import ComparedForm
from accounts.values.time_zone_field import ZoneField
from games.play.clocks.rest import MAX_DAYS_OFF_A_WEEK, MAX_NIGHT_HOURS, Rest, night_hours, parse

if TYPE_CHECKING:
    from accounts.models import User

DAYS = [(str(day), name) for day, name in WEEKDAYS.items()]
HOURS = [("", _("none")), *((str(hour), f"{hour:02}:00") for hour in range(24))]


class RestForm(ComparedForm, forms.Form):
    """Weekly days off and nightly hours, in a time zone."""

    days = forms.MultipleChoiceField(
        label=_("Days off"),
        choices=DAYS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("At most two days of the week."),
    )
    night_from = forms.ChoiceField(
        label=_("Night from"),
        choices=HOURS,
        required=False,
        help_text=_("At most ten hours."),
        widget=forms.Select(attrs={"class": "short"}),
    )
    night_to = forms.ChoiceField(
        label=_("until"),
        choices=HOURS,
        required=False,
        widget=forms.Select(attrs={"class": "short"}),
    )
    zone = ZoneField(label=_("in the time zone"))

    @staticmethod
    def chosen(user: User) -> dict[str, Any]:
        """Initial values: the player's current rest; their own time zone if they have none."""
        rest = parse(user.rest)
        night = ("", "") if rest.night is None else tuple(map(str, rest.night))
        return {
            "days": [str(day) for day in sorted(rest.days)],
            "night_from": night[0],
            "night_to": night[1],
            "zone": rest.zone if user.rest else user.zone,
        }

    def clean_days(self) -> list[str]:
        days: list[str] = self.cleaned_data["days"]
        if len(days) > MAX_DAYS_OFF_A_WEEK:
            raise forms.ValidationError(_("Choose at most two days off."))
        return days

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        begin, end = data.get("night_from", ""), data.get("night_to", "")
        if bool(begin) != bool(end):
            self.add_error(
                "night_to", _("Enter both the start and the end of the night, or neither.")
            )
        elif begin and begin == end:
            self.add_error("night_to", _("The night must end at a different hour than it begins."))
        elif begin and night_hours(int(begin), int(end)) > MAX_NIGHT_HOURS:
            count = night_hours(int(begin), int(end))
            message = ngettext(
                "That is %(count)d hour; a night has at most ten.",
                "That is %(count)d hours; a night has at most ten.",
                count,
            )
            self.add_error("night_to", message % {"count": count})
        return data

    def rest(self) -> Rest:
        """The rest that was entered."""
        data = self.cleaned_data
        begin, end = data["night_from"], data["night_to"]
        night = (int(begin), int(end)) if begin else None
        return Rest(frozenset(map(int, data["days"])), night, data["zone"])


class VacationForm(forms.Form):
    """First and last day of a vacation to plan."""

    first = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
