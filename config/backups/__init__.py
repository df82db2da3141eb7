"""Backups: complete copies of the database, each with a manifest to verify it by."""
