"""Forms of reports and answers."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.people.models import ReportReason
from games.people.moderation.answers import MAX_ANSWER
from games.people.moderation.reporting import MAX_WORDS
from lib.spelling import typed_text


class WrittenField(forms.CharField):
    """Some lines of plain text, in NFC and without invisible signs; longest counts them so."""

    widget = forms.Textarea

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length=max_length, **kwargs)
        # Browsers count a line break as one character and send two.
        self.widget.attrs |= {"rows": 5, "dir": "auto"}

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        lines = [typed_text.name(line) for line in text.splitlines()]
        if not all(map(typed_text.is_printable, lines)):
            raise ValidationError(
                _("This text has characters that cannot be shown. Type it again in plain text.")
            )
        return "\n".join(lines).strip()


class ReportForm(forms.Form):
    """Why something is reported, and the reporter's own words."""

    reason = forms.ChoiceField(label=_("What is wrong?"), choices=ReportReason.choices)
    words = WrittenField(
        label=_("What should the moderators know?"),
        max_length=MAX_WORDS,
        required=False,
        help_text=_(
            "At most 500 characters. Only moderators read this. The player does not learn "
            "who reported them."
        ),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("reason") == ReportReason.OTHER and data.get("words") == "":
            self.add_error("words", _("Say in a few words what is wrong."))
        return data


class AnswerForm(forms.Form):
    """The answer of a person to a decision about them."""

    answer = WrittenField(
        label=_("Your answer"),
        max_length=MAX_ANSWER,
        help_text=_("At most 1,000 characters. You can answer once."),
    )
