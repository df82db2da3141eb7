"""Form for someone of one's strength: an edition and a time control."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from games.lobby.forms.invitation import EditionForm
from games.lobby.forms.time_control import pace_choices
from games.play import time_controls


def _with_clock() -> list[tuple[str, list[tuple[str, str]]]]:
    """The time controls with a clock, since the seat that is offered is rated."""
    return [
        (group, choices)
        for group, choices in pace_choices()
        if choices[0][0] != time_controls.NO_CLOCK
    ]


class StrengthForm(EditionForm):
    """What to play, and at which pace."""

    pace = forms.ChoiceField(
        label=_("Time control"), choices=_with_clock, widget=forms.Select(attrs={"class": "short"})
    )
