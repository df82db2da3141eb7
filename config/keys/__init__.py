"""Keys: key files, their fingerprints in the database, and `prepare`, which creates them."""
