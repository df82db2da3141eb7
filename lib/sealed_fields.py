"""Sealed fields: model fields whose values are encrypted by lib/sealing.py.

A field only declares its purpose and context: the apps seal and unseal its values, and
lib/resealing.py reads the declaration. Migrations see a plain BinaryField or TextField.
"""

from typing import Any

from django.db import models


class SealedMixin:
    """Declares the purpose and context of the values of a column.

    `context` is a template with columns of the row, such as "ply/{match_id}/{number}"; bytes are
    formatted as hexadecimal digits. `label` names the rows in the output of `manage.py reseal`.
    Empty values are not sealed.
    """

    def __init__(
        self,
        *args: Any,
        label: str = "",
        purpose: str = "",
        context: str = "",
        expendable: bool = False,
        append_only: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.label, self.purpose, self.context = label, purpose, context
        self.expendable = expendable  # skip values that no key opens, instead of failing
        self.append_only = append_only  # no other code updates these rows

    def context_of(self, **columns: Any) -> str:
        """The context of a value, given the columns in the template."""
        hexed = {k: v.hex() if isinstance(v, bytes | memoryview) else v for k, v in columns.items()}
        return self.context.format(**hexed)

    def deconstruct(self) -> tuple[str, str, Any, dict[str, Any]]:
        name, _path, args, kwargs = super().deconstruct()  # type: ignore[misc]
        path = f"django.db.models.{self.get_internal_type()}"  # type: ignore[attr-defined]
        return name, path, args, kwargs


class SealedField(SealedMixin, models.BinaryField):
    """A column of sealed bytes, as `seal_bytes` makes them."""


class SealedTextField(SealedMixin, models.TextField):
    """A column of sealed base64, as `seal` makes it."""
