"""Admin actions that ask for a reason, say what will happen to whom, and are logged.

An action is a method with `permissions`, which calls `ask`. Its page lists the rows, with why some
will be left alone; sent with a reason, it acts on each row in a transaction of its own and writes
the reason into the row's history, and into the security log who did what.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import ports
from accounts.models import User
from accounts.sign_in import security_log
from lib.admin_base import GuardedAdmin

MAX_ROWS = 100  # in one action
MAX_REASON_CHARACTERS = 200

# What acts on a row: from what was asked for to what was done, a line each for the row's history.
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
    """An action leaves a row alone; the text says why, to staff."""


def requires(permission: str) -> Any:
    """A method `has_..._permission` for the users with this permission."""

    def has_permission(self: Any, request: HttpRequest) -> bool:
        return request.user.has_perm(permission)

    return has_permission


def opponents_of(user: AbstractBaseUser) -> set[int]:
    """The users with whom somebody sits in a running match."""
    return {pk for ask in ports.opponents_of for pk in ask(user.pk)}


def refusal_against(request: HttpRequest, user: User) -> str:
    """Why this member of staff may not act on this user; nothing if they may."""
    actor = request.user
    if user.pk == actor.pk:
        return _("that is you.")
    if (user.is_staff or user.is_superuser) and not getattr(actor, "is_superuser", False):
        return _("only a superuser may do this to staff.")
    if not hasattr(request, "opponents"):
        request.opponents = opponents_of(actor)  # type: ignore[attr-defined,arg-type]
    if user.pk in request.opponents:  # type: ignore[attr-defined]
        return _("you are playing a match against each other, so somebody else has to do this.")
    return ""


class ReasonedActions(GuardedAdmin):
    """Admin with actions that ask for a reason."""

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
        """The page of an action; once its form is valid, act on each row and return to the list."""
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
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/confirm_with_reason.html", context)

    def refusal(self, request: HttpRequest, row: Any) -> str:
        """Why this member of staff may not act on this row; nothing if they may."""
        return ""

    def describe(self, row: Any) -> str:
        """The row, on the page of an action."""
        return str(row)

    def name_of(self, row: Any) -> str:
        """The row, at the beginning of a sentence on what became of it."""
        return str(row)

    def transaction(self) -> AbstractContextManager[Any]:
        return transaction.atomic()

    def explain(self, error: Exception) -> str | None:
        """The sentence of an error by which a row is left alone; None for any other error."""
        return str(error) if isinstance(error, Declined) else None

    def _act_on(self, request: HttpRequest, row: Model, act: Act, asked: dict[str, Any]) -> None:
        """Act on one row and log that in one transaction, or say why it was left alone."""
        name, level = self.name_of(row), messages.ERROR
        if not (answer := self.refusal(request, row)):
            try:
                with self.transaction():
                    done = list(act(row, asked))
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


def with_reason(done: str, asked: dict[str, Any]) -> list[str]:
    """The line of the history for an action that is said in a word."""
    return [_("%(done)s: %(reason)s") % {"done": done, "reason": asked["reason"]}]
