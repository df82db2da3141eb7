"""Maximum lengths for the text fields of a library's forms."""

from copy import deepcopy
from typing import Any, TypeVar

from django import forms
from django.core.validators import MaxLengthValidator

F = TypeVar("F", bound=type[Any])

MAX_CHARACTERS = 4096  # longer than any password, code or address


def limit_texts(form: F) -> F:
    """Class decorator: every text field without a maximum gets MAX_CHARACTERS."""
    for name, field in form.base_fields.items():
        # A passkey's JSON is limited by its decoder.
        is_text = isinstance(field, forms.CharField) and not isinstance(field, forms.JSONField)
        if is_text and field.max_length is None:
            # A copy, since the library's form shares the field.
            limited = deepcopy(field)
            limited.max_length = MAX_CHARACTERS
            limited.validators.append(MaxLengthValidator(MAX_CHARACTERS))
            form.base_fields[name] = limited
    return form
