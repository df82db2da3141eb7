"""Form of the list of matches to watch: which game or event, in which order, programs or not."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.ports import event_of
from games.rules import registry
from games.watch import listing

NEWEST, LONGEST = "newest", "longest"
PEOPLE, ALL = "people", "all"


class WatchForm(forms.Form):
    """Which matches are listed; each field may be missing."""

    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    order = forms.ChoiceField(
        label=gettext_lazy("Order"),
        required=False,
        choices=[
            (NEWEST, gettext_lazy("the newest first")),
            (LONGEST, gettext_lazy("the longest first")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(family, _(registry.title(family))) for family in registry.games]
        self.fields["game"].choices = [("", _("any game")), *games]  # type: ignore[attr-defined]
        # Its name is a word of Python.
        self.fields["with"] = forms.ChoiceField(
            label=_("Players"),
            required=False,
            choices=[
                (PEOPLE, _("people only")),
                (ALL, _("people, the computer and bots")),
            ],
        )
        if key := self.data.get("event", ""):
            # Only what is chosen by a link, and nothing else: there may be many.
            link = event_of(key)
            chosen = [] if link is None else [(key, link.title)]
            self.fields["event"] = forms.ChoiceField(
                label=_("Event"), required=False, choices=[("", _("any event")), *chosen]
            )
        for field in self.fields.values():
            field.error_messages["invalid_choice"] = _(
                "“%(value)s” is not one of the choices. Choose one from the list."
            )

    def page(self, after: int | None) -> listing.Page:
        """The page of a valid form after a match."""
        chosen = self.cleaned_data
        return listing.page(
            family=chosen["game"],
            longest=chosen["order"] == LONGEST,
            event=chosen.get("event", ""),
            programs=chosen["with"] == ALL,
            after=after,
        )
