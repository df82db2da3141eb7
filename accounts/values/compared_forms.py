"""Forms of preferences that notice a change in another tab, instead of undoing it silently."""

from hashlib import sha256
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

SEEN = "seen"


class ComparedForm(forms.BaseForm):
    """Mixin, before a form: saves only over the stored values that its page has shown.

    `initial` are the stored values. If they have changed since, the form is shown again with what
    was chosen, and may be sent once more. A form without the hidden field is not compared.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = repr(sorted((name, str(value)) for name, value in self.initial.items()))
        self._stored = sha256(stored.encode(errors="replace")).hexdigest()[:32]
        self.fields[SEEN] = forms.CharField(
            required=False,
            max_length=64,
            initial=self._stored,
            # Some browsers fill in the value of before, when a page is loaded again.
            widget=forms.HiddenInput({"autocomplete": "off"}),
        )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.pop(SEEN, "") not in ("", self._stored):
            data: Any = self.data.copy()  # type: ignore[attr-defined]
            data[SEEN] = self._stored
            self.data = data
            raise forms.ValidationError(
                _(
                    "Nothing was saved: this was changed elsewhere since you opened the page. "
                    "Here is what you chose; save it again if you want to replace the change."
                )
            )
        return cleaned
