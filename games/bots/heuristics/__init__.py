"""What is known of each game beyond its rules: usual set-ups, worths of pieces."""
