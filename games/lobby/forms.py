"""The one form with which an invitation is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.lobby import commands, options
from games.lobby.models import Invitation, Kind
from games.lobby.paces import PaceForm, last_pace
from games.lobby.terms import summary
from games.rules import registry
from games.rules.core.army import Seat

if TYPE_CHECKING:
    from django.utils.functional import Promise


@dataclass(frozen=True)
class Card:
    """A choice with a sentence about it."""

    title: str | Promise
    help: str | Promise
    first: bool = True  # shown at once; the others lie behind a click

    def __str__(self) -> str:
        return str(self.title)


KINDS = [
    (Kind.SEAT, Card(_("Anybody"), _("An open seat, to be seen in the lobby."))),
    (Kind.CHALLENGE, Card(_("A player I name"), _("They get a letter and accept or decline."))),
    (Kind.LINK, Card(_("Whoever has the link"), _("You get a secret address to hand on."))),
]
SEAT_CARDS = [
    ("", Card(_("By lot"), _("Drawn when the match begins."))),
    (str(int(Seat.SOUTH)), Card(_("South"), _("Moves first; in Assaut, the soldiers."))),
    (str(int(Seat.NORTH)), Card(_("North"), _("Moves second; in Assaut, the officers."))),
]


def presets() -> list[tuple[str, Card]]:
    """A card for every preset, in the reader's language; first editions are shown at once."""
    return [
        (rules.key, Card(_(rules.title), summary(rules), registry.first_edition(rules) is rules))
        for rules in registry.presets()
    ]


class InvitationForm(options.OptionFields, PaceForm):
    kind = forms.ChoiceField(
        label=_("Who do you want to play?"), choices=KINDS, widget=forms.RadioSelect
    )
    opponent = forms.CharField(
        label=_("Handle of the player you name"),
        max_length=40,
        required=False,
        help_text=_("Capitals or small letters make no difference."),
        widget=forms.TextInput(
            attrs={"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
        ),
    )
    preset = forms.ChoiceField(label=_("Game"), choices=presets, widget=forms.RadioSelect)
    seat = forms.ChoiceField(
        label=_("Your seat"), choices=SEAT_CARDS, required=False, widget=forms.RadioSelect
    )
    note = forms.CharField(
        label=_("Message"),
        max_length=200,
        required=False,
        help_text=_("At most 200 characters. Whoever sees the invitation reads it."),
    )

    @property
    def shows_editions(self) -> bool:
        """Whether another edition is chosen than one that is shown at once."""
        chosen = self["preset"].value()
        return any(key == chosen and not card.first for key, card in presets())

    def clean_note(self) -> str:
        """One line: it stands in lists and letters."""
        return " ".join(self.cleaned_data["note"].split())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        handle = data.get("opponent", "")
        if data.get("kind") == Kind.CHALLENGE:
            data["guest"] = self._find(handle)
        elif handle and "kind" in data:
            self.add_error(
                "opponent",
                _("You named a player: choose “A player I name” above, or empty this."),
            )
        return data

    def _find(self, handle: str) -> User | None:
        """The player whom this handle means, whatever its capitals."""
        if not handle:
            self.add_error("opponent", _("Write the handle of the player you challenge."))
            return None
        found: User | None = User.objects.people().filter(username__iexact=handle).first()
        if found is None:
            message = _("Nobody with the handle “%(handle)s” plays here; look at its spelling.")
            self.add_error("opponent", forms.ValidationError(message, params={"handle": handle}))
        return found

    def offer(self, owner: User) -> Invitation:
        """Make the invitation that was filled in; raises Refusal."""
        data = self.cleaned_data
        return commands.offer(
            owner,
            kind=Kind(data["kind"]),
            guest=data.get("guest"),
            preset=data["preset"],
            switches=data["switches"],
            as_set=data["as_set"],
            seat=Seat(int(data["seat"])) if data["seat"] else None,
            note=data["note"],
            **self.pace_terms(),
        )


def last_choices(owner: User) -> dict[str, object]:
    """What the player chose the last time; the handle and the words are for each time anew."""
    last = (
        Invitation.objects.filter(owner=owner.pk, rematch_of=None).order_by("-created_at").first()
    )
    pace = last_pace(last)
    if last is None:
        return {"kind": Kind.SEAT, "preset": registry.presets()[0].key, "seat": "", **pace}
    return {
        "kind": last.kind,
        "preset": last.preset,
        **options.initial(last),
        "seat": "" if last.seat is None else str(last.seat),
        **pace,
    }
