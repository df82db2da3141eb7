"""BackupFailed: the exception of backups, with a sentence for whoever asked for one."""


class BackupFailed(Exception):  # noqa: N818 -- it reads as a sentence.
    """No copy was made, or one could not be opened; the text says why."""
