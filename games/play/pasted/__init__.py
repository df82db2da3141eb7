"""Texts that people paste: game records and set-ups, read in a limited child process."""
