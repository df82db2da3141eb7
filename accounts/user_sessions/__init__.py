"""Sessions of users: where they are stored, listed and ended."""
