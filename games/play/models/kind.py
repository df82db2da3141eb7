"""PlyKind: whether a ply is a move or another event such as a resignation. Public."""

from django.db import models


class PlyKind(models.TextChoices):
    """The kind of a ply, as it is stored."""

    BEGIN = "begin"  # ply 0: the match was opened, and pieces dealt if the game has a deal
    SETUP = "setup"
    MOVE = "move"
    RESIGN = "resign"
    DRAW = "draw"
    TIME = "time"  # ended on time
    ABORT = "abort"  # by a player, before the first move
    CANCEL = "cancel"  # by the server: a player did not set up in time
    VOID = "void"  # by an administrator, without a result
    REOPEN = "reopen"  # by an administrator: undoes an ending on time
    LOOK = "look"  # two members of staff have opened both armies; no turn
