"""Backups: copies of the database that are whole, checked, and described beside them."""
