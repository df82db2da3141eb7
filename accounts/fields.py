"""Columns that keep a rule of their own."""

from typing import Any

from django.db import models

from accounts import handles


class AddressField(models.EmailField):
    """An e-mail address, kept and looked up in small letters: Ann@x.org is ann@x.org."""

    def get_prep_value(self, value: Any) -> Any:
        value = super().get_prep_value(value)
        return value.lower() if isinstance(value, str) else value


class HandleKeyField(models.CharField):
    """The skeleton of the row's handle. Every save writes it anew, so that it cannot disagree."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = handles.skeleton(model_instance.username)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key
