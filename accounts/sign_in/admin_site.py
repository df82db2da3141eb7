"""The admin site: staff log in on the site's page, with its rate limits and second factors."""

from typing import Any

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.generic import RedirectView

from accounts.sign_in.second_factors import FACTORS, reauthentication_page, used_a_factor


class StaffSite(admin.AdminSite):
    """The admin site without its own log-in, log-out and password pages."""

    site_title = site_header = gettext_lazy("Estafette administration")
    index_title = gettext_lazy("Administration")

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff only; with STAFF_NEEDS_MFA, only in sessions that used a second factor.

        An account with a factor may have older sessions that did not use it.
        """
        return super().has_permission(request) and (
            not settings.STAFF_NEEDS_MFA or used_a_factor(request)
        )

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(get_next_redirect_url(request) or request.get_full_path())
        if not request.user.is_staff:
            raise PermissionDenied
        if not self.has_permission(request) and is_mfa_enabled(request.user, FACTORS):
            return redirect_to_login(
                get_next_redirect_url(request) or reverse("admin:index"),
                login_url=reverse(reauthentication_page(request.user)),
            )
        if not self.has_permission(request):
            messages.warning(
                request,
                _(
                    "The administration pages require two-factor authentication. Set it up "
                    "here, then come back."
                ),
            )
            return redirect("mfa_index")
        return HttpResponseRedirect(get_next_redirect_url(request) or reverse("admin:index"))

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Redirect the admin's log-out and password pages to the site's own."""
        ours = {"logout": "account_logout", "password_change": "account_change_password"}
        elsewhere: list[URLPattern | URLResolver] = [
            path(f"{name}/", RedirectView.as_view(pattern_name=page), name=name)
            for name, page in ours.items()
        ]
        return elsewhere + super().get_urls()
