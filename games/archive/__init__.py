"""Archive: finished matches with replay and records, and game records imported by players."""
