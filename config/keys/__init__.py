"""Keys: the key files, their fingerprints in the database, and the command that prepares both."""
