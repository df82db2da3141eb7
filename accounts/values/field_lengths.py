"""Maximum lengths for the text fields of a library's forms, which have none of their own."""

from copy import deepcopy
from typing import Any, TypeVar

from django import forms
from django.core.validators import MaxLengthValidator

F = TypeVar("F", bound=type[Any])

MAX_CHARACTERS = 4096  # longer than any password, code or address


def limit_texts(form: F) -> F:
    """Class decorator: every text field without a maximum gets MAX_CHARACTERS."""
    for name, field in form.base_fields.items():
        # What a passkey sends (JSON) is limited by the size of the request.
        is_text = isinstance(field, forms.CharField) and not isinstance(field, forms.JSONField)
        if is_text and field.max_length is None:
            # A copy, since the library's own form has the same field.
            limited = deepcopy(field)
            limited.max_length = MAX_CHARACTERS
            limited.validators.append(MaxLengthValidator(MAX_CHARACTERS))
            form.base_fields[name] = limited
    return form
