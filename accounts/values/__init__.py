"""Values of accounts: validation and fields for usernames, e-mail addresses and time zones."""
