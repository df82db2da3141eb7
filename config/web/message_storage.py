"""Storage of one-time messages: as Django's, with the cookie's name from the settings."""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class NamedCookieStorage(CookieStorage):
    """Django's storage in a cookie, but named MESSAGES_COOKIE_NAME; Django has no such setting."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Messages in a cookie, or in the session if they are too long for one."""

    storage_classes = (NamedCookieStorage, SessionStorage)
