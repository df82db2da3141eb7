"""Time zone field: a text field that suggests zones and accepts a city or a zone's full name."""

from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.values import time_zones


class ZoneInput(forms.TextInput):
    """A text input with suggestions; a select of all zones would be the slowest part of a page."""

    LIST = "zones"

    def __init__(self) -> None:
        super().__init__({"list": self.LIST, "autocomplete": "off", "spellcheck": "false"})

    def render(self, *args: Any, **kwargs: Any) -> SafeString:
        return super().render(*args, **kwargs) + time_zones.datalist(self.LIST)


class ZoneField(forms.CharField):
    """A time zone as people write it; cleans to its IANA name."""

    widget = ZoneInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=time_zones.MAX_CHARACTERS, **kwargs)

    def clean(self, value: Any) -> str:
        zone = time_zones.find(super().clean(value))
        if zone is None:
            raise forms.ValidationError(
                _("There is no time zone with this name. Choose a city in your time zone.")
            )
        return zone
