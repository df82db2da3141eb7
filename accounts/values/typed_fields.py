"""Forms whose addresses, usernames and codes are normalized before anything checks them."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from accounts.values import addresses
from lib.spelling import typed_text


def login(text: str) -> str:
    """A username, or an address if there is an @ in it."""
    plain = typed_text.plain(text)
    return addresses.canonical(plain) if "@" in plain else plain


READ: dict[str, Callable[[str], str]] = {
    "email": addresses.canonical,
    "username": typed_text.plain,
    "handle": typed_text.plain,
    "login": login,
    "code": typed_text.code,
}
MAX_CHARACTERS = 400  # a longer text is refused as it is


class TypedForm:
    """Mixin, before a form: normalizes the fields that READ names."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        first, *others = args or (None,)
        if isinstance(first, Mapping):
            args = (_read(first), *others)
        elif data := kwargs.get("data"):
            kwargs["data"] = _read(data)
        super().__init__(*args, **kwargs)


def _read(data: Mapping[str, Any]) -> Mapping[str, Any]:
    read: Any = data.copy()  # type: ignore[attr-defined]
    for name in READ.keys() & data.keys():
        text = data[name]
        # A zero byte is refused by the field.
        if isinstance(text, str) and len(text) <= MAX_CHARACTERS and "\0" not in text:
            read[name] = READ[name](text)
    return cast("Mapping[str, Any]", read)
