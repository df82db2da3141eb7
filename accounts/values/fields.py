"""Model fields: e-mail address in canonical form, look-alike key of a username."""

from typing import Any

from django.db import models

from accounts.values import addresses, usernames


class AddressField(models.EmailField):
    """An e-mail address, stored and looked up in canonical form: Ann@x.org is ann@x.org."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return addresses.canonical(value) if isinstance(value, str) else value


class HandleKeyField(models.CharField):
    """The skeleton of the row's username, computed at every save."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = usernames.skeleton(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key
