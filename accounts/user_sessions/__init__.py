"""Sessions of users: the session engine, the list of a user's sessions, user agents."""
