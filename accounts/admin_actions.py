"""Admin actions that ask for a reason, show their effect, and are logged.

An action is a method with `permissions` that calls `ask`. Its page lists the rows and why some will
be skipped. Once a reason is given, the action runs on each row in a separate transaction, and
writes the reason into the row's history and the actor into the security log.
"""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import ports
from accounts.models import User
from accounts.sign_in import security_log
from lib.admin_base import PRIMARY_KEY, GuardedAdmin

MAX_ROWS = 100  # in one action
MAX_REASON_CHARACTERS = 200

FROM_ROW = "from_row"  # the field with the row on whose page an action was chosen

# Acts on a row, given the form's data; returns lines for the row's history.
Act = Callable[[Any, dict[str, Any]], Iterable[str]]


class ReasonForm(forms.Form):
    """Asks for the reason of an action."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.TextInput({"class": "vTextField"}),
        help_text=gettext_lazy("Kept in the history of each row."),
    )


class Declined(Exception):  # noqa: N818 -- nothing went wrong.
    """An action skips a row; the text tells staff why."""


def requires(permission: str) -> Any:
    """Make a method `has_..._permission` that checks this permission."""

    def has_permission(self: Any, request: HttpRequest) -> bool:
        return request.user.has_perm(permission)

    return has_permission


def opponents_of(user: AbstractBaseUser) -> set[int]:
    """The primary keys of the opponents in this user's running matches."""
    return {pk for ask in ports.opponents_of for pk in ask(user.pk)}


def refusal_against(request: HttpRequest, user: User) -> str:
    """Why the member of staff who sent a request may not act on this user; "" if they may."""
    return why_not_against(request.user, user, lambda: opponents_of_sender(request))  # type: ignore[arg-type]


def opponents_of_sender(request: HttpRequest) -> set[int]:
    """The primary keys of the opponents of who sent a request; queried once a request."""
    if not hasattr(request, "opponents"):
        request.opponents = opponents_of(request.user)  # type: ignore[attr-defined,arg-type]
    return request.opponents  # type: ignore[attr-defined,no-any-return]


def why_not_against(actor: User, user: User, opponents: Callable[[], Collection[int]]) -> str:
    """Why a member of staff may not act on this user; "" if they may.

    `opponents` returns the primary keys of the actor's opponents in running matches.
    """
    if actor.pk in (user.pk, user.owner_id):
        return _("that is you.")
    if user.is_house:
        return _("computer opponents stay as they are: matches depend on them.")
    if (user.is_staff or user.is_superuser) and not actor.is_superuser:
        return _("only a superuser may do this to staff.")
    if user.pk in opponents():
        return _("you are playing a match against each other, so somebody else has to do this.")
    if any(compete(actor.pk, user.pk) for compete in ports.compete):
        return _("you are in the same tournament or ladder, so somebody else has to do this.")
    return ""


class ReasonedActions(GuardedAdmin):
    """Admin with actions that ask for a reason, in the list and on the page of each row."""

    change_form_template = "admin/row_with_actions.html"

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of a row, with a button for each action that this member of staff may use."""
        context = {
            "row_actions": self.get_action_choices(request, []) if object_id else (),
            "row_number": object_id,
            "checkbox": ACTION_CHECKBOX_NAME,
            **(extra_context or {}),
        }
        return super().changeform_view(request, object_id, form_url, context)

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any
    ) -> HttpResponse | None:
        """Run an action; one that was chosen on the page of a row leads back there."""
        response = super().response_action(request, queryset, *args)
        row = _row_of(request)
        if row is None or not isinstance(response, HttpResponseRedirect):
            return response
        if not self.model._default_manager.filter(pk=row).exists():
            return response
        page = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
        return redirect(page, row)

    def ask(
        self,
        request: HttpRequest,
        queryset: QuerySet[Any],
        act: Act,
        *,
        title: str,
        effect: str,
        form_class: type[ReasonForm] = ReasonForm,
    ) -> TemplateResponse | None:
        """The page of an action; once its form is valid, act on each row and return None."""
        rows = list(queryset[: MAX_ROWS + 1])
        if len(rows) > MAX_ROWS:
            message = _("Choose at most %(most)s rows at a time.") % {"most": MAX_ROWS}
            self.message_user(request, message, messages.ERROR)
            return None
        form = form_class(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            for row in rows:
                self._act_on(request, row, act, form.cleaned_data)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "effect": effect,
            "opts": self.opts,
            "form": form,
            "rows": [(row.pk, self.describe(row), self.refusal(request, row)) for row in rows],
            "action": request.POST["action"],
            "from_row": _row_of(request),
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/confirm_with_reason.html", context)

    def refusal(self, request: HttpRequest, row: Any) -> str:
        """Why this member of staff may not act on this row; "" if they may."""
        return ""

    def describe(self, row: Any) -> str:
        """The row, as listed on the page of an action."""
        return str(row)

    def name_of(self, row: Any) -> str:
        """The row, at the start of the message about its result."""
        return str(row)

    def transaction(self) -> AbstractContextManager[Any]:
        return transaction.atomic()

    def explain(self, error: Exception) -> str | None:
        """The reason for skipping a row, from an exception; None to raise the exception."""
        return str(error) if isinstance(error, Declined) else None

    def _act_on(self, request: HttpRequest, row: Model, act: Act, data: dict[str, Any]) -> None:
        """Act on one row and log it in one transaction, or show why it was skipped."""
        name, level = self.name_of(row), messages.ERROR
        if not (answer := self.refusal(request, row)):
            try:
                with self.transaction():
                    done = list(act(row, data))
                    for line in done:
                        self.log_change(request, row, line)
            except Exception as error:
                if (sentence := self.explain(error)) is None:
                    raise
                answer = sentence
            else:
                level, answer = messages.SUCCESS, "; ".join(done)
        self._log(request, row, done=level == messages.SUCCESS)
        self.message_user(
            request, _("%(row)s: %(answer)s") % {"row": name, "answer": answer}, level
        )

    def _log(self, request: HttpRequest, row: Model, done: bool) -> None:
        what = f"{request.POST['action']} of {row._meta.label} {row.pk}"
        security_log.note(f"{'did' if done else 'was refused'} {what}", request, request.user.pk)


def _row_of(request: HttpRequest) -> int | None:
    """The primary key of the row on whose page the action was chosen; None for a list."""
    text = request.POST.get(FROM_ROW, "")
    return int(text) if PRIMARY_KEY.fullmatch(text) else None


def with_reason(done: str, data: dict[str, Any]) -> list[str]:
    """The line of the history for an action: what was done, and the reason."""
    return [_("%(done)s: %(reason)s") % {"done": done, "reason": data["reason"]}]
