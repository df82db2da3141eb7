"""Accounts: users, signing in, preferences; they know nothing of games."""
