"""Admin page of ladders: organisers open them and set the terms of their matches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import MAX_REASON_CHARACTERS
from accounts.sign_in import security_log
from games.competitions.ladders.models import Ladder, Member
from games.play import time_controls
from games.play.terms import DEFAULT_PACE
from games.play.words.wording import refusal_text
from games.ratings import eligibility
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from lib.admin_base import GuardedAdmin
from lib.db_clock import now

DEFAULT_SETUP = "5d"


class LadderForm(forms.ModelForm):
    """The terms of a ladder, and why they are set."""

    reader_stands_on_it = False

    preset = forms.ChoiceField(label=gettext_lazy("rules"))
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.TextInput({"class": "vTextField"}),
        help_text=gettext_lazy("Kept in the history of each row."),
    )

    class Meta:
        model = Ladder
        fields = ("preset", "pace", "setup_pace", "vacations", "memory_aid", "rated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        editions = registry.games.get(self.instance.family) or registry.editions()
        choices = [(rules.key, f"{_(rules.title)} ({rules.key})") for rules in editions]
        self.fields["preset"].choices = choices  # type: ignore[attr-defined]
        if not self.instance.pk:
            usual = {"pace": DEFAULT_PACE, "setup_pace": DEFAULT_SETUP}
            self.initial = {**usual, "vacations": True, "rated": True, **self.initial}

    def clean_pace(self) -> str:
        return _limited(self.cleaned_data["pace"])

    def clean_setup_pace(self) -> str:
        return _limited(self.cleaned_data["setup_pace"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        if self.reader_stands_on_it:
            raise ValidationError(
                _("You are on this ladder, so somebody else has to set its terms.")
            )
        family = registry.ruleset(data["preset"]).family
        if not self.instance.pk:
            if Ladder.objects.filter(family=family).exists():
                raise ValidationError(_("This game has a ladder already. Change its terms there."))
            self.instance.family = family
        for name in self._meta.fields or ():
            setattr(self.instance, name, data[name])
        if data["rated"]:
            try:
                eligibility.check_terms(self.instance.terms)
            except Refusal as refusal:
                raise ValidationError(refusal_text(refusal)) from None
        return data


@admin.register(Ladder)
class LadderAdmin(GuardedAdmin):
    """Opens ladders and sets their terms, which count for challenges from then on."""

    form = LadderForm
    fields = (*LadderForm.Meta.fields, "reason")
    list_display = ("family", "preset", "pace", "setup_pace", "vacations", "rated", "opened_at")
    ordering = ("family",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_form(
        self, request: HttpRequest, obj: Ladder | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """The form, which refuses a member of the ladder, as tournaments refuse their players."""
        form: Any = super().get_form(request, obj, change, **kwargs)
        if obj is not None and request.method == "POST":
            members = Member.objects.filter(ladder=obj, user=request.user.pk)
            form.reader_stands_on_it = members.exists()
            if form.reader_stands_on_it:
                what = f"was refused to set the terms of ladder {obj.family}"
                security_log.note(what, request, request.user.pk)
        return form

    def save_model(self, request: HttpRequest, obj: Ladder, form: Any, change: bool) -> None:
        if not change:
            obj.opened_at = now()
        super().save_model(request, obj, form, change)
        done = f"{'set the terms of' if change else 'opened'} ladder {obj.family}"
        security_log.note(done, request, request.user.pk)

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """What changed, and the reason, for the history."""
        named = [name for name in form.changed_data if name != "reason"]
        terms = ", ".join(f"{name}: {form.cleaned_data[name]}" for name in named)
        return f"{terms or '–'} ({form.cleaned_data['reason']})"


def _limited(pace: str) -> str:
    """A time control with a limit, as it is stored; raises ValidationError."""
    try:
        control = time_controls.parse(pace)
    except ValueError:
        raise ValidationError(
            _("This is no time control. Write it as 3d, or as 24h+4h^72h, for example.")
        ) from None
    if control.bank is None:
        raise ValidationError(_("A ladder needs a time limit. Write 3d, for example."))
    return pace
