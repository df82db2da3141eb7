"""Path converter for the moves of a lesson (`<played:...>`, registered in apps.py)."""

from django.urls.converters import StringConverter

MAX_CHARACTERS = 400  # more than any lesson needs


class PlayedConverter(StringConverter):
    """Moves in canonical notation separated by dots, such as `a4-a5.a5xa6`.

    The value ends in a digit, as every move does, so it never matches the name of a page.
    """

    regex = rf"[a-w*][a-w0-9x*,.-]{{1,{MAX_CHARACTERS}}}[0-9]"
