"""Archive forms: the search for finished matches, and the import of a game record."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.timezone import make_aware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.archive import finished_matches, importing
from games.play.models.match import Match
from games.rules import registry
from games.rules.core.basics.pieces import Seat

# No match ended outside these days; far beyond them, datetime overflows.
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
    "south": finished_matches.WON_BY[Seat.SOUTH],
    "north": finished_matches.WON_BY[Seat.NORTH],
    "draw": Q(result="draw"),
}


class DayField(forms.DateField):
    """An optional date in the reader's time zone, limited to FIRST_DAY and LAST_DAY."""

    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")

    def __init__(self, **kwargs: Any) -> None:
        invalid = gettext_lazy("This is not a date. Write year, month and day: 2026-11-20.")
        super().__init__(required=False, error_messages={"invalid": invalid}, **kwargs)

    def to_python(self, value: Any) -> date | None:
        day = super().to_python(value)
        return day and min(max(day, FIRST_DAY), LAST_DAY)


class PlayerField(forms.CharField):
    """An optional username, in any spelling that looks alike; cleans to the User."""

    widget = forms.TextInput(
        {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=40, **kwargs)

    def clean(self, value: Any) -> User | None:
        handle = super().clean(value)
        if not handle:
            return None
        # No two users have usernames that look alike, so this finds one at most.
        person: User | None = User.objects.look_alikes(handle).filter(pending=False).first()
        if person is None:
            raise forms.ValidationError(
                _("There is no player called “%(handle)s”.") % {"handle": handle}
            )
        return person


class SearchForm(forms.Form):
    """Search for finished matches by player, rules, result and date."""

    player = PlayerField(label=gettext_lazy("Player"))
    opponent = PlayerField(label=gettext_lazy("Opponent"))
    preset = forms.ChoiceField(label=gettext_lazy("Rules"), required=False)
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False, choices=RESULTS)
    since = DayField(label=gettext_lazy("Ended on or after"))
    until = DayField(label=gettext_lazy("Ended on or before"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rules = [(rules.key, _(rules.title)) for rules in registry.editions()]
        self.fields["preset"].choices = [("", _("any rules")), *rules]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("since") and cleaned.get("until") and cleaned["since"] > cleaned["until"]:
            self.add_error("until", _("The last day is before the first."))
        if cleaned.get("result") in ("won", "lost") and not self.data.get("player"):
            self.add_error("player", _("Enter a player, or choose another result."))
        return cleaned

    def matches(self) -> QuerySet[Match]:
        """The finished matches that fit a valid form, newest first."""
        cleaned, matches = self.cleaned_data, finished_matches.finished()
        result = cleaned["result"]
        if cleaned["player"]:
            outcome = result if result in ("won", "lost") else ""
            matches = finished_matches.played_by(matches, cleaned["player"], outcome)
        if cleaned["opponent"]:
            if cleaned["opponent"] == cleaned["player"]:
                return matches.none()
            matches = finished_matches.played_by(matches, cleaned["opponent"])
        if cleaned["preset"]:
            matches = matches.filter(preset=cleaned["preset"])
        if result in BY_RESULT:
            matches = matches.filter(BY_RESULT[result])
        since = cleaned["since"] and _midnight(cleaned["since"])
        before = cleaned["until"] and _midnight(cleaned["until"] + timedelta(days=1))
        return finished_matches.ended_between(matches, since, before)


class RecordForm(forms.Form):
    """Import of a game record, pasted or as a file; shown again with the text in the text field."""

    text = forms.CharField(
        label=gettext_lazy("Game record"),
        required=False,
        strip=False,
        widget=forms.Textarea({"class": "notation", "rows": 14, "spellcheck": "false"}),
        help_text=gettext_lazy(
            'Paste it here, from [System "..."] to the result. Annotations of the moves are '
            "optional; they are recalculated from the rules."
        ),
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
        if upload.size > importing.MAX_RECORD_CHARACTERS:
            raise forms.ValidationError(_("The file is too large; the limit is 256 KiB."))
        try:
            text: str = upload.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise forms.ValidationError(_("The file is not UTF-8 text."))
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        text = cleaned.get("file") or cleaned.get("text") or ""
        if len(text) > importing.MAX_RECORD_CHARACTERS:
            self.add_error("text", _("The text is too long; the limit is 256 KiB."))
        elif not text.strip() and not self.errors:
            self.add_error("text", _("Paste a record, or choose a file."))
        self.data = {self.add_prefix("text"): text}
        return {**cleaned, "text": text}


def _midnight(day: date) -> datetime:
    """The beginning of a day in the reader's time zone."""
    return make_aware(datetime.combine(day, time.min))
