"""What kinds of plies there are; as public as the record's text."""

from django.db import models


class Kind(models.TextChoices):
    BEGIN = "begin"
    SETUP = "setup"
    MOVE = "move"
    RESIGN = "resign"
    DRAW = "draw"
    TIME = "time"
    ABORT = "abort"
    CANCEL = "cancel"
    VOID = "void"
    REOPEN = "reopen"  # an ending by time is taken back
