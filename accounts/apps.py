"""App configs: accounts, and the admin with the site's log-in."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Accounts: users, log-in, preferences, second factors."""

    name = "accounts"
    verbose_name = _("People")
    default = True

    def ready(self) -> None:
        from django.urls import register_converter

        from accounts.sign_in import receivers  # noqa: F401 -- importing it connects the receivers.
        from accounts.values.converters import HandleConverter

        register_converter(HandleConverter, "handle")


class StaffAdminConfig(admin.AdminConfig):
    """The admin with our site; INSTALLED_APPS has it instead of django.contrib.admin."""

    default = False
    default_site = "accounts.sign_in.admin_site.StaffSite"
