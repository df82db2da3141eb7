"""What every room needs and none owns: database helpers, sealing, retention, child processes."""
