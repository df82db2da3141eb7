"""Pages about programs that act for a person: tokens for the API, and bots."""
