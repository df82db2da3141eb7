"""E-mail notifications: written, sent, digested, and bounces read."""
