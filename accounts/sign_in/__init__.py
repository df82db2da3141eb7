"""Sign-in: passwords, second factors, limits on guesses, and the security log."""
