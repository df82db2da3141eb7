"""Path converter for the moves of a lesson (`<played:...>`, registered in apps.py)."""

from django.urls.converters import StringConverter

MAX_CHARACTERS = 400  # more than the turns of any lesson take


class PlayedConverter(StringConverter):
    """Moves in canonical notation with dots between them, such as `a4-a5.a5xa6`.

    It ends in a digit, as every move does, and no name of a page does.
    """

    regex = rf"[a-w*][a-w0-9x*,.-]{{1,{MAX_CHARACTERS}}}[0-9]"
