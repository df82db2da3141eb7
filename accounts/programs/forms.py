"""Forms for new tokens and bots."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import AccessToken, User
from accounts.people.bots import MAX_NAME_CHARACTERS
from accounts.tokens import making

TERMS = (30, 90, 365, 730)  # days that a token may last


class NewTokenForm(forms.Form):
    """A new token of a person or one of their bots."""

    name = forms.CharField(
        label=_("Name"),
        max_length=AccessToken._meta.get_field("name").max_length,
        help_text=_("It says what the token is for, such as the program or computer."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    account = forms.ChoiceField(label=_("For"))
    scopes = forms.MultipleChoiceField(
        label=_("What may a program do with it, besides reading?"),
        choices=[
            (making.PLAY, _("Play: set up, move, resign, offer and answer draws")),
            (making.CHALLENGE, _("Challenge: offer and answer invitations")),
        ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[
            (30, _("30 days")),
            (90, _("90 days")),
            (365, _("1 year")),
            (730, _("2 years")),
        ],
        coerce=int,
        initial=making.TERM.days,
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._accounts = {str(one.pk): one for one in (user, *user.bots.order_by("pk"))}
        field = self.fields["account"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = [(pk, one.username) for pk, one in self._accounts.items()]
        if len(self._accounts) == 1:
            field.required = False
            field.widget = field.hidden_widget()

    @property
    def holder(self) -> User:
        """The account of a valid form."""
        accounts = self._accounts
        return accounts[self.cleaned_data["account"] or next(iter(accounts))]

    @property
    def term(self) -> timedelta:
        """How long the token of a valid form lasts."""
        return timedelta(days=self.cleaned_data["days"])


class NewBotForm(forms.Form):
    """A new bot."""

    name = forms.CharField(
        label=_("Name, after “Bot-”"),
        max_length=MAX_NAME_CHARACTERS,
        help_text=_("It cannot be changed later. Everybody sees whose bot it is."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class CloseBotForm(forms.Form):
    """Closes a bot for good."""

    bot = forms.IntegerField(min_value=1, max_value=10**18 - 1, widget=forms.HiddenInput)
    sure = forms.BooleanField(
        label=_("Close it for good. It loses its running matches, and its tokens end."),
        error_messages={"required": _("Tick the box to close the bot.")},
    )
