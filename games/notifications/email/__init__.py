"""E-mails to users: composing, sending, digests, reply addresses and bounces."""
