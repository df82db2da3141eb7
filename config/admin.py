"""Admin of the settings of the site: close sign-up, and show a notice on every page."""

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from accounts.sign_in import security_log
from config.models import SiteSettings
from config.web import site_settings
from lib.admin_base import GuardedAdmin


@admin.register(SiteSettings)
class SiteSettingsAdmin(GuardedAdmin):
    """One row, which can be added once and never deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not SiteSettings.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: SiteSettings, form: Any, change: bool) -> None:
        """Save the row under its one primary key, and have this process read it again."""
        obj.pk = SiteSettings.ONLY
        super().save_model(request, obj, form, change)
        transaction.on_commit(site_settings.forget)
        if form.changed_data:
            what = f"changed {', '.join(form.changed_data)} of the settings of the site"
            security_log.note(what, request, request.user.pk)
