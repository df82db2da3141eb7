"""What somebody wishes to be told, as one plain form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.lobby.forms import Card
from games.notices import wishes
from games.notices.kinds import Channel, Detail, Kind
from games.notices.models import Style
from games.notices.wishes import Rhythm


def hours() -> list[tuple[str, str]]:
    return [(str(hour), f"{hour:02}:00") for hour in range(24)]


def quiet_hours() -> list[tuple[str, object]]:
    return [("", _("never")), *hours()]


RHYTHMS = [
    (Rhythm.NOW, Card(Rhythm.NOW.label, _("A letter for each event."))),
    (
        Rhythm.CALM,
        Card(
            Rhythm.CALM.label,
            _(
                "When it has been your turn for 15 minutes and still is, one letter; then none "
                "about turns until you have been here."
            ),
        ),
    ),
    (Rhythm.DAILY, Card(Rhythm.DAILY.label, _("It tells all that waits for you."))),
    (Rhythm.TWICE, Card(Rhythm.TWICE.label, _("Each tells all that waits for you."))),
]


@dataclass(frozen=True)
class Row:
    """A kind of notice with its boxes, each with the name of its channel."""

    label: str
    boxes: list[tuple[str, forms.BoundField]]


class NoticesForm(forms.Form):
    rhythm = forms.ChoiceField(
        label=_("Rhythm of letters"), choices=RHYTHMS, widget=forms.RadioSelect
    )
    first_hour = forms.TypedChoiceField(
        label=_("Hour of the daily letter"), choices=hours, coerce=int
    )
    second_hour = forms.TypedChoiceField(
        label=_("Hour of the second letter"), choices=hours, coerce=int
    )
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet from"),
        choices=quiet_hours,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("In quiet hours, no letter and no push is sent. They follow, if still so."),
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet until"),
        choices=quiet_hours,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("A reminder that could not wait for the end of them is sent all the same."),
    )
    email_detail = forms.ChoiceField(label=_("What letters tell"), choices=Detail.choices)
    push_detail = forms.ChoiceField(
        label=_("What a push tells"),
        choices=[choice for choice in Detail.choices if choice[0] != Detail.BOARD],
        help_text=_("It may be read on a locked screen."),
    )

    def __init__(self, user: User, data: Any = None) -> None:
        self.user = user
        self.wishes = wishes.of(user)
        super().__init__(data, initial=self._initial())
        for channel, kind in _boxes():
            label = _("%(kind)s: %(channel)s") % {"kind": kind.label, "channel": channel.label}
            self.fields[f"{channel}_{kind}"] = forms.BooleanField(required=False, label=label)

    def _initial(self) -> dict[str, Any]:
        wished = self.wishes
        boxes = {
            f"{channel}_{kind}": wishes.wants_letters(self.user, kind)
            if channel == Channel.EMAIL
            else wished.wants(channel, kind)
            for channel, kind in _boxes()
        }
        return boxes | {name: getattr(wished, name) for name in self.base_fields}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_until") is None):
            self.add_error(
                "quiet_until",
                _("Quiet hours have a beginning and an end. Choose both, or “never” twice."),
            )
        return cleaned

    def rows(self) -> Iterator[Row]:
        """The matrix: a row for each kind."""
        for kind in Kind:
            boxes = [(str(channel.label), self[f"{channel}_{kind}"]) for channel in Channel]
            yield Row(str(kind.label), boxes)

    def settings(self) -> list[forms.BoundField]:
        """What stands below the matrix and the rhythm."""
        return [self[name] for name in self.base_fields if name != "rhythm"]

    def save(self) -> None:
        """Writes the wishes; the two lists that letters can be stopped by follow the boxes."""
        ticked = {(c, k): self.cleaned_data[f"{c}_{k}"] for c, k in _boxes()}
        about_matches = [k for k in Kind if k != Kind.REMINDER]
        self.user.match_letters = any(ticked[Channel.EMAIL, kind] for kind in about_matches)
        self.user.reminder_letters = ticked[Channel.EMAIL, Kind.REMINDER]
        self.user.save(update_fields=["match_letters", "reminder_letters"])
        chosen = {name: self.cleaned_data[name] for name in self.base_fields}
        unwanted = tuple(f"{c} {k}" for (c, k), wanted in ticked.items() if not wanted)
        wishes.change(self.user, unwanted=unwanted, **chosen)


class HookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("It begins with https://. Whoever reads there sees your matches named."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    style = forms.ChoiceField(label=_("Form"), choices=Style.choices)


class DeviceForm(forms.Form):
    """Filled in by the page's script, with what the browser says about itself."""

    endpoint = forms.CharField(max_length=1000, widget=forms.HiddenInput)
    p256dh = forms.CharField(max_length=100, widget=forms.HiddenInput)
    auth = forms.CharField(max_length=40, widget=forms.HiddenInput)
    name = forms.CharField(max_length=60, widget=forms.HiddenInput)


def _boxes() -> list[tuple[Channel, Kind]]:
    return [(channel, kind) for channel in Channel for kind in Kind]
