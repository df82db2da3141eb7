"""Forms of the notification settings: preferences, a webhook, a device."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.values.compared_forms import ComparedForm
from games.lobby.forms.invitation import Card
from games.notifications.email.replies.reply_addresses import replies_are_taken
from games.notifications.models import Style
from games.notifications.policy import preferences
from games.notifications.policy.kinds import ALWAYS_BY_EMAIL, Channel, Detail, NotificationKind
from games.notifications.policy.preferences import BoardStyle, Frequency


def hours() -> list[tuple[str, str]]:
    return [(str(hour), f"{hour:02}:00") for hour in range(24)]


def quiet_hours() -> list[tuple[str, object]]:
    return [("", _("never")), *hours()]


FREQUENCIES = [
    (Frequency.NOW, Card(Frequency.NOW.label, _("An e-mail for each event."))),
    (
        Frequency.CALM,
        Card(
            Frequency.CALM.label,
            _(
                "One e-mail when it has been your turn for 15 minutes; then none about turns "
                "until you visit the site again."
            ),
        ),
    ),
    (
        Frequency.DAILY,
        Card(Frequency.DAILY.label, _("It lists everything that is waiting for you.")),
    ),
    (
        Frequency.TWICE,
        Card(Frequency.TWICE.label, _("Each lists everything that is waiting for you.")),
    ),
]


BY_MAIL = ("by_mail", "receipts", "ask_on_site")  # only if this service accepts answers by e-mail


@dataclass(frozen=True)
class Row:
    """A kind of notification, with pairs of the name of a channel and its box."""

    label: str
    boxes: list[tuple[str, forms.BoundField]]


class PreferencesForm(ComparedForm, forms.Form):
    frequency = forms.ChoiceField(
        label=_("How often"), choices=FREQUENCIES, widget=forms.RadioSelect
    )
    first_hour = forms.TypedChoiceField(
        label=_("Hour of the daily e-mail"), choices=hours, coerce=int
    )
    second_hour = forms.TypedChoiceField(
        label=_("Hour of the second e-mail"), choices=hours, coerce=int
    )
    quiet_from = forms.TypedChoiceField(
        label=_("Quiet hours from"),
        choices=quiet_hours,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_(
            "No e-mails or push notifications are sent in quiet hours. They are sent afterwards "
            "if they still apply."
        ),
    )
    quiet_until = forms.TypedChoiceField(
        label=_("Quiet hours until"),
        choices=quiet_hours,
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("A reminder that cannot wait until then is sent anyway."),
    )
    by_mail = forms.BooleanField(
        label=_("I play by e-mail"),
        required=False,
        help_text=_(
            "You reply to e-mails with your moves. E-mails are then sent at once, or once or "
            "twice a day; none waits until you visit the site."
        ),
    )
    receipts = forms.BooleanField(
        label=_("Confirm every move I play by e-mail"),
        required=False,
        help_text=_("We always reply if something failed."),
    )
    ask_on_site = forms.BooleanField(
        label=_("Always ask me to confirm on the site"),
        required=False,
        help_text=_("What I write by e-mail is only done after I have signed in and confirmed it."),
    )
    board_style = forms.ChoiceField(label=_("Boards in e-mails"), choices=BoardStyle.choices)
    email_detail = forms.ChoiceField(label=_("Contents of e-mails"), choices=Detail.choices)
    push_detail = forms.ChoiceField(
        label=_("Contents of push notifications"),
        choices=[choice for choice in Detail.choices if choice[0] != Detail.BOARD],
        help_text=_("They may be visible on a locked screen."),
    )

    def __init__(self, user: User, data: Any = None) -> None:
        self.user = user
        self.preferences = preferences.read(user)
        super().__init__(data, initial=self._initial())
        if not replies_are_taken():
            for name in BY_MAIL:
                del self.fields[name]
        if self.preferences.by_mail:
            # Not offered; if an older page sends it, it counts as "immediately".
            offered = [each for each in FREQUENCIES if each[0] != Frequency.CALM]
            self.fields["frequency"].widget.choices = offered
        for channel, kind in _boxes():
            label = _("%(kind)s: %(channel)s") % {"kind": kind.label, "channel": channel.label}
            self.fields[f"{channel}_{kind}"] = forms.BooleanField(
                required=False,
                label=label,
                # Shown ticked, whatever is sent.
                disabled=channel == Channel.EMAIL and kind in ALWAYS_BY_EMAIL,
            )

    def _initial(self) -> dict[str, Any]:
        boxes = {
            f"{channel}_{kind}": preferences.wants_email(self.user, kind)
            if channel == Channel.EMAIL
            else self.preferences.wants(channel, kind)
            for channel, kind in _boxes()
        }
        return boxes | {name: getattr(self.preferences, name) for name in self.base_fields}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_until") is None):
            self.add_error(
                "quiet_until",
                _("Quiet hours need a start and an end. Choose both, or “never” for both."),
            )
        return cleaned

    def rows(self) -> Iterator[Row]:
        """The rows of boxes, one for each kind."""
        for kind in NotificationKind:
            boxes = [(str(channel.label), self[f"{channel}_{kind}"]) for channel in Channel]
            yield Row(str(kind.label), boxes)

    def settings(self) -> list[forms.BoundField]:
        """The fields below the boxes, without the frequency."""
        return [self[name] for name in self._chosen() if name != "frequency"]

    def _chosen(self) -> list[str]:
        """The names of the fields other than the boxes."""
        return [name for name in self.base_fields if name in self.fields]

    def save(self) -> None:
        """Store the preferences, and set the lists of the unsubscribe links from the boxes."""
        ticked = {(c, k): self.cleaned_data[f"{c}_{k}"] for c, k in _boxes()}
        others = ALWAYS_BY_EMAIL | {NotificationKind.REMINDER}
        about_matches = [k for k in NotificationKind if k not in others]
        self.user.match_emails = any(ticked[Channel.EMAIL, kind] for kind in about_matches)
        self.user.reminder_emails = ticked[Channel.EMAIL, NotificationKind.REMINDER]
        self.user.save(update_fields=["match_emails", "reminder_emails"])
        chosen = {name: self.cleaned_data[name] for name in self._chosen()}
        unwanted = tuple(f"{c} {k}" for (c, k), wanted in ticked.items() if not wanted)
        preferences.change(self.user, unwanted=unwanted, **chosen)


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_(
            "It starts with https://. Anyone who can read messages there can see your matches."
        ),
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    style = forms.ChoiceField(label=_("Format"), choices=Style.choices)


class DeviceForm(forms.Form):
    """A push subscription, filled in by the page's script."""

    endpoint = forms.CharField(max_length=1000, widget=forms.HiddenInput)
    p256dh = forms.CharField(max_length=100, widget=forms.HiddenInput)
    auth = forms.CharField(max_length=40, widget=forms.HiddenInput)
    name = forms.CharField(max_length=60, widget=forms.HiddenInput)


class RenewalForm(forms.Form):
    """A device's new subscription, from the service worker; `old` is the address of the old one."""

    old = forms.CharField(max_length=1000)
    endpoint = forms.CharField(max_length=1000)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)


def _boxes() -> list[tuple[Channel, NotificationKind]]:
    return [(channel, kind) for channel in Channel for kind in NotificationKind]
