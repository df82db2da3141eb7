"""Fetch, look or command, render or redirect. No rule and no query of the record lives here."""
