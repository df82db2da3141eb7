"""Database helpers: batches, prepared queries, and operations for migrations."""
