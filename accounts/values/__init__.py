"""Values of accounts: usernames, e-mail addresses and time zones, checked and compared."""
