"""BackupFailed: the exception of backup commands; its text is shown to the operator."""


class BackupFailed(Exception):  # noqa: N818 -- it reads as a sentence.
    """A copy could not be made or opened; the text says why."""
