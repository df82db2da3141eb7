"""Words for a deal: what a player types, so that nobody else alone decides the deal."""

import unicodedata

from django import forms
from django.utils.translation import gettext_lazy as _

from games.rules.proof.deal import LONGEST_WORDS_CHARACTERS


class WordsForm(forms.Form):
    """The words of the player who accepts; of the owner they are a field of the invitation."""

    words = forms.CharField(
        label=_("Words for the deal"),
        max_length=LONGEST_WORDS_CHARACTERS,
        required=False,
        help_text=_(
            "Only where pieces are dealt: the deal also depends on these words, so nobody can have "
            "chosen it beforehand. At most 100 characters; your opponent does not see them."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_words(self) -> str:
        """The words as they are hashed: one line, composed (NFC), without blanks at the ends."""
        words = unicodedata.normalize("NFC", " ".join(self.cleaned_data["words"].split()))
        # Some characters are composed of several.
        if len(words) > LONGEST_WORDS_CHARACTERS:
            raise forms.ValidationError(_("Please type at most 100 characters."))
        return words
