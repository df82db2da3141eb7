"""What one may ask of the archive, and bring to it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.timezone import make_aware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.archive import catalogue, intake
from games.play.models.match import Match
from games.rules import registry
from games.rules.core.army import Seat

# No match has ended outside these days; beyond them, instants cannot be counted.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)

RESULTS = [
    ("", gettext_lazy("any result")),
    ("south", gettext_lazy("South won")),
    ("north", gettext_lazy("North won")),
    ("draw", gettext_lazy("a draw")),
    ("won", gettext_lazy("the player won")),
    ("lost", gettext_lazy("the player lost")),
]
BY_RESULT = {
    "south": catalogue.WON_BY[Seat.SOUTH],
    "north": catalogue.WON_BY[Seat.NORTH],
    "draw": Q(result="draw"),
}


class DayField(forms.DateField):
    """A day, by the reader's calendar."""

    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")

    def __init__(self, **kwargs: Any) -> None:
        wrong = gettext_lazy("This is no day; write it as year, month and day: 2026-11-20.")
        super().__init__(required=False, error_messages={"invalid": wrong}, **kwargs)

    def to_python(self, value: Any) -> date | None:
        day = super().to_python(value)
        return day and min(max(day, FIRST_DAY), LAST_DAY)


class PlayerField(forms.CharField):
    """A person by their handle, however it is written; raises ValidationError if there is none."""

    widget = forms.TextInput(
        {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=40, **kwargs)

    def clean(self, value: Any) -> User | None:
        handle = super().clean(value)
        if not handle:
            return None
        # No two people have handles that look alike, so this finds one at most.
        person = User.objects.look_alikes(handle).filter(pending=False).first()
        if person is None:
            raise forms.ValidationError(
                _("Nobody here has the handle “%(handle)s”.") % {"handle": handle}
            )
        return person


class SearchForm(forms.Form):
    player = PlayerField(label=gettext_lazy("Player"))
    opponent = PlayerField(label=gettext_lazy("Against"))
    preset = forms.ChoiceField(label=gettext_lazy("Rules"), required=False)
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False, choices=RESULTS)
    since = DayField(label=gettext_lazy("Ended from"))
    until = DayField(label=gettext_lazy("Ended until"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rules.key, _(rules.title)) for rules in registry.presets()]
        self.fields["preset"].choices = [("", _("any rules")), *rules]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        asked = self.cleaned_data
        if asked.get("since") and asked.get("until") and asked["since"] > asked["until"]:
            self.add_error("until", _("The last day lies before the first, so there is no match."))
        if asked.get("result") in ("won", "lost") and not self.data.get("player"):
            self.add_error("player", _("Say which player, or choose another result."))
        return asked

    def matches(self) -> QuerySet[Match]:
        """The finished matches that a valid form asks for, newest first."""
        asked, found = self.cleaned_data, catalogue.finished()
        result = asked["result"]
        if asked["player"]:
            outcome = result if result in ("won", "lost") else ""
            found = catalogue.of_player(found, asked["player"], outcome)
        if asked["opponent"]:
            found = catalogue.of_player(found, asked["opponent"])
        if asked["preset"]:
            found = found.filter(preset=asked["preset"])
        if result in BY_RESULT:
            found = found.filter(BY_RESULT[result])
        since = asked["since"] and _midnight(asked["since"])
        before = asked["until"] and _midnight(asked["until"] + timedelta(days=1))
        return catalogue.ended_between(found, since, before)


class RecordForm(forms.Form):
    """A game record, typed or as a file; whatever came of it stands in the text field then."""

    text = forms.CharField(
        label=gettext_lazy("Game record"),
        required=False,
        strip=False,
        widget=forms.Textarea({"class": "notation", "rows": 14, "spellcheck": "false"}),
        help_text=gettext_lazy(
            'Paste it here, from [System "..."] to the result. '
            "Remarks on the moves may be left out; the rules write their own."
        ),
        error_messages={
            "null_characters_not_allowed": gettext_lazy("The text holds signs that are no text.")
        },
    )
    file = forms.FileField(
        label=gettext_lazy("Or a text file"),
        required=False,
        widget=forms.FileInput({"accept": ".txt,text/plain"}),
        help_text=gettext_lazy("At most 256 KiB."),
    )

    def clean_file(self) -> str:
        """The text of the file; "" if none was chosen."""
        upload = self.cleaned_data.get("file")
        if not upload:
            return ""
        if upload.size > intake.LONGEST:
            raise forms.ValidationError(_("The file is too large; a record has at most 256 KiB."))
        try:
            text: str = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise forms.ValidationError(_("The file is no text in UTF-8, as records are."))
        return text

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        text = given.get("file") or given.get("text") or ""
        if len(text) > intake.LONGEST:
            self.add_error("text", _("The text is too long; a record has at most 256 KiB."))
        elif not text.strip() and not self.errors:
            self.add_error("text", _("Paste a record, or choose a file that holds one."))
        self.data = {self.add_prefix("text"): text}
        return {**given, "text": text}


def _midnight(day: date) -> datetime:
    """The instant at which a day begins for the reader."""
    return make_aware(datetime.combine(day, time.min))
