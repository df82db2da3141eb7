"""Accounts: users, sign-in, preferences. Imports nothing from games."""
