"""Form of what others may do to reach a player: challenges and talk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

from games.idempotency.replay import command_transaction

if TYPE_CHECKING:
    from accounts.models import User

EVERYBODY, NOBODY = "everybody", "nobody"


class ContactForm(forms.Form):
    """Who may challenge the user, and whether they talk in their matches."""

    challenges_from = forms.ChoiceField(
        label=_("Who may challenge me"),
        choices=[(EVERYBODY, _("Everybody")), (NOBODY, _("Nobody"))],
        widget=forms.RadioSelect,
        help_text=_(
            "This holds for challenges and rematches. You can still challenge others, and anybody "
            "may take your open seats."
        ),
    )
    no_talk = forms.BooleanField(
        label=_("No talk in my matches"),
        required=False,
        help_text=_("You and your opponents cannot write to each other. They can read that."),
    )

    def save(self, user: User) -> None:
        """Store the choices of a valid form."""
        user.no_challenges = self.cleaned_data["challenges_from"] == NOBODY
        user.no_talk = self.cleaned_data["no_talk"]
        with command_transaction():
            user.save(update_fields=["no_challenges", "no_talk"])


def choices_of(user: User) -> dict[str, object]:
    """Initial values: what the user has chosen."""
    chosen = NOBODY if user.no_challenges else EVERYBODY
    return {"challenges_from": chosen, "no_talk": user.no_talk}
